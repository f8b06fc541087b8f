"""War Online at a match: one clock a turn, the bot finishing what was left, and the record of it all."""

from typing import Any

from online import ONLINE, OPTIONS
from script import Script
from twoseat import record
from twoseat.bots import choose
from twoseat.games.game import BOT_PACE, Driver, Game, Seat, Termination
from twoseat.games.war_online.state import Step

TURN = OPTIONS.turn_seconds * 1000
GAMES: dict[str, Game[Any]] = {ONLINE.name: ONLINE}


def seated() -> Script:
    """Both people sit and nobody has moved."""
    return Script(OPTIONS, game=ONLINE).seated()


def begun() -> Script:
    """Both have pressed Play, the second of them two seconds after the first."""
    script = seated()
    script.play(0, "play")
    script.wait(2000).play(1, "play")
    return script


def thought(script: Script, seat: Seat) -> str:
    """What the bot does on this seat, from its view."""
    state = script.match.state
    return choose(ONLINE.name, ONLINE.view(state, seat), ONLINE.legal(state, seat))


def bot_plays(script: Script) -> None:
    """Wait for the bot and let it make its move."""
    script.wait(BOT_PACE)
    for seat in script.match.bots_due(script.now):
        script.bot(seat, thought(script, seat))


def test_online_3_pressing_play_is_each_seats_first_timed_move() -> None:
    script = seated()
    assert script.due() == (TURN, TURN)
    script.play(1, "play")
    assert script.due() == (TURN, None)
    script.run_out(0)
    assert (script.drivers, script.match.state.step) == ("BH", Step.OPENING)
    bot_plays(script)
    assert script.match.state.step is Step.PLACE


def test_online_5_one_clock_covers_all_moves_of_a_turn() -> None:
    script = begun()
    seat = script.owing
    other: Seat = 1 if seat == 0 else 0
    due = script.chair(seat).due
    script.wait(1000).play(seat)
    assert script.owing == seat
    assert script.chair(seat).due == due
    script.wait(1000).play(seat, "end")
    assert script.owing == other
    assert script.due()[other] == TURN
    assert script.due()[seat] is None


def test_online_5_the_bot_finishes_a_turn_whose_clock_ran_out_and_the_next_one_is_hers() -> None:
    script = begun()
    for _ in range(2):  # round 1
        script.play(script.owing)
        script.play(script.owing, "end")
    seat, turn = script.owing, ONLINE.turn(script.match.state)
    script.play(seat)  # everything placed, nothing attacked
    script.run_out(seat)
    script.back(seat)
    for _ in range(200):
        if ONLINE.turn(script.match.state) != turn:
            break
        assert script.chair(seat).driver is Driver.BOT
        bot_plays(script)
    assert ONLINE.history(script.match.state, 2, faces=False)[0].by is Driver.BOT
    assert script.chair(seat).driver is Driver.HUMAN
    while script.owing != seat:
        script.play(script.owing)
    assert script.due()[seat] == TURN


def test_a_game_of_two_bots_by_absence_ends_and_its_record_gives_it_back() -> None:
    script = begun()
    script.leave(0)
    script.leave(1)
    script.at(script.match.deadline).tick()
    moves = 0
    while script.match.outcome is None:
        assert moves < 3000
        bot_plays(script)
        moves += 1
        if moves % 25 == 0:
            assert record.decode(GAMES, record.encode(ONLINE, script.match)) == script.match
    assert script.match.outcome.termination in (Termination.OBJECTIVE, Termination.CONQUEST, Termination.LIMIT)
    assert script.match.series.after(script.match.outcome).games == 1
