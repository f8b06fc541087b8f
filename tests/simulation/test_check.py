"""The judge of histories finds nothing in honest ones, and names each rule that is broken on purpose."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from fairness.shown import told
from recorded import Recorded, lively_game, quiet_game
from script import BOT_AND_PERSON
from twoseat import record, wire
from twoseat.games import GAMES
from twoseat.games.game import SEATS, Driver, Options, Seat
from twoseat.inputs import Play
from twoseat_server.chaos.check import check
from twoseat_server.chaos.history import History, Rule, Spoken, Witness

Spoil = Callable[[History], History]


def witnessed(play: Recorded, seat: Seat) -> Witness:
    """What this seat's client said and heard, had its line never broken."""
    entries = {version: (event, now) for event, version, now in map(record.decode_entry, play.log[1:])}
    spoken, now = [], 0
    for message in told(play, seat):
        event, now = entries.get(getattr(message, "version", 0), (None, now))
        if isinstance(event, Play) and event.by is Driver.HUMAN and event.seat == seat:
            said = {"type": "play", "id": event.id, "number": event.number, "move": event.move}
            spoken.append(Spoken(now / 1000 - 0.01, seat, json.dumps(said), heard=False))
        spoken.append(Spoken(now / 1000, seat, wire.encode(message).decode(), heard=True))
    return Witness(spoken)


def history(play: Recorded) -> History:
    """The honest history of a match."""
    stored = record.encode(play.game, play.match)
    witnesses = tuple(witnessed(play, seat) for seat in SEATS if play.chair(seat).player is not None)
    return History(play.match.id, tuple(play.log), stored, witnesses, late=0)


GAMES_PLAYED = {
    "quiet": quiet_game,
    "lively": lively_game,
    "bot": lambda: quiet_game(Options(preset="classic", target=5), players=BOT_AND_PERSON),
}


@pytest.mark.parametrize("name", GAMES_PLAYED)
def test_an_honest_history_breaks_no_rule(name: str) -> None:
    play = GAMES_PLAYED[name]()
    verdict = check(history(play))
    assert verdict.violations == ()
    people = sum(isinstance(e, Play) and e.by is Driver.HUMAN for e, _, _ in map(record.decode_entry, play.log[1:]))
    assert (verdict.acked, verdict.lost, verdict.doubled) == (people, 0, 0)
    assert len(verdict.timeouts) == (2 if name == "lively" else 0)
    assert set(verdict.late) <= {0}


def retold(told: History, number: int, heard: Callable[[Spoken, dict[str, Any]], list[Spoken]]) -> History:
    """The history with something else in each message of one witness."""
    spoken = [new for old in told.witnesses[number].spoken for new in heard(old, json.loads(old.text))]
    witnesses = list(told.witnesses)
    witnesses[number] = Witness(spoken)
    return replace(told, witnesses=tuple(witnesses))


def at_version(version: int, change: Callable[[dict[str, Any]], object]) -> Callable[[Spoken, dict[str, Any]], Any]:
    """Change one state."""

    def heard(spoken: Spoken, message: dict[str, Any]) -> list[Spoken]:
        if spoken.heard and message.get("version") == version:
            change(message)
        return [replace(spoken, text=json.dumps(message))]

    return heard


def human_moves(told: History, seat: Seat | None = None) -> list[int]:
    """The places in the log of moves that people made."""
    entries = [(n, record.decode_entry(data)[0]) for n, data in enumerate(told.log) if n]
    return [n for n, e in entries if isinstance(e, Play) and e.by is Driver.HUMAN and seat in {None, e.seat}]


def entry(told: History, place: int, **changes: Any) -> History:
    """The history with something else in one entry of the log."""
    log = list(told.log)
    log[place] = json.dumps({**json.loads(log[place]), **changes}).encode()
    return replace(told, log=tuple(log))


def last_move_gone(told: History) -> History:
    return replace(told, log=told.log[: human_moves(told)[-1]])


def a_gap(told: History) -> History:
    return replace(told, log=(*told.log[:9], *told.log[10:]))


def half_stored(told: History) -> History:
    return replace(told, log=told.log[:-1])


def never_written(told: History) -> History:
    return replace(told, log=(), stored=None)


def played_twice(told: History) -> History:
    first, second = human_moves(told, 0)[:2]
    return entry(told, second, id=json.loads(told.log[first])["id"])


def an_old_tab(told: History) -> History:
    return entry(told, human_moves(told)[5], connection=1_000)


def nobody_said_it(told: History) -> History:
    return retold(told, 0, lambda spoken, message: [] if message.get("number") == 3 else [spoken])


def refused_and_played(told: History) -> History:
    def refused(spoken: Spoken, message: dict[str, Any]) -> list[Spoken]:
        if message["type"] != "play" or message["number"] != 2:
            return [spoken]
        answer = wire.RejectedMessage(wire.Reason.STALE, message["id"], by_bot=False)
        return [spoken, replace(spoken, heard=True, text=wire.encode(answer).decode())]

    return retold(told, 0, refused)


def overtaken(told: History) -> History:
    return retold(told, 0, lambda spoken, m: [replace(spoken, at=1e9) if m.get("number") == 2 else spoken])


def looked_back(told: History) -> History:
    old = next(s for s in told.witnesses[1].spoken if json.loads(s.text).get("version") == 6)
    return retold(told, 1, lambda spoken, m: [spoken, old] if m.get("version") == 12 else [spoken])


def too_much_shown(told: History) -> History:
    return retold(told, 0, at_version(11, lambda state: state["view"].update(next="AS")))


def shown_before_stored(told: History) -> History:
    return retold(told, 0, at_version(len(told.log), lambda state: state.update(version=len(told.log) + 1)))


def a_round_missed(told: History) -> History:
    seen = [json.loads(s.text) for s in told.witnesses[0].spoken]
    version = next(m["version"] for m in seen if m["type"] == "state" and m["rounds"])
    return retold(told, 0, at_version(version, lambda state: state.update(rounds=[])))


def seed_shown(told: History) -> History:
    seed = record.decode(GAMES, told.log[0]).seed.hex()
    return retold(told, 0, at_version(8, lambda state: state.update(hint=seed)))


def results_too_soon(told: History) -> History:
    results = told.witnesses[0].spoken[-1]
    return retold(told, 0, lambda spoken, m: [spoken, results] if m.get("version") == 12 else [spoken])


def told_at_a_replaced_socket(told: History) -> History:
    """A newer socket sits from the beginning; the moves are still said at the older one."""
    seated = told.witnesses[0].spoken[0]
    tab = Witness([replace(seated, at=2.0, socket=77)])
    return replace(told, witnesses=(*told.witnesses, tab))


def ousted_by_nobody(told: History) -> History:
    """An older socket of the same seat is taken for the newer one."""
    seated = told.witnesses[0].spoken[0]
    older = Witness([replace(seated, at=seated.at - 10, socket=77)])
    answer = wire.encode(wire.RejectedMessage(wire.Reason.REPLACED, None, by_bot=False)).decode()
    spoilt = retold(told, 0, lambda spoken, m: [spoken, replace(spoken, text=answer)] if spoken is seated else [spoken])
    return replace(spoilt, witnesses=(*spoilt.witnesses, older))


def time_ran_back(told: History) -> History:
    place = human_moves(told)[4]
    return entry(told, place, now=json.loads(told.log[place])["now"] - 5_000)


def time_ran_fast(told: History) -> History:
    """All that people say they said and heard within a second."""
    quick = [Witness([replace(s, at=1 + s.at / 1e9) for s in witness.spoken]) for witness in told.witnesses]
    return replace(told, witnesses=tuple(quick))


def fired_late(told: History) -> History:
    place = next(n for n, data in enumerate(told.log) if n and json.loads(data)["in"] == "tick")
    return entry(told, place, now=json.loads(told.log[place])["now"] + 300)


def never_ended(told: History) -> History:
    log = told.log[: human_moves(told)[-1]]
    return replace(told, log=log)


def bot_for_a_person(told: History) -> History:
    """The bot moves where the log lets nobody run out of time."""
    place = human_moves(told)[6]
    return entry(told, place, by="bot", id="", connection=0)


@cache
def lively() -> History:
    """An honest history with all in it that a match can bring."""
    return history(lively_game())


SPOILT: list[tuple[Spoil, Rule]] = [
    (last_move_gone, Rule.LOST),
    (played_twice, Rule.DOUBLED),
    (refused_and_played, Rule.REJECTED),
    (nobody_said_it, Rule.INVENTED),
    (overtaken, Rule.ORDER),
    (a_gap, Rule.GAP),
    (an_old_tab, Rule.REPLAY),
    (bot_for_a_person, Rule.REPLAY),
    (half_stored, Rule.STATE),
    (never_written, Rule.STATE),
    (looked_back, Rule.BACKWARD),
    (too_much_shown, Rule.VIEW),
    (shown_before_stored, Rule.VIEW),
    (a_round_missed, Rule.ROUNDS),
    (seed_shown, Rule.SECRET),
    (results_too_soon, Rule.SECRET),
    (told_at_a_replaced_socket, Rule.REPLACED),
    (ousted_by_nobody, Rule.OUSTED),
    (time_ran_back, Rule.CLOCK),
    (time_ran_fast, Rule.CLOCK),
    (fired_late, Rule.LATE),
    (never_ended, Rule.UNFINISHED),
]


@pytest.mark.parametrize(("spoil", "rule"), SPOILT, ids=[spoil.__name__ for spoil, _ in SPOILT])
def test_what_is_broken_is_named(spoil: Spoil, rule: Rule) -> None:
    verdict = check(spoil(lively()))
    assert rule in {violation.rule for violation in verdict.violations}, verdict.violations


@pytest.mark.parametrize(("whose", "named"), [("t" * 43, False), ("u" * 43, True)], ids=["hers", "another's"])
def test_a_newer_socket_may_break_before_it_hears_of_the_match_it_is_led_to(whose: str, named: bool) -> None:
    told = ousted_by_nobody(lively())
    first = told.witnesses[0].spoken[0]
    hello = {"type": "hello", "protocol": 1, "token": "t" * 43, "match": told.match}
    told.witnesses[0].spoken.insert(0, replace(first, text=json.dumps(hello), heard=False))
    newer = {**hello, "token": whose, "match": "0" * 34}
    tab = Witness([replace(first, text=json.dumps(newer), at=first.at + 1, socket=78, heard=False)])
    verdict = check(replace(told, witnesses=(*told.witnesses, tab)))
    assert (Rule.OUSTED in {violation.rule for violation in verdict.violations}) is named


def test_a_bot_that_sits_down_before_the_clock_ran_out_is_named_by_the_times_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A step() that lets the clock run twice as fast played this match, and plays it again for the judge."""
    for module in ("chair", "match"):
        monkeypatch.setattr(
            f"twoseat.{module}.reached", lambda moment, now: moment is not None and moment <= now + 8_000
        )
    play = Recorded().dealt()
    play.wait(7_500).tick()
    play.bots_play()
    verdict = check(replace(history(play), over=False, late=None))
    assert {violation.rule for violation in verdict.violations} == {Rule.BOT}


def test_every_rule_has_been_broken() -> None:
    assert {rule for _, rule in SPOILT} | {Rule.BOT} == set(Rule)
