"""When the store fails: each failure has its name, an unknown outcome is looked up, and nobody waits for ever."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import redis.asyncio as redis
from msgspec.structs import replace
from redis import exceptions

from stores import Join, Peer, dealt, raw, redis_server, seated
from twoseat.inputs import Tick
from twoseat.match import Match
from twoseat_server.chaos.way import Way
from twoseat_server.store import keys, news
from twoseat_server.store.checks import advice
from twoseat_server.store.link import Away, Link, StoreAway
from twoseat_server.store.news import News
from twoseat_server.store.scripts import beginning


@pytest.fixture
async def way(url: str) -> AsyncIterator[Way]:
    async with Way(url).opened() as way:
        yield way


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[str]:
    """A Redis a test may spoil."""
    with redis_server(tmp_path, "--enable-protected-configs", "yes") as url:
        yield url


def after(match: Match) -> Match:
    return replace(match, version=match.version + 1)


async def why(peer: Peer, match: Match) -> Away:
    """What a commit fails by."""
    return (await failure(peer, match)).why


async def failure(peer: Peer, match: Match) -> StoreAway:
    """How a commit fails; it tells where, and no secret."""
    with pytest.raises(StoreAway) as caught:
        await peer.matches.commit(after(match), Tick(), 0)
    said = str(caught.value)
    assert match.seed.hex() not in said
    assert "secret" not in said
    assert "wrong" not in said
    assert urlsplit(peer.url).path in said
    return caught.value


async def test_an_answer_that_is_lost_leaves_the_commit_stored_once(join: Join, way: Way) -> None:
    peer = join("a", way.url)
    match = await seated(peer, dealt())
    for _ in range(3):
        way.swallow(b"EVALSHA")
        assert await why(peer, match) is Away.UNREACHABLE
        match = after(match)
        assert await peer.matches.is_stored(match)
        assert not await peer.matches.commit(match, Tick(), 0), "sent again it must not land twice"
    assert way.swallowed == 3
    assert len(await peer.matches.log(match.id)) == match.version


async def test_a_thousand_who_ask_at_once_are_all_answered(join: Join, url: str) -> None:
    peer = join("a", url)
    match = await seated(peer, dealt())
    assert await asyncio.gather(*(peer.matches.load(match.id) for _ in range(1000))) == [match] * 1000


async def test_a_request_that_is_lost_leaves_the_match_as_it_was(join: Join, way: Way) -> None:
    peer = join("a", way.url)
    match = await seated(peer, dealt())
    way.cut()
    assert await why(peer, match) is Away.UNREACHABLE
    way.go()
    assert not await peer.matches.is_stored(after(match))
    assert await peer.matches.commit(after(match), Tick(), 0)


async def test_a_store_that_is_away_for_several_attempts_is_found_again(join: Join, tmp_path: Path) -> None:
    with redis_server(tmp_path) as url:
        peer = join("a", url)
        match = await seated(peer, dealt())
    for _ in range(3):
        assert await why(peer, match) is Away.UNREACHABLE
    with redis_server(tmp_path):
        assert await peer.matches.create(dealt())


async def test_a_silent_store_is_given_up_within_a_second_or_two(join: Join, way: Way) -> None:
    peer = join("a", way.url)
    match = await seated(peer, dealt())
    way.stop()
    began = time.monotonic()
    answers = await asyncio.gather(
        *(peer.matches.commit(after(match), Tick(), 0) for _ in range(200)),
        *(peer.matches.load(match.id) for _ in range(200)),
        return_exceptions=True,
    )
    assert all(isinstance(answer, StoreAway) for answer in answers)
    assert time.monotonic() - began < 4


async def test_a_cancelled_call_never_gets_in_the_way_of_the_next(join: Join) -> None:
    peer = join("a")
    matches = [await seated(peer, dealt()) for _ in range(4)]
    for number in range(200):
        asked = asyncio.create_task(peer.matches.load(matches[number % 3].id))
        await asyncio.sleep(number % 5 / 20_000)
        asked.cancel()
        assert await peer.matches.load(matches[3].id) == matches[3]
        await asyncio.gather(asked, return_exceptions=True)


async def test_a_cancelled_commit_lets_the_others_of_its_pipeline_through(join: Join) -> None:
    peer = join("a")
    first, second = await seated(peer, dealt()), await seated(peer, dealt())
    cancelled = asyncio.create_task(peer.matches.commit(after(first), Tick(), 0))
    other = asyncio.create_task(peer.matches.commit(after(second), Tick(), 0))
    await asyncio.sleep(0)
    cancelled.cancel()
    assert await other


async def test_a_fault_of_ours_is_raised_as_it_is_and_leaves_the_others_of_its_pipeline_alone(join: Join) -> None:
    peer = join("a")
    wrong, right = await seated(peer, dealt()), await seated(peer, dealt())
    async with raw(peer.url) as store:
        await store.delete(keys.log(wrong.id))
        await store.set(keys.log(wrong.id), "not a list")
    answers = await asyncio.gather(
        peer.matches.commit(after(wrong), Tick(), 0),
        peer.matches.commit(after(right), Tick(), 0),
        return_exceptions=True,
    )
    assert isinstance(answers[0], exceptions.ResponseError)
    assert answers[1] is True


async def test_a_script_the_store_forgot_is_sent_again(join: Join) -> None:
    peer = join("a")
    match = await seated(peer, dealt())
    async with raw(peer.url) as store:
        await store.script_flush()
    answers = await asyncio.gather(
        peer.matches.commit(after(match), Tick(), 0),
        peer.nodes.sweep(tuple(keys.shards())),
        peer.matches.next_connection(match.id),
    )
    assert answers[0] is True
    assert answers[2] == 3


async def test_a_store_that_is_full_says_so(join: Join, own_redis: str) -> None:
    peer = join("a", own_redis)
    match = await seated(peer, dealt())
    async with raw(own_redis) as store:
        await store.config_set("maxmemory", 1)
        assert await why(peer, match) is Away.OUT_OF_MEMORY
        await store.config_set("maxmemory", 0)
    assert await peer.matches.commit(after(match), Tick(), 0)


async def test_a_replica_says_that_it_takes_no_writes(join: Join, own_redis: str) -> None:
    peer = join("a", own_redis)
    match = await seated(peer, dealt())
    async with raw(own_redis) as store:
        await store.replicaof("127.0.0.1", "1")
        assert await why(peer, match) is Away.READONLY
        await store.replicaof("no", "one")
        await store.config_set("min-replicas-to-write", 1)
        assert await why(peer, match) is Away.NO_REPLICAS


async def test_a_store_whose_disk_fails_says_so(join: Join, own_redis: str) -> None:
    peer = join("a", own_redis)
    match = await seated(peer, dealt())
    async with raw(own_redis) as store:
        await store.config_set("dir", "/sys")
        await store.config_set("save", "3600 1")
        await store.bgsave()
        ends = time.monotonic() + 10
        while (await store.info("persistence"))["rdb_last_bgsave_status"] == "ok":
            assert time.monotonic() < ends
        assert await why(peer, match) is Away.DISK


async def test_a_store_that_wants_a_password_or_a_right_is_named_denied(join: Join, own_redis: str) -> None:
    peer, guest = join("a", own_redis), join("b", own_redis)
    match = await seated(peer, dealt())
    async with raw(own_redis) as store:
        await store.execute_command("ACL", "SETUSER", "default", "-zadd")
        assert await why(peer, replace(match, version=3)) is Away.DENIED
        await store.execute_command("ACL", "SETUSER", "default", "-evalsha")
        assert "evalsha" in str(await failure(peer, match))
        await store.config_set("requirepass", "secret")
        assert await why(guest, match) is Away.DENIED
    denied = await failure(join("c", own_redis.replace("unix://", "unix://:wrong@")), match)
    assert denied.why is Away.DENIED
    assert "invalid username-password pair" in str(denied)


async def test_a_store_busy_with_a_script_says_so(join: Join, own_redis: str) -> None:
    peer = join("a", own_redis)
    match = await seated(peer, dealt())
    async with raw(own_redis) as store:
        await store.config_set("busy-reply-threshold", 20)
        endless = asyncio.create_task(store.execute_command("EVAL", "while true do end", 0))
        ends = time.monotonic() + 10
        while await found(peer, match) is not Away.BUSY:
            assert time.monotonic() < ends
        await store.script_kill()
        with pytest.raises(exceptions.ResponseError):
            await endless


async def test_a_store_that_loads_says_so(join: Join, tmp_path: Path) -> None:
    with redis_server(tmp_path) as url:
        async with raw(url) as store:
            await store.mset({f"key{number}": "value" for number in range(20_000)})
            await store.save()
    with redis_server(tmp_path, "--key-load-delay", "200", "--loading-process-events-interval-bytes", "1024") as url:
        assert await why(join("a", url), dealt()) is Away.LOADING


async def found(peer: Peer, match: Match) -> Away | None:
    try:
        await peer.matches.load(match.id)
    except StoreAway as error:
        return error.why
    return None


async def test_a_line_that_breaks_is_mended_and_what_was_missed_is_told(
    join: Join, way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(news, "BEAT_EVERY", 0.1)
    monkeypatch.setattr(news, "SILENCE", 0.5)
    heard: asyncio.Queue[bytes] = asyncio.Queue()
    peer = join("a", way.url)
    line = News(peer.link, "a", heard.put_nowait)
    line.missed = lambda: heard.put_nowait(b"missed")
    teller = News(join("b").link, "b", heard.put_nowait)
    listening = asyncio.create_task(line.listen())
    try:
        assert await heard.get() == b"missed"
        for broken in (way.cut, way.stop, way.cut, way.deafen):
            await teller.tell("a", b"hint")
            assert await heard.get() == b"hint"
            broken()
            await asyncio.sleep(1)
            way.go()
            async with asyncio.timeout(10):
                while await heard.get() != b"missed":
                    pass
        assert not listening.done()
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)


async def test_several_stores_are_no_cluster(valkey_url: str, redis_url: str) -> None:
    link = Link(f"{valkey_url},{redis_url}")
    for asked in (link.load(), link.run("PING")):
        with pytest.raises(StoreAway) as caught:
            await asked
        assert caught.value.why is Away.NO_CLUSTER
    await link.close()


async def test_a_cluster_in_which_nobody_has_a_slot_is_down(tmp_path: Path) -> None:
    with redis_server(tmp_path, "--cluster-enabled", "yes") as url:
        link = Link(url)
        with pytest.raises(StoreAway) as caught:
            await link.load()
        assert caught.value.why is Away.CLUSTER_DOWN
        await link.close()


async def test_the_store_tells_which_of_its_settings_break_a_promise(
    tmp_path: Path, valkey_url: str, cluster_url: str
) -> None:
    assert await advice(valkey_url) == []
    _, no_replica = await advice(cluster_url)
    assert "give it one" in no_replica
    flags = ("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru")
    with redis_server(tmp_path, *flags) as url:
        append_only, eviction = await advice(url)
    assert "appendonly yes" in append_only
    assert "noeviction" in eviction


@pytest.mark.parametrize("known", [False, True], ids=["no store found", "a store that is gone"])
async def test_who_fails_at_an_answer_keeps_it_from_no_other(known: bool, tmp_path: Path) -> None:
    link = Link(f"unix://{tmp_path}/nobody")
    if known:
        link._share(f"unix://{tmp_path}/nobody", None)
    heard: asyncio.Future[object] = asyncio.get_running_loop().create_future()

    def fails(answer: object) -> None:
        raise RuntimeError("as planned")

    begun = beginning("disarm", ("{s00}:match:x", "{s00}:due"), (), 1)
    link.tell_again(begun, ("x",), fails)
    link.tell_again(begun, ("x",), heard.set_result)
    assert isinstance(await heard, StoreAway)


async def test_a_line_lost_in_the_moment_it_is_opened_is_an_outage(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(*command: object) -> None:
        raise RuntimeError("unable to perform operation on a handler that is closed")

    monkeypatch.setattr(redis.BlockingConnectionPool, "get_connection", closed)
    link = Link(url)
    link._share(url, None)
    with pytest.raises(StoreAway) as away:
        await link.run("PING")
    assert away.value.why is Away.UNREACHABLE
