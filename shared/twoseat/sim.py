"""Whole games of War from decks alone, for statistics and for checking a deal; it knows no player, clock or file."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator

from twoseat.fair import Chance
from twoseat.games import cards
from twoseat.games.battle import Decks, Pickup, fight, winner_first
from twoseat.games.game import Outcome, Seat, Termination
from twoseat.games.war import ENDS, MAX_TARGET, deal, ending
from twoseat.values import Value


class Course(Value, frozen=True):
    """A finished game, round by round; `result` is the winning seat, None a draw. `final_decks` have the top first."""

    rounds: int
    winners: list[Seat | None]
    wars_in_round: list[int]
    rounds_won: tuple[int, int]
    result: Seat | None
    reason: Termination
    counts: tuple[int, int]
    final_decks: tuple[list[str], list[str]]


class Tally(Value, frozen=True):
    """Many games added up; `ends` are shares of all games, every ending of War included."""

    games: int
    mean_rounds: float
    ends: dict[Termination, float]
    wars_per_game: float
    deepest_war: int
    seat0_wins: int


def course(decks: Decks, preset: str, target: int = MAX_TARGET, pickup: Pickup = winner_first) -> Course:
    """Play given decks to the end. Each must hold a card, and no card twice."""
    winners: list[Seat | None] = []
    wars: list[int] = []
    won = [0, 0]
    ended: Outcome | None = None
    while ended is None:
        battle = fight(decks, pickup)
        decks = battle.decks
        winners.append(battle.winner)
        wars.append(battle.wars)
        if battle.winner is not None:
            won[battle.winner] += 1
        ended = ending(preset, target, len(winners), won, battle)
    return Course(
        rounds=len(winners),
        winners=winners,
        wars_in_round=wars,
        rounds_won=(won[0], won[1]),
        result=ended.winner,
        reason=ended.termination,
        counts=(len(decks[0]), len(decks[1])),
        final_decks=([cards.name(card) for card in decks[0]], [cards.name(card) for card in decks[1]]),
    )


def courses(
    preset: str, games: int, seed: int, target: int = MAX_TARGET, pickup: Pickup = winner_first
) -> Iterator[Course]:
    """Play that many deals; equal seeds deal equal cards, game by game."""
    for number in range(games):
        yield course(dealt(seed, number), preset, target, pickup)


def dealt(seed: int, number: int) -> Decks:
    """Return the deal of one game of a run, the first being number 0."""
    return deal(Chance(hashlib.sha256(f"twoseat sim {seed} {number}".encode()).digest()))


def tally(played: Iterable[Course]) -> Tally:
    """Add up finished games, at least one."""
    ends: Counter[Termination] = Counter()
    games = rounds = wars = deepest = seat0_wins = 0
    for game in played:
        games += 1
        rounds += game.rounds
        wars += sum(game.wars_in_round)
        deepest = max(deepest, *game.wars_in_round)
        seat0_wins += game.result == 0
        ends[game.reason] += 1
    shares = {end: ends[end] / games for end in ENDS}
    return Tally(games, rounds / games, shares, wars / games, deepest, seat0_wins)
