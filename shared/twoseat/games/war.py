"""War, presets `points` and `classic`, exactly as docs/rules.md has them; it knows no clock, no player and no wire."""

import struct
from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from twoseat.fair import Chance
from twoseat.games import cards
from twoseat.games.battle import Battle, Decks, Pickup, fight, winner_first
from twoseat.games.game import (
    BOT,
    BOT_PACE,
    HUMAN,
    SEATS,
    BadOptions,
    Driver,
    IllegalMove,
    Move,
    Options,
    Outcome,
    Seat,
    Termination,
)
from twoseat.values import Value

POINTS, CLASSIC = "points", "classic"
PRESETS = (POINTS, CLASSIC)
MAX_TARGET = 50
CLASSIC_LIMIT = 500
TURN_SECONDS = range(5, 121)
DRAW, TURN, TURN_TEN = Move("draw"), Move("turn"), Move("turn 10")
_LINE = struct.Struct(">6B")
_HEAD = struct.Struct(">BBBHBBBHHBBBBB")
_NOBODY = 2
_DRIVERS = (None, HUMAN, BOT)
_TURNS: tuple[tuple[tuple[Seat], tuple[Seat]], ...] = (((0,), (1,)), ((1,), (0,)))
"""Who draws, by the starter: first, then second."""
ENDS = (Termination.POINTS, Termination.ALL_CARDS, Termination.SHORTAGE, Termination.BOTH_SHORT, Termination.LIMIT)


class WarState(Value, frozen=True):
    """One game of War between two draws. `decks` and the order in them are secret for as long as the game runs."""

    preset: str
    target: int
    solo: Seat | None
    decks: Decks
    round: int
    """Number of the running round from 1; of the last one when the game is over."""
    starter: Seat
    drawn: tuple[Driver | None, Driver | None] = (None, None)
    """Who has drawn in the running round. A drawn card stays the top of its deck until both have: nobody may see it."""
    won: tuple[int, int] = (0, 0)
    pairs: bytes = b""
    """The up cards of the last finished round, see Battle."""
    lines: bytes = b""
    """Six bytes a finished round, written once and never again."""
    outcome: Outcome | None = None


class Round(Value, frozen=True):
    """A finished round as people see it; `cards` (both deciding ones) only once the game is over."""

    n: int
    starter: Seat | None
    winner: Seat | None
    wars: int
    won: int
    counts: tuple[int, int]
    by: tuple[Driver, Driver]
    cards: tuple[str, str] | None = None


class WarView(Value, frozen=True):
    """What everybody at a War table sees (rules, War 7): both seats and watchers alike."""

    game: Literal["war"]
    preset: Literal["points", "classic"]
    target: int
    counts: tuple[int, int]
    pot: int
    won: tuple[int, int]
    round: int
    starter: Seat | None
    drawn: tuple[bool, bool]
    solo: Seat | None
    pairs: tuple[tuple[str, str], ...]
    """Up cards of the last finished round, seat 0's and seat 1's, each pair covering the one before."""


class War:
    """The rules of War behind the Game protocol."""

    name = "war"
    usual = Options()
    own_options = frozenset({"preset", "target", "turn_seconds"})
    shared_view = True

    def check(self, options: Options) -> None:
        """Raise BadOptions unless preset, target and turn time are War's (rules, Options of a match)."""
        if options.preset not in PRESETS:
            raise BadOptions(f"preset must be one of {', '.join(PRESETS)}")
        if not 1 <= options.target <= MAX_TARGET:
            raise BadOptions(f"target must be 1 to {MAX_TARGET}")
        if options.turn_seconds not in TURN_SECONDS:
            raise BadOptions("turn_seconds must be 5 to 120")

    def new(self, options: Options, solo: Seat | None, chance: Chance) -> WarState:
        """Shuffle one deck of 52 and give each seat 26 (rules, War 1)."""
        return begin(options, solo, deal(chance), chance)

    def owes(self, state: WarState) -> tuple[Seat, ...]:
        """`points`: the starter, then the other. `classic`: whoever has not turned; against a bot only the person."""
        if state.outcome is not None:
            return ()
        if state.preset == POINTS:
            return _TURNS[state.starter][state.drawn[state.starter] is not None]
        return (state.solo,) if state.solo is not None else tuple(s for s in SEATS if state.drawn[s] is None)

    def turn(self, state: WarState) -> int:
        """`points`: every draw is a turn of its own, and the last one's number stays. `classic`: a battle is one
        turn.
        """
        if state.preset == CLASSIC:
            return state.round
        return 2 * state.round - (state.outcome is None and state.drawn == (None, None))

    def pace(self, state: WarState) -> int:
        """Every draw is worth waiting for."""
        return BOT_PACE

    def legal(self, state: WarState, seat: Seat) -> tuple[Move, ...]:
        """`draw`; in `classic` `turn`, and `turn 10` where the other seat is a bot by choice."""
        if seat not in self.owes(state):
            return ()
        if state.preset == POINTS:
            return (DRAW,)
        return (TURN,) if state.solo is None else (TURN, TURN_TEN)

    def play(self, state: WarState, seat: Seat, move: Move, by: Driver, chance: Chance) -> WarState:
        """Draw a card; when both have drawn, the round is fought and the next one opened."""
        if move not in self.legal(state, seat):
            raise IllegalMove(f"{move!r} is not open to seat {seat} now")
        drawn: tuple[Driver | None, Driver | None]
        if state.solo is not None and state.preset == CLASSIC:
            drawn = (by, BOT) if seat == 0 else (BOT, by)
            for _ in range(10 if move == TURN_TEN else 1):
                if state.outcome is None:
                    state = finish_round(replace(state, drawn=drawn), chance)
            return state
        drawn = (by, state.drawn[1]) if seat == 0 else (state.drawn[0], by)
        state = replace(state, drawn=drawn)
        return state if None in drawn else finish_round(state, chance)

    def outcome(self, state: WarState) -> Outcome | None:
        """Return how the game ended, or None while it runs."""
        return state.outcome

    def before_deal(self, options: Options, solo: Seat | None) -> WarView:
        """Return the table before round 1: half a deck each, and nobody knows who starts."""
        half = len(cards.DECK) // 2
        undealt = WarState(options.preset, options.target, solo, (bytes(half), bytes(half)), 1, 0)
        return replace(self.view(undealt, None), starter=None)

    def view(self, state: WarState, seat: Seat | None, *, over: bool = False) -> WarView:
        """Return the public table; `seat` makes no difference, because nobody owns a secret in War."""
        first, second = state.drawn
        drawn = (first is not None, second is not None)
        ups = state.pairs
        return WarView(
            game="war",
            preset="points" if state.preset == POINTS else "classic",
            target=state.target,
            counts=(len(state.decks[0]) - drawn[0], len(state.decks[1]) - drawn[1]),
            pot=drawn[0] + drawn[1],
            won=state.won,
            round=state.round,
            starter=None if state.preset == CLASSIC else state.starter,
            drawn=drawn,
            solo=state.solo,
            pairs=tuple([(cards.NAMES[a], cards.NAMES[b]) for a, b in zip(ups[::2], ups[1::2], strict=True)]),
        )

    def rounds(self, state: WarState) -> int:
        """Return the number of finished rounds."""
        return len(state.lines) // _LINE.size

    def history(self, state: WarState, since: int, *, faces: bool) -> list[Round]:
        """Return the finished rounds from index `since` (0 is round 1); `faces` adds the deciding cards."""
        if since * _LINE.size >= len(state.lines):
            return []
        total = sum(map(len, state.decks))
        shown: list[Round] = []
        for n, line in enumerate(_LINE.iter_unpack(state.lines[since * _LINE.size :]), since + 1):
            flags, card0, card1, wars, won, count0 = line
            shown.append(
                Round(
                    n=n,
                    starter=None if state.preset == CLASSIC else _seat(flags & 1),
                    winner=_nobody_or_seat(flags >> 1 & 3),
                    wars=wars,
                    won=won,
                    counts=(count0, total - count0),
                    by=(_driver(flags >> 3 & 1), _driver(flags >> 4 & 1)),
                    cards=(cards.name(card0), cards.name(card1)) if faces else None,
                )
            )
        return shown

    def encode(self, state: WarState) -> bytes:
        """Return a fixed head, then decks, pairs and round lines as they are."""
        ended = state.outcome
        head = _HEAD.pack(
            state.preset == CLASSIC,
            state.target,
            _NOBODY if state.solo is None else state.solo,
            state.round,
            state.starter,
            _DRIVERS.index(state.drawn[0]),
            _DRIVERS.index(state.drawn[1]),
            *state.won,
            ENDS.index(ended.termination) if ended else len(ENDS),
            _NOBODY if ended is None or ended.winner is None else ended.winner,
            len(state.decks[0]),
            len(state.decks[1]),
            len(state.pairs),
        )
        return b"".join((head, *state.decks, state.pairs, state.lines))

    def decode(self, data: bytes) -> WarState:
        """Return the state that `encode` wrote."""
        preset, target, solo, number, starter, by0, by1, won0, won1, end, winner, n0, n1, n2 = _HEAD.unpack_from(data)
        body = data[_HEAD.size :]
        return WarState(
            preset=PRESETS[preset],
            target=target,
            solo=_nobody_or_seat(solo),
            decks=(body[:n0], body[n0 : n0 + n1]),
            round=number,
            starter=_seat(starter),
            drawn=(_DRIVERS[by0], _DRIVERS[by1]),
            won=(won0, won1),
            pairs=body[n0 + n1 : n0 + n1 + n2],
            lines=body[n0 + n1 + n2 :],
            outcome=Outcome(_nobody_or_seat(winner), ENDS[end]) if end < len(ENDS) else None,
        )


def deal(chance: Chance) -> Decks:
    """Return both seats' 26 cards."""
    deck = bytes(chance.shuffle("deal", cards.DECK))
    half = len(deck) // 2
    return deck[:half], deck[half:]


def begin(options: Options, solo: Seat | None, decks: Decks, chance: Chance) -> WarState:
    """Return round 1 on given decks (a deal, or the simulator's)."""
    return WarState(options.preset, options.target, solo, decks, 1, _starter(1, chance))


def finish_round(state: WarState, chance: Chance, pickup: Pickup = winner_first) -> WarState:
    """Fight the round both have drawn for; then the game is over or the next round is open (rules, War 5 and 6)."""
    battle = fight(state.decks, pickup)
    won = state.won
    if battle.winner is not None:
        won = (won[0] + 1, won[1]) if battle.winner == 0 else (won[0], won[1] + 1)
    outcome = ending(state.preset, state.target, state.round, won, battle)
    number = state.round if outcome else state.round + 1
    return WarState(
        preset=state.preset,
        target=state.target,
        solo=state.solo,
        decks=battle.decks,
        round=number,
        starter=state.starter if outcome else _starter(number, chance),
        won=won,
        pairs=battle.pairs,
        lines=state.lines + _line(state, battle),
        outcome=outcome,
    )


def ending(preset: str, target: int, number: int, won: Sequence[int], battle: Battle) -> Outcome | None:
    """Return how the game ends with round `number`, `won` counting it, or None (rules, War 6 and Classic 3 and 4)."""
    winner = battle.winner
    if winner is None:
        return Outcome(None, Termination.BOTH_SHORT)
    if battle.short:
        return Outcome(winner, Termination.SHORTAGE)
    if not all(battle.decks):
        return Outcome(winner, Termination.ALL_CARDS)
    if preset == POINTS and won[winner] >= target:
        return Outcome(winner, Termination.POINTS)
    if preset == CLASSIC and number >= CLASSIC_LIMIT:
        return Outcome(None, Termination.LIMIT)
    return None


def _line(state: WarState, battle: Battle) -> bytes:
    flags = state.starter | (_NOBODY if battle.winner is None else battle.winner) << 1
    flags |= (state.drawn[0] is BOT) << 3 | (state.drawn[1] is BOT) << 4
    return _LINE.pack(flags, *battle.pairs[-2:], battle.wars, battle.won, len(battle.decks[0]))


def _starter(number: int, chance: Chance) -> Seat:
    return _seat(chance.below(f"starter/{number}", 2))


def _seat(number: int) -> Seat:
    return 1 if number else 0


def _nobody_or_seat(number: int) -> Seat | None:
    return None if number == _NOBODY else _seat(number)


def _driver(bot: int) -> Driver:
    return BOT if bot else HUMAN
