"""War against the oracles: whole games computed by an independent model, and mistakes other engines made."""

from collections.abc import Callable
from typing import Any

import pytest

from dealt import CHANCE, WAR, decks, oracle, rounds_of
from twoseat import sim
from twoseat.games import cards
from twoseat.games.battle import PICKUPS, Decks, fight, winner_first
from twoseat.games.game import Options, Outcome, Termination
from twoseat.games.war import WarState, begin, finish_round

GOLDEN = oracle("war_golden.json")
CASES = {case["id"]: case for case in GOLDEN["cases"] + GOLDEN["alt_pickup_cases"]}
BUGS = {bug["n"]: bug for bug in oracle("engine_bugs.json")["bugs"] if bug["game"] == "war"}
by_case = pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))


def dealt(case: Any) -> Decks:
    first, second = case["decks"]
    return cards.parse(first), cards.parse(second)


def opened(case: Any) -> WarState:
    return begin(Options(preset=case["preset"]), None, dealt(case), CHANCE)


def summed_up(states: list[WarState]) -> dict[str, Any]:
    """The oracle's fields from the states after each round."""
    last = states[-1]
    assert last.outcome is not None
    lines = WAR.history(last, 0, faces=False)
    return {
        "rounds": len(lines),
        "winners": [line.winner for line in lines],
        "wars_in_round": [line.wars for line in lines],
        "rounds_won": list(last.won),
        "result": last.outcome.winner,
        "reason": last.outcome.termination,
        "counts": list(map(len, last.decks)),
        "final_decks": [[cards.name(card) for card in deck] for deck in last.decks],
    }


def fought_out(state: WarState, pickup: str) -> list[WarState]:
    """The states after each round, with another order of picking up than the rules'."""
    states: list[WarState] = []
    while state.outcome is None:
        assert len(states) < 500, "no end"
        state = finish_round(state, CHANCE, PICKUPS[pickup])
        states.append(state)
    return states


def test_the_oracle_is_all_there() -> None:
    assert len(CASES) == 33
    assert set(BUGS) == {1, 2, 4, 5, 7, 8, 10}
    assert set(GOLDEN["pickup_orders"]) == set(PICKUPS)


@by_case
def test_golden_by_the_rules_round_by_round(case: Any) -> None:
    assert summed_up(fought_out(opened(case), case["pickup"])) == case["expect"]


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["id"])
def test_golden_by_moves_of_both_seats(case: Any) -> None:
    assert case["pickup"] == "winner_first"
    assert summed_up(list(rounds_of(opened(case)))) == case["expect"]


@by_case
def test_golden_by_the_simulator(case: Any) -> None:
    course = sim.course(dealt(case), case["preset"], pickup=PICKUPS[case["pickup"]])
    expect = case["expect"]
    assert (course.rounds, course.winners, course.wars_in_round) == (
        expect["rounds"],
        expect["winners"],
        expect["wars_in_round"],
    )
    assert (list(course.rounds_won), course.result, course.reason) == (
        expect["rounds_won"],
        expect["result"],
        expect["reason"],
    )
    assert (list(course.counts), list(course.final_decks)) == (expect["counts"], expect["final_decks"])


def test_bug_1_suits_decide_nothing() -> None:
    first, second = BUGS[1]["test"]["decks"]
    for mine, theirs in ((first, second), (["AS", *first[1:]], ["AH", *second[1:]])):
        battle = fight((cards.parse(mine), cards.parse(theirs)))
        assert (battle.winner, battle.wars, battle.won) == (0, 1, 6)
        assert [cards.name(card) for card in battle.pairs[-2:]] == ["KS", "QS"]


def golden_named_by(number: int) -> Callable[..., Any]:
    return pytest.mark.parametrize("case", BUGS[number]["test"]["golden"])


@golden_named_by(2)
def test_bug_2_running_out_of_cards_is_defined(case: str) -> None:
    outcome = list(rounds_of(opened(CASES[case])))[-1].outcome
    assert outcome is not None
    assert outcome.termination in (Termination.SHORTAGE, Termination.BOTH_SHORT)


def test_bug_4_an_ace_on_each_side_does_not_hang() -> None:
    first, second = BUGS[4]["test"]["decks"]
    (state,) = rounds_of(begin(Options(), None, (cards.parse(first), cards.parse(second)), CHANCE))
    assert (state.outcome, list(map(len, state.decks))) == (Outcome(None, Termination.BOTH_SHORT), [2, 2])


def test_bug_5_one_deck_of_52_at_every_moment() -> None:
    for state in rounds_of(WAR.new(Options(preset="classic"), None, CHANCE)):
        assert sorted(b"".join(state.decks)) == list(range(52))


@golden_named_by(7)
def test_bug_7_the_short_seat_is_the_one_that_loses(case: str) -> None:
    state = list(rounds_of(opened(CASES[case])))[-1]
    short = min((0, 1), key=lambda seat: len(CASES[case]["decks"][seat]))
    assert state.outcome == Outcome(0 if short else 1, Termination.SHORTAGE)
    assert state.decks[short] == b""


@golden_named_by(8)
def test_bug_8_won_cards_are_drawn_again(case: str) -> None:
    states = list(rounds_of(opened(CASES[case])))
    assert (len(states), list(map(len, states[-1].decks))) == (26, [52, 0])


@golden_named_by(10)
def test_bug_10_no_second_round_after_the_last_card(case: str) -> None:
    assert len(list(rounds_of(opened(CASES[case])))) == 1


@pytest.mark.parametrize(
    ("pickup", "pot"),
    [
        ("winner_first", "KC QD 2C 3D AC AD"),
        ("loser_first", "QD KC 3D 2C AD AC"),
        ("winner_block", "KC 2C AC QD 3D AD"),
        ("seat0_first", "KC QD 2C 3D AC AD"),
    ],
)
@pytest.mark.parametrize("winner", [0, 1])
def test_each_pickup_order(pickup: str, pot: str, winner: int) -> None:
    mine, theirs = decks("KC 2C AC", "QD 3D AD")
    expected = cards.parse(pot.split())
    if winner == 0:
        assert PICKUPS[pickup](0, mine, theirs) == expected
    elif pickup == "seat0_first":
        assert PICKUPS[pickup](1, theirs, mine) == cards.parse(["QD", "KC", "3D", "2C", "AD", "AC"])
    else:
        assert PICKUPS[pickup](1, theirs, mine) == expected


def test_the_rules_pick_up_winner_first() -> None:
    both = decks("KC 2C", "QD 3D")
    assert fight(both) == fight(both, winner_first) != fight(both, PICKUPS["loser_first"])
