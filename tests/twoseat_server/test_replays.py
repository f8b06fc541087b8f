"""Replays over HTTP: of finished games only, in words otherwise, the same from each node, and gone with the match."""

import asyncio
import json
import urllib.error
import urllib.request

import pytest
from msgspec.structs import replace

from caller import Callers, play_out
from nodes import run_node
from stores import Join, dealt, raw, seated
from table_talk import rounds_of
from twoseat import record, replay, verify
from twoseat.games import GAMES
from twoseat.games.game import Options
from twoseat.inputs import Resign
from twoseat.match import Match, MatchId, step
from twoseat.replay import Replay
from twoseat_server.pages import NotHere
from twoseat_server.replays import KEPT, Replays
from twoseat_server.settings import Settings
from twoseat_server.store.link import Link
from twoseat_server.store.matches import RUNNING_TTL, Matches

WAR = GAMES["war"]
SOON = 150
"""Milliseconds a finished match of these tests is kept."""


async def ask(call: Callers, name: str) -> tuple[int, str, bytes]:
    """Status, type and body of the answer for a replay."""
    return await asyncio.to_thread(_ask, f"http://127.0.0.1:{call.port}/replay/{name}")


def _ask(url: str) -> tuple[int, str, bytes]:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=15) as answer:
            return answer.status, answer.headers["Content-Type"], answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers["Content-Type"], error.read()


async def fetched(call: Callers, match: str) -> Replay:
    """The replay of a finished match."""
    status, kind, body = await ask(call, f"{match}.json")
    assert (status, kind) == (200, "application/json; charset=utf-8")
    return replay.read(body)


async def over(call: Callers, **terms: object) -> str:
    """The id of a game that two have played to its end."""
    pair = await call.pair(**({"target": 3} | terms))
    await play_out(*pair)
    assert pair[0].seated is not None
    return pair[0].seated.match


async def test_a_finished_game_s_replay_is_what_was_promised_and_seen(call: Callers) -> None:
    ann, bob = await call.pair(target=6)
    results, _ = await play_out(ann, bob)
    told = await fetched(call, results.match)
    report = verify.verify(told)
    assert report.verified
    assert report.shares == ("in", "in")
    assert (told.seed, told.names) == (results.seed, ("Ann", "Bob"))
    assert [line["cards"] for line in told.rounds] == [list(line.cards or ()) for line in rounds_of(results)]


@pytest.mark.parametrize("preset", ["points", "classic"])
async def test_a_game_against_the_bot_has_a_replay_too(call: Callers, preset: str) -> None:
    ann = await call()
    await ann.say("bot", terms={"preset": preset, "target": 4})
    results = await ann.results()
    report = verify.verify(await fetched(call, results.match))
    assert report.verified
    assert set(report.shares) == {"in", "bot"}


async def test_a_running_game_has_none_and_nothing_of_it_is_said(call: Callers) -> None:
    ann, _ = await call.pair(target=6)
    for _ in range(3):
        assert ann.seated is not None
        status, kind, body = await ask(call, f"{ann.seated.match}.json")
        assert (status, kind) == (404, "text/plain; charset=utf-8")
        assert body == b"This game is still being played. Its replay is here when it is over.\n"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("0" * 34 + ".json", b"There is no such game"),
        ("0" * 33 + ".json", b"an ID has 34"),
        ("0" * 34 + "0.json", b"an ID has 34"),
        ("A" * 34 + ".json", b"an ID has 34"),
        ("%2e%2e/%2e%2e/etc/passwd", b"an ID has 34"),
        ("", b"an ID has 34"),
        ("*", b"an ID has 34"),
    ],
)
async def test_what_is_no_game_is_said_in_words(call: Callers, name: str, says: bytes) -> None:
    status, kind, body = await ask(call, name)
    assert (status, kind) == (404, "text/plain; charset=utf-8")
    assert says in body


async def test_a_game_given_up_in_the_middle_has_a_replay_up_to_there(call: Callers) -> None:
    ann, bob = await call.pair(target=9)
    await (ann if ann.state and ann.seat is not None and ann.state.legal[ann.seat] else bob).draw()
    await ann.say("resign")
    await ann.until(lambda state: state.outcome is not None)
    assert ann.seated is not None
    told = await fetched(call, ann.seated.match)
    assert told.outcome.termination == "resigned"
    assert verify.verify(told).verified


async def test_what_happens_after_the_end_changes_no_replay(call: Callers) -> None:
    ann, bob = await call.pair(target=2)
    results, _ = await play_out(ann, bob)
    before = (await ask(call, f"{results.match}.json"))[2]
    bob.vanish()
    await ann.until(lambda state: not all(chair.present for chair in state.chairs))
    assert (await ask(call, f"{results.match}.json"))[2] == before


async def test_every_game_of_a_series_has_its_own_and_none_tells_of_the_next(call: Callers) -> None:
    ann, bob = await call.pair(target=1, games=3)
    matches = []
    for _ in range(2):
        results, _ = await play_out(ann, bob)
        matches.append(results.match)
        told = await fetched(call, results.match)
        assert verify.verify(told).verified
        assert len(told.series.winners) == len(matches) - 1
        if results.decided:
            break
        for caller in (ann, bob):
            await caller.say("rematch")
        for caller in (ann, bob):
            await caller.until(lambda state: state.phase == "playing")
    data = (await ask(call, f"{matches[0]}.json"))[2].decode()
    assert all(later not in data for later in matches[1:])


async def test_every_node_has_the_same_replay(settings: Settings, url: str) -> None:
    async with run_node(settings, url) as (_, here), run_node(settings, url) as (_, there):
        match = await over(here)
        assert await ask(here, f"{match}.json") == await ask(there, f"{match}.json")


async def test_nothing_in_it_opens_a_door(call: Callers, join: Join) -> None:
    ann, bob = await call.pair(target=2)
    results, _ = await play_out(ann, bob)
    data = (await ask(call, f"{results.match}.json"))[2].decode()
    assert ann.seated is not None
    for secret in (ann.token, bob.token, ann.seated.code):
        assert secret
        assert secret not in data
    stored = await join().matches.load(MatchId(results.match))
    assert stored is not None
    for chair in stored.chairs:
        assert chair.player
        assert chair.player not in data


async def finished(join: Join, retention: int) -> tuple[Matches, Match]:
    """A match that was given up, stored by a node that keeps it for so long."""
    at = join("a")
    at.matches = Matches(at.link, GAMES, "a", retention)
    match = await seated(at, dealt(options=Options(target=5)))
    after = step(WAR, match, Resign(0, match.chairs[0].connection), 10)
    assert await at.matches.commit(after, Resign(0, match.chairs[0].connection), 10)
    return at.matches, after


async def test_after_its_time_a_match_is_gone_with_its_log_and_its_replay(join: Join) -> None:
    matches, match = await finished(join, SOON)
    replays = Replays(matches)
    assert replay.read(await replays.find(match.id)).match == match.id
    async with asyncio.timeout(10):
        while await matches.load(match.id) is not None:  # noqa: ASYNC110 the store tells nobody
            await asyncio.sleep(0.02)
    with pytest.raises(NotHere, match="forgotten"):
        await replays.find(match.id)
    assert await matches.log(match.id) == []


async def test_every_key_of_a_finished_game_ends_with_it_or_within_a_day(call: Callers, url: str) -> None:
    match = await over(call)
    async with raw(url) as store:
        named = [key for key in await store.keys() if match in key]
        assert {key.split(":")[1] for key in named} == {"match", "log", "at"}
        thirty_days = 30 * RUNNING_TTL
        for key in named:
            left = await store.pttl(key)
            most = thirty_days if key.split(":")[1] in ("match", "log") else RUNNING_TTL
            assert most - 60_000 < left <= most, key
        assert [key for key in await store.keys("*:due") if await store.zscore(key, match) is not None] == []


async def test_the_last_watcher_leaves_no_key_behind(call: Callers, url: str) -> None:
    ann, _ = await call.pair(target=5)
    assert ann.seated is not None
    eve = await call()
    await eve.say("watch", code=ann.seated.code)
    await eve.hear(type(ann.seated))
    async with raw(url) as store:
        assert await store.keys("*:watch:*")
        await eve.hang_up()
        async with asyncio.timeout(10):
            while await store.keys("*:watch:*"):  # noqa: ASYNC110 the store tells nobody
                await asyncio.sleep(0.02)


async def test_only_so_many_are_kept_ready_and_the_others_are_folded_again(join: Join) -> None:
    replays = None
    first = None
    for _ in range(KEPT + 2):
        matches, match = await finished(join, 60_000)
        replays = replays or Replays(matches)
        first = first or match
        await replays.find(match.id)
    assert replays is not None
    assert first is not None
    assert len(replays._ready) == KEPT
    assert first.id not in replays._ready
    assert json.loads(await replays.find(first.id))["match"] == first.id


async def test_a_game_that_other_rules_played_is_not_told_wrongly(join: Join, url: str) -> None:
    matches, match = await finished(join, 60_000)
    other = replace(match, state=replace(match.state, lines=b"\0\1\2\3\4\5"))
    async with raw(url) as store:
        (key,) = await store.keys(f"*:match:{match.id}")
    link = Link(url)
    await link.run("HSET", key, "d", record.encode(WAR, other))
    await link.close()
    with pytest.raises(NotHere, match="another version of the rules"):
        await Replays(matches).find(match.id)


async def test_a_log_that_does_not_fold_is_not_told_at_all(join: Join, url: str) -> None:
    matches, match = await finished(join, 60_000)
    async with raw(url) as store:
        (key,) = await store.keys(f"*:log:{match.id}")
        await store.ltrim(key, 0, 1)
    with pytest.raises(NotHere, match="another version of the rules"):
        await Replays(matches).find(match.id)


async def test_while_storage_is_away_it_says_so() -> None:
    link = Link("unix:///nowhere/at/all.sock")
    try:
        with pytest.raises(NotHere, match="Storage is away") as away:
            await Replays(Matches(link, GAMES, "a", 0)).find("0" * 34)
        assert away.value.status == 503
    finally:
        await link.close()
