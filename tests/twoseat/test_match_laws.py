"""Laws 1 to 5 of the match machine (ARCHITECTURE.md), each test named after its number, in exact game times."""

import copy
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from relay import RELAY
from script import BOT_AND_PERSON, PERSON_AND_BOT, T0, TURN, Script
from twoseat.games.game import SEATS, Driver, Move, Options, Seat, other
from twoseat.inputs import Connect, Disconnect, Input, Leave, Play, Rematch, Resign, Return, Tick
from twoseat.match import Reason

CLASSIC = Options(preset="classic")
each_seat = pytest.mark.parametrize("seat", SEATS)


def over(play: Script) -> Script:
    play.resign(0)
    return play


REFUSALS: list[tuple[Reason, Callable[[Script, Seat], Input]]] = [
    (Reason.STALE, lambda play, seat: replace(play.human_move(seat), number=7)),
    (Reason.STALE, lambda play, seat: play.bot_move(seat)),
    (Reason.STALE, lambda play, seat: play.at(play.chair(seat).due).human_move(seat)),
    (Reason.NOT_YOUR_TURN, lambda play, seat: play.human_move(other(seat))),
    (Reason.ILLEGAL, lambda play, seat: play.human_move(seat, "fly")),
    (Reason.OVER, lambda play, seat: over(play).human_move(seat)),
    (Reason.OVER, lambda play, seat: Resign(seat, over(play).chair(seat).connection)),
    (Reason.REPLACED, lambda play, seat: replace(play.human_move(seat), connection=0)),
    (Reason.REPLACED, lambda play, seat: Connect(seat, 0)),
    *((Reason.REPLACED, lambda play, seat, kind=kind: kind(seat, 0)) for kind in (Return, Leave, Resign, Rematch)),
]


@pytest.mark.parametrize(("reason", "event"), REFUSALS)
def test_law_1_a_rejected_input_leaves_the_match_exactly_as_it_was(
    reason: Reason, event: Callable[[Script, Seat], Input]
) -> None:
    play = Script().seated()
    refused = event(play, play.owing)
    before = copy.deepcopy(play.match)
    rejected = play.refused(refused)
    assert (rejected.reason, str(rejected)) == (reason, reason.value)
    assert play.match == before


def test_law_2_every_accepted_change_adds_exactly_one_to_the_version() -> None:
    play = Script()
    words: list[Callable[[], object]] = [
        lambda: play.connect(0),
        lambda: play.connect(1),
        lambda: play.play(play.owing),
        lambda: play.play(play.owing),
        lambda: play.disconnect(0),
        lambda: play.connect(0),
        lambda: play.run_out(play.owing),
        lambda: play.back(play.owing),
        play.bots_play,
        lambda: play.rematch(1),
        lambda: play.leave(1),
        lambda: play.resign(0),
    ]
    for version, word in enumerate(words, play.match.version + 1):
        word()
        assert play.match.version == version


NOTHING: list[Callable[[Script, Seat], Input]] = [
    lambda play, seat: Tick(),
    lambda play, seat: Connect(seat, play.chair(seat).connection),
    lambda play, seat: Disconnect(seat, play.chair(seat).connection - 1),
    lambda play, seat: Disconnect(seat, play.chair(seat).connection + 1),
    lambda play, seat: Return(seat, play.chair(seat).connection),
]


@pytest.mark.parametrize("event", NOTHING)
@each_seat
def test_law_2_a_no_op_gives_the_same_object_back(event: Callable[[Script, Seat], Input], seat: Seat) -> None:
    play = Script().seated()
    before = play.match
    assert play.give(event(play, seat)) is before


@each_seat
def test_law_2_said_twice_is_done_once(seat: Seat) -> None:
    play = Script().seated()
    rematch = Rematch(seat, play.chair(seat).connection)
    assert play.give(rematch) is play.give(rematch)
    gone = Disconnect(seat, play.chair(seat).connection)
    assert play.give(gone) is play.give(gone)
    again = Connect(seat, 99)
    assert play.give(again) is play.give(again)
    play.run_out(play.owing)
    idle = next(seat for seat in SEATS if play.chair(seat).driver is Driver.BOT)
    back = Return(idle, play.chair(idle).connection)
    assert play.give(back) is play.give(back)
    play.resign(seat)
    assert play.give(Return(idle, play.chair(idle).connection)) is play.match
    assert play.give(Tick()) is play.match


def test_law_2_the_death_of_a_socket_given_up_long_ago_revives_nobody() -> None:
    play = Script().seated()
    number = play.chair(0).connection
    play.disconnect(0)
    assert play.give(Connect(0, number)) is play.match
    assert play.chair(0).present is False


@pytest.mark.parametrize("wait", [0, 1, TURN - 1])
def test_law_3_a_tick_before_the_deadline_does_nothing(wait: int) -> None:
    play = Script().seated()
    before = play.match
    assert play.match.deadline == T0 + TURN
    assert play.wait(wait).tick() is before


@pytest.mark.parametrize("late", [0, 1, 60_000])
def test_law_3_and_4_a_tick_at_the_deadline_or_later_hands_the_seat_over(late: int) -> None:
    play = Script().seated()
    seat = play.owing
    play.wait(TURN + late).tick()
    assert (play.chair(seat).driver, play.chair(other(seat)).driver) == (Driver.BOT, Driver.HUMAN)
    assert play.due()[seat] == 800
    assert play.match.deadline == play.now + 800


@pytest.mark.parametrize(
    ("timer", "turn_seconds", "turn"),
    [
        (1, 15, 15_000),
        (1, 5, 5_000),
        (2, 15, 30_000),
        (10, 15, 150_000),
        (10, 120, 1_200_000),
    ],
)
def test_law_3_the_turn_time_as_agreed(timer: int, turn_seconds: int, turn: int) -> None:
    play = Script(Options(timer=timer, turn_seconds=turn_seconds)).seated()  # type: ignore[arg-type]
    seat = play.owing
    play.wait(turn - 1).tick()
    assert play.drivers == "HH"
    play.wait(1).tick()
    assert play.chair(seat).driver is Driver.BOT


def test_law_3_each_turn_begins_with_a_full_clock() -> None:
    play = Script().seated()
    for _ in range(6):
        seat = play.owing
        assert (play.due()[seat], play.due()[other(seat)]) == (TURN, None)
        play.wait(1234).play(seat)


def test_law_4_the_bot_plays_at_its_pace_neither_sooner_nor_twice() -> None:
    play = Script().seated()
    seat = play.owing
    play.run_out(seat).wait(799)
    assert play.match.bots_due(play.now) == ()
    early = play.refused(play.bot_move(seat))
    assert (early.reason, early.by_bot) == (Reason.STALE, True)
    assert play.wait(1).match.bots_due(play.now) == (seat,)
    move = play.bot_move(seat)
    play.give(move)
    assert (play.chair(seat).number, play.chair(seat).last_by) == (1, Driver.BOT)
    assert play.reason(move) is Reason.STALE


def test_law_4_a_tick_does_not_move_for_the_bot() -> None:
    play = Script().seated()
    play.run_out(play.owing).wait(60_000)
    assert play.tick() is play.match


def test_law_4_a_bot_s_move_goes_through_the_same_checks() -> None:
    play = Script().seated()
    seat = play.owing
    play.run_out(seat).wait(800)
    assert play.reason(play.bot_move(seat, "turn")) is Reason.ILLEGAL
    assert play.reason(play.bot_move(other(seat))) is Reason.STALE
    assert play.reason(replace(play.bot_move(seat), number=1)) is Reason.STALE
    play.bot(seat)
    play.wait(0).play(other(seat))
    assert play.chair(other(seat)).last_by is Driver.HUMAN


@pytest.mark.parametrize("players", [PERSON_AND_BOT, BOT_AND_PERSON])
def test_law_4_a_bot_by_choice_is_a_seat_with_a_short_due(players: object) -> None:
    play = Script(players=players).seated()
    assert play.match.solo is not None
    bot = other(play.match.solo)
    if play.owing != bot:
        play.play(play.owing)
    assert play.due()[bot] == 800
    number = play.chair(bot).number
    play.bots_play()
    assert play.chair(bot).number == number + 1
    assert play.reason(Connect(bot, 5)) is Reason.REPLACED


def test_law_4_a_bot_that_moves_many_times_a_turn_keeps_its_pace() -> None:
    play = Script(game=RELAY).seated()
    play.run_out(0)
    for laps in (1, 2, 3):
        play.wait(800).bot(0, "run")
        assert (play.due()[0], play.match.state.laps[0], play.match.state.turn) == (800, laps, 1)
    play.wait(800).bot(0)
    assert (play.due(), play.match.state.turn) == ((None, TURN), 2)


def test_law_5_only_a_seat_that_owes_a_move_times_out() -> None:
    play = Script().seated()
    seat = play.owing
    assert play.due()[other(seat)] is None
    play.wait(10 * TURN).tick()
    assert play.chair(other(seat)).driver is Driver.HUMAN


def test_law_5_in_classic_both_may_time_out() -> None:
    play = Script(CLASSIC).seated()
    assert play.due() == (TURN, TURN)
    play.wait(TURN - 1).tick()
    assert play.drivers == "HH"
    play.wait(1).tick()
    assert (play.drivers, play.due()) == ("BB", (800, 800))
    assert play.wait(800).match.bots_due(play.now) == (0, 1)


@each_seat
def test_law_5_in_classic_who_has_turned_waits_in_peace(seat: Seat) -> None:
    play = Script(CLASSIC).seated()
    play.wait(5_000).play(seat)
    assert (play.due()[seat], play.due()[other(seat)]) == (None, TURN - 5_000)
    play.wait(TURN - 5_000).tick()
    assert (play.chair(seat).driver, play.chair(other(seat)).driver) == (Driver.HUMAN, Driver.BOT)
    play.wait(800).bot(other(seat))
    assert (play.due()[seat], play.due()[other(seat)], play.match.state.round) == (TURN, 800, 2)


@each_seat
@pytest.mark.parametrize("event", ["connect", "disconnect", "refresh", "rematch", "leave"])
def test_law_5_nothing_but_a_move_or_a_tick_moves_a_deadline(event: str, seat: Seat) -> None:
    play = Script(CLASSIC).seated()
    play.wait(4_000)
    if event == "connect":
        play.connect(seat)
    elif event == "disconnect":
        play.disconnect(seat)
    elif event == "refresh":
        play.disconnect(seat)
        play.wait(1_000).connect(seat)
    elif event == "rematch":
        play.rematch(seat)
    else:
        play.leave(seat)
        assert play.due()[seat] == 800
    left = T0 + TURN - play.now
    assert play.due()[other(seat)] == left
    assert event == "leave" or play.due()[seat] == left


@pytest.mark.parametrize(
    ("left", "kept"), [(15_000, 15_000), (10_001, 10_001), (10_000, 10_000), (9_999, 10_000), (1, 10_000)]
)
@each_seat
def test_law_5_a_seat_whose_node_died_keeps_ten_seconds(left: int, kept: int, seat: Seat) -> None:
    play = Script(CLASSIC).seated()
    play.wait(TURN - left).disconnect(seat, node_died=True)
    assert (play.due()[seat], play.due()[other(seat)]) == (kept, left)
    assert play.chair(seat).present is False


def test_law_5_a_node_s_death_gives_nothing_to_a_bot_or_to_one_who_owes_no_move() -> None:
    play = Script().seated()
    seat = play.owing
    play.disconnect(other(seat), node_died=True)
    assert play.due()[other(seat)] is None
    play.connect(other(seat))
    play.run_out(seat).wait(300).disconnect(seat, node_died=True)
    assert play.due()[seat] == 500


def test_the_shell_is_never_asked_for_a_seat_that_is_not_due() -> None:
    play = Script(CLASSIC).seated()
    assert play.match.bots_due(play.now + TURN) == ()
    play.run_out(0)
    assert play.match.bots_due(play.now + 799) == ()
    assert isinstance(play.bot_move(0), Play)
    assert play.bot_move(0).move == Move("turn")
