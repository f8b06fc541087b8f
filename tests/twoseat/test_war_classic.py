"""Preset `classic` of War, each test named after its number in docs/rules.md."""

import pytest
from msgspec.structs import replace

from dealt import CHANCE, WAR, one_round, rounds_of, war
from twoseat.games.game import Driver, IllegalMove, Options, Outcome, Seat, Termination, other
from twoseat.games.war import CLASSIC_LIMIT, DRAW, TURN, TURN_TEN, WarState

H, B = Driver.HUMAN, Driver.BOT


def classic(first: str, second: str, solo: Seat | None = None) -> WarState:
    return war(first, second, preset="classic", solo=solo)


@pytest.mark.parametrize("first", [0, 1])
def test_classic_1_between_people_each_turns_in_any_order(first: Seat) -> None:
    state = classic("KC 2C 4C", "QD 3D 5D")
    assert (WAR.owes(state), WAR.legal(state, 0), WAR.legal(state, 1)) == ((0, 1), (TURN,), (TURN,))
    half = WAR.play(state, first, TURN, H, CHANCE)
    assert (WAR.owes(half), WAR.legal(half, first), half.round) == ((other(first),), (), 1)
    with pytest.raises(IllegalMove):
        WAR.play(half, first, TURN, H, CHANCE)
    whole = WAR.play(half, other(first), TURN, H, CHANCE)
    assert (WAR.owes(whole), whole.round, whole.won) == ((0, 1), 2, (1, 0))


def test_classic_1_a_battle_is_a_turn() -> None:
    state = classic("KC 2C 4C", "QD 3D 5D")
    half = WAR.play(state, 1, TURN, H, CHANCE)
    assert [WAR.turn(state), WAR.turn(half), WAR.turn(WAR.play(half, 0, TURN, H, CHANCE))] == [1, 1, 2]


@pytest.mark.parametrize("solo", [0, 1])
def test_classic_1_against_a_bot_one_turn_plays_the_battle_for_both(solo: Seat) -> None:
    state = classic("KC 2C 4C", "QD 3D 5D", solo)
    assert (WAR.owes(state), WAR.legal(state, other(solo))) == ((solo,), ())
    with pytest.raises(IllegalMove):
        WAR.play(state, other(solo), TURN, B, CHANCE)
    after = WAR.play(state, solo, TURN, H, CHANCE)
    (line,) = WAR.history(after, 0, faces=False)
    assert (after.round, after.won, line.by) == (2, (1, 0), (H, B) if solo == 0 else (B, H))


@pytest.mark.parametrize("solo", [0, 1])
def test_classic_1_a_bot_keeping_the_seat_is_in_the_history(solo: Seat) -> None:
    after = WAR.play(classic("KC 2C 4C", "QD 3D 5D", solo), solo, TURN, B, CHANCE)
    assert WAR.history(after, 0, faces=False)[0].by == (B, B)


def test_classic_1_has_no_starter() -> None:
    state = classic("KC 2C 4C", "QD 3D 5D")
    assert WAR.view(state, 0).starter is None
    assert WAR.history(one_round(state), 0, faces=True)[0].starter is None


def test_classic_2_play_10_only_against_a_bot_by_choice() -> None:
    between, solo = classic("KC 2C", "QD 3D"), classic("KC 2C", "QD 3D", 0)
    assert (WAR.legal(between, 0), WAR.legal(solo, 0)) == ((TURN,), (TURN, TURN_TEN))
    with pytest.raises(IllegalMove):
        WAR.play(between, 0, TURN_TEN, H, CHANCE)


def test_classic_2_play_10_plays_ten_battles() -> None:
    state = WAR.new(Options(preset="classic"), 0, CHANCE)
    after = WAR.play(state, 0, TURN_TEN, H, CHANCE)
    by_one = state
    for _ in range(10):
        by_one = WAR.play(by_one, 0, TURN, H, CHANCE)
    assert after == by_one
    assert (after.round, len(WAR.history(after, 0, faces=False))) == (11, 10)


def test_classic_2_play_10_stops_where_the_game_ends() -> None:
    state = WAR.play(classic("AC KC QC", "2D 3D 4D", 0), 0, TURN_TEN, H, CHANCE)
    assert (state.outcome, state.round) == (Outcome(0, Termination.ALL_CARDS), 3)


def test_classic_3_there_is_no_target() -> None:
    state = replace(classic("AC KC QC", "2D 3D 4D"), target=1)
    assert [after.won for after in rounds_of(state)] == [(1, 0), (2, 0), (3, 0)]


@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [
        ("9C KC", "9D 2D 3D", Outcome(1, Termination.SHORTAGE)),
        ("9C KC", "9D 2D", Outcome(None, Termination.BOTH_SHORT)),
        ("KC", "9D", Outcome(0, Termination.ALL_CARDS)),
    ],
)
def test_classic_3_shortage_both_short_and_all_cards_end_it(first: str, second: str, outcome: Outcome) -> None:
    assert one_round(classic(first, second)).outcome == outcome


@pytest.mark.parametrize(
    ("number", "first", "second", "outcome"),
    [
        (CLASSIC_LIMIT - 1, "KC 2C", "QD 3D", None),
        (CLASSIC_LIMIT, "KC 2C", "QD 3D", Outcome(None, Termination.LIMIT)),
        (CLASSIC_LIMIT, "KC 2C", "QD", Outcome(0, Termination.ALL_CARDS)),
        (CLASSIC_LIMIT, "9C 2C", "9D 3D 4D", Outcome(1, Termination.SHORTAGE)),
        (CLASSIC_LIMIT, "9C 2C", "9D 3D", Outcome(None, Termination.BOTH_SHORT)),
    ],
)
def test_classic_4_after_battle_500_a_draw_but_a_win_in_it_is_a_win(
    number: int, first: str, second: str, outcome: Outcome | None
) -> None:
    assert CLASSIC_LIMIT == 500
    state = one_round(replace(classic(first, second), round=number))
    assert (state.outcome, state.round) == (outcome, number + (outcome is None))


def test_points_has_no_limit_of_rounds() -> None:
    state = replace(war("KC 2C", "QD 3D"), round=CLASSIC_LIMIT)
    assert one_round(state).outcome is None


def test_the_presets_do_not_share_their_moves() -> None:
    with pytest.raises(IllegalMove):
        WAR.play(classic("KC", "QD"), 0, DRAW, H, CHANCE)
    with pytest.raises(IllegalMove):
        WAR.play(war("KC", "QD", starter=0), 0, TURN, H, CHANCE)
