"""What the server takes from a client: the messages of the union, nothing else; no word of a bad one comes back."""

import json
import string
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twoseat import wire

MODELS = get_args(get_args(wire.ClientMessage)[0])
KINDS = {model.model_fields["type"].annotation.__args__[0]: model for model in MODELS}
HEX = st.text("0123456789abcdef", min_size=64, max_size=64)
CODES = st.text(min_size=6, max_size=16)
TERMS = st.fixed_dictionaries(
    {},
    optional={
        "game": st.sampled_from(("war", "war-online")),
        "preset": st.text(max_size=20),
        "target": st.integers(1, 50),
        "turn_seconds": st.integers(5, 600),
        "timer": st.sampled_from((0, 1, 2, 10)),
        "games": st.sampled_from((1, 3, 5)),
        "limit": st.integers(10, 100),
        "level": st.sampled_from(("easy", "middle", "strong")),
    },
)
MATCHES = st.from_regex(r"[0-9a-f]{34}", fullmatch=True) | st.none()
FIELDS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "hello": {
        "protocol": st.integers(-(2**70), 2**70),
        "token": st.from_regex(r"[A-Za-z0-9_-]{43}", fullmatch=True) | st.none(),
        "match": MATCHES,
        "name": st.text(min_size=1, max_size=80) | st.none(),
        "client": st.text(max_size=40),
    },
    "quick": {"terms": TERMS},
    "host": {"terms": TERMS},
    "bot": {"terms": TERMS},
    "join": {"code": CODES},
    "watch": {"code": CODES},
    "commit": {"digest": HEX},
    "open": {"nonce": HEX},
    "play": {
        "id": st.from_regex(r"[A-Za-z0-9_-]{1,32}", fullmatch=True),
        "number": st.integers(0, 100_000),
        "move": st.from_regex(r"[a-z0-9_][a-z0-9_ -]{0,119}", fullmatch=True),
    },
    "react": {"reaction": st.sampled_from([str(word) for word in wire.Reaction])},
    "ping": {"n": st.integers(0, 2**31)},
    "rematch": {"match": MATCHES},
    **{kind: {} for kind in ("cancel", "return", "leave", "resign", "sync")},
}
GOOD: dict[str, dict[str, Any]] = {
    "hello": {"protocol": 1, "token": "t" * 43, "match": "0" * 34, "name": "Ann", "client": "page"},
    "quick": {"terms": {"preset": "classic", "target": 50, "turn_seconds": 15, "timer": 2, "games": 3}},
    "host": {"terms": {}},
    "bot": {},
    "join": {"code": "BCDFGH"},
    "watch": {"code": "bcd-fgh"},
    "commit": {"digest": "0a" * 32},
    "open": {"nonce": "0a" * 32},
    "play": {"id": "m-1_A", "number": 0, "move": "turn 10"},
    "react": {"reaction": "ouch"},
    "ping": {"n": 0},
    **{kind: {} for kind in ("cancel", "return", "leave", "resign", "rematch", "sync")},
}
SECRET = "sEcReT-9731"


def messages() -> st.SearchStrategy[dict[str, Any]]:
    """Any message a client may send."""
    return st.one_of([st.fixed_dictionaries({"type": st.just(kind), **fields}) for kind, fields in FIELDS.items()])


def refused(raw: str | bytes) -> wire.Malformed:
    """Why this is refused; that nothing of it is echoed is part of every refusal."""
    with pytest.raises(wire.Malformed) as caught:
        wire.parse(raw)
    error = caught.value
    assert error.__cause__ is None
    assert error.__suppress_context__ or error.__context__ is None
    return error


def test_every_message_of_the_union_is_tried() -> None:
    assert set(FIELDS) == set(GOOD) == set(KINDS)
    for kind, model in KINDS.items():
        assert set(model.model_fields) == {"type", *FIELDS[kind]}


@pytest.mark.parametrize("kind", KINDS)
def test_a_plain_message_is_taken(kind: str) -> None:
    message = wire.parse(json.dumps({"type": kind, **GOOD[kind]}))
    assert type(message) is KINDS[kind]
    assert message.type == kind


@given(messages())
def test_every_client_message_comes_through_whole(message: dict[str, Any]) -> None:
    raw = json.dumps(message, ensure_ascii=False)
    if len(raw.encode()) <= wire.MAX_MESSAGE_BYTES:
        parsed = wire.parse(raw)
        assert parsed.model_dump(mode="json", exclude_unset=True) == message
        assert wire.parse(parsed.model_dump_json()) == parsed


@given(messages(), st.data())
def test_a_missing_part_is_malformed(message: dict[str, Any], data: st.DataObject) -> None:
    model = KINDS[message["type"]]
    needed = [name for name, field in model.model_fields.items() if field.is_required()]
    missing = data.draw(st.sampled_from(needed))
    del message[missing]
    assert refused(json.dumps(message)).code == wire.ErrorCode.MALFORMED


@pytest.mark.parametrize("kind", KINDS)
def test_a_further_part_is_malformed_and_not_even_its_name_comes_back(kind: str) -> None:
    error = refused(json.dumps({"type": kind, **GOOD[kind], SECRET: SECRET}))
    assert (error.code, error.field) == (wire.ErrorCode.MALFORMED, kind)


def test_of_a_part_named_twice_the_last_counts_as_the_protocol_says() -> None:
    assert wire.parse('{"type":"ping","n":1,"n":2}') == wire.Ping(type="ping", n=2)


def test_a_further_part_inside_the_terms_is_malformed_too() -> None:
    error = refused(json.dumps({"type": "quick", "terms": {SECRET: 1}}))
    assert (error.code, error.field) == (wire.ErrorCode.MALFORMED, "quick.terms")


@pytest.mark.parametrize("field", ["seat", "player", "version", "connection", "by"])
def test_a_move_cannot_name_what_only_the_server_knows(field: str) -> None:
    assert refused(json.dumps({"type": "play", **GOOD["play"], field: 0})).code == wire.ErrorCode.MALFORMED


WRONG: list[tuple[str, str, Any]] = [
    ("hello", "protocol", "1"),
    ("hello", "protocol", 1.0),
    ("hello", "protocol", True),
    ("hello", "protocol", None),
    ("hello", "token", "t" * 42),
    ("hello", "token", "t" * 44),
    ("hello", "token", "t" * 42 + "!"),
    ("hello", "token", "t" * 43 + "\n"),
    ("hello", "match", "0" * 33),
    ("hello", "match", "G" * 34),
    ("hello", "name", ""),
    ("hello", "name", "x" * 81),
    ("hello", "name", 5),
    ("hello", "client", "x" * 41),
    ("quick", "terms", None),
    ("quick", "terms", []),
    ("quick", "terms", {"target": 0}),
    ("quick", "terms", {"target": 51}),
    ("quick", "terms", {"target": 10**400}),
    ("quick", "terms", {"target": "50"}),
    ("quick", "terms", {"target": 49.5}),
    ("quick", "terms", {"turn_seconds": 4}),
    ("quick", "terms", {"turn_seconds": 601}),
    ("quick", "terms", {"timer": 3}),
    ("quick", "terms", {"timer": "1"}),
    ("quick", "terms", {"games": 2}),
    *(("quick", "terms", {name: one}) for name in ("timer", "games", "target", "limit") for one in (True, False, 1.0)),
    ("quick", "terms", {"game": "chess"}),
    ("quick", "terms", {"preset": "x" * 21}),
    ("join", "code", "BCDFG"),
    ("join", "code", "B" * 17),
    ("join", "code", ["BCDFGH"]),
    ("watch", "code", 123456),
    ("commit", "digest", "0A" * 32),
    ("commit", "digest", "0a" * 31),
    ("open", "nonce", "0g" * 32),
    ("open", "nonce", "0a" * 32 + "\n"),
    ("play", "id", ""),
    ("play", "id", "x" * 33),
    ("play", "id", "a b"),
    ("play", "number", -1),
    ("play", "number", 100_001),
    ("play", "number", 0.0),
    ("play", "number", "0"),
    ("play", "number", False),
    ("play", "number", 10**300),
    ("play", "move", ""),
    ("play", "move", " draw"),
    ("play", "move", "Draw"),
    ("play", "move", "draw\n"),
    ("play", "move", "x" * 121),
    ("play", "move", "\u0434\u0440\u0430\u0443"),
    ("play", "move", None),
    ("react", "reaction", "shout"),
    ("react", "reaction", 1),
    ("ping", "n", -1),
    ("ping", "n", 2**31 + 1),
    ("ping", "n", {}),
]


@pytest.mark.parametrize(("kind", "field", "value"), WRONG)
def test_a_wrong_value_is_malformed_and_its_field_is_named(kind: str, field: str, value: Any) -> None:
    error = refused(json.dumps({"type": kind, **GOOD[kind], field: value}))
    assert error.code == wire.ErrorCode.MALFORMED
    assert error.field is not None
    assert error.field.startswith(f"{kind}.{field}")
    assert set(error.field) <= set(string.ascii_lowercase + "._")


@pytest.mark.parametrize(
    "raw",
    [
        "",
        " ",
        "null",
        "[]",
        "5",
        '"draw"',
        "{}",
        "{",
        "not json",
        '{"type":"sync"}{"type":"sync"}',
        '{"type":"sync",}',
        "{'type':'sync'}",
        '{"type":"no such"}',
        '{"type":null}',
        '{"type":["sync"]}',
        '{"type":"welcome"}',
        '{"TYPE":"sync"}',
        '{"type":"ping","n":NaN}',
        '{"type":"ping","n":1e999}',
        '{"type":"ping","n":' + "9" * 4000 + "}",
        "[" * 4096,
        '{"a":' * 800,
        '{"type":"quick","terms":' + "[" * 2000 + "]" * 2000 + "}",
        '{"type":"sync"}\0',
        '{"type":"join","code":"\ud800bcdfgh"}',
        '{"type":"join","code":"\\ud800bcdfgh"}',
    ],
)
def test_what_is_no_message_is_malformed(raw: str) -> None:
    assert refused(raw).code == wire.ErrorCode.MALFORMED


@pytest.mark.parametrize("raw", [b"", b'{"type":"sync"}', b"\xff\xfe", bytes(4096)])
def test_bytes_are_malformed_as_binary(raw: bytes) -> None:
    error = refused(raw)
    assert (error.code, error.field) == (wire.ErrorCode.MALFORMED, "binary")


@pytest.mark.parametrize("raw", [" " * 4097, b" " * 4097, "x" * 1_000_000, "\u0434" * 2049, "[" * 100_000])
def test_what_is_larger_than_a_message_may_be_is_too_large(raw: str | bytes) -> None:
    error = refused(raw)
    assert (error.code, error.field) == (wire.ErrorCode.TOO_LARGE, None)


def test_the_size_counts_bytes_to_the_last_one() -> None:
    ping = json.dumps({"type": "ping", "n": 1})
    assert wire.parse(ping + " " * (4096 - len(ping))).n == 1
    assert refused(ping + " " * (4097 - len(ping))).code == wire.ErrorCode.TOO_LARGE
    hello = {"type": "hello", "protocol": 1, "name": "\u0434" * 80}
    raw = json.dumps(hello, ensure_ascii=False)
    assert wire.parse(raw + " " * (4096 - len(raw.encode()))).name == "\u0434" * 80
    assert refused(raw + " " * (4097 - len(raw.encode()))).code == wire.ErrorCode.TOO_LARGE


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.sampled_from(sorted(KINDS)),
        lambda inner: (
            st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8) | st.just("type"), inner, max_size=5)
        ),
        max_leaves=12,
    )
)
def test_any_json_at_all_is_a_message_or_malformed(anything: Any) -> None:
    raw = json.dumps(anything)
    try:
        message = wire.parse(raw)
    except wire.Malformed as error:
        assert error.code in (wire.ErrorCode.MALFORMED, wire.ErrorCode.TOO_LARGE)  # noqa: PT017
        assert error.field is None or set(error.field) <= set(string.ascii_lowercase + "._")  # noqa: PT017
    else:
        assert type(message) in MODELS


@given(st.text(max_size=200) | st.binary(max_size=200))
def test_any_text_at_all_is_malformed_and_raises_nothing_else(raw: str | bytes) -> None:
    assert refused(raw).code == wire.ErrorCode.MALFORMED


@pytest.mark.parametrize(
    "raw",
    [
        json.dumps({"type": SECRET}),
        json.dumps({"type": "join", "code": SECRET * 3}),
        json.dumps({"type": "play", "id": SECRET + "!", "number": SECRET, "move": SECRET}),
        json.dumps({"type": "hello", "protocol": SECRET, "token": SECRET}),
        json.dumps({"type": "quick", "terms": {"game": SECRET, SECRET: SECRET}}),
        SECRET,
        f'{{"type":"{SECRET}',
        SECRET.encode(),
        SECRET * 1000,
    ],
)
def test_nothing_of_a_bad_message_comes_back(raw: str | bytes) -> None:
    error = refused(raw)
    assert SECRET not in repr((error, error.args, error.code, error.field))


@pytest.mark.parametrize(
    ("raw", "old"),
    [
        ('{"type":"hello","protocol":0}', True),
        ('{"type":"hello","protocol":2}', True),
        ('{"type":"hello","protocol":99,"a word of later":{}}', True),
        ('{"type":"hello","protocol":1}', False),
        ('{"type":"hello","protocol":1,"more":1}', False),
        ('{"type":"hello"}', False),
        ('{"type":"ping","protocol":2}', False),
        ('{"protocol":2}', False),
        ("hello", False),
        ("[" * 4000, False),
        ('{"type":"hello","protocol":"\ud800"}', False),
        ("", False),
    ],
)
def test_a_hello_of_another_protocol_is_known_whatever_else_it_holds(raw: str, *, old: bool) -> None:
    assert wire.PROTOCOL_VERSION == 1
    assert wire.old_client(raw) is old
