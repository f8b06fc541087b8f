"""A value is frozen, equal to what has its class and its fields, keeps its secrets, and is read by pydantic."""

import gc
from typing import Annotated, Literal

import pytest
from msgspec.structs import replace
from pydantic import Field, TypeAdapter, ValidationError

from script import Script
from twoseat import record, wire
from twoseat.fair import Chance
from twoseat.match import Match
from twoseat.replay import Replay
from twoseat.values import Value


class Card(Value, frozen=True):
    """A card on a table."""

    name: Annotated[str, Field(max_length=3)]
    face: Literal["up", "down"] = "down"


class Hand(Value, frozen=True):
    """What somebody holds."""

    hidden = frozenset({"secret"})

    cards: tuple[Card, ...]
    secret: int | None = None


HAND = Hand((Card("QH"), Card("10S", "up")), 7)


def test_a_value_never_changes() -> None:
    with pytest.raises(AttributeError, match="immutable"):
        HAND.secret = 1  # type: ignore[misc]
    other = replace(HAND, secret=1)
    assert (HAND.secret, other.secret, other.cards) == (7, 1, HAND.cards)


def test_equal_are_those_of_one_class_with_the_same_fields() -> None:
    class Twin(Value, frozen=True):
        cards: tuple[Card, ...]
        secret: int | None = None

    assert Hand((Card("QH"), Card("10S", "up")), 7) == HAND
    assert hash(Hand(HAND.cards, 7)) == hash(HAND)
    twin: object = Twin(HAND.cards, 7)
    assert twin != HAND


def test_what_is_hidden_is_in_no_repr() -> None:
    assert repr(HAND) == "Hand(cards=(Card(name='QH', face='down'), Card(name='10S', face='up')))"
    assert [name for name, _ in HAND.__rich_repr__()] == ["cards"]


def test_a_match_shows_neither_its_seed_nor_its_cards() -> None:
    shown = repr(Script().seated().match)
    assert "version=" in shown
    assert "seed" not in shown
    assert "decks" not in shown


def test_a_seed_and_a_deal_s_key_are_in_no_repr_but_of_what_everybody_is_told() -> None:
    def kinds(of: type[Value]) -> set[type[Value]]:
        return {of}.union(*map(kinds, of.__subclasses__()))

    ours = {kind for kind in kinds(Value) if kind.__module__.startswith("twoseat.")}
    assert {record._Lasting, Match, Replay, Chance} <= ours
    assert {kind for kind in ours if {"seed", "key"} & (set(kind.__struct_fields__) - kind.hidden)} == {wire.Results}


def test_the_collector_passes_values_by() -> None:
    assert not gc.is_tracked(HAND)


def test_pydantic_reads_values_and_passes_over_what_is_no_field() -> None:
    reads = TypeAdapter(Hand).validate_json
    said = '{"cards":[{"name":"QH","new":1},{"name":"10S","face":"up"}],"secret":7,"more":{}}'
    assert reads(said) == HAND
    for wrong in ('{"secret":1}', '{"cards":[{"name":"QH","face":"?"}]}', '{"cards":[{"name":"long"}]}', "[]"):
        with pytest.raises(ValidationError):
            reads(wrong)


def test_a_schema_has_a_value_s_name_and_docstring() -> None:
    schema = TypeAdapter(Hand).json_schema()
    assert (schema["title"], schema["description"]) == ("Hand", "What somebody holds.")
    assert schema["$defs"]["Card"]["description"] == "A card on a table."
