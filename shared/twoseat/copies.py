"""Frozen dataclasses made and copied at a third of the cost, for what is made with every move; it knows none of them.

A frozen __init__ looks up every name to set it. Here a twin that is not frozen is filled, and then becomes the class
itself: what comes out is as frozen as ever.
"""

from dataclasses import MISSING, field, fields, make_dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

__all__ = ["altered", "maker"]

Kind = TypeVar("Kind")

if TYPE_CHECKING:
    from dataclasses import replace as altered  # checked as what it stands for

    def maker(kind: type[Kind]) -> type[Kind]:
        """Return what is called as the class is, and makes the same."""
        return kind
else:

    def maker(kind: type) -> Any:
        """Return what is called as the class is, and makes the same. For slotted dataclasses without __post_init__."""
        twin = _twin(kind)

        def make(*values: Any, **named: Any) -> Any:
            made = twin(*values, **named)
            made.__class__ = kind
            return made

        return make

    def altered(original: Any, **changes: Any) -> Any:
        """Return what dataclasses.replace returns. For slotted dataclasses without __post_init__."""
        kind = type(original)
        twin, places, read = _COPIES.get(kind) or _copies(kind)
        values = [*read(original)]
        for name, value in changes.items():
            values[places[name]] = value
        copy = twin(*values)
        copy.__class__ = kind
        return copy


_COPIES: dict[type, tuple[type, dict[str, int], Any]] = {}


def _copies(kind: Any) -> tuple[type, dict[str, int], Any]:
    names = kind.__slots__
    _COPIES[kind] = _twin(kind), {name: place for place, name in enumerate(names)}, attrgetter(*names)
    return _COPIES[kind]


def _twin(kind: Any) -> Any:
    """Return a class with the same fields, defaults and slots."""

    def default(given: Any) -> Any:
        return field(default_factory=given.default_factory) if given.default_factory is not MISSING else given.default

    plain = [
        (given.name, Any) if default(given) is MISSING else (given.name, Any, default(given)) for given in fields(kind)
    ]
    return make_dataclass(kind.__name__, plain, slots=True, eq=False, repr=False)
