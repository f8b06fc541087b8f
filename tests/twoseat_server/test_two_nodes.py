"""Two nodes at one store: people on different ones meet and play, and find their seats again when one dies."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass

import pytest

from caller import Caller, Callers, calling, meet, play_out
from nodes import run_node
from stores import everlasting, raw
from twoseat import wire
from twoseat.inputs import Rematch
from twoseat.match import MatchId
from twoseat_server import app, presence, seating
from twoseat_server.app import Node
from twoseat_server.chaos.way import Way
from twoseat_server.settings import Settings
from twoseat_server.store import keys, nodes


@dataclass(slots=True)
class Pair:
    """Two running nodes; the way from `a` to the store can be broken."""

    a: Callers
    b: Callers
    node_a: Node
    way: Way
    url: str


@pytest.fixture
async def pair(settings: Settings, url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Pair]:
    """Nodes that are soon taken for dead, and vouch often."""
    monkeypatch.setattr(nodes, "SILENT_AFTER", 2_000)
    monkeypatch.setattr(presence, "BEAT_EVERY", 0.2)
    monkeypatch.setattr(app, "VOUCH_EVERY", 0.3)
    async with (
        Way(url).opened() as way,
        run_node(settings, way.url) as (node_a, a),
        run_node(settings, url) as (_, b),
    ):
        yield Pair(a, b, node_a, way, url)


async def nothing_held_by(node: Node, url: str) -> None:
    """Return once the store holds no seat for a node."""
    ends = asyncio.get_running_loop().time() + 10
    async with raw(url) as store:
        while held := [key for key in await store.keys("*:held:*") if node.name in key]:
            assert asyncio.get_running_loop().time() < ends, held
            await asyncio.sleep(0.05)


def die(pair: Pair, *callers: Caller) -> None:
    """Let node a be gone from one moment to the next, sockets and all."""
    pair.way.cut()
    for caller in callers:
        caller.vanish()


async def test_people_on_different_nodes_meet_in_the_queue_and_finish_a_game(pair: Pair) -> None:
    first, second = await pair.a(name="Ann"), await pair.b(name="Bob")
    await first.say("quick", terms={"target": 20})
    await first.hear(wire.Waiting)
    await second.say("quick", terms={"target": 20})
    mine, yours = await play_out(first, second)
    assert mine == yours
    assert len(mine.rounds) >= 20
    for caller in (first, second):
        versions = [message.version for message in caller.heard if isinstance(message, wire.State)]
        assert versions == sorted(versions)
        assert not any(isinstance(message, wire.RejectedMessage) for message in caller.heard)


async def test_people_on_different_nodes_meet_by_code_and_go_on_to_the_next_game(pair: Pair) -> None:
    host, guest = await meet(pair.a, pair.b, target=1)
    await play_out(host, guest)
    await asyncio.gather(host.say("rematch"), guest.say("rematch"))
    found = {(await caller.hear(wire.Seated)).match for caller in (host, guest)}
    assert len(found) == 1
    await play_out(host, guest)


async def watched(pair: Pair, guests: Callers) -> tuple[Caller, Caller, Caller, wire.Seated]:
    """Two at a table of short games, the host at the first node, and who has asked to watch them at the second."""
    host, guest = await meet(pair.a, guests, target=1)
    watcher = await pair.b()
    assert host.seated is not None
    await watcher.say("watch", code=host.seated.code)
    return host, guest, watcher, host.seated


async def test_who_goes_on_to_the_next_game_is_nowhere_said_to_be_away_from_the_last(pair: Pair) -> None:
    host, guest, watcher, last = await watched(pair, pair.b)
    await play_out(host, guest)
    await asyncio.gather(host.say("rematch"), guest.say("rematch"))
    for caller in (host, guest, watcher):
        await caller.hear(wire.Seated, lambda seated: seated.match != last.match)
        over = [message for message in caller.heard if isinstance(message, wire.State) and message.phase == "over"]
        assert all(chair.present for state in over for chair in state.chairs)


async def test_a_node_that_dies_before_it_has_let_go_of_the_last_game_leaves_nothing_behind(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*of: object) -> None:
        await asyncio.Event().wait()

    host, guest = await meet(pair.a, pair.b, target=1)
    assert host.seated is not None
    last = host.seated.match
    await play_out(host, guest)
    monkeypatch.setattr(pair.node_a._matches, "release", never)
    await asyncio.gather(host.say("rematch"), guest.say("rematch"))
    for caller in (host, guest):
        await caller.hear(wire.Seated)
        await caller.until(lambda state: state.phase == "playing")
    die(pair, host)
    await guest.until(lambda state: not state.chairs[0].present)
    await nothing_held_by(pair.node_a, pair.url)
    again = await pair.b(host.token, match=last)
    assert guest.seated is not None
    following = guest.seated.match
    await again.hear(wire.Seated, lambda seated: seated.match == following)
    await guest.until(lambda state: state.chairs[0].present)


async def test_who_comes_to_the_next_game_after_those_who_watch_it_elsewhere_is_told_of_them(pair: Pair) -> None:
    host, guest, watcher, last = await watched(pair, pair.a)
    await watcher.hear(wire.Seated)
    await play_out(host, guest)
    match_id = MatchId(last.match)
    async with AsyncExitStack() as at_their_places:
        for session in tuple(pair.node_a._sessions.at(match_id)):
            assert session.seat is not None
            await at_their_places.enter_async_context(session.moving)
            await pair.node_a._referee.apply(match_id, Rematch(session.seat, session.connection))
        await watcher.hear(wire.Seated)
    for caller in (host, guest):
        await caller.hear(wire.Seated)
        await caller.hear(wire.Watchers, lambda message: message.count == 1)


async def test_a_second_socket_on_another_node_takes_the_seat_over(pair: Pair) -> None:
    host, guest = await meet(pair.a, pair.b, target=1)
    assert host.seated is not None
    newer = await pair.b(host.token, match=host.seated.match)
    assert (await host.rejected()).reason == "replaced"
    assert await host.closed() == wire.Close.REPLACED
    await play_out(newer, guest)
    await nothing_held_by(pair.node_a, pair.url)


async def test_watchers_are_counted_across_nodes_and_not_after_their_nodes_death(pair: Pair) -> None:
    _, guest = await meet(pair.a, pair.b)
    assert guest.seated is not None
    near, far = await pair.b(), await pair.a()
    for number, watcher in enumerate((near, far), 1):
        await watcher.say("watch", code=guest.seated.code)
        await guest.hear(wire.Watchers, lambda message: message.count == number)  # noqa: B023
    die(pair, far)
    await guest.hear(wire.Watchers, lambda message: message.count == 1)


async def test_a_node_that_dies_leaves_its_seats_away_with_time_and_to_be_taken_on_another(pair: Pair) -> None:
    host, guest = await meet(pair.a, pair.b, turn_seconds=5)
    assert host.seated is not None
    die(pair, host)
    gone = await guest.until(lambda state: not state.chairs[0].present)
    assert gone.chairs[0].driver == "human"
    if gone.legal[0]:
        assert (gone.chairs[0].due or 0) > 9_000, "a seat whose node died keeps at least 10 s"
    again = await pair.b(host.token, match=host.seated.match)
    await again.hear(wire.Seated)
    back = await guest.until(lambda state: state.chairs[0].present)
    assert [chair.driver for chair in back.chairs] == ["human", "human"]
    mine, yours = await play_out(again, guest)
    assert mine == yours
    assert all(driver == "human" for entry in mine.rounds for driver in entry.by)


async def test_a_node_thought_dead_sits_its_living_people_down_again(pair: Pair) -> None:
    host, guest = await meet(pair.a, pair.b)
    pair.way.stop()
    await guest.until(lambda state: not state.chairs[0].present)
    pair.way.go()
    await guest.until(lambda state: state.chairs[0].present)
    mine, yours = await play_out(host, guest)
    assert mine == yours
    assert not any(isinstance(message, wire.RejectedMessage) for message in host.heard)


async def test_a_node_that_stood_still_takes_no_seat_for_a_socket_that_is_dead(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seating, "ALIVE_WITHIN", 0.2)
    host, guest = await meet(pair.a, pair.b)
    assert host.seated is not None
    pair.way.stop()
    away = await guest.until(lambda state: not state.chairs[0].present)
    host.freeze()
    pair.way.go()
    while pair.node_a._sessions.all:  # noqa: ASYNC110 what another part of this process does is waited for
        await asyncio.sleep(0.01)
    later = [m for m in guest.heard if isinstance(m, wire.State) and m.version > away.version]
    assert not any(state.chairs[0].present for state in later)
    again = await pair.b(host.token, match=host.seated.match)
    await play_out(again, guest)
    assert not any(isinstance(message, wire.RejectedMessage) for message in again.heard)


async def test_a_move_of_one_who_was_thought_gone_is_made(pair: Pair) -> None:
    """The move comes before its node has seen that the match takes its player for gone."""
    host, guest = await meet(pair.a, pair.b)
    first = host
    if not (await host.until(lambda state: True)).legal[0]:
        await guest.draw()
        await host.my_turn()
    pair.way.stop()
    await guest.until(lambda state: not state.chairs[0].present)
    number = (await host.my_turn()).chairs[0].number
    move = await first.play(number)
    pair.way.go()
    await guest.until(lambda state: state.chairs[0].last == move)


async def test_a_store_that_was_away_for_everybody_buries_nobody(pair: Pair, url: str) -> None:
    host, guest = await meet(pair.a, pair.b, target=1)
    async with raw(url) as store:
        await store.client_pause(3_000)
        await guest.hear(wire.Degraded, lambda message: not message.on)
    await play_out(host, guest)
    states = [m for m in (*host.heard, *guest.heard) if isinstance(m, wire.State) and m.phase == "playing"]
    assert all(chair.present for state in states for chair in state.chairs)


async def test_a_host_who_moved_to_another_node_is_called_there(pair: Pair) -> None:
    host = await pair.a(name="Ann")
    await host.say("host")
    code = (await host.hear(wire.Waiting)).code
    again = await pair.b(host.token)
    await again.say("join", code=code)
    await again.hear(wire.Waiting)
    assert (await host.rejected()).reason == "replaced"
    guest = await pair.a(name="Bob")
    await guest.say("join", code=code)
    assert (await again.hear(wire.Seated)).match == (await guest.hear(wire.Seated)).match


async def test_a_node_that_stops_hands_its_people_over(settings: Settings, pair: Pair) -> None:
    node = Node(settings, pair.url)
    async with AsyncExitStack() as stopping:
        async with node.running() as listener:
            c = await stopping.enter_async_context(calling(listener.sockets[0].getsockname()[1]))
            host = await c(name="Ann")
            await host.say("host", terms={"target": 1})
            guest = await pair.b(name="Bob")
            await guest.say("join", code=(await host.hear(wire.Waiting)).code)
            await host.until(lambda state: state.phase == "playing")
            await guest.until(lambda state: state.phase == "playing")
        assert await host.closed() == wire.Close.RESTART
    await guest.until(lambda state: not state.chairs[0].present)
    assert host.seated is not None
    again = await pair.b(host.token, match=host.seated.match)
    mine, yours = await play_out(again, guest)
    assert mine == yours
    async with raw(pair.url) as store:
        assert node.name not in await store.zrange(keys.NODES, 0, -1), "who left is not taken for dead"


async def test_what_a_dead_node_held_is_let_go(pair: Pair) -> None:
    host, guest = await meet(pair.a, pair.b)
    die(pair, host)
    await guest.until(lambda state: not state.chairs[0].present)
    await nothing_held_by(pair.node_a, pair.url)
    lasting = {key for key in await everlasting(pair.url) if not key.endswith((":clock", ":due"))}
    assert lasting == {keys.NODES}


async def test_who_is_replaced_while_she_takes_her_seat_again_has_lost_it(pair: Pair) -> None:
    host, _ = await meet(pair.a, pair.b)
    (session,) = [session for session in pair.node_a._sessions.all if session.seat == 0]
    assert session.match is not None
    seated = pair.node_a._seating
    reclaiming = asyncio.create_task(seated.reclaim(session, session.match, session.connection))
    await asyncio.sleep(0)
    seated.replaced(session)
    assert not await reclaiming
    assert await host.closed() == wire.Close.REPLACED
