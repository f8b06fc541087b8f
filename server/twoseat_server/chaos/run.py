"""One chaos run: nodes and a store as processes, tables of players, faults by plan, then peace, and the judgement.

It knows no rule of a match: what came of the run is judged by check().
"""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import structlog
from pydantic import BaseModel

from twoseat import wire
from twoseat.games import GAMES
from twoseat.match import MatchId
from twoseat_client.address import Server
from twoseat_server.chaos.history import History
from twoseat_server.chaos.plan import Fault, Strike, chance_of, fraction
from twoseat_server.chaos.player import Player
from twoseat_server.chaos.processes import NodeProcess, NotStarted, shared_port
from twoseat_server.store import keys
from twoseat_server.store.embedded import PID_FILE, EmbeddedStore
from twoseat_server.store.link import Link, StoreAway
from twoseat_server.store.matches import Matches

_TURN_SECONDS = 15
_BOTS = 5
"""Every so many tables a person plays against the bot, to a few points, because a bot takes its time."""
_BOT_TARGET = 3
_ASK_EVERY = 0.02
_STORE = "store"
_STARTS = 30
"""How often a node is started until it serves."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be done. `think`: mean seconds before a move; `patience`: seconds everything may take to end in
    peace.
    """

    nodes: int
    matches: int
    seed: int
    strikes: tuple[Strike, ...]
    think: float
    patience: float


@dataclass(slots=True)
class Outage:
    """One fault of the store: when it struck, and when the store answered again, on the players' clock."""

    began: float
    ended: float


class Run:
    """A run in one folder, from start to judgement."""

    def __init__(self, order: Order, folder: Path) -> None:
        self.order = order
        self.players: list[Player] = []
        self.outages: list[Outage] = []
        self.struck: list[Strike] = []
        self._folder = folder
        self._nodes: list[NodeProcess] = []
        self._down: set[int] = set()
        self._ending = False
        self._store = ""
        self._mending: set[asyncio.Task[None]] = set()

    async def play(self) -> list[History]:
        """Do it all and return the history of each match. Raises NotStarted, EmbeddedStoreError."""
        async with contextlib.AsyncExitStack() as stack:
            self._store = await stack.enter_async_context(EmbeddedStore(self._folder / _STORE))
            port = stack.enter_context(shared_port())
            names = [f"n{number}" for number in range(self.order.nodes)]
            self._nodes = [NodeProcess(name, self._store, port, self._folder) for name in names]
            await stack.enter_async_context(self._running())
            async with asyncio.TaskGroup() as group:
                await self._seat_all(group, Server(f"http://127.0.0.1:{port}"))
                await self._strike_all()
                self._ending = True
                for player in self.players:
                    player.wake()
                await self._all_over()
                for player in self.players:
                    player.done.set()
                    player.wake()
            return await self._histories()

    @contextlib.asynccontextmanager
    async def _running(self) -> AsyncIterator[None]:
        try:
            await asyncio.gather(*(node.start() for node in self._nodes))
            yield
        finally:
            for task in self._mending:
                task.cancel()
            await asyncio.gather(*(node.end(signal.SIGKILL) for node in self._nodes), return_exceptions=True)

    async def _seat_all(self, group: asyncio.TaskGroup, server: Server) -> None:
        async with asyncio.timeout(self.order.patience):
            for table in range(self.order.matches):
                if table % _BOTS == _BOTS - 1:
                    self._join(group, server, wire.Bot(type="bot", terms=_terms(_BOT_TARGET)))
                else:
                    host = self._join(group, server, wire.Host(type="host", terms=_terms(50)))
                    self._join(group, server, wire.Join(type="join", code=await host.code))
            await asyncio.gather(*(player.sits.wait() for player in self.players))

    def _join(self, group: asyncio.TaskGroup, server: Server, start: BaseModel) -> Player:
        number = len(self.players)
        chance, drawn = chance_of(self.order.seed), 0

        def draw() -> float:
            nonlocal drawn
            drawn += 1
            return fraction(chance, f"player/{number}/{drawn}")

        async def begin() -> BaseModel:
            return start

        player = Player(
            server,
            f"P{number}",
            begin,
            number=number,
            think=lambda: 0.0 if self._ending else 2 * draw() * self.order.think,
            enough=lambda: self._ending,
            clock=time.monotonic,
            draw=draw,
        )
        self.players.append(player)
        group.create_task(player.run())
        return player

    async def _strike_all(self) -> None:
        began = time.monotonic()
        for strike in self.order.strikes:
            await asyncio.sleep(began + strike.at - time.monotonic())
            await self._strike(strike)
            self.struck.append(strike)
        if self._mending:
            await asyncio.wait(tuple(self._mending))

    async def _strike(self, strike: Strike) -> None:
        log.info("strike", fault=strike.fault, node=strike.node)
        match strike.fault:
            case Fault.STORE_KILL:
                await self._outage(None)
            case Fault.STORE_STOP:
                await self._outage(strike.lasts)
            case Fault.NODE_KILL | Fault.NODE_STOP | Fault.NODE_RESTART:
                node = await self._one_that_runs(strike.node)
                self._down.add(node)
                task = asyncio.create_task(self._down_and_up(node, strike))
                self._mending.add(task)
                task.add_done_callback(self._mended)

    def _mended(self, task: asyncio.Task[None]) -> None:
        self._mending.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("node not mended", exc_info=error)

    async def _one_that_runs(self, wanted: int) -> int:
        """Return this node or the next that runs; not the last one, for which one that is down is waited for."""
        while self._mending and len(self._down) >= max(1, self.order.nodes - 1):
            await asyncio.wait(tuple(self._mending), return_when=asyncio.FIRST_COMPLETED)
        count = self.order.nodes
        return next((n for n in ((wanted + more) % count for more in range(count)) if n not in self._down), wanted)

    async def _down_and_up(self, number: int, strike: Strike) -> None:
        node = self._nodes[number]
        match strike.fault:
            case Fault.NODE_STOP:
                node.send(signal.SIGSTOP)
                await asyncio.sleep(strike.lasts)
                node.send(signal.SIGCONT)
            case Fault.NODE_RESTART:
                await node.end(signal.SIGTERM)
                await _started(node)
            case _:
                await node.end(signal.SIGKILL)
                await _started(node)
        self._down.discard(number)

    async def _outage(self, lasts: float | None) -> None:
        """Kill the store (who looks after it starts it again), or let it stand still; return when it answers."""
        pid = int((self._folder / _STORE / PID_FILE).read_text())
        began = time.monotonic()
        if lasts is None:
            os.kill(pid, signal.SIGKILL)
        else:
            os.kill(pid, signal.SIGSTOP)
            try:
                await asyncio.sleep(lasts)
            finally:
                os.kill(pid, signal.SIGCONT)
        async with self._link() as link:
            while not await _answers(link):  # noqa: ASYNC110 another process is waited for
                await asyncio.sleep(_ASK_EVERY)
        self.outages.append(Outage(began, time.monotonic()))

    @contextlib.asynccontextmanager
    async def _link(self) -> AsyncIterator[Link]:
        link = Link(self._store)
        try:
            yield link
        finally:
            await link.close()

    async def _all_over(self) -> None:
        """Wait until every player has seen the end, and every match is at its end; not for ever."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self.order.patience), self._link() as link:
                await asyncio.gather(*(player.done.wait() for player in self.players))
                while not all([await _ended(link, match) for match in await _matches(link)]):  # noqa: ASYNC110 so is here
                    await asyncio.sleep(1.0)

    async def _histories(self) -> list[History]:
        async with self._link() as link:
            return [await self._history(link, match_id) for match_id in await _matches(link)]

    async def _history(self, link: Link, match_id: MatchId) -> History:
        stored, log = await link.run_all([("HGET", keys.match(match_id), "d"), ("LRANGE", keys.log(match_id), 0, -1)])
        witnesses = tuple(player.witness for player in self.players if match_id in player.matches)
        outages = tuple((outage.began, outage.ended) for outage in self.outages)
        return History(match_id, tuple(log), stored, witnesses, outages=outages)


async def _started(node: NodeProcess) -> None:
    """Start a node, as whoever looks after it would: again, where the store was just away. Raises NotStarted."""
    for _ in range(_STARTS):
        with contextlib.suppress(NotStarted):
            await node.start()
            return
        await asyncio.sleep(1.0)
    raise NotStarted(f"{node.name} does not start: see {node.log}")


async def _answers(link: Link) -> bool:
    try:
        await link.run("PING")
    except StoreAway:
        return False
    return True


async def _ended(link: Link, match_id: MatchId) -> bool:
    match = await Matches(link, GAMES, "", 0).load(match_id)
    return match is not None and match.outcome is not None


async def _matches(link: Link) -> list[MatchId]:
    return [MatchId(key.decode().rpartition(":")[2]) for key in await link.run("KEYS", "*:log:*")]


def _terms(target: int) -> wire.Terms:
    return wire.Terms(target=target, turn_seconds=_TURN_SECONDS)
