"""The shake inside a match: who is asked, who is not waited for, and what comings and goings change; in exact times."""

from typing import Any

import pytest

from script import BOT_AND_PERSON, NONCES, PEOPLE, PERSON_AND_BOT, START_WITHIN, TURN, Script
from twoseat import record
from twoseat.chair import KEPT_AFTER_OUTAGE, PlayerId
from twoseat.games import GAMES
from twoseat.games.game import SEATS, Driver, Outcome, Seat, Termination, other
from twoseat.inputs import Commit, Open
from twoseat.match import Reason
from twoseat.series import Series
from twoseat.shake import Stage, deal_key, nonce_digest

WITHIN = 2_000
each_seat = pytest.mark.parametrize("seat", SEATS)


def shaking(players: Any = PEOPLE, **more: Any) -> Script:
    """Everybody sits, and commitments are asked for."""
    return Script(players=players, shake_within=WITHIN, **more).seated()


def opening(players: Any = PEOPLE) -> Script:
    """Everybody has committed."""
    script = shaking(players)
    for seat in SEATS:
        if script.chair(seat).player is not None:
            script.commit(seat)
    return script


def dealt_from(script: Script, nonces: tuple[str, str]) -> bool:
    """Whether the deal is the one of the seed and these nonces."""
    match = script.match
    game = GAMES[match.options.game]
    dealt = game.new(match.options, match.solo, match.chance)
    return match.chance.key == deal_key(match.seed, nonces) and match.state.decks == dealt.decks


def test_nothing_is_dealt_nor_asked_before_everybody_sits() -> None:
    script = Script(shake_within=WITHIN)
    script.connect(1)
    assert script.match.state is None
    assert script.match.shake.stage is Stage.WAITING
    assert script.match.deadline == script.now + START_WITHIN
    script.wait(700).connect(0)
    assert (script.match.shake.stage, script.match.shake.until) == (Stage.COMMIT, script.now + WITHIN)
    assert script.match.state is None


def test_the_deal_follows_from_both_nonces_and_the_clock_starts_with_it() -> None:
    script = opening()
    script.open(1)
    script.wait(300).open(0)
    assert dealt_from(script, NONCES)
    assert script.due()[script.owing] == TURN
    assert script.match.shake.until is None


@pytest.mark.parametrize(("players", "seat"), [(PERSON_AND_BOT, 0), (BOT_AND_PERSON, 1)])
def test_a_bot_by_choice_adds_nothing_and_is_not_waited_for(players: Any, seat: Seat) -> None:
    script = shaking(players)
    script.commit(seat)
    assert script.match.shake.stage is Stage.OPEN
    script.open(seat)
    nonces = (NONCES[0], "") if seat == 0 else ("", NONCES[1])
    assert dealt_from(script, nonces)


@each_seat
def test_who_does_not_commit_is_not_waited_for_longer_than_the_time(seat: Seat) -> None:
    script = shaking()
    script.wait(50).commit(other(seat))
    assert script.match.deadline == script.now - 50 + WITHIN
    script.wait(WITHIN - 51)
    assert script.tick() is script.match
    assert script.match.shake.stage is Stage.COMMIT
    script.wait(1).tick()
    assert (script.match.shake.stage, script.match.deadline) == (Stage.OPEN, script.now + WITHIN)
    script.open(other(seat))
    assert dealt_from(script, (NONCES[0], "") if seat == 1 else ("", NONCES[1]))


@each_seat
def test_who_commits_and_withholds_is_seen_and_not_waited_for(seat: Seat) -> None:
    script = opening()
    script.open(other(seat))
    script.wait(WITHIN - 1)
    assert script.tick() is script.match
    assert script.match.state is None
    script.wait(1).tick()
    assert dealt_from(script, (NONCES[0], "") if seat == 1 else ("", NONCES[1]))
    assert script.match.shake.digests[seat] == nonce_digest(NONCES[seat])
    assert script.match.shake.nonces[seat] == ""


def test_silent_programs_delay_a_game_by_one_time_and_any_two_by_twice_it() -> None:
    silent = shaking()
    began = silent.now
    silent.at(silent.match.deadline).tick()
    assert dealt_from(silent, ("", ""))
    assert silent.now - began == WITHIN
    slow = shaking()
    began = slow.now
    slow.wait(WITHIN - 1).commit(0)
    slow.at(slow.match.deadline).tick()
    slow.at(slow.match.deadline).tick()
    assert dealt_from(slow, ("", ""))
    assert slow.now - began == 2 * WITHIN


def test_a_commitment_at_its_deadline_is_stale_even_before_the_tick() -> None:
    script = shaking()
    script.commit(0)
    late = Commit(1, script.chair(1).connection, nonce_digest(NONCES[1]))
    assert script.at(script.match.deadline).reason(late) is Reason.STALE
    script.tick()
    assert script.reason(late) is Reason.STALE


def test_a_nonce_at_its_deadline_is_stale_even_before_the_tick() -> None:
    script = opening()
    late = Open(1, script.chair(1).connection, NONCES[1])
    assert script.at(script.match.deadline).reason(late) is Reason.STALE
    script.tick()
    assert script.reason(late) is Reason.STALE
    assert dealt_from(script, ("", ""))


def test_a_wrong_nonce_is_illegal_and_the_right_one_still_counts() -> None:
    script = opening()
    assert script.reason(Open(0, script.chair(0).connection, NONCES[1])) is Reason.ILLEGAL
    script.open(0)
    assert script.match.shake.nonces == (NONCES[0], "")


def test_a_second_thought_is_stale_and_the_same_said_again_is_not_stored() -> None:
    script = shaking()
    before = script.commit(0)
    assert script.commit(0) is before
    assert script.reason(Commit(0, script.chair(0).connection, nonce_digest(NONCES[1]))) is Reason.STALE
    script.commit(1)
    before = script.open(0)
    assert script.open(0) is before
    assert script.reason(Open(0, script.chair(0).connection, NONCES[1])) is Reason.STALE


def test_no_move_is_made_before_the_deal() -> None:
    script = shaking()
    assert script.match.bots_due(script.now) == ()
    for seat in SEATS:
        assert script.reason(script.human_move(seat, "draw")) is Reason.NOT_YOUR_TURN


def test_an_older_connection_says_nothing_here_either() -> None:
    script = shaking()
    old = script.chair(0).connection
    script.connect(0)
    assert script.reason(Commit(0, old, nonce_digest(NONCES[0]))) is Reason.REPLACED
    script.commit(0)
    script.commit(1)
    assert script.reason(Open(0, old, NONCES[0])) is Reason.REPLACED


@each_seat
def test_who_drops_and_comes_back_in_time_says_what_she_has_to(seat: Seat) -> None:
    script = shaking()
    until = script.match.deadline
    script.commit(other(seat))
    script.wait(500).disconnect(seat)
    assert script.match.deadline == until
    assert script.reason(Commit(seat, script.chair(seat).connection, nonce_digest(NONCES[seat]))) is Reason.REPLACED
    script.wait(500).connect(seat)
    assert script.match.deadline == until
    script.commit(seat)
    script.open(other(seat))
    script.disconnect(seat)
    script.connect(seat)
    script.open(seat)
    assert dealt_from(script, NONCES)


@each_seat
def test_who_drops_for_good_is_dealt_for_and_her_clock_runs(seat: Seat) -> None:
    script = opening()
    script.disconnect(seat)
    script.open(other(seat))
    script.at(script.match.deadline).tick()
    assert dealt_from(script, (NONCES[0], "") if seat == 1 else ("", NONCES[1]))
    assert script.match.pause is None
    assert script.due()[script.owing] == TURN
    assert script.drivers == "HH"


@each_seat
def test_who_leaves_before_the_deal_is_played_for_from_the_first_turn(seat: Seat) -> None:
    script = shaking()
    script.leave(seat)
    assert script.chair(seat).driver is Driver.BOT
    script.commit(other(seat))
    script.at(script.match.deadline).tick()
    script.open(other(seat))
    assert dealt_from(script, (NONCES[0], "") if seat == 1 else ("", NONCES[1]))
    assert script.chair(seat).driver is Driver.BOT
    assert script.chair(other(seat)).driver is Driver.HUMAN


def test_who_left_and_came_back_before_the_deal_plays_herself() -> None:
    script = shaking()
    script.leave(0)
    script.connect(0)
    for seat in SEATS:
        script.commit(seat)
    for seat in SEATS:
        script.open(seat)
    assert script.drivers == "HH"


def test_with_nobody_there_at_the_deal_the_match_pauses_and_wakes_with_full_clocks() -> None:
    script = opening()
    script.open(0)
    script.disconnect(0)
    assert script.disconnect(1).pause is None
    assert script.at(script.match.deadline).tick().pause is not None
    assert dealt_from(script, (NONCES[0], ""))
    assert script.match.deadline == script.now + 600_000
    assert script.due() == (None, None)
    assert script.wait(100_000).connect(1).pause is None
    assert script.due()[script.owing] == TURN


def test_a_seat_whose_node_died_before_the_deal_has_a_whole_turn_after_it() -> None:
    script = opening()
    for seat in SEATS:
        script.disconnect(seat, node_died=True)
    script.wait(10)
    for seat in SEATS:
        script.connect(seat)
        script.open(seat)
    assert dealt_from(script, NONCES)
    assert script.due()[script.owing] == TURN > KEPT_AFTER_OUTAGE


@each_seat
def test_who_resigns_before_the_deal_loses_and_nothing_more_is_asked(seat: Seat) -> None:
    script = shaking()
    script.commit(seat)
    script.resign(seat)
    assert script.match.outcome == Outcome(other(seat), Termination.RESIGNED)
    assert script.match.state is None
    assert (script.match.shake.stage, script.match.shake.until) == (Stage.DONE, None)
    assert script.match.deadline is None
    assert script.reason(Commit(other(seat), script.chair(other(seat)).connection, "00" * 32)) is Reason.OVER


def test_a_match_nobody_came_to_asks_for_nothing() -> None:
    script = Script(shake_within=WITHIN)
    script.at(script.match.deadline).tick()
    assert script.match.outcome == Outcome(None, Termination.VOID)
    assert script.match.shake.stage is Stage.DONE


def test_a_new_deal_can_be_agreed_on_before_the_first() -> None:
    script = shaking()
    script.rematch(0)
    script.rematch(1)
    assert script.match.outcome == Outcome(None, Termination.REDEALT)
    assert script.match.shake.stage is Stage.DONE


def test_the_next_game_of_a_series_shakes_with_whoever_is_there() -> None:
    script = Script(series=Series(3, (0,)), shake_within=WITHIN)
    script.connect(1)
    script.at(script.match.deadline).tick()
    assert script.match.started
    assert (script.match.shake.stage, script.match.shake.until) == (Stage.COMMIT, script.now + WITHIN)
    script.commit(1)
    script.wait(100).connect(0)
    script.commit(0)
    script.open(0)
    script.open(1)
    assert dealt_from(script, NONCES)


def test_every_stage_survives_being_written_down() -> None:
    script = Script(shake_within=WITHIN)
    seen = []
    for word in (script.connect, script.commit, script.open):
        for seat in SEATS:
            match = word(seat)
            assert record.decode(GAMES, record.encode(script.game, match)) == match
            seen.append(match.shake.stage)
    assert seen == [Stage.WAITING, Stage.COMMIT, Stage.COMMIT, Stage.OPEN, Stage.OPEN, Stage.DONE]
    for said in (Commit(0, 1, "ab" * 32), Open(1, 2, NONCES[1])):
        assert record.decode_entry(record.encode_entry(said, 7, 99)) == (said, 7, 99)


def test_players_of_the_shake_are_the_people_and_no_bot() -> None:
    assert shaking().match.shake.people == (True, True)
    assert shaking(PERSON_AND_BOT).match.shake.people == (True, False)
    assert shaking(((None, "Bot"), (PlayerId("p1"), "Bob"))).match.shake.people == (False, True)
