"""War Online at length: a million throws of each kind, and hundreds of games between bots. Some minutes to an hour.

Not part of the test run; start it with `python -m pytest tests/long/war_online.py`.
"""

import time
from collections.abc import Sequence
from itertools import product

import pytest

from throws import chi_square_limit, frequencies
from twoseat.bots_war_online import LEVELS
from twoseat.fair import Chance
from twoseat.games.game import Move, Termination
from twoseat.games.war_online.view import WarOnlineView
from twoseat.sim_war_online import Named, Tally, games, play_out, tally

pytestmark = pytest.mark.timeout(4 * 3600)
THROWS = 1_000_000
MOST_SECONDS_A_GAME = 3.0
MOST_SECONDS_A_MOVE = 0.2


@pytest.mark.parametrize("kind", list(product((1, 2, 3), repeat=2)))
def test_a_million_throws_of_each_kind_come_as_the_exact_odds_say(kind: tuple[int, int]) -> None:
    assert frequencies(*kind, throws=THROWS) < chi_square_limit(min(kind))


def played(levels: tuple[Named, Named], number: int) -> Tally:
    added = tally(levels, games(levels, number, seed=1))
    print(added)
    return added


@pytest.mark.parametrize(("better", "worse", "least"), [("middle", "random", 0.95), ("strong", "middle", 0.65)])
def test_each_level_beats_the_one_below_over_400_games(better: Named, worse: Named, least: float) -> None:
    assert played((better, worse), 400).win_rates[0] >= least


def test_neither_the_first_nor_the_second_player_is_much_better_off_and_games_end_in_time() -> None:
    strong = played(("strong", "strong"), 1000)
    assert 0.45 <= strong.first_wins <= 0.55
    assert strong.ends[Termination.LIMIT] <= 0.01
    assert strong.most_bytes <= 4096


def test_a_strong_bot_thinks_at_most_three_seconds_a_game_and_a_fifth_of_a_second_a_move() -> None:
    moves: list[float] = []

    def timed(view: WarOnlineView, legal: Sequence[Move]) -> Move:
        began = time.process_time()
        move = LEVELS["strong"](view, legal)
        moves.append(time.process_time() - began)
        return move

    for number in range(50):
        before = len(moves)
        play_out((timed, LEVELS["strong"]), Chance(bytes([number]) * 32))
        assert sum(moves[before:]) <= MOST_SECONDS_A_GAME
    assert sorted(moves)[len(moves) * 99 // 100] <= MOST_SECONDS_A_MOVE
