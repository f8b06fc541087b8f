"""A match as one seat's program is told of it, message by message, and the chance to lie to it on the way."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from recorded import Recorded
from twoseat import record, views, wire
from twoseat.games import GAMES
from twoseat.games.game import Game, Seat
from twoseat.match import Match, step
from twoseat_client import fairness
from twoseat_client.events import Event
from twoseat_client.fairness import Memory


def told(play: Recorded, seat: Seat | None = 0, game: Game[Any] | None = None) -> Iterator[Any]:
    """What the server of this match sends to a seat, from sitting down to the results."""
    game = game or play.game
    first = record.decode(GAMES, play.log[0])
    shown, shake = 0, None
    yield views.seated(game, first, seat)
    for now, match in _versions(play, game, first):
        yield views.state(game, match, now, seat, shown)
        shown = views.rounds(game, match)
        if match.shake != shake:
            shake = match.shake
            yield views.fair(match, now)
        if match.outcome is not None:
            yield views.results(game, match)


def _versions(play: Recorded, game: Game[Any], match: Match) -> Iterator[tuple[int, Match]]:
    yield 0, match
    for data in play.log[1:]:
        event, _, now = record.decode_entry(data)
        match = step(game, match, event, now)
        yield now, match


def judged(messages: Iterator[Any] | list[Any], memory: Memory | None = None) -> tuple[Memory, list[Event]]:
    """What the program makes of these messages, each of which went over the wire."""
    memory = memory or Memory()
    events: list[Event] = []
    for message in messages:
        memory, happened = fairness.heard(memory, wire.parse_server(wire.encode(message)))
        events += happened
    return memory, events


def verdict(messages: Iterator[Any] | list[Any]) -> tuple[bool, set[str]]:
    """Whether the game is taken for what was promised, and which checks failed."""
    _, events = judged(messages)
    (over,) = [event.data for event in events if event.data["stage"] == "over"]
    return over["verified"], {check["name"] for check in over["checks"] if not check["ok"]}


def with_fair(messages: Iterator[Any], **changes: Any) -> list[Any]:
    """The same with something else in every `fair` of the last stage."""
    last = wire.Stage.DONE
    return [replace(m, **changes) if isinstance(m, wire.Fair) and m.stage is last else m for m in messages]
