"""What a match knows of one seat, and how that seat's clock runs; it knows no other seat, no game and no I/O."""

from typing import NewType

from msgspec.structs import replace

from twoseat.games.game import BOT, HUMAN, Driver, Options
from twoseat.values import Value

PlayerId = NewType("PlayerId", str)
Millis = int
"""Milliseconds, of game time where it is a moment: the store's clock less all recorded stops."""

KEPT_AFTER_OUTAGE: Millis = 10_000
"""What a seat's clock shows at least when its node died, or when play goes on after a pause."""


class Chair(Value, frozen=True, array_like=True):
    """What the match knows of one seat. `player` is None where a bot plays by choice: nobody can ever take that
    chair.
    """

    player: PlayerId | None
    name: str
    present: bool = False
    driver: Driver = HUMAN
    back: bool = False
    """Its person is back while the bot finishes a turn whose clock ran out; the next turn is hers."""
    connection: int = 0
    """The newest connection; older ones are replaced."""
    number: int = 0
    """Moves made on this seat, by whomever."""
    last_id: str = ""
    """The client's name for the seat's last human move, by which a resent one is known."""
    last_by: Driver = HUMAN
    turn: int = 0
    """The game's turn this seat's clock was last started for."""
    due: Millis | None = None
    """When the owed move runs out (a bot: is made); None where none is owed or the clock is off."""
    rematch: bool = False


class Pause(Value, frozen=True, array_like=True):
    """Play stands still from `since`; at `until` the match starts, is void, or is finished by the bots."""

    since: Millis
    until: Millis


def timed_out(chair: Chair, now: Millis) -> Chair:
    """Hand a seat whose clock ran out to the bot (law 4), whose own clock is set by `clocked`."""
    if chair.driver is BOT or not reached(chair.due, now):
        return chair
    return replace(chair, driver=BOT, due=None)


def resumed(chair: Chair, pause: Pause, now: Millis) -> Chair:
    """Give a person's clock that stood still since the pause its rest, at least 10 s (law 9); a bot's is set anew."""
    if chair.due is None or chair.driver is BOT:
        return replace(chair, due=None)
    return replace(chair, due=now + max(chair.due - pause.since, KEPT_AFTER_OUTAGE))


def gone(chair: Chair) -> Chair:
    """Return the chair as its person leaves it: neither present nor waiting for anything."""
    return replace(chair, present=False, back=False, rematch=False)


def clocked(options: Options, chair: Chair, turn: int | None, now: Millis, pace: Millis) -> Chair:
    """Return the chair with its clock set for the `turn` it owes a move in (None: it owes none), a bot's by `pace`."""
    begins = turn is not None and turn != chair.turn
    if chair.back and (begins or turn is None):
        chair = replace(chair, driver=HUMAN, back=False)
    if turn is None:
        return chair if chair.due is None else replace(chair, due=None)
    due = None if begins else chair.due
    if chair.driver is BOT:
        due = due or now + pace
    elif options.timer:
        due = due or now + options.turn_seconds * 1000 * options.timer
    elif chair.present:
        due = None
    else:
        due = due or now + max(options.turn_seconds * 1000, KEPT_AFTER_OUTAGE)
    return replace(chair, turn=turn, due=due)


def reached(moment: Millis | None, now: Millis) -> bool:
    """Whether `moment` has come; None never comes."""
    return moment is not None and moment <= now
