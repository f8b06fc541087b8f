"""What a server says at a War table, made short for tests of clients: one message with likely values a function."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from twoseat import wire

MATCH = "0" * 34
CODE = "K7RP2M"
OPTIONS = wire.OptionsView("war", "points", 50, 15, 1, 1, 100, "middle")
SERIES = wire.SeriesView(1, 1, (0, 0), ())
CHAIR = wire.ChairView(present=True, driver=wire.Driver.HUMAN, back=False, due=None, number=0, last="", rematch=False)
HUMANS = (wire.Driver.HUMAN, wire.Driver.HUMAN)
BOT_AT_0 = (wire.Driver.BOT, wire.Driver.HUMAN)


def chair(**changes: Any) -> wire.ChairView:
    """Return a present person's seat with these changes."""
    return replace(CHAIR, **changes)


def away(**changes: Any) -> wire.ChairView:
    """Return a seat whose person is gone."""
    return chair(present=False, **changes)


def by_bot(**changes: Any) -> wire.ChairView:
    """Return a seat the bot drives."""
    return chair(driver=wire.Driver.BOT, **changes)


def welcome(**changes: Any) -> wire.Welcome:
    """Return the answer to hello."""
    return replace(wire.Welcome(wire.PROTOCOL_VERSION, "0.1.0", "Ana"), **changes)


def seated(
    seat: wire.Seat | None = 0, rounds: Sequence[wire.Round] = (), *, bot: bool = False, **changes: Any
) -> wire.Seated:
    """Return Ana's table with Bo (or with the bot)."""
    names, bots = (("Ana", "Bot"), (False, True)) if bot else (("Ana", "Bo"), (False, False))
    message = wire.Seated(MATCH, CODE, seat, names, bots, OPTIONS, SERIES, list(rounds))
    return replace(message, **changes)


def waiting(code: str | None = None, waited: int = 0) -> wire.Waiting:
    """Return a place in the queue, or at one's own table."""
    return wire.Waiting("host" if code else "quick", code, waited, OPTIONS)


def fought(
    n: int = 1,
    winner: wire.Seat | None = 0,
    counts: tuple[int, int] = (27, 25),
    *,
    wars: int = 0,
    by: tuple[wire.Driver, wire.Driver] = HUMANS,
    cards: tuple[str, str] | None = None,
) -> wire.Round:
    """Return a finished round."""
    return wire.Round(n, 0, winner, wars, 2 + 4 * wars, counts, by, cards)


def state(
    version: int = 1,
    *,
    rounds: Sequence[wire.Round] = (),
    pairs: Sequence[tuple[str, str]] = (),
    chairs: tuple[wire.ChairView, wire.ChairView] = (CHAIR, CHAIR),
    turn: wire.Seat | None = 0,
    drawn: tuple[bool, bool] = (False, False),
    round_number: int | None = None,
    won: tuple[int, int] = (0, 0),
    **changes: Any,
) -> wire.State:
    """Return a running table where seat `turn` is to draw; the round follows from the last one finished."""
    number = round_number or (rounds[-1].n + 1 if rounds else 1)
    counts = rounds[-1].counts if rounds else (26, 26)
    view = wire.WarView(
        game="war",
        preset="points",
        target=50,
        counts=(counts[0] - drawn[0], counts[1] - drawn[1]),
        pot=sum(drawn),
        won=won,
        round=number,
        starter=turn if drawn == (False, False) and turn is not None else 0,
        drawn=drawn,
        solo=None,
        pairs=tuple(pairs),
    )
    legal = (("draw",) if turn == 0 else (), ("draw",) if turn == 1 else ())
    message = wire.State(version, "playing", chairs, legal, view, list(rounds))
    return replace(message, **changes)


def rounds_of(message: wire.State | wire.Seated | wire.Results) -> list[wire.Round]:
    """Return the rounds of War in a message."""
    return [line for line in message.rounds if isinstance(line, wire.Round)]


def over(
    version: int,
    rounds: Sequence[wire.Round],
    winner: wire.Seat | None = 0,
    why: wire.Termination = wire.Termination.POINTS,
    **changes: Any,
) -> wire.State:
    """Return the last state of a game."""
    ended = state(version, rounds=rounds, turn=None, **changes)
    return replace(ended, phase="over", outcome=wire.Outcome(winner, why))


def results(
    rounds: Sequence[wire.Round],
    winner: wire.Seat | None = 0,
    why: wire.Termination = wire.Termination.POINTS,
    **changes: Any,
) -> wire.Results:
    """Return the results that follow the last state."""
    message = wire.Results(MATCH, wire.Outcome(winner, why), list(rounds), SERIES, decided=True, seed="0" * 64)
    return replace(message, **changes)
