"""Ten thousand who come back to any of three nodes, and a flood beside a game: what is seen, and how soon.

Not part of the test run; start it with `python -m pytest tests/long/returns.py -s`, which prints what was measured.
"""

import asyncio
import hashlib
import json
import os
import random
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import pytest
from msgspec import to_builtins
from websockets.exceptions import ConnectionClosed

from caller import Caller, Callers, calling
from e2e.nodes import ENVIRONMENT
from twoseat import wire
from twoseat_server.chaos.processes import NodeProcess, shared_port
from twoseat_server.store.embedded import EmbeddedStore

pytestmark = pytest.mark.timeout(1800)
RETURNS, AT_ONCE = 10_000, 8
DRAWS, FLOODS = 400, 1
SEED = 1
WITH_TESTS = ENVIRONMENT | {"PYTHONPATH": f"{Path(__file__).parents[1]}:{ENVIRONMENT['PYTHONPATH']}"}


@asynccontextmanager
async def nodes(folder: Path, count: int) -> AsyncIterator[list[Callers]]:
    """So many nodes at one store, and people at each."""
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(EmbeddedStore(folder / "store"))
        doors = []
        for number in range(count):
            port = stack.enter_context(shared_port())
            node = NodeProcess(f"n{number}", store, port, folder)
            stack.push_async_callback(node.end, signal.SIGKILL)
            await node.start()
            doors.append(await stack.enter_async_context(calling(port)))
        yield doors


def seen(caller: Caller) -> str:
    """A digest of all that who came back was shown, but for what a coming changes: versions, times, presence."""
    assert caller.seated is not None
    assert caller.state is not None
    state = to_builtins(caller.state)
    chairs = [(chair["driver"], chair["number"], chair["last"]) for chair in state["chairs"]]
    parts = (
        state["phase"],
        state["legal"],
        state["view"],
        chairs,
        to_builtins(caller.seated)["rounds"],
        caller.seated.seat,
    )
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def shares(waits: list[float]) -> str:
    """How long it took, in words."""
    waits.sort()
    p50, p99 = (waits[int(len(waits) * share)] * 1000 for share in (0.5, 0.99))
    return f"p50 {p50:.0f} ms, p99 {p99:.0f} ms, most {waits[-1] * 1000:.0f} ms (load {os.getloadavg()[0]:.1f})"


async def test_ten_thousand_who_come_back_to_any_node_see_the_same(tmp_path: Path) -> None:
    chance = random.Random(SEED)
    waits: list[float] = []
    async with nodes(tmp_path, 3) as doors:
        pairs = [await doors[0].pair(timer=10, target=50) for _ in range(AT_ONCE)]
        for pair in pairs:
            await answers(*pair, count=8)

        async def comes_back(caller: Caller) -> None:
            expected = None
            for _ in range(RETURNS // AT_ONCE):
                assert caller.seated is not None
                caller.vanish()
                began = time.monotonic()
                token, match = caller.token, caller.seated.match
                caller = await chance.choice(doors)(token, match=match)
                await caller.hear(wire.State)
                waits.append(time.monotonic() - began)
                expected = expected or seen(caller)
                assert seen(caller) == expected

        await asyncio.gather(*(comes_back(host) for host, _ in pairs))
    print(f"\n{len(waits)} came back to one of three nodes, {AT_ONCE} at once, and saw the same: {shares(waits)}")


async def test_a_flood_beside_a_game_is_hardly_felt(tmp_path: Path) -> None:
    async with nodes(tmp_path, 1) as (door,):
        host, guest = await door.pair(target=50)
        calm = await answers(host, guest, count=DRAWS)
        command = (sys.executable, __file__, str(door.port))
        flooding = [await asyncio.create_subprocess_exec(*command, env=WITH_TESTS) for _ in range(FLOODS)]
        felt = await answers(host, guest, count=DRAWS)
        for process in flooding:
            process.kill()
            await process.wait()
    print(f"\nmoves answered in calm: {shares(calm)}\nbeside a flood: {shares(felt)}")


async def answers(host: Caller, guest: Caller, *, count: int) -> list[float]:
    """How long each of so many draws took to be answered; whoever may draw does."""
    waits: list[float] = []
    while len(waits) < count:
        for caller in (host, guest):
            assert caller.seat is not None
            state = caller.state
            if state is not None and state.outcome is not None:
                await asyncio.gather(*(each.say("rematch") for each in (host, guest)))
                old = caller.seated.match if caller.seated else ""
                for each in (host, guest):
                    await each.hear(wire.Seated, lambda seated, old=old: seated.match != old)  # type: ignore[misc]
                break
            if state is not None and state.legal[caller.seat]:
                began = time.monotonic()
                await caller.draw()
                waits.append(time.monotonic() - began)
        await asyncio.sleep(0.005)
    return waits


async def flood(port: int) -> None:
    """Say more than one may, over and over, on new sockets."""
    async with calling(port) as door:
        while True:
            caller = await door()
            with suppress(ConnectionClosed):
                for n in range(100_000):
                    await caller.socket.send(json.dumps({"type": "ping", "n": n}))
                    if n % 50 == 0:
                        await asyncio.sleep(0)


if __name__ == "__main__":
    asyncio.run(flood(int(sys.argv[1])))
