"""Does to nodes, to their store and to the lines between them what a plan says, and mends it; it knows no match."""

import asyncio
import contextlib
import signal
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

import structlog

from twoseat_server.chaos.plan import Fault, Strike
from twoseat_server.chaos.processes import NodeProcess, NotStarted
from twoseat_server.chaos.stores import Slots, Store
from twoseat_server.chaos.way import Cut, Way
from twoseat_server.store.scripts import SCRIPTS

_STARTS = 30
"""How often a node is started until it serves."""
_SLOWEST = 1.5
"""Seconds what travels on a slow way is held up at most, and so the answers of the store: a second is too late."""

log = structlog.get_logger()


@dataclass(slots=True)
class Outage:
    """One fault of the store: when it struck, when the store answered again, on the players' clock, and for which slots
    it did not meanwhile.
    """

    began: float
    ended: float
    slots: Slots


@dataclass(frozen=True, slots=True)
class Member:
    """A node, and its way to the store where that can be broken."""

    node: NodeProcess
    way: Way | None


class Faults:
    """All faults of a run."""

    def __init__(self) -> None:
        self.outages: list[Outage] = []
        self.struck: list[Strike] = []
        self.exits: list[float] = []
        """Seconds from each SIGTERM to the node's end."""
        self.members: Sequence[Member] = ()
        self._store: Store | None = None
        self._door: Way | None = None
        self._down: set[int] = set()
        self._mending: set[asyncio.Task[None]] = set()

    @contextlib.asynccontextmanager
    async def among(self, members: Sequence[Member], door: Way, store: Store) -> AsyncIterator[None]:
        """Run these nodes on a store for as long as the block does; people come through `door`. Raises NotStarted."""
        self.members, self._door, self._store = members, door, store
        try:
            await asyncio.gather(*(member.node.start() for member in members))
            yield
        finally:
            for task in self._mending:
                task.cancel()
            await asyncio.gather(*(member.node.end(signal.SIGKILL) for member in members), return_exceptions=True)

    def outages_of(self, slot: int) -> tuple[tuple[float, float], ...]:
        """Return when a slot was not served: where one master is away, those of the others are."""
        return tuple((outage.began, outage.ended) for outage in self.outages if slot in outage.slots)

    async def strike_all(self, strikes: Sequence[Strike]) -> None:
        """Strike when it is time; return when all is mended."""
        began = time.monotonic()
        for strike in strikes:
            await asyncio.sleep(began + strike.at - time.monotonic())
            await self._strike(strike)
            self.struck.append(strike)
        if self._mending:
            await asyncio.wait(tuple(self._mending))

    async def _strike(self, strike: Strike) -> None:
        log.info("strike", fault=strike.fault, node=strike.node)
        match strike.fault:
            case Fault.STORE_KILL | Fault.STORE_STOP | Fault.STORE_SPLIT:
                await self._outage(strike)
            case Fault.LINE:
                if self._door is not None:
                    self._door.half_open(strike.drawn)
            case Fault.ANSWER:
                if (way := self.members[strike.node].way) is not None:
                    way.swallow(SCRIPTS["commit"].sha.encode())
            case Fault.NODE_KILL | Fault.NODE_STOP | Fault.NODE_RESTART | Fault.CUT:
                number = await self._one_that_runs(strike.node)
                self._down.add(number)
                task = asyncio.create_task(self._down_and_up(number, strike))
                self._mending.add(task)
                task.add_done_callback(self._mended)

    def _mended(self, task: asyncio.Task[None]) -> None:
        self._mending.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("node not mended", exc_info=error)

    async def _one_that_runs(self, wanted: int) -> int:
        """Return this node or the next that runs; not the last one, for which one that is down is waited for."""
        count = len(self.members)
        while self._mending and len(self._down) >= max(1, count - 1):
            await asyncio.wait(tuple(self._mending), return_when=asyncio.FIRST_COMPLETED)
        return next((n for n in ((wanted + more) % count for more in range(count)) if n not in self._down), wanted)

    async def _down_and_up(self, number: int, strike: Strike) -> None:
        node, way = self.members[number].node, self.members[number].way
        match strike.fault:
            case Fault.NODE_STOP:
                node.send(signal.SIGSTOP)
                await asyncio.sleep(strike.lasts)
                node.send(signal.SIGCONT)
            case Fault.NODE_RESTART:
                began = time.monotonic()
                await node.end(signal.SIGTERM)
                self.exits.append(time.monotonic() - began)
                await _started(node)
            case Fault.CUT if way is not None:
                _break(way, strike.drawn)
                await asyncio.sleep(strike.lasts)
                way.go()
            case _:
                await node.end(signal.SIGKILL)
                await _started(node)
        self._down.discard(number)

    async def _outage(self, strike: Strike) -> None:
        """Strike the store; return when it may be struck again."""
        began = time.monotonic()
        if self._store is not None:
            await self._store.struck(strike, lambda slots: self.outages.append(Outage(began, time.monotonic(), slots)))


def _break(way: Way, drawn: float) -> None:
    """Break a way in one of the kinds there are."""
    kinds = list(Cut)
    place = drawn * len(kinds)
    match kinds[min(int(place), len(kinds) - 1)]:
        case Cut.SILENT:
            way.stop()
        case Cut.BROKEN:
            way.cut()
        case Cut.SLOW:
            way.slow(_SLOWEST * (place - int(place)))
        case Cut.DEAF:
            way.deafen()


async def _started(node: NodeProcess) -> None:
    """Start a node, as whoever looks after it would: again, where the store was just away. Raises NotStarted."""
    for _ in range(_STARTS):
        with contextlib.suppress(NotStarted):
            await node.start()
            return
        await asyncio.sleep(1.0)
    raise NotStarted(f"{node.name} does not start: see {node.log}")
