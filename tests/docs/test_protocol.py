"""The documents of the protocol are what the code makes of itself, and a program can read them."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from jsonschema.validators import validator_for

from table_talk import rounds_of
from twoseat import wire
from twoseat_docs import __main__ as docs
from twoseat_docs import messages, story, words
from twoseat_docs.samples import SAMPLES

ROOT = Path(__file__).parents[2]
SPECIFICATION = ROOT / "tests" / "page" / "node_modules" / "@asyncapi" / "specs" / "schemas" / "3.0.0.json"
DOCUMENT: dict[str, Any] = json.loads((ROOT / "docs" / "protocol" / "asyncapi.json").read_text())
PAGE = (ROOT / "docs" / "protocol" / "README.md").read_text()
CLIENT = [messages.name(model) for model in messages.CLIENT]


@pytest.mark.parametrize("path", docs.documents(), ids=lambda path: path.name)
def test_what_follows_from_the_code_is_current(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == docs.documents()[path], "run ./dev docs"


def specification() -> Any:
    assert SPECIFICATION.exists(), "run ./dev test once: it installs the specification"
    schema = json.loads(SPECIFICATION.read_text())
    return validator_for(schema)(schema)


def test_the_description_is_asyncapi() -> None:
    assert [error.message for error in specification().iter_errors(DOCUMENT)] == []


@pytest.mark.parametrize("missing", ["asyncapi", "info"])
def test_a_description_that_is_not_asyncapi_is_noticed(missing: str) -> None:
    assert not specification().is_valid({key: value for key, value in DOCUMENT.items() if key != missing})


def test_every_reference_of_the_description_leads_somewhere() -> None:
    references = re.findall(r'"\$ref": "#/([^"]+)"', json.dumps(DOCUMENT))
    assert references
    for reference in references:
        there: Any = DOCUMENT
        for part in reference.split("/"):
            there = there[part]
        assert there


def schema_of(word: str) -> dict[str, Any]:
    payload = DOCUMENT["components"]["messages"][word]["payload"]
    return {**payload, "components": DOCUMENT["components"]}


@pytest.mark.parametrize("word", SAMPLES)
def test_every_example_is_what_the_description_says(word: str) -> None:
    jsonschema.Draft7Validator(schema_of(word)).validate(json.loads(SAMPLES[word]))


@pytest.mark.parametrize("word", CLIENT)
@pytest.mark.parametrize(
    "harm",
    [{"seat": 1}, {"type": "nonsense"}, {"id": "not a name"}, {"number": -1}, {"terms": {"target": 51}}, {"code": ""}],
    ids=str,
)
def test_the_description_refuses_what_the_server_refuses(word: str, harm: dict[str, Any]) -> None:
    message = json.loads(SAMPLES[word]) | harm
    with pytest.raises(wire.Malformed):
        wire.parse(json.dumps(message))
    assert not jsonschema.Draft7Validator(schema_of(word)).is_valid(message)


def test_the_description_names_every_message_and_no_other() -> None:
    listed = DOCUMENT["channels"]["socket"]["messages"]
    assert list(listed) == [*CLIENT, *map(messages.name, messages.SERVER)]
    assert list(SAMPLES.keys()) == list(dict.fromkeys(SAMPLES))
    assert set(SAMPLES) == set(listed)


def test_no_word_is_left_over_for_a_field_that_is_gone() -> None:
    known = messages.schemas()
    fields = {title: set(schema.get("properties", {})) - {"type"} for title, schema in known.items()}
    assert {title: set(meanings) for title, meanings in words.FIELDS.items()} == {
        title: names for title, names in fields.items() if names
    }


def test_every_code_and_reason_has_its_line() -> None:
    assert set(words.REASONS) == set(wire.Reason)
    assert set(words.ERRORS) == set(wire.ErrorCode)
    assert set(words.CLOSES) == set(wire.Close)


def test_the_close_table_says_again_where_the_wire_does() -> None:
    told = re.search(r"tries again after (.+?);", " ".join((wire.Close.__doc__ or "").split()))
    assert told is not None
    again = {code for code, (_, does) in words.CLOSES.items() if does == "again"} | {words.BROKEN[0]}
    assert again == {int(code) for code in re.findall(r"\d{4}", told[1])}


def test_the_round_told_is_a_war_that_nobody_foresaw() -> None:
    heard = [line.message for line in story.one_round().lines if isinstance(line.message, wire.State)]
    assert rounds_of(heard[-1])[-1].wars == 1
    assert all(isinstance(s.view, wire.WarView) and s.view.pairs == () for s in heard if not s.rounds)


def test_the_secret_in_an_example_is_none() -> None:
    shown = set(re.findall(r'"token": "([^"]+)"', PAGE + json.dumps(DOCUMENT)))
    assert shown
    assert all(token.startswith("example-token") for token in shown)
