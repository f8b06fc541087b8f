"""Many who watch do not stand in the way of the two who play: players first, one frame for all, one count a second."""

import asyncio
import socket
from collections import Counter
from typing import Any

import pytest

from caller import Caller, Callers, play_out
from nodes import run_node
from twoseat import views, wire
from twoseat_server.settings import Settings

MANY = 12


async def watching(call: Callers, code: str, count: int) -> list[Caller]:
    """So many new watchers, all at the table."""
    watchers = [await call() for _ in range(count)]
    for watcher in watchers:
        await watcher.say("watch", code=code)
        assert (await watcher.hear(wire.Seated)).seat is None
    return watchers


async def test_what_all_see_alike_is_made_once_for_all(call: Callers, monkeypatch: pytest.MonkeyPatch) -> None:
    made: Counter[str] = Counter()

    def counted(name: str, make: Any) -> Any:
        def once_more(*args: Any, **named: Any) -> Any:
            made[name] += 1
            return make(*args, **named)

        return once_more

    ann, bob = await call.pair(target=2)
    assert ann.seated is not None
    watchers = await watching(call, ann.seated.code, MANY)
    for name in ("state", "results"):
        monkeypatch.setattr(views, name, counted(name, getattr(views, name)))
    results, _ = await play_out(ann, bob)
    for watcher in watchers:
        assert await watcher.hear(wire.Results) == results
    assert made["results"] == 1
    assert made["state"] < 2 * MANY


async def test_players_are_shown_everything_before_watchers(settings: Settings, url: str) -> None:
    async with run_node(settings, url) as (node, call):
        ann, bob = await call.pair(target=5)
        assert ann.seated is not None
        await watching(call, ann.seated.code, 3)
        bob.vanish()
        await ann.until(lambda state: not all(chair.present for chair in state.chairs))
        again = await call(token=bob.token, match=ann.seated.match)
        await again.hear(wire.Seated)
        (match_id,) = node._sessions.matches()
        seats = [session.seat for session in node._sessions.at(match_id)]
    assert set(seats[:2]) == {0, 1}
    assert seats[2:] == [None] * 3


async def test_who_reads_slowly_is_spared_what_is_old_by_then(call: Callers) -> None:
    """What waits in this machine for a slow line is the server's to replace: the kernel keeps little of it. A usual
    game is 180 states; the few that end early show nothing here.
    """
    ann, bob = await call.pair(target=50)
    assert ann.seated is not None
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    line.connect(("127.0.0.1", call.port))
    slow = await call.connect(sock=line)
    await slow.say("hello", protocol=wire.PROTOCOL_VERSION)
    await slow.say("watch", code=ann.seated.code)
    await slow.hear(wire.Seated)
    slow.freeze()
    results, _ = await play_out(ann, bob)
    slow.thaw()
    last = await slow.until(lambda state: state.phase == "over")
    assert await slow.hear(wire.Results) == results
    shown = [message.version for message in slow.heard if isinstance(message, wire.State)]
    assert shown == sorted(set(shown))
    assert shown[-1] == last.version
    assert len(shown) < 90, "what was written for the kernel to keep, which is some 65 states, and the last"


async def test_however_many_come_they_are_counted_once_a_second(call: Callers) -> None:
    ann, _ = await call.pair(target=5)
    assert ann.seated is not None
    await watching(call, ann.seated.code, MANY)
    await ann.hear(wire.Watchers, lambda message: message.count == MANY)
    told = [message.count for message in ann.heard if isinstance(message, wire.Watchers)]
    assert told == sorted(told)
    assert len(told) < MANY


async def test_watchers_are_led_to_the_next_game(call: Callers) -> None:
    ann, bob = await call.pair(target=1)
    assert ann.seated is not None
    first = ann.seated.match
    watchers = await watching(call, ann.seated.code, 4)
    await play_out(ann, bob)
    for player in (ann, bob):
        await player.say("rematch")
    seen = await asyncio.gather(*(w.hear(wire.Seated, lambda m: m.match != first) for w in (ann, bob, *watchers)))
    assert len({message.match for message in seen}) == 1
    assert [message.seat for message in seen[2:]] == [None] * 4
    await ann.hear(wire.Watchers, lambda message: message.count == 4)
