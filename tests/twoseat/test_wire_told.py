"""What the server tells: every message comes through whole, and a client passes over what it does not know yet."""

import json
import types
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields

from twoseat import wire
from twoseat.values import Value

MESSAGES = get_args(get_args(wire.ServerMessage)[0])
PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    int: st.integers(-(2**53), 2**53),
    str: st.text(max_size=20),
    float: st.floats(-1e6, 1e6),
}


def anything(hint: Any) -> st.SearchStrategy[Any]:
    """Any value of an annotation of the wire."""
    origin, parts = get_origin(hint), get_args(hint)
    if isinstance(hint, type) and issubclass(hint, Value):
        return whole(hint)
    if origin is None:
        return PLAIN[hint] if hint in PLAIN else st.from_type(hint)
    if origin is Literal:
        return st.sampled_from(parts)
    if origin in (types.UnionType, Union):
        return st.one_of([anything(part) for part in parts])
    if origin is list:
        return st.lists(anything(parts[0]), max_size=3)
    if origin is dict:
        return st.dictionaries(*map(anything, parts), max_size=3)
    assert origin is tuple, hint
    if parts[-1] is Ellipsis:
        return st.lists(anything(parts[0]), max_size=3).map(tuple)
    return st.tuples(*map(anything, parts))


def whole(kind: Any) -> st.SearchStrategy[Any]:
    """Any message of this kind, every field filled."""
    hints = get_type_hints(kind)
    return st.builds(kind, **{field.name: anything(hints[field.name]) for field in fields(kind)})


@pytest.mark.parametrize("kind", MESSAGES, ids=lambda kind: kind.__name__)
@given(st.data())
def test_every_server_message_comes_through_whole(kind: Any, data: st.DataObject) -> None:
    message = data.draw(whole(kind))
    sent = wire.encode(message)
    assert wire.parse_server(sent) == message
    assert wire.parse_server(sent.decode()) == message
    assert json.loads(sent)["type"] == message.type


def test_the_words_of_both_directions_are_all_different() -> None:
    words = [kind.__annotations__["type"] for kind in MESSAGES]
    assert len(set(words)) == len(words)


@pytest.mark.parametrize(
    "raw",
    [
        '{"type":"fanfare","loud":true}',
        '{"type":"pong"}',
        '{"type":"pong","n":"many"}',
        '{"n":1}',
        "[]",
        "null",
        "",
        "<html>",
        '{"type":"pong","n":' + "[" * 5000,
        b"\xff\xfe",
    ],
)
def test_what_a_client_does_not_know_it_passes_over(raw: str | bytes) -> None:
    assert wire.parse_server(raw) is None


@pytest.mark.parametrize(
    ("raw", "foreign"),
    [
        ('{"type":"pong"}', True),
        ('{"type":"pong","n":"many"}', True),
        ('{"type":"watchers","n":1}', True),
        (b'{"type":"rejected","reason":"tired","id":"1"}', True),
        ('{"type":"pong","n":1}', False),
        ('{"type":"pong","n":1,"since":2}', False),
        ('{"type":"fanfare","loud":true}', False),
        ('{"n":1}', False),
        ("[]", False),
        ("", False),
        ('{"type":"pong","n":' + "[" * 5000, False),
        (b"\xff\xfe", False),
    ],
)
def test_a_known_message_in_an_unknown_shape_is_of_another_version(raw: str | bytes, foreign: bool) -> None:
    assert wire.foreign(raw) is foreign


@given(whole(wire.State), st.text(max_size=8).filter(lambda name: name not in wire.State.__struct_fields__))
def test_a_further_field_of_a_newer_server_is_no_matter(state: wire.State, name: str) -> None:
    sent = json.loads(wire.encode(state))
    sent[name] = {"new": [1, 2]}
    sent["view"][f"view {name}"] = 1
    assert wire.parse_server(json.dumps(sent)) == state


def test_codes_a_client_may_come_back_after_are_told_by_their_number() -> None:
    assert [code.name for code in wire.Close if code in (1001, 1011, 1012, 1013)] == [
        "GOING_AWAY",
        "FAULT",
        "RESTART",
        "BUSY",
    ]
    assert all(4400 < code < 4500 for code in wire.Close if code > 4000)
