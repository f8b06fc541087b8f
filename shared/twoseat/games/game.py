"""What every game is to the rest of the house: seats, moves, outcomes and one protocol; it knows no clock, player or
wire.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, Literal, NewType, Protocol, TypeVar

from msgspec.structs import replace

from twoseat.fair import Chance
from twoseat.values import Value

Seat = Literal[0, 1]
SEATS: tuple[Seat, Seat] = (0, 1)
BOT_PACE = 800
"""Milliseconds a bot waits before a move a person should see coming."""
Move = NewType("Move", str)
"""A move in its game's own notation, as chess has one: `draw`, `turn 10`, `attack brasil argelia`."""


def other(seat: Seat) -> Seat:
    """Return the seat across the table."""
    return 1 if seat == 0 else 0


class Driver(StrEnum):
    """Who makes a seat's moves."""

    HUMAN = "human"
    BOT = "bot"


HUMAN: Final = Driver.HUMAN
BOT: Final = Driver.BOT
"""Looked up once: each look at a member through its class takes a tenth of a microsecond before Python 3.12."""


class Termination(StrEnum):
    """Why a match is over. The first four are War's (rules, War 6), the next two War Online's; the rest belong to every
    game.
    """

    POINTS = "points"
    ALL_CARDS = "all_cards"
    SHORTAGE = "shortage"
    BOTH_SHORT = "both_short"
    OBJECTIVE = "objective"
    CONQUEST = "conquest"
    LIMIT = "limit"
    RESIGNED = "resigned"
    REDEALT = "redealt"
    VOID = "void"


class Outcome(Value, frozen=True):
    """How a match ended; `winner` is None for a draw, and for a match without a result (redealt, void)."""

    winner: Seat | None
    termination: Termination

    @property
    def counts(self) -> bool:
        """Whether the outcome is a result of the game, which a series adds up."""
        return self.termination not in (Termination.REDEALT, Termination.VOID)


class IllegalMove(Exception):
    """The move is not in the game's notation or the rules forbid it now; the state is unchanged."""


class BadOptions(Exception):
    """The options of a match do not fit its game; the text names the option and its range."""


Level = Literal["easy", "middle", "strong"]


class Options(Value, frozen=True):
    """What two people agree on before a match. Times are seconds; `timer` multiplies `turn_seconds`, 0 is off. `target`
    is War's; `limit` (turns of each seat) and `level` (how well the bot plays) are War Online's.
    """

    game: str = "war"
    preset: str = "points"
    target: int = 50
    turn_seconds: int = 15
    timer: Literal[0, 1, 2, 10] = 1
    games: Literal[1, 3, 5] = 1
    abandon_after: int = 600
    limit: int = 100
    level: Level = "middle"


def allows(legal: Sequence[Move], move: Move) -> bool:
    """Whether `move` is among `legal`, where a range at the end of a legal move, as in `place brasil 1-7`, stands for
    each of its numbers.
    """
    form, _, number = move.rpartition(" ")
    count = int(number) if number.isascii() and number.isdecimal() and number[0] != "0" and len(number) < 10 else None
    for pattern in legal:
        ranged, _, last = pattern.rpartition(" ")
        low, dash, high = last.partition("-")
        if not dash:
            if pattern == move:
                return True
        elif count is not None and ranged == form and int(low) <= count <= int(high):
            return True
    return False


State = TypeVar("State")


class Game(Protocol[State]):
    """The rules of one game as pure functions. A state is immutable; every method is total on reachable states."""

    name: str
    usual: Options
    """What is played where nothing else is asked for."""
    own_options: frozenset[str]
    """The options that this game has and another may not have: see `agreed`."""
    shared_view: bool
    """True where both seats and watchers always see the same: then one encoded frame serves them all."""

    def check(self, options: Options) -> None:
        """Raise BadOptions where `options` lie outside what this game allows."""

    def new(self, options: Options, solo: Seat | None, chance: Chance) -> State:
        """Deal. `solo` is the only person's seat where the other is a bot by choice, else None."""

    def owes(self, state: State) -> tuple[Seat, ...]:
        """Return the seats that owe a move now: none when the game is over, more than one where both may act."""

    def turn(self, state: State) -> int:
        """Return the number of the timed unit, from 1; while it stays the same a seat's clock runs on, however often
        it moves.
        """

    def pace(self, state: State) -> int:
        """Return how many milliseconds a bot waits before the move it owes now, so that a person can follow it."""

    def legal(self, state: State, seat: Seat) -> tuple[Move, ...]:
        """Return the moves open to `seat`, the safe default first; empty when it owes none. Any but the first may end
        in a range of numbers (see `allows`), so that a list stays short where armies are counted.
        """

    def play(self, state: State, seat: Seat, move: Move, by: Driver, chance: Chance) -> State:
        """Return the state after `move`, or raise IllegalMove. `by` is kept for the history and never changes the
        course.
        """

    def outcome(self, state: State) -> Outcome | None:
        """Return how the game ended, or None while it runs."""

    def before_deal(self, options: Options, solo: Seat | None) -> Any:
        """Return what everybody sees of a game that is not dealt yet, shaped as a view."""

    def view(self, state: State, seat: Seat | None, *, over: bool = False) -> Any:
        """Return what `seat` (None: a watcher) may see, as a Value of JSON values: never a hidden card, seed or
        order. With `over` the match has ended, maybe by resignation, and seats' secrets may be shown.
        """

    def rounds(self, state: State) -> int:
        """Return the number of finished rounds, the length of the whole history."""

    def history(self, state: State, since: int, *, faces: bool) -> list[Any]:
        """Return the finished rounds from index `since` on; with `faces` (only after the game) what was hidden in
        play.
        """

    def encode(self, state: State) -> bytes:
        """Return the state as compact bytes."""

    def decode(self, data: bytes) -> State:
        """Return the state that `encode` wrote."""


_EVERY_GAME_S = frozenset({"game", "timer", "games"})


def agreed(game: Game[Any], said: Mapping[str, Any]) -> Options:
    """Return the options of a match: those that were said, and the game's usual ones. Raises BadOptions."""
    for name in said:
        if name not in game.own_options | _EVERY_GAME_S:
            raise BadOptions(f"{name} is no option of {game.name}, which has {', '.join(sorted(game.own_options))}")
    options = replace(game.usual, **said)
    game.check(options)
    return options
