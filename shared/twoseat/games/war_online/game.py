"""War Online behind the Game protocol, as docs/rules-war-online.md has it; it knows no clock, no player and no wire."""

from typing import assert_never

from msgspec.structs import replace

from twoseat.fair import Chance
from twoseat.games.game import BOT_PACE, SEATS, BadOptions, Driver, IllegalMove, Move, Options, Outcome, Seat
from twoseat.games.war_online import battle, course, encoding, moves, turn_log
from twoseat.games.war_online import view as views
from twoseat.games.war_online.board import ALL
from twoseat.games.war_online.legal import legal
from twoseat.games.war_online.moves import Advance, Attack, Place, Plain, Shift, Trade
from twoseat.games.war_online.state import NEUTRAL, Step, WarOnlineState, seat_on_turn
from twoseat.games.war_online.turn_log import Turn
from twoseat.games.war_online.view import WarOnlineView

PRESET = "objectives"
TURN_SECONDS = range(30, 601)
LIMITS = range(10, 101)
_IN_PASSING = 250
"""Milliseconds a bot takes over placing and moving: a turn has many of these, and each says little."""


class WarOnline:
    """The rules of War Online behind the Game protocol."""

    name = "war-online"
    usual = Options("war-online", PRESET, turn_seconds=120)
    own_options = frozenset({"preset", "turn_seconds", "limit", "level"})
    shared_view = False

    def check(self, options: Options) -> None:
        """Raise BadOptions unless preset, turn time and limit are War Online's (rules, Online options)."""
        if options.preset != PRESET:
            raise BadOptions(f"preset must be {PRESET}")
        if options.turn_seconds not in TURN_SECONDS:
            raise BadOptions("turn_seconds must be 30 to 600")
        if options.limit not in LIMITS:
            raise BadOptions("limit must be 10 to 100")

    def new(self, options: Options, solo: Seat | None, chance: Chance) -> WarOnlineState:
        """Deal; nothing depends on who is a bot."""
        return course.deal(options, chance)

    def owes(self, state: WarOnlineState) -> tuple[Seat, ...]:
        """In the opening whoever has not pressed Play, then the seat on turn."""
        if state.outcome:
            return ()
        if state.step is Step.OPENING:
            return tuple(seat for seat in SEATS if not state.ready[seat])
        return (seat_on_turn(state.first, state.turn),)

    def turn(self, state: WarOnlineState) -> int:
        """The opening is turn 1 of both seats; from then on a turn is all a seat does until it ends it."""
        return state.turn

    def pace(self, state: WarOnlineState) -> int:
        """A turn's beginning and every attack are worth waiting for, the rest goes by."""
        begins = state.step is Step.PLACE and not state.placed and not state.traded
        return BOT_PACE if begins or state.step is Step.ATTACK else _IN_PASSING

    def legal(self, state: WarOnlineState, seat: Seat) -> tuple[Move, ...]:
        """Return the moves open to `seat`; the first one ends the turn as soon as may be."""
        return legal(state, seat) if seat in self.owes(state) else ()

    def play(self, state: WarOnlineState, seat: Seat, move: Move, by: Driver, chance: Chance) -> WarOnlineState:
        """Return the state after `move`; the seat that made it has won if it has what it needs (rules, Online 9)."""
        if seat not in self.owes(state):
            raise IllegalMove(f"it is not the turn of seat {seat}")
        wanted = moves.parse(move)
        if by is Driver.BOT:
            state = replace(state, driven=by)
        match wanted:
            case Plain(word):
                return _plain(state, seat, word, chance)
            case Trade():
                after = course.trade(state, seat, wanted, move)
            case Place():
                after = course.place(state, seat, wanted, move)
            case Attack():
                after = battle.attack(state, seat, wanted, move, chance)
            case Advance():
                after = battle.advance(state, seat, wanted, move)
            case Shift():
                after = course.shift(state, seat, wanted, move)
            case _:
                assert_never(wanted)
        return course.finish(after, seat)

    def outcome(self, state: WarOnlineState) -> Outcome | None:
        """Return how the game ended, or None while it runs."""
        return state.outcome

    def before_deal(self, options: Options, solo: Seat | None) -> WarOnlineView:
        """Return the bare board."""
        undealt = WarOnlineState(
            limit=options.limit,
            level=options.level,
            objectives=("", ""),
            first=0,
            owners=bytes([NEUTRAL]) * len(ALL),
            armies=(0,) * len(ALL),
            pile=b"",
        )
        return views.view(undealt, None, over=False)

    def view(self, state: WarOnlineState, seat: Seat | None, *, over: bool = False) -> WarOnlineView:
        """Return what `seat`, or a watcher, may see."""
        return views.view(state, seat, over=over)

    def rounds(self, state: WarOnlineState) -> int:
        """Return the number of finished turns, of both seats together."""
        return len(state.lines)

    def history(self, state: WarOnlineState, since: int, *, faces: bool) -> list[Turn]:
        """Return the finished turns from index `since` on; `faces` adds the cards taken."""
        return turn_log.turns(state.lines, state.first, since, faces=faces)

    def encode(self, state: WarOnlineState) -> bytes:
        """Return the state as compact bytes."""
        return encoding.encode(state)

    def decode(self, data: bytes) -> WarOnlineState:
        """Return the state that `encode` wrote."""
        return encoding.decode(data)


def _plain(state: WarOnlineState, seat: Seat, word: Move, chance: Chance) -> WarOnlineState:
    match word:
        case moves.PLAY:
            return course.open_game(state, seat, word)
        case moves.UNDO:
            return course.undo(state, seat, word)
        case moves.DONE:
            return course.done(state, seat, word)
        case _:
            return course.end_turn(state, seat, word, chance)
