"""Replays: a finished match becomes one JSON object and comes back the same, and nobody learns who played."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from recorded import MATCH_ID, WITHIN, Recorded, lively_game, quiet_game, series_game
from script import BOT_AND_PERSON, NONCES, PERSON_AND_BOT, SEED, START_WITHIN
from twoseat import record, replay, rerun, views, wire
from twoseat.chair import Pause, PlayerId
from twoseat.games import GAMES
from twoseat.games.game import Driver, Options
from twoseat.match import Match, step
from twoseat.replay import BadReplay, Replay
from twoseat.shake import NO_SHAKE, nonce_digest, seed_digest


def _resigned() -> Recorded:
    play = Recorded().seated()
    assert isinstance(play, Recorded)
    play.commit(0)
    play.resign(1)
    return play


STORIES: dict[str, Callable[[], Recorded]] = {
    "quiet": quiet_game,
    "lively": lively_game,
    "series": series_game,
    "bot": lambda: quiet_game(Options(target=9), players=PERSON_AND_BOT),
    "bot in classic": lambda: quiet_game(Options(preset="classic"), players=BOT_AND_PERSON),
    "withheld": lambda: quiet_game(Options(target=5), 1),
    "resigned before the deal": _resigned,
}
each_story = pytest.mark.parametrize("name", STORIES)


def nameless(match: Match, since: int) -> Match:
    """The match without what a replay does not keep: who plays, by which connections and under which move names."""
    chairs = tuple(
        replace(
            chair,
            player=None if chair.player is None else PlayerId("?"),
            connection=0,
            last_id="",
            due=None if chair.due is None else chair.due - since,
        )
        for chair in match.chairs
    )
    pause = match.pause and Pause(match.pause.since - since, match.pause.until - since)
    until = None if match.shake.until is None else match.shake.until - since
    next_at = None if match.next_at is None else match.next_at - since
    shake = replace(match.shake, until=until)
    return replace(match, code="", chairs=(chairs[0], chairs[1]), pause=pause, shake=shake, next_at=next_at)


def versions(log: list[bytes]) -> list[Match]:
    """The match at each version, as the store had it."""
    match = record.decode(GAMES, log[0])
    stored = [match]
    for data in log[1:]:
        event, _, now = record.decode_entry(data)
        stored.append(match := step(GAMES[match.options.game], match, event, now))
    return stored


def exported(name: str) -> Replay:
    return rerun.export(STORIES[name]().log)


@each_story
def test_a_replay_comes_back_from_its_file_the_same(name: str) -> None:
    told = exported(name)
    data = replay.write(told)
    again = replay.read(data)
    assert replay.write(again) == data
    assert again == told


@each_story
def test_folding_a_replay_gives_every_version_of_the_stored_match(name: str) -> None:
    log = STORIES[name]().log
    stored = versions(log)
    since = stored[0].pause.since if stored[0].pause else 0
    folded = rerun.fold(replay.read(replay.write(rerun.export(log))))
    assert [nameless(match, 0) for match in folded] == [nameless(match, since) for match in stored]


@each_story
def test_it_holds_what_was_agreed_said_and_dealt(name: str) -> None:
    play = STORIES[name]()
    told, match = rerun.export(play.log), play.match
    assert (told.match, told.options, told.series) == (MATCH_ID, match.options, match.series)
    assert told.names == (match.chairs[0].name, match.chairs[1].name)
    assert told.bots == (match.chairs[0].player is None, match.chairs[1].player is None)
    assert (told.seed, told.seed_digest) == (SEED.hex(), seed_digest(SEED))
    for seat in (0, 1):
        assert (told.digests[seat] or "", told.nonces[seat] or "") == (
            match.shake.digests[seat],
            match.shake.nonces[seat],
        )
        assert told.nonces[seat] in (None, NONCES[seat])
        assert told.digests[seat] in (None, nonce_digest(NONCES[seat]))
    assert (told.start_within, told.shake_within) == (START_WITHIN, WITHIN)
    assert told.outcome == match.outcome


@each_story
def test_it_plays_what_a_watcher_was_told_message_by_message(name: str) -> None:
    play = STORIES[name]()
    stored = versions(play.log)
    told = rerun.export(play.log)
    said = list(replay.messages(told))
    (start, seated), *states, (end, results) = said
    assert (start, end) == (0, told.log[-1].at)
    assert seated == replace(views.seated(play.game, stored[0], None), code="")
    assert len(states) == len(stored)
    shown = 0
    times = [0, *(entry.at for entry in told.log)]
    for (at, state), match, time in zip(states, stored, times, strict=True):
        assert at == time
        seen = views.state(play.game, nameless(match, 0), None, None, shown)
        shown = views.rounds(play.game, match)
        assert _clockless(state) == _clockless(seen)
    assert wire.encode(results) == wire.encode(views.results(play.game, play.match))


def _clockless(state: wire.State) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(wire.encode(state))
    data["next_in"] = None
    for chair in data["chairs"]:
        chair["due"] = None
    return data


def test_remaining_times_are_those_of_the_moment() -> None:
    states = [message for _, message in replay.messages(exported("quiet")) if isinstance(message, wire.State)]
    first_draw = next(state for state in states if state.phase == "playing")
    assert sorted(chair.due or 0 for chair in first_draw.chairs) == [0, 15_000]


def test_nobody_learns_who_played_nor_how_to_join() -> None:
    play = lively_game(players=((PlayerId("c0ffee" * 10), "Ann"), (PlayerId("facade" * 10), "Bob")))
    data = replay.write(rerun.export(play.log)).decode()
    for secret in ("c0ffee", "facade", play.match.code, '"connection"', '"id"', '"last":"m'):
        assert secret not in data
    moment = str(play.now)[:4]
    assert not re.search(rf"\b{moment}\d{{{len(str(play.now)) - 4}}}\b", data)


def test_a_running_match_has_no_replay_at_any_version() -> None:
    log = quiet_game(Options(target=3)).log
    for end in range(1, len(log)):
        with pytest.raises(rerun.Unfinished):
            rerun.export(log[:end])


def test_what_comes_after_the_end_is_no_part_of_it() -> None:
    play = quiet_game(Options(target=3))
    told = rerun.export(play.log)
    play.rematch(0)
    play.disconnect(1)
    assert rerun.export(play.log) == told


def test_a_match_dealt_from_the_seed_alone_has_a_replay_too() -> None:
    play = quiet_game(Options(target=2))
    first = replace(versions(play.log)[0], shake=NO_SHAKE)
    first = replace(first, state=play.game.new(first.options, first.solo, first.chance))
    script = Recorded(Options(target=2))
    script.match, script.log = first, [record.encode(play.game, first)]
    script.seated()
    told = rerun.export(script.to_the_end().log)
    assert (told.shake_within, told.nonces) == (None, (None, None))
    assert rerun.fold(told)[-1].outcome == told.outcome


def test_a_lively_game_shows_drops_bot_draws_and_wars() -> None:
    told = exported("lively")
    drivers = {driver for line in told.rounds for driver in line["by"]}
    assert drivers == {Driver.HUMAN, Driver.BOT}
    assert any(line["wars"] for line in told.rounds)
    assert {"connect", "disconnect", "commit", "open", "play", "return", "tick"} == {e.event for e in told.log}


def test_it_is_small() -> None:
    assert len(replay.write(exported("lively"))) < 50_000


def _damaged(field: str, value: Any) -> bytes:
    data = json.loads(replay.write(exported("bot")))
    data[field] = value
    return json.dumps(data).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no JSON",
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b"[]",
        b'{"match": 1}',
        _damaged("twoseat_replay", 2),
        _damaged("rules", 99),
        _damaged("rules", None),
        _damaged("match", "../../etc"),
        _damaged("seed", "zz" * 32),
        _damaged("nonces", ["00", None]),
        _damaged("names", ["Ann"]),
        _damaged("options", {"game": 3}),
        _damaged("log", [{"at": "now", "event": "tick"}]),
        _damaged("states", []),
        _damaged("outcome", {"winner": 2, "termination": "points"}),
        _damaged("start_within", -1),
        b" " * (replay.MAX_BYTES + 1),
    ],
    ids=range(19),
)
def test_what_is_no_replay_is_refused_in_words_that_repeat_nothing_of_it(data: bytes) -> None:
    with pytest.raises(BadReplay) as caught:
        replay.read(data)
    assert len(str(caught.value)) < 120
    assert "replay" in str(caught.value)
    assert "zz" not in str(caught.value)


@pytest.mark.parametrize(
    ("states", "rounds"),
    [
        ([{}] * 3, []),
        ([{"type": "state"}] * 3, []),
        ([{"chairs": 5}] * 3, []),
        ([{"view": [1]}] * 3, []),
        (None, [{"n": "one"}]),
    ],
)
def test_a_replay_that_cannot_be_shown_says_so(states: Any, rounds: Any) -> None:
    told = exported("bot")
    broken = replace(told, rounds=tuple(rounds))
    if states is not None:
        broken = replace(broken, states=tuple(states), log=told.log[:2])
    with pytest.raises(BadReplay, match=r"this replay is damaged at (states\.\d|rounds): fetch it again"):
        list(replay.messages(broken))


def test_a_log_is_followed_until_something_that_cannot_have_happened() -> None:
    told = exported("bot")
    whole = len(told.log)
    for bad in ("nothing", "play", "commit", "tick", "connect"):
        for number in (3, whole - 1):
            entry = replay.Entry(at=told.log[number].at, event=bad, seat=None if bad == "connect" else 0)
            broken = replace(told, log=(*told.log[:number], entry, *told.log[number + 1 :]))
            assert len(rerun.fold(broken)) == number + 1
    after_the_end = replace(told, log=(*told.log, replay.Entry(at=told.log[-1].at, event="disconnect", seat=0)))
    assert len(rerun.fold(after_the_end)) == whole + 1


def test_a_replay_of_what_this_program_does_not_know_cannot_begin() -> None:
    told = exported("bot")
    for options in (Options(game="chess"), Options(preset="no such"), Options(target=99)):
        with pytest.raises(BadReplay):
            rerun.fold(replace(told, options=options))
