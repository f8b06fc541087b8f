"""Whole games of War Online between two bots, and what they add up to; it knows no player, clock or file."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Literal

from msgspec.structs import replace

from twoseat.bots_war_online import LEVELS
from twoseat.fair import Chance
from twoseat.games.game import SEATS, Driver, Level, Move, Options, Outcome, Seat, Termination
from twoseat.games.war_online import WarOnline
from twoseat.games.war_online.objectives import OBJECTIVES
from twoseat.games.war_online.view import WarOnlineView
from twoseat.values import Value

OPTIONS = Options(game="war-online", preset="objectives", turn_seconds=120)
ENDS = (Termination.OBJECTIVE, Termination.CONQUEST, Termination.LIMIT)
Named = Level | Literal["random"]
"""Who can play here: a bot of any level, or somebody who knows only which moves are legal."""
PLAYERS: tuple[Named, ...] = ("random", *LEVELS)
Player = Callable[[WarOnlineView, Sequence[Move]], Move]


class Played(Value, frozen=True):
    """A finished game. `seats` are the seats of the two players, `objectives` by seat, `rounds` begun, `bytes` of the
    last state.
    """

    seats: tuple[Seat, Seat]
    first: Seat
    outcome: Outcome
    rounds: int
    objectives: tuple[str, str]
    bytes: int


class ObjectiveTally(Value, frozen=True):
    """How often an objective was dealt, and in which share of these games the seat that had it won."""

    dealt: int
    won: float


class Tally(Value, frozen=True):
    """Many games added up. `win_rates` by player; with `draws` and `ends` they are shares of all games. `first_wins`:
    the share of all games that the first player won. `rounds_90` and `rounds_99`: all but a tenth or a hundredth of
    the games are not longer.
    """

    games: int
    levels: tuple[Named, Named]
    win_rates: tuple[float, float]
    draws: float
    first_wins: float
    ends: dict[Termination, float]
    mean_rounds: float
    rounds_90: int
    rounds_99: int
    most_rounds: int
    most_bytes: int
    objectives: dict[str, ObjectiveTally]


def play_out(players: tuple[Player, Player], chance: Chance, limit: int = OPTIONS.limit) -> Played:
    """Play one game; player 0 has seat 0."""
    game = WarOnline()
    state = game.new(Options(OPTIONS.game, OPTIONS.preset, limit=limit), None, chance)
    while (outcome := game.outcome(state)) is None:
        seat = game.owes(state)[0]
        move = players[seat](game.view(state, seat), game.legal(state, seat))
        state = game.play(state, seat, move, Driver.BOT, chance)
    rounds = (game.rounds(state) + 1) // 2
    return Played((0, 1), state.first, outcome, rounds, state.objectives, len(game.encode(state)))


def games(levels: tuple[Named, Named], number: int, seed: int, limit: int = OPTIONS.limit) -> Iterator[Played]:
    """Play so many games; equal seeds give equal games. The players change seats from game to game, and two different
    ones play each deal twice, so that neither is luckier with the deals.
    """
    for n in range(number):
        deal = n if levels[0] == levels[1] else n // 2
        key = hashlib.sha256(f"twoseat sim war-online {seed} {deal}".encode()).digest()
        first, second = (_player(level, key) for level in levels)
        if n % 2 == 0:
            yield play_out((first, second), Chance(key), limit)
        else:
            yield replace(play_out((second, first), Chance(key), limit), seats=(1, 0))


def tally(levels: tuple[Named, Named], played: Iterable[Played]) -> Tally:
    """Add up finished games, at least one."""
    total = _Sum()
    for game in played:
        total.add(game)
    games = len(total.rounds)
    rounds = sorted(total.rounds)
    return Tally(
        games=games,
        levels=levels,
        win_rates=(total.wins[0] / games, total.wins[1] / games),
        draws=(games - total.wins.total()) / games,
        first_wins=total.first / games,
        ends={end: total.ends[end] / games for end in ENDS},
        mean_rounds=sum(rounds) / games,
        rounds_90=rounds[(games - 1) * 9 // 10],
        rounds_99=rounds[(games - 1) * 99 // 100],
        most_rounds=rounds[-1],
        most_bytes=total.bytes,
        objectives={
            o.id: ObjectiveTally(total.dealt[o.id], total.won[o.id] / max(1, total.dealt[o.id])) for o in OBJECTIVES
        },
    )


@dataclass(slots=True)
class _Sum:
    wins: Counter[int] = field(default_factory=Counter)
    first: int = 0
    ends: Counter[Termination] = field(default_factory=Counter)
    rounds: list[int] = field(default_factory=list)
    bytes: int = 0
    dealt: Counter[str] = field(default_factory=Counter)
    won: Counter[str] = field(default_factory=Counter)

    def add(self, game: Played) -> None:
        winner = game.outcome.winner
        if winner is not None:
            self.wins[game.seats.index(winner)] += 1
            self.won[game.objectives[winner]] += 1
        self.first += winner == game.first
        self.ends[game.outcome.termination] += 1
        self.rounds.append(game.rounds)
        self.bytes = max(self.bytes, game.bytes)
        self.dealt.update(game.objectives[seat] for seat in SEATS)


def _player(level: Named, key: bytes) -> Player:
    if level != "random":
        return LEVELS[level]
    chance, numbers = Chance(key), count()

    def at_random(view: WarOnlineView, legal: Sequence[Move]) -> Move:
        """Any legal move, and any number of those it stands for."""
        move = legal[chance.below(f"player/{next(numbers)}", len(legal))]
        form, _, last = move.rpartition(" ")
        low, dash, high = last.partition("-")
        if not dash:
            return move
        return Move(f"{form} {int(low) + chance.below(f'player/{next(numbers)}', int(high) - int(low) + 1)}")

    return at_random
