"""Laws 9 and 10 of the match machine (ARCHITECTURE.md), and the clock that is off, in exact game times."""

import pytest

from relay import RELAY
from script import BOT_AND_PERSON, PERSON_AND_BOT, TURN, Script
from twoseat.chair import Pause
from twoseat.games.game import SEATS, Driver, Options, Seat, Termination, other
from twoseat.match import Reason

CLASSIC = Options(preset="classic")
each_seat = pytest.mark.parametrize("seat", SEATS)


@each_seat
def test_law_9_with_nobody_there_the_match_pauses(seat: Seat) -> None:
    play = Script().seated()
    assert play.wait(1_000).disconnect(seat).pause is None
    play.wait(1_000).disconnect(other(seat))
    assert play.match.pause == Pause(play.now, play.now + 600_000)
    assert play.match.deadline == play.now + 600_000
    assert play.wait(599_999).tick() is play.match
    assert play.match.bots_due(play.now) == ()


@pytest.mark.parametrize(("left", "rest"), [(15_000, 15_000), (10_001, 10_001), (9_999, 10_000), (1, 10_000)])
@each_seat
def test_law_9_the_time_left_is_kept_at_least_ten_seconds(left: int, rest: int, seat: Seat) -> None:
    play = Script(CLASSIC).seated()
    play.wait(TURN - left).disconnect(0)
    play.disconnect(1)
    play.wait(123_456).connect(seat)
    assert play.match.pause is None
    assert play.due() == (rest, rest)
    play.wait(rest - 1).tick()
    assert play.drivers == "HH"
    play.wait(1).tick()
    assert play.drivers == "BB"


def test_law_9_a_clock_that_ran_while_one_was_there_is_not_wound_back() -> None:
    play = Script(CLASSIC).seated()
    play.disconnect(0)
    play.wait(2_000).disconnect(1)
    play.wait(50_000).connect(1)
    assert play.due() == (13_000, 13_000)


def test_law_9_a_bot_waits_too_and_moves_a_pace_after_the_pause() -> None:
    play = Script(game=RELAY).seated()
    play.run_out(0).wait(700).disconnect(0)
    play.disconnect(1)
    bot = play.bot_move(0)
    assert play.wait(5_000).reason(bot) is Reason.NOT_YOUR_TURN
    play.connect(1)
    assert play.due() == (800, None)
    play.wait(800).bot(0)
    assert play.due() == (None, TURN)


def test_law_9_who_comes_back_to_a_seat_the_bot_plays_has_it_from_her_next_turn() -> None:
    play = Script(game=RELAY).seated()
    play.run_out(0).disconnect(1)
    play.disconnect(0)
    play.wait(5_000).connect(0)
    assert (play.chair(0).driver, play.chair(0).back, play.due()[0]) == (Driver.BOT, True, 800)
    play.wait(800).bot(0)
    assert (play.drivers, play.due()) == ("HH", (None, TURN))


@pytest.mark.parametrize("abandon_after", [600, 30])
def test_law_9_after_abandon_after_the_bots_finish_it_and_the_result_is_kept(abandon_after: int) -> None:
    play = Script(Options(target=3, abandon_after=abandon_after)).seated()
    play.disconnect(0)
    play.wait(5_000).disconnect(1)
    play.wait(abandon_after * 1000 - 1).tick()
    assert play.drivers == "HH"
    play.wait(1).tick()
    assert (play.drivers, play.match.pause, play.match.deadline) == ("BB", None, play.now + 800)
    while play.match.outcome is None:
        play.bots_play()
    assert play.match.outcome.termination is Termination.POINTS
    assert all(line.by == (Driver.BOT, Driver.BOT) for line in play.game.history(play.match.state, 0, faces=True))


def test_law_9_she_may_come_back_to_what_the_bots_finish() -> None:
    play = Script(game=RELAY).seated()
    play.disconnect(0)
    play.disconnect(1)
    play.wait(600_000).tick()
    play.connect(1)
    assert play.drivers == "BH"
    play.bots_play()
    assert (play.owing, play.due()) == (1, (None, TURN))
    play.disconnect(1)
    assert play.match.pause is not None


@pytest.mark.parametrize("players", [PERSON_AND_BOT, BOT_AND_PERSON])
def test_law_9_a_bot_by_choice_is_nobody_there(players: object) -> None:
    play = Script(CLASSIC, players=players).seated()
    assert play.match.solo is not None
    play.wait(4_000).disconnect(play.match.solo)
    assert play.match.pause is not None
    play.wait(60_000).connect(play.match.solo)
    assert play.due()[play.match.solo] == 11_000


def test_law_9_the_seat_of_a_dead_node_keeps_its_time_through_the_pause() -> None:
    play = Script(CLASSIC).seated()
    play.wait(14_000).disconnect(0, node_died=True)
    play.disconnect(1, node_died=True)
    play.wait(8_000).connect(0)
    assert play.due() == (10_000, 10_000)


@each_seat
def test_timer_off_is_off_only_while_present(seat: Seat) -> None:
    play = Script(Options(preset="classic", timer=0)).seated()
    assert (play.due(), play.match.deadline) == ((None, None), None)
    assert play.wait(10_000_000).tick() is play.match
    play.disconnect(seat)
    assert (play.due()[seat], play.due()[other(seat)]) == (TURN, None)
    play.wait(5_000).connect(seat)
    assert play.due() == (None, None)
    play.disconnect(seat)
    play.wait(TURN - 1).tick()
    assert play.drivers == "HH"
    play.wait(1).tick()
    assert (play.chair(seat).driver, play.chair(other(seat)).driver) == (Driver.BOT, Driver.HUMAN)
    play.wait(800).bot(seat)
    play.connect(seat)
    play.play(other(seat))
    assert (play.drivers, play.due()) == ("HH", (None, None))


def test_timer_off_gives_the_absent_at_least_ten_seconds() -> None:
    play = Script(Options(preset="classic", timer=0, turn_seconds=5)).seated()
    play.disconnect(0)
    assert play.due()[0] == 10_000
    play.wait(1_000).play(1)
    assert play.due() == (9_000, None)


def test_timer_off_a_bot_keeps_its_pace_and_a_pause_keeps_the_clock_off() -> None:
    play = Script(Options(preset="classic", timer=0)).seated()
    play.disconnect(0)
    play.run_out(0)
    assert play.due() == (800, None)
    play.disconnect(1)
    play.wait(60_000).connect(1)
    assert play.due() == (800, None)


def test_timer_off_a_bot_by_choice_moves() -> None:
    play = Script(Options(timer=0), players=PERSON_AND_BOT).seated()
    if play.owing == 0:
        play.play(0)
    assert play.due() == (None, 800)


def test_law_10_equal_seeds_and_inputs_give_equal_matches() -> None:
    def course(seed: bytes) -> object:
        play = Script(seed=seed).seated()
        for _ in range(30):
            play.play(play.owing)
        return play.match

    assert course(b"\x01" * 32) == course(b"\x01" * 32) != course(b"\x02" * 32)


def test_law_10_neither_seed_nor_state_is_ever_printed() -> None:
    play = Script().seated()
    printed = repr(play.match)
    assert "seed" not in printed
    assert "decks" not in printed


def test_law_10_the_view_carries_neither_seed_nor_counter() -> None:
    play = Script().seated()
    for seat in (*SEATS, None):
        view = repr(play.game.view(play.match.state, seat))
        assert repr(play.match.seed) not in view
        assert play.match.seed.hex() not in view
