"""Crowds at one server: ten thousand malformed messages, fifty who read nothing, a thousand who come back at once.

Not part of the test run; start it with `python -m pytest tests/long/crowds.py -s`, which prints what was measured.
"""

import asyncio
import json
import os
import random
import time
from pathlib import Path
from typing import Any

import pytest
from bench.processes import cpu_seconds, resident_kb

from caller import Caller, Callers, calling, play_out
from e2e.nodes import ServerProcess, serving
from twoseat import wire

pytestmark = pytest.mark.timeout(1800)
MALFORMED, A_SOCKET = 10_000, 35
STALLED, CROWD = 50, 1_000
SEED = 1


def nonsense(chance: random.Random) -> str | bytes:
    """Something that is no message, or one with something wrong in it."""
    good = {"type": "play", "id": "a", "number": 0, "move": "draw"}
    match chance.randrange(6):
        case 0:
            return chance.randbytes(chance.randrange(200))
        case 1:
            return "".join(chr(chance.randrange(1, 0xD800)) for _ in range(chance.randrange(100)))
        case 2:
            return "[" * chance.randrange(1, 4_000)
        case 3:
            return json.dumps({**good, chance.choice(["seat", "connection", "by", "\u202e"]): chance.random()})
        case 4:
            return json.dumps(
                {**good, chance.choice(list(good)): chance.choice([None, [], {}, 10**30, "\0", "é" * 999])}
            )
        case _:
            return json.dumps({**good, "pad": "x" * chance.randrange(5_000)})


async def answered(call: Callers, chance: random.Random) -> int:
    """Say as much nonsense as a socket may at once; every message has its typed answer."""
    caller = await call()
    sent = 0
    for _ in range(A_SOCKET):
        await caller.socket.send(nonsense(chance))
        sent += 1
    for _ in range(sent):
        await caller.hear(wire.Error)
    await caller.hang_up()
    return sent


def pid_of(server: ServerProcess) -> int:
    """The server's process."""
    assert server._process is not None
    return server._process.pid


async def test_ten_thousand_malformed_inputs_get_typed_answers_and_break_nothing(tmp_path: Path) -> None:
    chance, sent = random.Random(SEED), 0
    async with serving(tmp_path, "--max-matches", "100000") as server:
        async with calling(server.port) as call:
            while sent < MALFORMED:
                sent += await answered(call, chance)
            await play_out(*await call.pair(target=1))
        text = server.log.read_text()
    assert "Traceback" not in text
    print(f"\n{sent} malformed inputs, each with a typed answer, no traceback")


async def test_fifty_who_read_nothing_cost_little(tmp_path: Path) -> None:
    flags = ("--max-matches", "100000", "--moves-per-second", "1000")
    async with serving(tmp_path, *flags) as server, calling(server.port) as call:
        host, guest = await call.pair(target=50)
        assert host.seated is not None
        before = resident_kb(pid_of(server))
        watchers = [await watching(call, host.seated.code) for _ in range(STALLED)]
        for watcher in watchers:
            watcher.freeze()
        began, most = time.monotonic(), 0
        while time.monotonic() - began < 25:
            results = await play_out(host, guest)
            assert results[0] == results[1]
            most = max(most, resident_kb(pid_of(server)) - before)
            match = host.seated.match
            await asyncio.gather(host.say("rematch"), guest.say("rematch"))
            for caller in (host, guest):
                await caller.hear(wire.Seated, lambda seated, old=match: seated.match != old)  # type: ignore[misc]
    print(f"\n{STALLED} who read nothing: {most / 1024:.1f} MiB more while others played on")
    assert most < 32 * 1024


async def watching(call: Callers, code: str) -> Caller:
    """Somebody who watches this match."""
    watcher = await call()
    await watcher.say("watch", code=code)
    await watcher.hear(wire.Seated)
    return watcher


async def test_a_thousand_who_come_back_at_once_are_all_back_soon(tmp_path: Path) -> None:
    flags = ("--max-matches", "100000", "--log-level", "warning")
    async with serving(tmp_path, *flags) as server, calling(server.port) as call:
        pairs = [await call.pair(turn_seconds=120) for _ in range(CROWD // 2)]
        people = [caller for pair in pairs for caller in pair]
        for caller in people:
            caller.vanish()
        began, used, own = time.monotonic(), cpu_seconds(pid_of(server)), time.process_time()
        await asyncio.gather(*(back(call, caller) for caller in people))
        took = time.monotonic() - began
        used, own = cpu_seconds(pid_of(server)) - used, time.process_time() - own
    load = os.getloadavg()[0]
    print(f"\n{CROWD} back in their seats {took:.2f} s after all lines broke (load {load:.1f})")
    print(f"of the processor: {used:.2f} s for the server, {own:.2f} s for those who came back")


async def back(call: Callers, caller: Caller) -> None:
    """Come back to one's seat on a new socket."""
    assert caller.seated is not None
    again: Any = await call(caller.token, match=caller.seated.match)
    await again.hear(wire.Seated, lambda seated: seated.seat == caller.seat)
