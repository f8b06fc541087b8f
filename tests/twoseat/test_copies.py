"""Objects made and copied the quick way are what dataclasses make: equal, of the class itself, and frozen."""

from dataclasses import FrozenInstanceError, dataclass, field, replace
from typing import Any

import pytest

from twoseat.chair import Chair, PlayerId
from twoseat.copies import altered, maker
from twoseat.games.game import Options


@dataclass(frozen=True, slots=True)
class Thing:
    a: int
    b: str = "b"
    c: list[int] = field(default_factory=list)


MADE: list[tuple[Any, tuple[Any, ...], dict[str, Any]]] = [
    (Thing, (1,), {}),
    (Thing, (1, "x"), {"c": [3]}),
    (Thing, (), {"b": "x", "a": 1}),
    (Options, (), {"preset": "classic"}),
    (Chair, (PlayerId("p"), "Ann"), {"present": True, "due": 7}),
]


@pytest.mark.parametrize(("kind", "values", "named"), MADE)
def test_a_maker_makes_what_its_class_makes(kind: Any, values: tuple[Any, ...], named: dict[str, Any]) -> None:
    made, plain = maker(kind)(*values, **named), kind(*values, **named)
    assert type(made) is kind
    assert made == plain
    assert repr(made) == repr(plain)
    with pytest.raises(FrozenInstanceError):
        setattr(made, kind.__slots__[0], None)


def test_defaults_are_made_anew_each_time() -> None:
    make = maker(Thing)
    make(1).c.append(5)
    assert make(1).c == []


def test_a_maker_wants_what_its_class_wants() -> None:
    make: Any = maker(Thing)
    for wrong in ({}, {"a": 1, "d": 2}):
        with pytest.raises(TypeError):
            make(**wrong)


def test_an_altered_copy_is_what_replace_returns_and_leaves_the_original() -> None:
    chair = Chair(PlayerId("p"), "Ann")
    for changes in ({}, {"due": 5}, {"name": "Bo", "number": 3, "last_id": "m"}):
        copy = altered(chair, **changes)
        assert type(copy) is Chair
        assert copy == replace(chair, **changes)
        assert chair == Chair(PlayerId("p"), "Ann")
        with pytest.raises(FrozenInstanceError):
            copy.due = 1  # type: ignore[misc]


def test_what_is_no_field_cannot_be_altered() -> None:
    with pytest.raises(KeyError):
        altered(Thing(1), d=2)  # type: ignore[call-arg]
