"""The contract of stored matches, on each kind of store: one atomic commit by compare-and-set, and nothing for ever."""

import asyncio
import json
from typing import Any

import pytest
from msgspec.structs import replace

from stores import RETENTION, Join, Peer, at_key, dealt, due_at, raw, seated, sit, snapshot
from twoseat import record
from twoseat.games.game import Outcome, Termination
from twoseat.ids import shard_of
from twoseat.inputs import Disconnect, Resign, Tick
from twoseat.match import Match
from twoseat_server.store import keys
from twoseat_server.store.matches import RUNNING_TTL, Holding
from twoseat_server.store.nodes import Held

NOW = 5_000


@pytest.fixture
async def a(join_any: Join) -> Peer:
    return join_any("a")


@pytest.fixture
async def b(join_any: Join) -> Peer:
    return join_any("b")


async def held_by(at: Peer, node: str) -> list[Held]:
    """The seats a node holds sockets for."""
    held, whole = await at.nodes.held_by(node)
    assert whole
    return held


def after(match: Match) -> Match:
    """A next version, whatever it is."""
    return replace(match, version=match.version + 1)


async def test_what_was_created_is_loaded_by_every_node(a: Peer, b: Peer) -> None:
    match = dealt()
    assert await a.matches.create(match)
    assert await b.matches.load(match.id) == match


async def test_a_match_is_created_once(a: Peer, b: Peer) -> None:
    match = dealt()
    other = replace(match, code="ZZZZZZ")
    assert await a.matches.create(match)
    assert not await b.matches.create(other)
    assert await b.matches.load(match.id) == match


async def test_a_match_nobody_made_is_none(a: Peer) -> None:
    assert await a.matches.load(dealt().id) is None


async def test_of_two_commits_on_one_version_exactly_one_is_stored(a: Peer, b: Peer) -> None:
    match = dealt()
    await a.matches.create(match)
    for _ in range(20):
        ours, theirs = after(match), replace(after(match), next=not match.next)
        stored = await asyncio.gather(a.matches.commit(ours, Tick(), NOW), b.matches.commit(theirs, Tick(), NOW))
        assert sorted(stored) == [False, True]
        found = await a.matches.load(match.id)
        assert found == (ours if stored[0] else theirs)
        assert found is not None
        match = found
    assert len(await a.matches.log(match.id)) == match.version


async def test_a_refused_commit_changes_nothing(a: Peer) -> None:
    match = await seated(a, dealt(), NOW)
    before = await snapshot(a.url)
    gained = Holding("a", 0, 7, held=True)
    assert not await a.matches.commit(replace(due_at(match, 1), version=9), Tick(), NOW, gained)
    assert await snapshot(a.url) == before


async def test_what_lasts_in_a_record_lasts_as_long_as_its_shake(a: Peer) -> None:
    match = await seated(a, dealt(), NOW)
    for nonces in (("1" * 64, "2" * 64), ("1" * 64, "2" * 64), ("3" * 64, "4" * 64)):
        match = replace(after(match), shake=replace(match.shake, nonces=nonces))
        assert await a.matches.commit(match, Tick(), NOW)
        assert await a.matches.load(match.id) == match


async def test_the_log_holds_every_input_at_its_version(a: Peer) -> None:
    new = dealt()
    match = await seated(a, new, NOW)
    entries = await a.matches.log(match.id)
    assert a.matches.decode(entries[0]) == new
    read = [record.decode_entry(entry) for entry in entries[1:]]
    assert [version for _, version, _ in read] == [2, 3]
    assert [now for *_, now in read] == [NOW, NOW]
    assert [type(event).__name__ for event, *_ in read] == ["Connect", "Connect"]


async def test_a_deadline_is_armed_moved_and_disarmed_with_the_state(a: Peer) -> None:
    match = dealt(NOW)
    key = keys.due(shard_of(match.id))
    async with raw(a.url) as store:
        await a.matches.create(match)
        assert await store.zscore(key, match.id) == match.deadline == NOW + 30_000
        later = replace(due_at(match, 77_000), version=2, pause=None, started=True)
        await a.matches.commit(later, Tick(), NOW)
        assert await store.zscore(key, match.id) == 77_000
        await a.matches.commit(replace(after(later), outcome=Outcome(None, Termination.VOID)), Tick(), NOW)
        assert await store.zscore(key, match.id) is None


async def test_a_running_match_is_kept_a_day_and_a_finished_one_for_its_retention(a: Peer) -> None:
    match = await seated(a, dealt(), NOW)
    async with raw(a.url) as store:
        for key in (keys.match(match.id), keys.log(match.id)):
            assert RUNNING_TTL - 5_000 < await store.pttl(key) <= RUNNING_TTL
        over = replace(after(match), outcome=Outcome(1, Termination.RESIGNED))
        assert await a.matches.commit(over, Resign(0, 1), NOW)
        assert await a.matches.load(match.id) == over
        for key in (keys.match(match.id), keys.log(match.id)):
            assert RETENTION - 5_000 < await store.pttl(key) <= RETENTION


async def test_a_seat_is_held_from_its_connect_to_its_disconnect(a: Peer, b: Peer) -> None:
    match = await seated(a, dealt(), NOW)
    assert {(held.seat, held.connection) for held in await held_by(b, "a")} == {(0, 1), (1, 2)}
    lost = Holding("a", 0, 1, held=False)
    await b.matches.commit(after(match), Disconnect(0, 1), NOW, lost)
    assert [(held.seat, held.connection) for held in await held_by(b, "a")] == [(1, 2)]
    assert await held_by(b, "b") == []


async def test_a_seat_can_be_let_go_without_a_commit(a: Peer) -> None:
    match = await seated(a, dealt(), NOW)
    await a.matches.release(match.id, Holding("a", 0, 1, held=False))
    assert [(held.seat, held.connection) for held in await held_by(a, "a")] == [(1, 2)]


async def test_connection_numbers_only_rise_and_a_match_that_is_gone_has_none(a: Peer, b: Peer) -> None:
    match = dealt()
    assert await a.matches.next_connection(match.id) is None
    await a.matches.create(match)
    given = await asyncio.gather(*(peer.matches.next_connection(match.id) for peer in (a, b, a, b)))
    assert {*given} == {1, 2, 3, 4}
    async with raw(a.url) as store:
        assert await store.pttl(keys.match(match.id)) > 0


@pytest.mark.parametrize("replicas", [0, 1])
async def test_a_commit_is_announced_to_the_other_nodes_at_the_match_and_to_nobody_else(
    a: Peer, b: Peer, join_any: Join, replicas: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the same breath, or, where a replica is to have it first, after the answer."""
    c = join_any("c")
    afterwards: list[bytes] = []
    for peer in (a, b, c):
        await peer.link.known()
        peer.matches.confirmed = bool(replicas)  # from here on: there is none to wait for

        async def announce(match: Match, nodes: list[bytes], announce: Any = peer.matches._announce) -> None:
            afterwards.extend(nodes)
            await announce(match, nodes)

        monkeypatch.setattr(peer.matches, "_announce", announce)
    heard: list[tuple[str, int]] = []
    match = dealt()
    shard = shard_of(match.id)
    async with at_key(a, keys.clock(shard)) as store, store.pubsub() as line:
        await line.ssubscribe(*(keys.news(shard, name) for name in "abc"))
        await a.matches.create(match)
        match = await sit(a, match, 0)
        match = await sit(b, match, 1)
        assert await c.matches.commit(after(match), Tick(), NOW)
        await store.spublish(keys.news(shard, "c"), "end")
        while (message := await line.get_message(ignore_subscribe_messages=True, timeout=5)) is None or (
            message["data"] != "end"
        ):
            if message is not None:
                heard.append((message["channel"], json.loads(message["data"][6:].partition("\n")[0])["version"]))
    assert sorted(afterwards) == [b"a", b"a", b"b"] * replicas
    assert sorted(heard) == [(keys.news(shard, name), version) for name, version in (("a", 3), ("a", 4), ("b", 4))]


async def test_a_match_that_is_gone_is_disarmed(a: Peer) -> None:
    match = dealt(NOW)
    await a.matches.create(match)
    async with raw(a.url) as store:
        await store.delete(keys.match(match.id))
        await a.matches.disarm(match.id)
        assert await store.zscore(keys.due(shard_of(match.id)), match.id) is None
        await a.matches.create(match)
        await a.matches.disarm(match.id)
        assert await store.zscore(keys.due(shard_of(match.id)), match.id) is not None, "only where it is gone"
