"""A game of War Online as compact bytes and back: a line of JSON, then running battles and finished turns; it knows no
rules.
"""

import json
from dataclasses import fields
from typing import Any

from twoseat.games.game import Driver, Outcome, Termination
from twoseat.games.war_online.state import Event, Step, Throw, WarOnlineState
from twoseat.games.war_online.turn_log import read_battles, write_battles

_NAMES = tuple(f.name for f in fields(WarOnlineState) if f.name not in ("battles", "lines"))


def encode(state: WarOnlineState) -> bytes:
    """Return the state as bytes."""
    written: dict[str, Any] = {
        "owners": "".join(map(str, state.owners)),
        "pile": state.pile.hex(),
        "discards": state.discards.hex(),
        "hands": [hand.hex() for hand in state.hands],
        "last": _write_event(state.last) if state.last else None,
        "outcome": [state.outcome.winner, state.outcome.termination] if state.outcome else None,
    }
    parts = (write_battles(state.battles), *state.lines)
    head = [[written[n] if n in written else getattr(state, n) for n in _NAMES], list(map(len, parts))]
    return json.dumps(head, separators=(",", ":")).encode() + b"\n" + b"".join(parts)


def decode(data: bytes) -> WarOnlineState:
    """Return the state that `encode` wrote."""
    text, _, body = data.partition(b"\n")
    values, lengths = json.loads(text)
    parts = []
    for length in lengths:
        parts.append(body[:length])
        body = body[length:]
    head = {name: _tuples(value) for name, value in zip(_NAMES, values, strict=True)}
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
    return WarOnlineState(**head | read, battles=read_battles(parts[0]), lines=tuple(parts[1:]))


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
