"""What only a Redis Cluster does to a store: slots that move in the middle of everything, masters that die for good."""

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
import pytest_asyncio
from msgspec.structs import replace

from caller import Caller, Callers, meet, play_out
from clusters import Move, ask, replica_of, replicated
from nodes import run_node
from stores import RETENTION, Join, dealt, seated
from twoseat import wire
from twoseat.games import GAMES
from twoseat.ids import shard_of
from twoseat.inputs import Tick
from twoseat.match import Match, MatchId
from twoseat_server.chaos.cluster import Cluster, Server
from twoseat_server.settings import Settings
from twoseat_server.store import keys
from twoseat_server.store.checks import advice
from twoseat_server.store.link import Away, Link, StoreAway
from twoseat_server.store.matches import Matches
from twoseat_server.store.scripts import slot_of

HOSTING = Path(__file__).parents[2] / "docs" / "hosting.md"
ACCOUNT = next(line for line in HOSTING.read_text().splitlines() if line.startswith("user twoseat")).split()[1:]
_DISK = ("--appendonly", "yes", "--appendfsync", "no")
"""What is acknowledged is written: a killed server starts again with all of it."""
NODE_TIMEOUT = 3_000
"""Milliseconds after which a silent master is taken for dead."""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def cluster(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Cluster]:
    """Three masters with a replica each, which serve on when one is away, and the account of docs/hosting.md."""
    settings = ("--cluster-node-timeout", str(NODE_TIMEOUT), "--cluster-require-full-coverage", "no")
    async with Cluster(
        tmp_path_factory.mktemp("cluster"), *settings, *_DISK, "--user", *ACCOUNT, replicas=1
    ) as cluster:
        yield cluster


@pytest.fixture
async def url(cluster: Cluster) -> str:
    """Its addresses, for nodes. Nothing is taken away between tests: their matches are their own."""
    return ",".join(_as_node(server) for server in cluster.servers)


def _as_node(server: Server) -> str:
    """The address of a server, with the account that a node needs."""
    return f"redis://{ACCOUNT[0]}:CHANGE-ME@127.0.0.1:{server.port}"


async def _pair_beside(cluster: Cluster, server: Server, a: Callers, b: Callers) -> tuple[Server, Caller, Caller]:
    """Two people at a match that another master has than this one, and that master."""
    while True:
        host, guest = await meet(a, b, target=10)
        assert host.seated is not None
        master = await cluster.master_of(slot_of(keys.match(MatchId(host.seated.match))))
        if master is not server:
            return master, host, guest


def _waits(caller: Caller) -> bool:
    """Whether it is not this seat's turn."""
    assert caller.state is not None
    assert caller.seat is not None
    return not caller.state.legal[caller.seat]


@asynccontextmanager
async def _link(url: str, replicas: int) -> AsyncIterator[Link]:
    link = Link(url, replicas)
    try:
        yield link
    finally:
        await link.close()


async def _until(link: Link, key: str, why: Away | None) -> None:
    """Return once the master of a key cannot serve for this reason, or can."""
    found: Away | None = Away.DENIED
    while found is not why:
        await asyncio.sleep(0.05)
        try:
            await link.run("EXISTS", key)
            found = None
        except StoreAway as error:
            found = error.why


async def _stored(matches: Matches, match: Match, writing: Awaitable[bool]) -> bool:
    """Whether a version was stored, looked up for as long as that is unknown: a slow machine may be slow to copy."""
    try:
        return await writing
    except StoreAway:
        while True:
            with suppress(StoreAway):
                return await matches.is_stored(match)


def after(match: Match) -> Match:
    """A next version, whatever it is."""
    return replace(match, version=match.version + 1)


async def test_a_node_knows_a_cluster_from_any_one_of_its_servers(cluster: Cluster) -> None:
    for server in (cluster.servers[0], cluster.servers[-1]):
        link = Link(server.url)
        await link.load()
        assert link.clustered
        assert len(link.homes(tuple(map(keys.clock, keys.shards())))) == 3
        await link.close()
    first, *_ = cluster.servers
    link = Link(f"redis://127.0.0.1:1,{first.url}")
    await link.load()
    assert link.clustered, "a server that is away is passed over"
    await link.close()
    assert await advice(cluster.urls, 1) == []
    (line,) = await advice(cluster.urls, 2)
    assert "--wait-replicas is 2 and a master has 1" in line


async def test_a_call_for_a_slot_that_has_moved_is_made_once_where_it_is_now(cluster: Cluster, join: Join) -> None:
    a, b = join("a"), join("b")
    match = await seated(a, dealt())
    assert await b.matches.load(match.id) == match
    move = Move(cluster, slot_of(keys.match(match.id)))
    await move.begin()
    await move.end()
    assert await a.matches.commit(after(match), Tick(), 0)
    assert not await b.matches.commit(after(match), Tick(), 0)
    assert await b.matches.load(match.id) == after(match)
    assert len(await a.matches.log(match.id)) == match.version + 1
    home = a.link.homes((keys.match(match.id),))
    assert home == {_as_node(move.target): (keys.match(match.id),)}


async def test_what_has_gone_ahead_of_its_slot_is_asked_for_there(cluster: Cluster, join: Join) -> None:
    a = join("a")
    match = await seated(a, dealt())
    other = dealt()
    while shard_of(other.id) != shard_of(match.id):
        other = dealt()
    move = Move(cluster, slot_of(keys.match(match.id)))
    await move.begin()
    await move.carry(keys.match(match.id))
    assert await a.matches.load(match.id) == match
    assert await a.matches.next_connection(match.id) == 3, "a script, which the new master has never seen"
    async with move.source.asked() as store:
        assert await store.exists(keys.log(match.id)), "the rest of the slot is where it was"
    await move.end()
    assert await a.matches.load(match.id) == match
    assert await a.matches.create(other)


async def test_a_change_of_a_match_that_is_half_moved_is_put_off_and_made_once(cluster: Cluster, join: Join) -> None:
    a = join("a")
    match = await seated(a, dealt())
    move = Move(cluster, slot_of(keys.match(match.id)))
    await move.begin()
    await move.carry(keys.match(match.id))
    with pytest.raises(StoreAway) as caught:
        await a.matches.commit(after(match), Tick(), 0)
    assert caught.value.why is Away.MOVING
    assert await a.matches.load(match.id) == match

    async def made() -> bool:
        while True:
            try:
                return await a.matches.commit(after(match), Tick(), 0)
            except StoreAway as error:  # on a slow machine the slot is half moved for longer than a call waits
                if error.why is not Away.MOVING:
                    raise

    making = asyncio.create_task(made())
    await asyncio.sleep(0)
    assert not making.done()
    await move.end()
    assert await making
    assert len(await a.matches.log(match.id)) == match.version + 1


async def test_people_on_two_nodes_play_on_while_their_slot_moves(
    cluster: Cluster, settings: Settings, url: str
) -> None:
    async with run_node(settings, url) as (_, a), run_node(settings, url) as (_, b):
        host, guest = await meet(a, b, target=30)
        assert host.seated is not None
        playing = asyncio.create_task(play_out(host, guest))
        for _ in range(2):
            begun = len(host.heard)
            move = Move(cluster, slot_of(keys.match(host.seated.match)))  # type: ignore[arg-type]
            await move.begin()
            await move.end()
            async with asyncio.timeout(15):
                while len(host.heard) < begun + 4 and not playing.done():  # noqa: ASYNC110 the two play by themselves
                    await asyncio.sleep(0.01)
        mine, yours = await playing
    assert mine == yours
    assert len(mine.rounds) >= 30
    for caller in (host, guest):
        versions = [message.version for message in caller.heard if isinstance(message, wire.State)]
        assert versions == sorted(versions)
        assert not any(isinstance(message, wire.RejectedMessage) for message in caller.heard)
    assert all(driver == "human" for entry in mine.rounds for driver in entry.by)


async def test_what_is_to_be_at_a_replica_is_answered_once_it_is_there_and_unknown_where_it_is_not(
    cluster: Cluster, url: str
) -> None:
    async with _link(url, replicas=1) as link, _link(url, replicas=2) as greedy:
        match = dealt()
        matches, others = (Matches(each, GAMES, "a", RETENTION) for each in (link, greedy))
        assert await _stored(matches, match, matches.create(match))
        replica = await replica_of(cluster, await cluster.master_of(slot_of(keys.match(match.id))))
        async with replica.asked() as store:
            await store.execute_command("READONLY")
            for _ in range(100):
                match = after(match)
                assert await _stored(matches, match, matches.commit(match, Tick(), 0))
                assert int(await store.hget(keys.match(match.id), "v")) == match.version
        assert not await matches.commit(replace(match, version=7), Tick(), 0), "a refusal is one here too"
        with pytest.raises(StoreAway) as caught:
            await others.commit(after(match), Tick(), 0)
        assert caught.value.why is Away.NO_REPLICAS
        assert await matches.load(match.id) == after(match), "whether it is there has to be looked up"


async def test_a_master_that_is_away_holds_up_its_own_matches_and_a_replica_brings_them_on(
    cluster: Cluster, settings: Settings, url: str
) -> None:
    async with run_node(settings, url) as (_, a), run_node(settings, url) as (node, b):
        lobby = await cluster.master_of(slot_of(keys.NODES))
        victim, *struck = await _pair_beside(cluster, lobby, a, b)
        _, *spared = await _pair_beside(cluster, victim, a, b)
        assert struck[0].seated is not None
        shard = shard_of(MatchId(struck[0].seated.match))
        last = [await caller.draw() for caller in sorted(struck, key=_waits)]

        replica = await replica_of(cluster, victim)
        for server in (replica, victim):
            server.send(signal.SIGKILL)
        for caller in struck:
            await caller.hear(wire.Degraded, lambda message: message.on)
        mine, yours = await play_out(*spared)
        assert mine == yours
        assert shard in node._clock.away, "there is nobody to take over"
        assert node.ready, "most play"
        async with run_node(settings, url) as (_, c):
            for _ in range(5):
                host, _ = await meet(c, b)  # who starts now serves what there is, and new games are made where it is
                assert host.seated is not None
                assert shard_of(MatchId(host.seated.match)) not in node._clock.away

        await ask(lobby, "CONFIG", "SET", "cluster-require-full-coverage", "yes")
        async with _link(url, replicas=0) as link:
            await _until(link, keys.NODES, Away.CLUSTER_DOWN)
            while not node._presence.away:  # noqa: ASYNC110 the node looks by itself
                await asyncio.sleep(0.05)
            assert node.away > 0
            assert node.ready, "others play on, and may come back here"
            await ask(lobby, "CONFIG", "SET", "cluster-require-full-coverage", "no")
            await _until(link, keys.NODES, None)

        for server in (victim, replica):
            cluster.start(server)
        for caller in struck:
            await caller.hear(wire.Degraded, lambda message: not message.on)
        last += [await caller.draw() for caller in sorted(struck, key=_waits)]
        await cluster.ready(replica)
        await replicated(victim)
        victim.send(signal.SIGKILL)
        mine, yours = await play_out(*struck)
        assert mine == yours
        assert all(driver == "human" for entry in mine.rounds for driver in entry.by)
        shown = [message for message in struck[0].heard if isinstance(message, wire.State)]
        assert [state.version for state in shown] == sorted(state.version for state in shown)
        assert {state.version for state in last} <= {state.version for state in shown}
        assert await cluster.master_of(slot_of(keys.clock(shard))) is replica
    cluster.start(victim)
    await cluster.ready(victim)
    assert (await ask(victim, "ROLE"))[0] == "slave"
