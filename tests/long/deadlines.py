"""Twenty thousand deadlines on two nodes, and a hundred players whose lines are half-open: how late time is acted on.

Not part of the test run; start it with `python -m pytest tests/long/deadlines.py -s`, which prints what was measured.
"""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from caller import Caller, Callers, calling
from twoseat import wire
from twoseat.chair import Millis
from twoseat.games.game import Driver
from twoseat.inputs import Play, Tick
from twoseat.match import MatchId
from twoseat_server.chaos.history import History, Rule
from twoseat_server.chaos.processes import NodeProcess, shared_port
from twoseat_server.chaos.tale import Tale, told
from twoseat_server.store import keys
from twoseat_server.store.embedded import EmbeddedStore
from twoseat_server.store.link import Link

pytestmark = pytest.mark.timeout(1800)
DEADLINES, TABLES = 20_000, 150
"""A game in which nobody moves has about 180 of them."""
HALF_OPEN = 100
AWAY_WITHIN = 15.0


@asynccontextmanager
async def two_nodes(folder: Path) -> AsyncIterator[tuple[Callers, Link]]:
    """People at two nodes on one port, and a line to their store."""
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(EmbeddedStore(folder / "store"))
        port = stack.enter_context(shared_port())
        for name in ("a", "b"):
            node = NodeProcess(name, store, port, folder)
            stack.push_async_callback(node.end, signal.SIGKILL)
            await node.start()
        link = Link(store)
        stack.push_async_callback(link.close)
        yield await stack.enter_async_context(calling(port)), link


async def tales(link: Link, matches: Sequence[str]) -> list[Tale]:
    """What the logs of these matches tell."""
    found = []
    for match in map(MatchId, matches):
        log = await link.run("LRANGE", keys.log(match), 0, -1)
        tale = told(History(match, tuple(log), await link.run("HGET", keys.match(match), "d"), ()), _broken)
        assert tale is not None
        found.append(tale)
    return found


def _broken(rule: Rule, text: str) -> None:
    assert rule is Rule.STATE, text  # a match that is still played may be stored since its log was read


def lateness(tale: Tale) -> list[Millis]:
    """How late each deadline was acted on: a seat's that ran out, and a bot's whose move was due."""
    waits = []
    for entry in tale.entries:
        match entry.event:
            case Tick() if entry.before.deadline is not None:
                waits.append(entry.now - entry.before.deadline)
            case Play(by=Driver.BOT, seat=seat) if (due := entry.before.chairs[seat].due) is not None:
                waits.append(entry.now - due)
            case _:
                pass
    return waits


def tell(what: str, waits: list[Millis]) -> None:
    """Print a distribution."""
    waits.sort()
    p50, p99 = (waits[int(len(waits) * share)] for share in (0.5, 0.99))
    early = sum(wait < 0 for wait in waits)
    load = os.getloadavg()[0]
    print(
        f"\n{len(waits)} {what}: {early} early, late p50 {p50} ms, p99 {p99} ms, most {waits[-1]} ms (load {load:.1f})"
    )


async def test_twenty_thousand_deadlines(tmp_path: Path) -> None:
    async with two_nodes(tmp_path) as (call, link):
        pairs = [await call.pair(turn_seconds=5) for _ in range(TABLES)]
        matches = [host.seated.match for host, _ in pairs if host.seated]
        waits: list[Millis] = []
        while len(waits) < DEADLINES:
            await asyncio.sleep(15)
            waits = [wait for tale in await tales(link, matches) for wait in lateness(tale)]
    tell("deadlines", waits)
    assert min(waits) >= 0


async def test_a_hundred_half_open_lines(tmp_path: Path) -> None:
    async with two_nodes(tmp_path) as (call, link):
        pairs = [await call.pair(turn_seconds=30) for _ in range(HALF_OPEN)]
        owing = [host if (await host.until(lambda s: True)).legal[0] else guest for host, guest in pairs]
        began = time.monotonic()
        for caller in owing:
            caller.freeze()
        seen = await asyncio.gather(*(away(pair, caller) for pair, caller in zip(pairs, owing, strict=True)))
        matches = [host.seated.match for host, _ in pairs if host.seated]
        await asyncio.gather(*(by_bot(pair, caller) for pair, caller in zip(pairs, owing, strict=True)))
        again = await asyncio.gather(*(back(call, caller) for caller in owing))
        waits = [wait for tale in await tales(link, matches) for wait in lateness(tale)]
    gone = max(seen) - began
    print(f"\n{HALF_OPEN} half-open lines: all away after {gone:.1f} s at most, {len(again)} seats taken back")
    tell("deadlines of theirs", waits)
    assert gone <= AWAY_WITHIN
    assert min(waits) >= 0


async def away(pair: tuple[Caller, Caller], gone: Caller) -> float:
    """When the other one saw that she is away."""
    other = across(pair, gone)
    while other.state is None or other.state.chairs[gone.seat or 0].present:  # noqa: ASYNC110 a Caller would not wait so long
        await asyncio.sleep(0.01)
    return time.monotonic()


async def by_bot(pair: tuple[Caller, Caller], gone: Caller) -> None:
    """Return once the bot has her seat."""
    other = across(pair, gone)
    while other.state is None or other.state.chairs[gone.seat or 0].driver != "bot":  # noqa: ASYNC110 so it is here
        await asyncio.sleep(0.01)


def across(pair: tuple[Caller, Caller], gone: Caller) -> Caller:
    """Who sits across."""
    return next(caller for caller in pair if caller is not gone)


async def back(call: Callers, gone: Caller) -> Caller:
    """Her again, with her seat."""
    assert gone.seated is not None
    caller = await call(gone.token, match=gone.seated.match)
    await caller.hear(wire.Seated, lambda seated: seated.seat == gone.seat)
    await caller.until(lambda state: state.chairs[gone.seat or 0].driver == "human")
    return caller
