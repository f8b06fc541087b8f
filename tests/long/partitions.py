"""One node cut off from its store twenty-three times while people play: how soon it serves again, and whether its loop
ever stands still.

Not part of the test run; start it with `python -m pytest tests/long/partitions.py -s`, which prints what was measured.
"""

import asyncio
import os
import random
import re
import signal
import time
import urllib.error
import urllib.request
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import pytest

from caller import Caller, calling
from twoseat_server.chaos.processes import NodeProcess, shared_port
from twoseat_server.chaos.way import Way
from twoseat_server.store.embedded import EmbeddedStore

pytestmark = pytest.mark.timeout(1800)
CUTS, TABLES = 23, 10
SEED = 1


async def asked(port: int, path: str) -> tuple[int, str]:
    """What the node answers to a request."""

    def ask() -> tuple[int, str]:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, ""

    return await asyncio.to_thread(ask)


async def ready(port: int, status: int) -> float:
    """Wait until /readyz answers this; return how long it took, seconds."""
    began = time.monotonic()
    while (await asked(port, "/readyz"))[0] != status:  # noqa: ASYNC110 another process is waited for
        await asyncio.sleep(0.02)
    return time.monotonic() - began


async def latest(port: int) -> float:
    """The upper bound of how late the node's loop ever was, seconds."""
    text = (await asked(port, "/metrics"))[1]
    buckets = re.findall(r'^twoseat_loop_late_seconds_bucket\{le="([^"]+)"\} (\S+)$', text, re.MULTILINE)
    total = max(float(count) for _, count in buckets)
    return min(float(bound) for bound, count in buckets if float(count) == total)


async def play_on(host: Caller, guest: Caller) -> None:
    """Draw for ever."""
    while True:
        for caller in (host, guest):
            if caller.state is not None and caller.seat is not None and caller.state.legal[caller.seat]:
                with suppress(TimeoutError):
                    await caller.draw()
        await asyncio.sleep(0.1)


async def test_twenty_three_partitions(tmp_path: Path) -> None:
    chance = random.Random(SEED)
    back: list[float] = []
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(EmbeddedStore(tmp_path / "store"))
        way = await stack.enter_async_context(Way(store).opened())
        port = stack.enter_context(shared_port())
        node = NodeProcess("n", way.url, port, tmp_path)
        stack.push_async_callback(node.end, signal.SIGKILL)
        await node.start()
        call = await stack.enter_async_context(calling(port))
        pairs = [await call.pair(target=50, turn_seconds=120) for _ in range(TABLES)]
        playing = [asyncio.create_task(play_on(*pair)) for pair in pairs]
        calm = await latest(port)
        for number in range(CUTS):
            (way.stop, way.cut, way.deafen)[number % 3]()
            await ready(port, 503)
            await asyncio.sleep(chance.uniform(0, 5))
            way.go()
            back.append(await ready(port, 200))
        stalled = await latest(port)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    print(
        f"\n{CUTS} partitions: served again {max(back):.2f} s (most) after each; "
        f"loop late at most {stalled} s, before them {calm} s (load {os.getloadavg()[0]:.1f})"
    )
    assert max(back) <= 3
