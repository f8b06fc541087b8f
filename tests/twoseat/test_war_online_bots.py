"""War Online's bots: what they do with a turn, and that each level is better than the one below.

The games here are few, those the hundreds of tests/long/war_online.py begin with.
"""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from online import CHANCE, MOST_MOVES, ONLINE, course, position
from twoseat.bots import choose
from twoseat.bots_war_online import LEVELS
from twoseat.games.game import Driver, Level, Move, Termination, allows
from twoseat.games.war_online.board import CONTINENTS, TERRITORIES
from twoseat.games.war_online.state import Step, WarOnlineState
from twoseat.sim_war_online import Named, games, tally

every_level = pytest.mark.parametrize("level", LEVELS)
PLANNING = pytest.mark.parametrize("level", ["middle", "strong"])
MOST_MOVES_A_TURN = 200


def answer(level: Level, state: WarOnlineState) -> Move:
    """What a bot of this level does here."""
    seat = ONLINE.owes(state)[0]
    return LEVELS[level](ONLINE.view(state, seat), ONLINE.legal(state, seat))


def test_there_is_a_bot_for_every_level_of_the_options() -> None:
    assert tuple(LEVELS) == get_args(Level)


@every_level
@given(st.integers(0, 9), st.integers(0, MOST_MOVES - 1))
def test_a_turn_is_ended_legally_from_wherever_it_was_left(level: Level, key: int, number: int) -> None:
    positions = course(key)
    start = state = positions[number % len(positions)][0]
    for _ in range(MOST_MOVES_A_TURN):
        if state.turn != start.turn or state.outcome:
            return
        seat = ONLINE.owes(state)[0]
        move = answer(level, state)
        assert allows(ONLINE.legal(state, seat), move)
        assert answer(level, state) == move
        state = ONLINE.play(state, seat, move, Driver.BOT, CHANCE)
    pytest.fail("the turn does not end")


@every_level
def test_a_match_s_bot_plays_at_the_level_agreed_on(level: Level) -> None:
    for state, seat, _, _ in course(3)[::20]:
        view, legal = ONLINE.view(state, seat), ONLINE.legal(state, seat)
        agreed = replace(view, level=level)
        assert choose("war-online", agreed, legal) == LEVELS[level](view, legal)


@PLANNING
def test_the_last_territory_of_an_objective_is_taken(level: Level) -> None:
    needed = [
        TERRITORIES[t] for c in (CONTINENTS[0], CONTINENTS[3]) for t in c.territories if TERRITORIES[t] != "congo"
    ]
    state = position(", ".join([*needed, "sudao 5, brasil 9"]), "congo, japao 3", objectives=("na_af", "t24"))
    assert answer(level, state).startswith("attack sudao congo")


@PLANNING
def test_armies_are_placed_where_the_objective_is(level: Level) -> None:
    needed = [TERRITORIES[t] for t in CONTINENTS[1].territories if TERRITORIES[t] != "argentina"]
    asia = [TERRITORIES[t] for t in CONTINENTS[4].territories]
    state = position(
        ", ".join([*needed, *asia, "islandia"]), "argentina, labrador 9", objectives=("as_sa", "t24"), step=Step.PLACE
    )
    assert answer(level, state).split()[1] in {"brasil", "bolivia"}


def test_the_strong_bot_attacks_nobody_it_can_hardly_beat() -> None:
    state = position("brasil 4, argentina 4, congo 3", "argelia 6, bolivia 5, colombia 7, sudao 5, africadosul 9")
    assert answer("strong", state) == "done"


@PLANNING
def test_the_set_is_traded_that_brings_armies_to_own_territories(level: Level) -> None:
    cards = "alaska vancouver novayork brasil china"
    state = position("brasil, vancouver, alaska", "argelia", cards=cards, step=Step.PLACE)
    assert answer(level, state) == "trade alaska vancouver novayork"
    jokers = position("brasil", "argelia", cards="alaska vancouver novayork joker", step=Step.PLACE)
    assert "joker" not in answer(level, jokers)


@PLANNING
def test_armies_behind_the_front_are_moved_to_it(level: Level) -> None:
    state = position("brasil 2, argentina 9, bolivia", "argelia 5", step=Step.MOVE)
    assert answer(level, state) == "move argentina brasil 8"


@every_level
def test_five_cards_are_traded_because_they_must_be(level: Level) -> None:
    state = position("argelia 5, japao", "brasil", cards="alaska vancouver novayork brasil china", step=Step.PLACE)
    assert answer(level, state).startswith("trade")


@pytest.mark.parametrize(
    ("better", "worse", "number", "least"),
    [
        ("easy", "random", 10, 0.9),
        ("middle", "random", 20, 0.95),
        ("strong", "easy", 10, 0.8),
        ("strong", "middle", 24, 0.6),
    ],
)
def test_each_level_is_better_than_the_one_below(better: Named, worse: Named, number: int, least: float) -> None:
    played = tally((better, worse), games((better, worse), number, seed=1))
    assert played.games == number
    assert played.win_rates[0] >= least
    assert sum(played.win_rates) + played.draws == pytest.approx(1)


def test_a_tally_adds_up_and_equal_seeds_give_equal_games() -> None:
    played = list(games(("easy", "random"), 6, seed=8))
    assert played == list(games(("easy", "random"), 6, seed=8))
    added = tally(("easy", "random"), played)
    assert sum(added.ends.values()) == pytest.approx(1)
    assert sum(o.dealt for o in added.objectives.values()) == 2 * 6
    assert sum(o.dealt * o.won for o in added.objectives.values()) == pytest.approx(6 * (1 - added.draws))
    assert [game.seats for game in played] == [(0, 1), (1, 0)] * 3
    # Two games on each deal, each player once in each seat.
    assert [game.objectives for game in played[::2]] == [game.objectives for game in played[1::2]]
    assert added.mean_rounds <= added.most_rounds == max(game.rounds for game in played)
    assert added.rounds_90 <= added.rounds_99 <= added.most_rounds


def test_the_limit_ends_a_game_nobody_wins() -> None:
    played = tally(("random", "random"), games(("random", "random"), 3, seed=1, limit=10))
    assert played.ends[Termination.LIMIT] > 0
    assert played.most_rounds <= 10
