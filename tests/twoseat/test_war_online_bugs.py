"""Mistakes that authors of such games made, each by its number in the oracle and with its own input.

13, 14 and 16 are with the board and the objectives.
"""

from typing import Any

import pytest
from msgspec.structs import replace

from dealt import oracle
from online import ONLINE, OPTIONS, left, legal, numbers, on, play, position, refused, throwing, winning
from script import Script
from twoseat.games.war_online.board import CONTINENTS, TERRITORIES
from twoseat.games.war_online.state import Step
from twoseat.match import Reason

BUGS: Any = {bug["n"]: bug["test"] for bug in oracle("engine_bugs.json")["bugs"] if bug["game"] == "risk"}
TESTED = {11, 13, 14, 16, 17, 19, 20, 22, 23, 25, 26, 28, 29}


def test_every_mistake_is_looked_for() -> None:
    assert set(BUGS) == TESTED


def test_bug_11_a_single_army_attacks_nobody_and_the_last_one_never_leaves() -> None:
    state = position(f"brasil {BUGS[11]['from']}, argentina", f"argelia {BUGS[11]['to']}")
    refused(state, "attack brasil argelia")
    assert legal(state, "attack") == []
    moving = play(state, "done")
    refused(moving, "move brasil argentina 1")


def test_bug_17_the_least_of_three_comes_before_the_continents() -> None:
    oceania = [TERRITORIES[t] for t in CONTINENTS[5].territories]
    state = position(", ".join([*oceania, "brasil"]), step=Step.PLACE)
    assert state.owners.count(0) == BUGS[17]["territories"]
    assert left(state) == (3, {"oc": 2})
    refused(state, "place brasil 4")
    refused(state, "place borneo 6")
    assert play(state, "place borneo 5").step is Step.ATTACK


@pytest.mark.parametrize(("held", "forced"), [(3, False), (4, False), (BUGS[19]["hand"], True)])
def test_bug_19_five_cards_force_a_trade_and_four_do_not(held: int, *, forced: bool) -> None:
    cards = " ".join(["alaska", "vancouver", "novayork", "brasil", "china"][:held])
    state = position("brasil", cards=cards, step=Step.PLACE)
    assert (legal(state, "place") == []) is forced
    if forced:
        refused(state, "place brasil 1")


def test_bug_20_two_armies_only_on_the_traded_territory_one_owns() -> None:
    state = position("brasil, argentina", "china, japao", cards="brasil china joker", step=Step.PLACE)
    after = play(state, "trade brasil china joker")
    assert after.traded == 4
    assert on(after, "brasil", "china", "argentina") == (3, 1, 1)
    assert after.last is not None
    assert after.last.bonus == ("brasil",)
    nothing = play(position("argentina", cards="brasil china joker", step=Step.PLACE), "trade brasil china joker")
    assert nothing.last is not None
    assert nothing.last.bonus == ()


def test_bug_22_a_seat_without_territories_gets_no_turn() -> None:
    won = play(position("brasil 4", "argelia"), "attack brasil argelia", chance=winning((3, 1)))
    assert ONLINE.owes(won) == ()
    refused(won, "end", seat=0)
    refused(won, "place argelia 1", seat=1)


def test_bug_23_all_dice_of_both_sides_are_told_sorted() -> None:
    wanted = tuple(BUGS[23]["attack"]), tuple(BUGS[23]["defence"])
    state = position("brasil 4", "argelia 3")
    after = play(state, "attack brasil argelia", chance=throwing(wanted))
    view = ONLINE.view(after, 1)
    assert view.last is not None
    assert (view.last.throws, view.last.lost) == ((wanted,), (2, 1))
    assert on(after, "brasil", "argelia") == (2, 2)


def test_bug_25_armies_may_join_others_and_move_once() -> None:
    given = BUGS[25]
    state = position(f"colombia {given['from']}, brasil {given['to']}, argentina", step=Step.MOVE)
    after = play(state, f"move colombia brasil {given['n']}")
    assert on(after, "colombia", "brasil") == (1, 8)
    # Four that stood there may go on; the four that came may not.
    refused(after, "move brasil argentina 5")
    refused(play(after, "move brasil argentina 4"), "move brasil argentina 1")


def test_bug_26_into_a_taken_territory_go_at_least_one_and_at_most_the_dice() -> None:
    given = BUGS[26]
    # Two dice of the attacker mean three armies; ten would throw three.
    state = position(f"brasil {given['dice'] + 1}", f"argelia {given['defender']}, japao")
    taken = play(state, "attack brasil argelia", chance=winning((given["dice"], 1)))
    assert taken.advance is not None
    assert taken.advance[2] == max(given["allowed"])
    for armies in (0, 3, 9):
        refused(taken, f"advance {armies}")
    large = play(position("brasil 10", "argelia, japao"), "attack brasil argelia", chance=winning((3, 1)))
    assert legal(large) == ["advance 1", "advance 1-3"]


def test_bug_28_seats_stay_what_they_are() -> None:
    state = position("brasil 4", "argelia", her_cards="congo", objectives=("as_af", "t24"))
    won = play(state, "attack brasil argelia", chance=winning((3, 1)))
    assert (won.hands[1], won.objectives, won.first) == (numbers("congo"), state.objectives, state.first)
    assert [turn.seat for turn in ONLINE.history(won, 0, faces=True)] == [state.first]


def test_bug_29_the_same_trade_twice_counts_once() -> None:
    script = Script(OPTIONS, game=ONLINE).seated()
    mid_game = position("brasil", cards="alaska brasil mexico china", step=Step.PLACE)
    script.match = replace(script.match, state=mid_game)
    trade = script.human_move(0, "trade alaska brasil mexico")
    once = script.give(trade)
    assert script.give(trade) is once
    assert once.state.hands[0] == numbers("china")
    assert once.state.trades == 1
    assert script.reason(replace(trade, id="another")) is Reason.STALE
