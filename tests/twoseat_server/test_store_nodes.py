"""The contract of the game clock, deadlines and beats, on each kind of store: an outage or a jump costs nobody time."""

import asyncio

import pytest
from msgspec.structs import replace

from stores import Join, Peer, dealt, due_at, everlasting, raw, seated
from twoseat.ids import shard_of
from twoseat.inputs import Tick
from twoseat.match import Match
from twoseat_server.store import keys
from twoseat_server.store.audience import Audience
from twoseat_server.store.nodes import IDLE_STAMP, LEASE, ORPHAN_GRACE, SILENT_AFTER, STOP_FROM, Sweep


@pytest.fixture
async def a(join_any: Join) -> Peer:
    return join_any("a")


@pytest.fixture
async def b(join_any: Join) -> Peer:
    return join_any("b")


async def shift(at: Peer, ms: int) -> None:
    """Let the stamps of all shards lie `ms` further back: what a gap, or a jump of the store's clock, looks like."""
    async with raw(at.url) as store:
        for shard in keys.shards():
            await store.hincrby(keys.clock(shard), "stamp", -ms)


async def sweep(at: Peer) -> Sweep:
    """What a sweep of all parts read."""
    await at.link.known()
    parts = await asyncio.gather(*map(at.nodes.sweep, at.nodes.parts()))
    assert all(part.away is None for part in parts)
    times, stops = ({s: v for part in parts for s, v in getattr(part, name).items()} for name in ("times", "stops"))
    return Sweep(times, stops, tuple(name for part in parts for name in part.due))


async def armed(at: Peer, late: int) -> Match:
    """A match whose deadline was `late` ms ago in game time."""
    swept = await sweep(at)
    match = await seated(at, dealt())
    game = swept.times[shard_of(match.id)] - swept.stops[shard_of(match.id)]
    match = replace(due_at(match, game - late), version=match.version + 1)
    await at.matches.commit(match, Tick(), 0)
    return match


def stop_after(gap: int) -> int:
    """The stop that a gap of so many ms between two sweeps is."""
    return gap if gap > STOP_FROM else 0


async def test_a_steady_clock_has_no_stops(a: Peer, b: Peer) -> None:
    first, second = await sweep(a), await sweep(b)
    assert first.stops == dict.fromkeys(range(64), 0)
    assert second.stops == {s: stop_after(time - first.times[s]) for s, time in second.times.items()}


async def test_a_gap_of_a_second_is_no_stop_and_a_longer_one_is_recorded_once(a: Peer, b: Peer) -> None:
    before = await sweep(a)
    await shift(a, STOP_FROM - 500)
    after = await sweep(a)
    assert after.stops == {s: stop_after(STOP_FROM - 500 + time - before.times[s]) for s, time in after.times.items()}
    await shift(a, 60_000)
    answers = await asyncio.gather(*(sweep(at) for at in (a, b, a, b)))
    for shard, was in after.stops.items():
        stops = {answer.stops[shard] - was for answer in answers}
        assert len(stops) == 1, "two nodes recorded one gap twice"
        assert 60_000 <= stops.pop() <= 60_000 + max(answer.times[shard] for answer in answers) - after.times[shard]


async def test_a_jump_of_the_clock_either_way_is_taken_out_of_game_time(a: Peer) -> None:
    shard = shard_of((await armed(a, -24 * 3_600_000)).id)
    for jump in (5_000, 3_600_000, -300, -5_000, -3_600_000):
        before = await sweep(a)
        await shift(a, jump)
        after = await sweep(a)
        assert jump <= after.stops[shard] - before.stops[shard] <= jump + after.times[shard] - before.times[shard]


async def test_where_nothing_is_due_a_jump_is_taken_out_by_and_large(a: Peer) -> None:
    for jump in (5_000, 3_600_000, -5_000, -3_600_000):
        before = await sweep(a)
        await shift(a, jump)
        after = await sweep(a)
        for shard, stopped in after.stops.items():
            took = after.times[shard] - before.times[shard]
            assert jump <= stopped - before.stops[shard] <= jump + took + IDLE_STAMP


async def test_an_idle_store_is_seldom_written_to(a: Peer) -> None:
    shard = shard_of((await armed(a, -24 * 3_600_000)).id)
    await sweep(a)

    async def stamps() -> list[int]:
        async with raw(a.url) as store:
            return [int(await store.hget(keys.clock(shard), "stamp")) for shard in keys.shards()]

    await shift(a, IDLE_STAMP // 2)
    was = await stamps()
    swept = await sweep(a)
    now = await stamps()
    assert now[shard] == swept.times[shard]
    for other in {*range(64)} - {shard}:
        time = swept.times[other]
        assert now[other] == (time if time - was[other] >= IDLE_STAMP else was[other])


async def test_time_in_which_replicas_got_no_sweep_is_a_stop_but_for_the_first_moments(a: Peer) -> None:
    await a.link.known()
    a.link.replicas = 1  # from here on: there is none to wait for
    first = await sweep(a)
    async with raw(a.url) as store:
        for shard in keys.shards():
            await store.hincrby(keys.clock(shard), "had", -10_000)

    async def unanswered() -> Sweep:
        """A sweep by a node that knows of none which they got."""
        a.nodes._had = dict.fromkeys(keys.shards(), 0)
        return await sweep(a)

    second = await unanswered()
    third = await unanswered()
    fourth = await sweep(a)
    for shard, time in first.times.items():
        stopped = 10_000 - 2 * STOP_FROM + second.times[shard] - time
        assert second.stops[shard] == stopped
        assert third.stops[shard] - stopped == third.times[shard] - second.times[shard]
        assert fourth.stops[shard] == third.stops[shard], "the third was answered: they have it"


async def test_what_is_due_is_handed_to_one_node_for_the_lease(a: Peer, b: Peer) -> None:
    match = await armed(a, ORPHAN_GRACE + 10)
    shard = shard_of(match.id)
    answers = await asyncio.gather(*(sweep(at) for at in (a, b, a, b)))
    assert [name for answer in answers for name in answer.due] == [match.id]
    taker = next(answer for answer in answers if answer.due)
    async with raw(a.url) as store:
        until = await store.zscore(keys.due(shard), match.id)
    assert until == taker.times[shard] - taker.stops[shard] + LEASE


async def test_a_match_that_nobody_brought_on_is_handed_out_again(a: Peer, b: Peer) -> None:
    match = await armed(a, ORPHAN_GRACE + 10)
    await sweep(a)
    async with raw(a.url) as store:
        await store.zincrby(keys.due(shard_of(match.id)), -LEASE - ORPHAN_GRACE, match.id)
    assert (await sweep(b)).due == (match.id,)


async def test_the_nodes_that_hold_sockets_get_a_moment_first(a: Peer) -> None:
    for late in (0, ORPHAN_GRACE):
        match = await armed(a, late)
        swept = await sweep(a)
        assert match.deadline is not None
        by_now = swept.times[shard_of(match.id)] - swept.stops[shard_of(match.id)] - match.deadline
        assert (match.id in swept.due) is (by_now >= ORPHAN_GRACE)


async def test_nothing_is_due_before_its_time_and_nothing_after_a_stop(a: Peer) -> None:
    await armed(a, -30_000)
    assert (await sweep(a)).due == ()
    await shift(a, 60_000)
    assert (await sweep(a)).due == (), "a stop must not make a deadline come"


async def test_a_node_that_beats_is_alive_and_a_silent_one_is_told_of(a: Peer, b: Peer) -> None:
    async with raw(a.url) as store:
        assert await a.nodes.beat("a") == ([], {"a"})
        assert await b.nodes.beat("b") == ([], {"a", "b"})
        await store.zincrby(keys.NODES, -SILENT_AFTER, "a")
        assert await b.nodes.beat("b") == (["a"], {"b"})
        await b.nodes.forget("a")
        assert await b.nodes.beat("b") == ([], {"b"})


async def test_an_outage_or_a_jump_of_the_clock_buries_nobody(a: Peer, b: Peer) -> None:
    async with raw(a.url) as store:
        for jump in (SILENT_AFTER, 3_600_000, -3_600_000):
            await a.nodes.beat("a")
            await b.nodes.beat("b")
            for name in ("a", "b"):
                await store.zincrby(keys.NODES, -jump, name)
            assert await a.nodes.beat("a") == ([], {"a", "b"})
        await store.zincrby(keys.NODES, -SILENT_AFTER, "b")
        assert await a.nodes.beat("a") == (["b"], {"a"}), "a dead node is still found after a jump"


async def test_watchers_are_counted_over_all_nodes_that_live(a: Peer, b: Peer) -> None:
    match = await seated(a, dealt())
    here, there = Audience(a.link, "a"), Audience(b.link, "b")
    for name in ("a", "b"):
        await a.nodes.beat(name)
    await here.join(match.id, 2)
    await there.join(match.id, 3)
    assert await here.count(match.id) == 5
    await here.join(match.id, 1)
    assert await there.count(match.id) == 4
    await a.nodes.forget("b")
    assert await here.count(match.id) == 1


async def test_only_what_belongs_to_the_store_as_a_whole_has_no_end(a: Peer, b: Peer) -> None:
    match = await armed(a, -60_000)
    await b.nodes.beat("b")
    await Audience(b.link, "b").join(match.id, 1)
    lasting = await everlasting(a.url)
    assert lasting == {keys.NODES, keys.due(shard_of(match.id)), *(keys.clock(shard) for shard in keys.shards())}
