"""A game of War Online as compact bytes and back: a line of JSON, then running battles and finished turns; it knows no
rules.
"""

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from msgspec.structs import fields

from twoseat.games.game import Driver, Outcome, Termination
from twoseat.games.war_online.state import Event, Step, Throw, WarOnlineState
from twoseat.games.war_online.turn_log import read_battles, read_one, write, write_battles

_JSON = json.JSONEncoder(separators=(",", ":"))
_DIGITS = bytes.maketrans(b"\0\1\2", b"012")
_NAMES = tuple(f.name for f in fields(WarOnlineState) if f.name not in ("battles", "lines"))


def encode(state: WarOnlineState) -> bytes:
    """Return the state as bytes."""
    written: dict[str, Any] = {
        "owners": state.owners.translate(_DIGITS).decode(),
        "pile": state.pile.hex(),
        "discards": state.discards.hex(),
        "hands": [hand.hex() for hand in state.hands],
        "last": _write_event(state.last) if state.last else None,
        "outcome": [state.outcome.winner, state.outcome.termination] if state.outcome else None,
    }
    head = [written[n] if n in written else getattr(state, n) for n in _NAMES]
    battles = write_battles(state.battles)
    return b"".join((_JSON.encode(head).encode(), b"\n", write((len(battles),)), battles, _written(state.lines)))


def decode(data: bytes) -> WarOnlineState:
    """Return the state that `encode` wrote."""
    text, _, body = data.partition(b"\n")
    battles, *lines = _parts(body)
    head = {name: _tuples(value) for name, value in zip(_NAMES, json.loads(text), strict=True)}
    ended = head["outcome"]
    read = {
        "owners": bytes(map(int, head["owners"])),
        "pile": bytes.fromhex(head["pile"]),
        "discards": bytes.fromhex(head["discards"]),
        "hands": tuple(map(bytes.fromhex, head["hands"])),
        "step": Step(head["step"]),
        "driven": Driver(head["driven"]),
        "last": _read_event(*head["last"]) if head["last"] else None,
        "outcome": Outcome(ended[0], Termination(ended[1])) if ended else None,
    }
    return WarOnlineState(**head | read, battles=read_battles(battles), lines=tuple(lines))


@lru_cache(maxsize=1024)
def _written(lines: tuple[bytes, ...]) -> bytes:
    """Return finished turns, each behind its length; they stay the same for a whole turn."""
    return b"".join([write((len(line),)) + line for line in lines])


def _parts(body: bytes) -> Iterator[bytes]:
    """Return the parts, before each of which its length stands."""
    at = 0
    while at < len(body):
        length, start = read_one(body, at)
        at = start + length
        yield body[start:at]


def _write_event(event: Event) -> list[Any]:
    throws = " ".join("/".join("".join(map(str, dice)) for dice in throw) for throw in event.throws)
    return [event.seat, event.move, event.bonus, throws, event.lost, event.conquered, event.drew]


def _read_event(seat: Any, move: str, bonus: Any, throws: str, lost: Any, conquered: bool, drew: bool) -> Event:
    return Event(seat, move, bonus, tuple(map(_throw, throws.split())), lost, conquered, drew)


def _throw(text: str) -> Throw:
    attack, defence = text.split("/")
    return tuple(map(int, attack)), tuple(map(int, defence))


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
