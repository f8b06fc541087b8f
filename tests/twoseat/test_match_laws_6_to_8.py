"""Laws 6 to 8 of the match machine (ARCHITECTURE.md), each test named after its number, in exact game times."""

import pytest
from msgspec.structs import replace

from relay import RELAY
from script import TURN, Script
from twoseat.games.game import SEATS, Driver, Options, Seat, other
from twoseat.inputs import Connect, Disconnect, Leave, Rematch, Resign, Return
from twoseat.match import Reason

CLASSIC = Options(preset="classic")
each_seat = pytest.mark.parametrize("seat", SEATS)


def test_law_6_idle_the_bot_plays_until_she_returns() -> None:
    play = Script().seated()
    seat = play.owing
    play.run_out(seat)
    assert play.chair(seat).present is True
    while play.owing == seat:
        play.bots_play()
    play.play(other(seat))
    while play.owing != seat:
        play.play(other(seat))
    assert play.chair(seat).driver is Driver.BOT
    play.back(seat)
    assert (play.chair(seat).driver, play.chair(seat).back, play.due()[seat]) == (Driver.BOT, True, 800)
    turn = play.game.turn(play.match.state)
    play.bots_play()
    assert play.game.turn(play.match.state) == turn + 1
    assert (play.chair(seat).driver, play.chair(seat).back) == (Driver.HUMAN, False)


@pytest.mark.parametrize("returns", ["return", "connect"])
def test_law_6_a_turn_whose_clock_ran_out_is_the_bots_to_finish(returns: str) -> None:
    play = Script(game=RELAY).seated()
    play.run_out(0)
    if returns == "return":
        play.wait(100).back(0)
    else:
        play.disconnect(0)
        play.wait(100).connect(0)
    assert (play.chair(0).driver, play.chair(0).back, play.due()[0]) == (Driver.BOT, True, 700)
    late = play.refused(play.human_move(0))
    assert (late.reason, late.by_bot) == (Reason.STALE, True)
    play.wait(700).bot(0, "run")
    assert (play.chair(0).driver, play.due()[0]) == (Driver.BOT, 800)
    play.wait(800).bot(0, "pass")
    assert (play.chair(0).driver, play.chair(0).back, play.due()) == (Driver.HUMAN, False, (None, TURN))
    play.wait(1_000).play(1)
    assert play.due() == (TURN, None)


@pytest.mark.parametrize("returns", ["return", "connect"])
def test_law_6_between_turns_she_has_the_seat_at_once(returns: str) -> None:
    play = Script(game=RELAY).seated()
    play.run_out(0).bots_play()
    assert (play.chair(0).driver, play.owing) == (Driver.BOT, 1)
    if returns == "return":
        play.back(0)
    else:
        play.connect(0)
    assert (play.chair(0).driver, play.chair(0).back, play.due()[0]) == (Driver.HUMAN, False, None)


def test_law_6_no_time_is_bought_within_a_turn_of_many_moves() -> None:
    play = Script(game=RELAY).seated()
    for left in (14_000, 13_000, 12_000):
        play.wait(1_000).play(0, "run")
        assert play.due() == (left, None)
    play.disconnect(0)
    play.wait(1_000).connect(0)
    assert play.due()[0] == 11_000
    play.wait(10_999).play(0, "run")
    assert play.due()[0] == 1
    play.wait(1).tick()
    assert play.chair(0).driver is Driver.BOT


def test_law_6_a_turn_of_the_same_seat_right_after_is_a_new_one_with_a_full_clock() -> None:
    play = Script().seated()
    while True:
        seat = play.owing
        play.wait(2_000).play(seat)
        if play.owing == seat:
            break
    assert play.due()[seat] == TURN


def test_law_6_back_at_the_end_of_a_turn_that_is_followed_by_her_own_next_one() -> None:
    play = Script().seated()
    while True:
        seat = play.owing
        play.run_out(seat).back(seat)
        play.bots_play()
        assert play.chair(seat).driver is Driver.HUMAN
        if play.owing == seat:
            break
    assert play.due()[seat] == TURN


def test_law_6_she_who_drops_before_her_turn_comes_is_not_back() -> None:
    play = Script(game=RELAY).seated()
    play.run_out(0).back(0)
    play.disconnect(0)
    play.bots_play()
    assert (play.chair(0).driver, play.chair(0).back) == (Driver.BOT, False)


@pytest.mark.parametrize(("ago", "reason"), [(1, None), (0, Reason.STALE), (-1, Reason.STALE)])
def test_law_4_and_7_a_move_at_the_deadline_is_late_one_millisecond_before_is_not(
    ago: int, reason: Reason | None
) -> None:
    play = Script().seated()
    seat = play.owing
    play.wait(TURN - ago)
    move = play.human_move(seat)
    if reason is None:
        play.give(move)
        assert play.chair(seat).number == 1
    else:
        late = play.refused(move)
        assert (late.reason, late.by_bot) == (reason, True)


def test_law_7_number_is_the_seat_s_own_move_count() -> None:
    play = Script(game=RELAY).seated()
    for number, move in enumerate(("run", "run", "pass")):
        assert play.chair(0).number == number
        for wrong in {number - 1, number + 1} - {-1}:
            assert play.reason(replace(play.human_move(0, move), number=wrong)) is Reason.STALE
        play.play(0, move)
    assert [play.chair(seat).number for seat in SEATS] == [3, 0]


def test_law_7_a_move_sent_again_is_done_once() -> None:
    play = Script(game=RELAY).seated()
    move = play.human_move(0, "run")
    after = play.give(move)
    assert play.wait(20_000).give(move) is after
    play.connect(0)
    assert play.give(replace(move, connection=play.chair(0).connection)) is play.match
    assert play.match.state.laps == (1, 0)


def test_law_7_the_last_move_of_the_game_sent_again_is_done_too() -> None:
    play = Script(Options(target=1)).seated()
    play.play(play.owing)
    move = play.human_move(play.owing)
    after = play.give(move)
    assert after.outcome is not None
    assert play.give(move) is after
    assert play.reason(replace(move, id="other")) is Reason.OVER


def test_law_7_another_late_move_is_stale() -> None:
    play = Script(game=RELAY).seated()
    first = play.human_move(0, "run")
    play.give(first)
    play.play(0, "run")
    late = play.refused(first)
    assert (late.reason, late.by_bot) == (Reason.STALE, False)


def test_law_7_a_move_without_a_name_is_never_taken_for_one_sent_again() -> None:
    play = Script(game=RELAY).seated()
    nameless = replace(play.human_move(0, "run"), id="")
    play.give(nameless)
    assert play.match.state.laps == (1, 0)
    assert play.reason(nameless) is Reason.STALE


def test_law_7_a_human_move_that_lost_to_the_bot_is_told_so() -> None:
    play = Script(game=RELAY).seated()
    move = play.human_move(0)
    play.run_out(0)
    assert play.refused(move).by_bot is True
    play.bots_play()
    late = play.refused(move)
    assert (late.reason, late.by_bot) == (Reason.STALE, True)


def test_law_7_the_bot_s_moves_keep_the_name_of_her_last_one() -> None:
    play = Script(game=RELAY).seated()
    move = play.human_move(0, "run")
    play.give(move)
    play.run_out(0).bots_play()
    assert (play.chair(0).last_id, play.chair(0).last_by) == (move.id, Driver.BOT)
    assert play.give(move) is play.match


@each_seat
def test_law_8_connect_raises_the_connection_and_the_newest_wins(seat: Seat) -> None:
    play = Script().seated()
    old = play.chair(seat).connection
    play.connect(seat)
    assert play.chair(seat).connection > old
    assert play.reason(Connect(seat, old)) is Reason.REPLACED
    for event in (Return(seat, old), Leave(seat, old), Resign(seat, old), Rematch(seat, old)):
        assert play.reason(event) is Reason.REPLACED
    assert play.reason(replace(play.human_move(seat), connection=old)) is Reason.REPLACED


@each_seat
def test_law_8_a_late_death_of_an_old_socket_changes_nothing(seat: Seat) -> None:
    play = Script().seated()
    old = play.chair(seat).connection
    play.connect(seat)
    assert play.give(Disconnect(seat, old)) is play.match
    assert play.give(Disconnect(seat, old, node_died=True)) is play.match
    play.disconnect(seat)
    assert play.chair(seat).present is False


def test_law_8_a_socket_declared_dead_may_do_nothing_more() -> None:
    play = Script().seated()
    seat = play.owing
    play.disconnect(seat)
    assert play.reason(play.human_move(seat)) is Reason.REPLACED
    assert play.reason(Resign(seat, play.chair(seat).connection)) is Reason.REPLACED
