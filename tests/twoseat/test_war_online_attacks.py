"""War Online's rules 8 and 9: throws, attacks until, going in, and winning by it."""

import pytest

from online import CHANCE, ONLINE, legal, of, on, play, position, refused, throwing, winning
from twoseat.fair import Chance
from twoseat.games.game import Outcome, Termination
from twoseat.games.war_online import odds
from twoseat.games.war_online.battle import throw
from twoseat.games.war_online.board import CONTINENTS, TERRITORIES
from twoseat.games.war_online.state import Step


@pytest.mark.parametrize(
    ("armies", "defenders", "dice"), [(2, 1, (1, 1)), (3, 2, (2, 2)), (4, 3, (3, 3)), (9, 9, (3, 3)), (2, 5, (1, 3))]
)
def test_online_8_dice_by_armies_the_one_that_stays_throws_none(
    armies: int, defenders: int, dice: tuple[int, int]
) -> None:
    state = play(position(f"brasil {armies}", f"argelia {defenders}"), "attack brasil argelia")
    assert state.last is not None
    ((attack, defence),) = state.last.throws
    assert (len(attack), len(defence)) == dice


@pytest.mark.parametrize(
    ("attack", "defence", "lost"),
    [
        ((5, 4, 1), (6, 3, 1), (2, 1)),
        ((6, 6, 6), (6, 6, 6), (3, 0)),
        ((6, 6, 6), (5, 5, 5), (0, 3)),
        ((6, 1), (5, 5, 5), (1, 1)),
        ((6,), (5, 1), (0, 1)),
        ((6, 5, 4), (6,), (1, 0)),
    ],
)
def test_online_8_highest_against_highest_and_ties_to_the_defence(
    attack: tuple[int, ...], defence: tuple[int, ...], lost: tuple[int, int]
) -> None:
    assert odds.losses(attack, defence) == lost


def test_online_8_a_throw_costs_both_sides_what_the_dice_say() -> None:
    state = position("brasil 6", "argelia 5")
    after = play(state, "attack brasil argelia", chance=throwing(((5, 4, 1), (6, 3, 1))))
    assert on(after, "brasil", "argelia") == (4, 4)
    assert after.throws == 1
    assert after.last is not None
    assert (after.last.throws, after.last.lost, after.last.conquered) == ((((5, 4, 1), (6, 3, 1)),), (2, 1), False)


def test_online_8_the_next_throw_has_other_dice() -> None:
    chance = Chance(b"\x02" * 32)
    throws = [throw(chance, n, 3, 3) for n in range(100)]
    assert len(set(throws)) > 50
    assert throws == [throw(Chance(b"\x02" * 32), n, 3, 3) for n in range(100)]
    state = play(position("brasil 99", "argelia 99"), "attack brasil argelia until 60", chance=chance)
    assert state.last is not None
    assert list(state.last.throws) == throws[: state.throws]


@pytest.mark.parametrize(("source", "target"), [("brasil", "congo"), ("brasil", "argentina"), ("argelia", "brasil")])
def test_online_8_only_from_ones_own_on_a_neighbour_that_is_not(source: str, target: str) -> None:
    state = position("brasil 9, argentina", "argelia 9")
    refused(state, f"attack {source} {target}")
    refused(state, f"attack {source} {target} until 1")


def test_online_8_legal_lists_every_attack() -> None:
    state = position("brasil 3, argentina", "argelia 9")
    assert legal(state, "attack") == [
        move
        for target in ("colombia", "bolivia", "argelia")
        for move in (f"attack brasil {target}", f"attack brasil {target} until 1-2")
    ]


@pytest.mark.parametrize(("dice", "most"), [((3, 1), 3), ((2, 1), 2), ((3, 2), 3), ((3, 3), 3)])
def test_online_8_after_a_conquest_as_many_as_dice_may_go_in(dice: tuple[int, int], most: int) -> None:
    armies = dice[0] + 1
    state = position(f"brasil {armies}", f"argelia {dice[1]}, japao")
    taken = play(state, "attack brasil argelia", chance=winning(dice))
    assert taken.step is Step.ADVANCE
    assert on(taken, "brasil", "argelia") == (armies - 1, 1)
    assert legal(taken) == ["advance 1", f"advance 1-{most}"]
    refused(taken, f"advance {most + 1}")
    refused(taken, "end")
    refused(taken, "attack brasil bolivia")
    for armies_in in range(1, most + 1):
        after = play(taken, f"advance {armies_in}")
        assert on(after, "brasil", "argelia") == (armies - armies_in, armies_in)
        assert after.step is Step.ATTACK


def test_online_8_with_one_army_to_send_nobody_is_asked() -> None:
    taken = play(position("brasil 2", "argelia, japao"), "attack brasil argelia", chance=winning((1, 1)))
    assert (taken.step, taken.conquests) == (Step.ATTACK, 1)
    assert on(taken, "brasil", "argelia") == (1, 1)
    assert "argelia" in of(taken, 0)


@pytest.mark.parametrize("until", [1, 3, 9])
def test_online_8_attack_until_stops_where_it_is_told(until: int) -> None:
    for key in range(40):
        state = position("brasil 10", "argelia 6, japao")
        after = play(state, f"attack brasil argelia until {until}", chance=Chance(bytes([key]) * 32))
        assert after.last is not None
        lost = [odds.losses(*dice) for dice in after.last.throws]
        left = 10 - sum(attacker for attacker, _ in lost)
        before = left + lost[-1][0]
        assert before > until  # the last throw was due
        assert after.last.conquered or left <= until
        assert after.last.lost == (10 - left, sum(defender for _, defender in lost))
        assert after.throws == len(lost)


@pytest.mark.parametrize("until", ["0", "10", "11", "-1", "x", "", "01"])
def test_online_8_attack_until_needs_fewer_than_there_are(until: str) -> None:
    refused(position("brasil 10", "argelia 6"), f"attack brasil argelia until {until}")


def test_online_8_throw_by_throw_against_one_territory_is_one_battle() -> None:
    state = position("brasil 50, mexico 5", "argelia 40")
    once = play(state, "attack brasil argelia", "attack brasil argelia", "attack brasil argelia")
    assert len(once.battles) == 1
    until = play(state, f"attack brasil argelia until {once.armies[11]}")
    assert until.battles == once.battles
    mixed = play(once, "attack mexico colombia until 4")
    assert len(mixed.battles) == 2


def test_online_8_only_the_last_forty_throws_are_kept_to_show() -> None:
    state = play(position("brasil 300", "argelia 300"), "attack brasil argelia until 1")
    assert state.last is not None
    assert len(state.last.throws) == 40 < state.throws
    assert sum(state.last.lost) > 3 * 40


def test_online_9_the_last_territory_wins_whatever_the_objective() -> None:
    state = position("brasil 4", "argelia", objectives=("as_af", "t24"))
    won = play(state, "attack brasil argelia", chance=winning((3, 1)))
    assert won.outcome == Outcome(0, Termination.CONQUEST)
    assert ONLINE.owes(won) == ()
    assert ONLINE.legal(won, 0) == ()
    assert [turn.conquests for turn in ONLINE.history(won, 0, faces=True)] == [1]


def test_online_9_the_last_territory_an_objective_needs_wins_before_anyone_goes_in() -> None:
    africa, america = CONTINENTS[3], CONTINENTS[0]
    names = [TERRITORIES[t] for t in (*africa.territories, *america.territories) if TERRITORIES[t] != "congo"]
    state = position(", ".join(f"{name} 4" for name in names), "congo, japao", objectives=("na_af", "t24"))
    won = play(state, "attack sudao congo", chance=winning((3, 1)))
    assert won.outcome == Outcome(0, Termination.OBJECTIVE)
    lost = play(state, "attack sudao congo", chance=throwing(((2, 1, 1), (6,))))
    assert lost.outcome is None


def test_online_9_an_objective_of_the_other_seat_is_none_of_ones_own() -> None:
    names = [TERRITORIES[t] for t in range(24)]
    state = position(", ".join(names[:-1]) + ", sudao 4", f"{names[-1]}, japao", objectives=("as_af", "t24"))
    taken = play(state, "attack sudao madagascar", chance=winning((3, 2)))
    assert (len(of(taken, 0)), taken.outcome) == (24, None)


def test_the_same_seed_gives_the_same_battle() -> None:
    state = position("brasil 30", "argelia 20, japao")
    first, second = (play(state, "attack brasil argelia until 2", chance=CHANCE) for _ in range(2))
    assert first == second
