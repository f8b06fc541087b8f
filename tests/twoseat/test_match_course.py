"""From seating to the next game: how a match starts, is left, given up, dealt anew, ends and goes on."""

import pytest

from relay import RELAY
from script import BOT_AND_PERSON, PEOPLE, PERSON_AND_BOT, SEED, START_WITHIN, T0, TURN, Script
from twoseat.chair import Pause
from twoseat.games import GAMES
from twoseat.games.game import SEATS, BadOptions, Driver, Options, Outcome, Seat, Termination, other
from twoseat.inputs import Rematch, Resign, Tick
from twoseat.match import NEXT_GAME_AFTER, MatchId, Reason, create
from twoseat.series import Series

VOID = Outcome(None, Termination.VOID)
REDEALT = Outcome(None, Termination.REDEALT)
each_seat = pytest.mark.parametrize("seat", SEATS)


def test_a_new_match_waits_for_both() -> None:
    match = Script().match
    assert (match.version, match.started, match.pause) == (1, False, Pause(T0, T0 + START_WITHIN))
    assert (match.deadline, match.outcome, match.series) == (T0 + START_WITHIN, None, Series(1))
    assert [(chair.player, chair.name, chair.driver, chair.due) for chair in match.chairs] == [
        ("p0", "Ann", Driver.HUMAN, None),
        ("p1", "Bob", Driver.HUMAN, None),
    ]
    assert match.bots_due(T0 + START_WITHIN) == ()


def test_a_match_with_options_its_game_does_not_allow_is_not_made() -> None:
    with pytest.raises(BadOptions):
        Script(Options(target=0))


def test_a_match_deals_by_its_seed() -> None:
    assert Script(seed=SEED).match.state == Script(seed=SEED).match.state != Script(seed=b"\x08" * 32).match.state


@each_seat
def test_it_starts_with_full_clocks_when_everybody_is_there(seat: Seat) -> None:
    play = Script()
    play.wait(10_000).connect(seat)
    assert (play.match.started, play.match.deadline) == (False, T0 + START_WITHIN)
    play.wait(10_000).connect(other(seat))
    assert (play.match.started, play.match.pause, play.match.deadline) == (True, None, play.now + TURN)
    assert play.due()[play.owing] == TURN


@each_seat
def test_nobody_plays_before_it_starts(seat: Seat) -> None:
    play = Script()
    play.connect(seat)
    assert play.reason(play.human_move(seat)) is Reason.NOT_YOUR_TURN


def test_one_who_came_and_went_must_come_again() -> None:
    play = Script()
    play.connect(0)
    play.wait(5_000).disconnect(0)
    assert play.match.pause == Pause(T0, T0 + START_WITHIN)
    play.connect(1)
    assert play.match.started is False
    play.connect(0)
    assert play.match.started is True


@pytest.mark.parametrize("players", [PERSON_AND_BOT, BOT_AND_PERSON])
def test_against_a_bot_by_choice_it_starts_with_its_person(players: object) -> None:
    play = Script(players=players)
    solo = play.match.solo
    assert solo == (0 if players is PERSON_AND_BOT else 1)
    assert play.match.state.solo == solo
    play.connect(solo)
    assert play.match.started is True
    assert [chair.driver for chair in play.match.chairs][other(solo)] is Driver.BOT


def test_between_people_nobody_is_solo() -> None:
    assert Script().match.solo is None


@pytest.mark.parametrize("present", [(), (0,), (1,)])
def test_one_that_does_not_start_in_time_is_void(present: tuple[Seat, ...]) -> None:
    play = Script()
    for seat in present:
        play.connect(seat)
    assert play.wait(START_WITHIN - 1).tick().outcome is None
    play.wait(1).tick()
    assert (play.match.outcome, play.match.deadline, play.match.next_at) == (VOID, None, None)
    assert (play.match.pause, play.match.started) == (None, False)
    assert play.reason(Resign(0, play.chair(0).connection)) is (Reason.OVER if 0 in present else Reason.REPLACED)


@each_seat
def test_a_later_game_of_a_series_starts_with_whoever_is_there(seat: Seat) -> None:
    play = Script(series=Series(3, (0,)))
    play.connect(seat)
    play.wait(START_WITHIN).tick()
    assert (play.match.started, play.match.pause, play.match.outcome) == (True, None, None)
    assert play.due()[play.owing] == TURN
    play.run_out(play.owing)


def test_a_rematch_too_starts_with_whoever_is_there() -> None:
    play = Script(series=Series(1, (), (2, 0), 1))
    play.connect(1)
    assert play.wait(START_WITHIN).tick().started is True


def test_a_later_game_with_nobody_there_is_void() -> None:
    play = Script(series=Series(3, (0,)))
    assert play.wait(START_WITHIN).tick().outcome == VOID


@each_seat
def test_leaving_before_the_start_makes_it_void(seat: Seat) -> None:
    play = Script()
    play.connect(seat)
    play.leave(seat)
    assert (play.match.outcome, play.chair(seat).present, play.match.deadline) == (VOID, False, None)


@each_seat
def test_one_who_leaves_gives_the_seat_to_the_bot_at_once(seat: Seat) -> None:
    play = Script(Options(preset="classic")).seated()
    play.leave(seat)
    assert (play.chair(seat).driver, play.chair(seat).present) == (Driver.BOT, False)
    assert (play.due()[seat], play.due()[other(seat)]) == (800, TURN)
    play.bots_play()
    play.connect(seat)
    assert play.chair(seat).driver is Driver.HUMAN


def test_one_who_leaves_while_the_other_is_away_pauses_the_match() -> None:
    play = Script().seated()
    play.disconnect(1)
    play.leave(0)
    assert play.match.pause == Pause(play.now, play.now + 600_000)
    play.wait(1_000).connect(1)
    assert play.chair(0).driver is Driver.BOT
    assert play.due()[0] == (800 if play.owing == 0 else None)


def test_one_who_leaves_after_the_end_is_simply_gone() -> None:
    play = Script().seated()
    play.resign(0)
    play.rematch(1)
    play.leave(1)
    assert (play.match.outcome, play.match.pause) == (Outcome(1, Termination.RESIGNED), None)
    assert (play.chair(1).present, play.chair(1).rematch, play.chair(1).driver) == (False, False, Driver.HUMAN)


@each_seat
def test_resigning_gives_the_game_to_the_other_and_stops_all_clocks(seat: Seat) -> None:
    play = Script(Options(preset="classic")).seated()
    play.run_out(0).back(0)
    play.resign(seat)
    assert play.match.outcome == Outcome(other(seat), Termination.RESIGNED)
    assert (play.due(), play.match.deadline, play.chair(0).back) == ((None, None), None, False)
    assert play.match.bots_due(play.now + TURN) == ()


def test_the_end_of_the_game_is_the_end_of_the_match() -> None:
    play = Script(game=RELAY).seated()
    for seat in (0, 1, 0, 1, 0, 1):
        assert play.match.outcome is None
        play.play(SEATS[seat])
    assert play.match.outcome == Outcome(None, Termination.POINTS)
    assert (play.match.deadline, play.due()) == (None, (None, None))
    assert play.match.bots_due(play.now + TURN) == ()


def test_connecting_after_the_end_only_makes_present() -> None:
    play = Script().seated()
    play.run_out(play.owing)
    idle = play.owing
    play.resign(other(idle))
    play.connect(idle)
    assert (play.chair(idle).present, play.chair(idle).back, play.chair(idle).driver) == (True, False, Driver.BOT)
    play.disconnect(idle)
    assert (play.match.pause, play.chair(idle).present) == (None, False)


@each_seat
def test_both_offers_are_a_rematch(seat: Seat) -> None:
    play = Script().seated()
    play.resign(0)
    play.rematch(seat)
    assert (play.chair(seat).rematch, play.match.next) == (True, False)
    play.rematch(other(seat))
    assert (play.match.next, play.match.deadline) == (True, None)
    assert play.match.outcome == Outcome(1, Termination.RESIGNED)
    assert play.give(Rematch(seat, play.chair(seat).connection)) is play.match


@each_seat
def test_one_who_goes_takes_the_offer_along(seat: Seat) -> None:
    play = Script().seated()
    play.resign(0)
    play.rematch(seat)
    play.disconnect(seat)
    assert play.chair(seat).rematch is False
    play.rematch(other(seat))
    assert play.match.next is False


@pytest.mark.parametrize("players", [PERSON_AND_BOT, BOT_AND_PERSON])
def test_a_bot_by_choice_always_agrees(players: object) -> None:
    play = Script(players=players).seated()
    assert play.match.solo is not None
    play.resign(play.match.solo)
    play.rematch(play.match.solo)
    assert play.match.next is True


def test_there_is_no_rematch_of_a_match_that_never_was() -> None:
    play = Script()
    play.connect(0)
    play.wait(START_WITHIN).tick()
    assert play.reason(Rematch(0, play.chair(0).connection)) is Reason.OVER


@each_seat
def test_classic_5_a_new_deal_between_people_is_an_offer(seat: Seat) -> None:
    play = Script(Options(preset="classic")).seated()
    play.rematch(seat)
    assert (play.match.outcome, play.match.next) == (None, False)
    play.play(seat)
    play.rematch(other(seat))
    assert (play.match.outcome, play.match.next, play.match.deadline) == (REDEALT, True, None)
    assert play.due() == (None, None)


def test_classic_5_a_new_deal_against_a_bot_comes_at_once() -> None:
    play = Script(Options(preset="classic"), players=PERSON_AND_BOT).seated()
    play.rematch(0)
    assert (play.match.outcome, play.match.next) == (REDEALT, True)


def test_series_5_the_next_game_begins_by_itself_after_ten_seconds() -> None:
    play = Script(Options(games=3)).seated()
    play.wait(5_000).resign(0)
    assert NEXT_GAME_AFTER == 10_000
    assert (play.match.next_at, play.match.deadline, play.match.next) == (play.now + 10_000, play.now + 10_000, False)
    play.wait(4_000).disconnect(0)
    assert play.match.next_at == play.now + 6_000
    assert play.wait(5_999).tick().next is False
    play.wait(1).tick()
    assert (play.match.next, play.match.deadline) == (True, None)
    assert play.give(Tick()) is play.match


def test_series_5_or_as_soon_as_both_ask_for_it() -> None:
    play = Script(Options(games=3)).seated()
    play.resign(0)
    play.rematch(0)
    play.rematch(1)
    assert (play.match.next, play.match.deadline) == (True, None)


@pytest.mark.parametrize(
    ("series", "goes_on"),
    [
        (Series(1), False),
        (Series(3), True),
        (Series(3, (1,)), False),
        (Series(3, (0,)), True),
        (Series(3, (0, None)), False),
        (Series(5, (1,)), True),
        (Series(5, (1, 1)), False),
        (Series(3, (), (4, 2), 3), True),
    ],
)
def test_series_3_a_decided_series_has_no_next_game_by_itself(series: Series, *, goes_on: bool) -> None:
    play = Script(series=series).seated()
    play.resign(0)
    assert play.match.next_at == (play.now + 10_000 if goes_on else None)


def test_series_4_a_game_dealt_anew_counts_for_nobody() -> None:
    play = Script(Options(games=3), players=PERSON_AND_BOT).seated()
    play.rematch(0)
    assert play.match.next_at is None
    assert play.match.series.after(REDEALT) == play.match.series


def test_create_takes_the_series_of_its_options() -> None:
    match = create(GAMES["war"], MatchId("x"), "BCDFGH", Options(games=5), PEOPLE, SEED, T0, start_within=START_WITHIN)
    assert (match.series, match.id, match.code) == (Series(5), "x", "BCDFGH")
