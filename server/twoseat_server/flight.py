"""What happened to a match, version by version, as its log tells it: public facts only, whoever may look over the
host's shoulder; it knows no store.

No seed, no hidden card, no player's id and no token is in a line, whether the game runs or is over.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from twoseat import inputs, record, views, wire
from twoseat.chair import Millis
from twoseat.games import GAMES
from twoseat.games.game import SEATS, Driver, Seat
from twoseat.match import Match, step
from twoseat.shake import Stage


@dataclass(frozen=True, slots=True)
class Line:
    """One version: when it came (ms since the match was made), what made it, and how things stood then.

    `due` and `deadline` are ms that were left; `state` is the wire's, as a watcher saw it.
    """

    version: int
    at: Millis
    what: str
    seat: Seat | None
    by: Driver | None
    drivers: str
    """A letter a seat, H or B; small where its person was away."""
    due: tuple[Millis | None, Millis | None]
    deadline: Millis | None
    state: dict[str, Any]


def story(log: Sequence[bytes]) -> Iterator[Line]:
    """Return a line for each version a stored log tells of."""
    match = record.decode(GAMES, log[0])
    game = GAMES[match.options.game]
    made = match.pause.since if match.pause else 0
    yield _line(match, made, made, "made", None, None, 0)
    for data in log[1:]:
        event, _, now = record.decode_entry(data)
        before, match = match, step(game, match, event, now)
        seat = None if isinstance(event, inputs.Tick) else event.seat
        by = event.by if isinstance(event, inputs.Play) else None
        yield _line(match, now, made, _told(event, before, match), seat, by, views.rounds(game, before))


def _line(
    match: Match, now: Millis, made: Millis, what: str, seat: Seat | None, by: Driver | None, rounds: int
) -> Line:
    state = views.state(GAMES[match.options.game], match, now, None, rounds)
    letters = [chair.driver.name[0] for chair in match.chairs]
    first, second = (None if chair.due is None else chair.due - now for chair in match.chairs)
    return Line(
        version=match.version,
        at=now - made,
        what=what,
        seat=seat,
        by=by,
        drivers="".join(
            letter if chair.present or chair.player is None else letter.lower()
            for letter, chair in zip(letters, match.chairs, strict=True)
        ),
        due=(first, second),
        deadline=None if match.deadline is None else match.deadline - now,
        state=json.loads(wire.encode(state)),
    )


def _told(event: inputs.Input, before: Match, after: Match) -> str:
    match event:
        case inputs.Connect():
            return f"sits down, connection {event.connection}"
        case inputs.Disconnect(node_died=True):
            return f"gone with its node, connection {event.connection}"
        case inputs.Disconnect():
            return f"gone, connection {event.connection}"
        case inputs.Commit():
            return "commits to a nonce"
        case inputs.Open():
            return "opens its nonce"
        case inputs.Play():
            return str(event.move)
        case inputs.Return():
            return "wants the seat back"
        case inputs.Leave():
            return "leaves for good"
        case inputs.Resign():
            return "resigns"
        case inputs.Rematch():
            return "offers another game"
        case inputs.Tick():
            return _passed(before, after)


def _passed(before: Match, after: Match) -> str:
    """Return what time did."""
    if after.next and not before.next:
        return "time: the next game begins"
    if after.outcome is not None:
        return "time: nobody came"
    if before.pause is not None:
        return "time: the bots finish it" if before.started else "time: begins with who is there"
    if before.shake.stage is not Stage.DONE:
        late = "commitment" if before.shake.stage is Stage.COMMIT else "nonce"
        return f"time: no {late} is waited for"
    seats = [seat for seat in SEATS if before.chairs[seat].driver is not after.chairs[seat].driver]
    return f"time is up for seat {' and '.join(map(str, seats))}"
