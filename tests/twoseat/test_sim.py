"""The simulator plays the same games as the rules engine, and adds them up rightly."""

import pytest
from msgspec import to_builtins

from dealt import CHANCE, WAR, decks, names, rounds_of
from twoseat import sim
from twoseat.games import cards
from twoseat.games.battle import PICKUPS
from twoseat.games.game import Options, Termination
from twoseat.games.war import ENDS, begin, finish_round


@pytest.mark.parametrize("preset", ["points", "classic"])
@pytest.mark.parametrize("target", [1, 20, 50])
def test_the_simulator_agrees_with_the_rules_engine(preset: str, target: int) -> None:
    for number, course in enumerate(sim.courses(preset, 10, 3, target)):
        start = begin(Options(preset=preset, target=target), None, sim.dealt(3, number), CHANCE)
        last = list(rounds_of(start))[-1]
        lines = WAR.history(last, 0, faces=False)
        assert last.outcome is not None
        assert (course.rounds, course.rounds_won) == (last.round, last.won)
        assert course.winners == [line.winner for line in lines]
        assert course.wars_in_round == [line.wars for line in lines]
        assert (course.result, course.reason) == (last.outcome.winner, last.outcome.termination)
        assert course.counts == tuple(map(len, last.decks))
        assert [cards.parse(deck) for deck in course.final_decks] == list(last.decks)


@pytest.mark.parametrize("pickup", PICKUPS)
def test_the_simulator_agrees_in_every_pickup_order(pickup: str) -> None:
    for number in range(3):
        state = begin(Options(), None, sim.dealt(4, number), CHANCE)
        for _ in range(99):
            state = state if state.outcome else finish_round(state, CHANCE, PICKUPS[pickup])
        (course,) = [sim.course(sim.dealt(4, number), "points", pickup=PICKUPS[pickup])]
        assert [names(deck) for deck in state.decks] == [" ".join(deck) for deck in course.final_decks]


def test_a_course_has_the_oracle_s_fields_in_their_order() -> None:
    assert to_builtins(sim.course(decks("5S 9S 9H", "5H"), "points")) == {
        "rounds": 1,
        "winners": [0],
        "wars_in_round": [1],
        "rounds_won": (1, 0),
        "result": 0,
        "reason": "shortage",
        "counts": (4, 0),
        "final_decks": (["9S", "9H", "5S", "5H"], []),
    }


def test_equal_seeds_deal_equal_games_and_others_do_not() -> None:
    assert sim.dealt(7, 0) == sim.dealt(7, 0)
    assert len({sim.dealt(seed, number) for seed in (-1, 0, 7) for number in range(4)}) == 12
    assert list(sim.courses("points", 3, 7)) == list(sim.courses("points", 5, 7))[:3]


def test_the_deals_of_a_seed_stay_the_same_from_version_to_version() -> None:
    assert names(sim.dealt(7, 0)[0][:5]) == "KS 2C QC 3H 6D"


def test_a_tally_adds_up() -> None:
    played = [
        sim.course(decks("5S 9S 9H", "5H"), "points"),
        sim.course(decks("2S", "5H"), "points"),
        sim.course(decks("5S", "5H"), "points"),
        sim.course(decks("9C 2C 8C 4C KC 5C", "9D 3D 8D 5D QD"), "points"),
    ]
    tally = sim.tally(iter(played))
    assert tally == sim.Tally(
        games=4,
        mean_rounds=1.0,
        ends={
            Termination.POINTS: 0.0,
            Termination.ALL_CARDS: 0.5,
            Termination.SHORTAGE: 0.25,
            Termination.BOTH_SHORT: 0.25,
            Termination.LIMIT: 0.0,
        },
        wars_per_game=1.0,
        deepest_war=2,
        seat0_wins=2,
    )
    assert tuple(tally.ends) == ENDS
