"""A node whose store is away, over real sockets: told within a second, clocks stopped, nothing lost, nobody dropped."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from caller import Caller, Callers, calling, play_out
from nodes import run_node
from twoseat import wire
from twoseat.match import MatchId
from twoseat_server.app import Node
from twoseat_server.chaos.way import Way
from twoseat_server.settings import Settings


@pytest.fixture
async def way(url: str) -> AsyncIterator[Way]:
    async with Way(url).opened() as way:
        yield way


@pytest.fixture
async def served(settings: Settings, way: Way) -> AsyncIterator[tuple[Node, Callers]]:
    async with run_node(settings, way.url) as served:
        yield served


async def told(away: bool, *callers: Caller) -> None:
    for caller in callers:
        await caller.hear(wire.Degraded, lambda message: message.on is away)


@pytest.mark.parametrize("how", ["stop", "cut"])
async def test_a_move_said_meanwhile_is_made_when_the_store_is_back_and_no_time_is_lost(
    served: tuple[Node, Callers], way: Way, how: str
) -> None:
    node, call = served
    host, guest = await call.pair(turn_seconds=5, target=1)
    first, second = (host, guest) if (await host.until(lambda s: True)).legal[0] else (guest, host)
    seat = first.seat
    assert seat is not None
    getattr(way, how)()
    await told(True, host, guest)
    assert [node.ready] == [False]
    version = (await second.until(lambda state: True)).version
    move = await first.play(0)
    for n in range(5):
        await first.say("ping", n=n)
        await first.hear(wire.Pong)
    await asyncio.sleep(5.5)  # longer than the turn
    assert (await second.until(lambda state: True)).version == version
    way.go()
    await told(False, host, guest)
    state = await second.until(lambda state: state.chairs[seat].last == move)
    assert [chair.driver for chair in state.chairs] == ["human", "human"]
    assert [node.ready] == [True]
    await play_out(host, guest)


async def test_clocks_stand_still_and_run_on_where_they_stood(served: tuple[Node, Callers], way: Way) -> None:
    _, call = served
    host, guest = await call.pair(turn_seconds=5)
    way.stop()
    await told(True, host, guest)
    await asyncio.sleep(4)
    way.go()
    await told(False, host, guest)
    state = await host.hear(wire.State)
    assert max(chair.due or 0 for chair in state.chairs) > 2_500, "two seconds of the five may have been seen to pass"
    assert [chair.driver for chair in state.chairs] == ["human", "human"]


async def test_who_comes_meanwhile_is_asked_to_come_back_and_who_asks_the_lobby_is_told(
    served: tuple[Node, Callers], way: Way
) -> None:
    _, call = served
    early = await call()
    known = await call()
    way.cut()
    late = await call.connect()
    await late.say("hello", protocol=wire.PROTOCOL_VERSION, token=known.token)
    assert await late.refused() == "storage_away"
    assert await late.closed() == wire.Close.BUSY
    await early.say("quick")
    assert await early.refused() == "storage_away"
    way.go()
    async with asyncio.timeout(10):
        while True:
            await early.say("quick")
            answer = await early.hear(object, lambda m: isinstance(m, wire.Waiting | wire.Error))
            if isinstance(answer, wire.Waiting):
                break
            await asyncio.sleep(0.2)


async def test_a_pair_that_meets_as_the_store_fails_is_seated_when_it_is_back(
    served: tuple[Node, Callers], way: Way
) -> None:
    """Whatever command the outage strikes at, both sit at one table in the end."""
    _, call = served
    for word in (b"connection", b"HGET", b"SET", b"EVALSHA"):
        host, guest = await call(), await call()
        await host.say("host")
        code = (await host.hear(wire.Waiting)).code
        way.swallow(word)
        seat = guest
        for _ in range(5):
            await seat.say("join", code=code)
            answer = await seat.hear(object, lambda m: isinstance(m, wire.Seated | wire.Error))
            if isinstance(answer, wire.Seated):
                break
        for caller in (host, guest):
            await caller.until(lambda state: state.phase == "playing")
        assert host.seated is not None
        assert guest.seated is not None
        assert host.seated.match == guest.seated.match
        await asyncio.gather(host.hang_up(), guest.hang_up())


async def test_a_socket_that_closes_meanwhile_is_away_when_the_store_is_back(
    served: tuple[Node, Callers], way: Way
) -> None:
    _, call = served
    host, guest = await call.pair()
    way.cut()
    await told(True, guest)
    await host.hang_up()
    way.go()
    await guest.until(lambda state: not state.chairs[0].present)


async def test_a_node_can_stop_while_the_store_is_away(settings: Settings, way: Way) -> None:
    async with AsyncExitStack() as stopping, asyncio.timeout(20):
        async with Node(settings, way.url).running() as listener:
            call = await stopping.enter_async_context(calling(listener.sockets[0].getsockname()[1]))
            host, _ = await call.pair()
            way.stop()
            await host.play(0)
            await told(True, host)
            began = time.monotonic()
        assert time.monotonic() - began < 6
        assert await host.closed() == wire.Close.RESTART


async def test_nobody_is_shown_an_older_version_when_the_store_is_back(served: tuple[Node, Callers]) -> None:
    """A late hint may have left an older copy here meanwhile."""
    node, call = served
    host, guest = await call.pair()
    assert host.seated is not None
    match_id = MatchId(host.seated.match)
    old = node._referee.copy(match_id)
    assert old is not None
    first = host if (await host.until(lambda s: True)).legal[0] else guest
    newest = (await first.draw()).version
    node._push.storage([match_id], away=True)
    node._referee._copies[match_id] = old
    node._push.storage([match_id], away=False)
    node._reread()
    await told(False, host, guest)
    for caller in (host, guest):
        again = await caller.hear(wire.State)
        assert again.version == newest
        assert max(chair.due or 0 for chair in again.chairs) > 0, "clocks run again"
