"""Nodes, a store and people in one virtual world whose weather a seed decides: the real server on simulated lines.

Everything above the store's link and below the socket is the server itself: its node, gateway, visits, lobby, referee,
clock, presence. What is simulated is time, chance, the lines, the store's program, and the processes' lives.
"""

import asyncio
import hashlib
import json
import random
from collections.abc import Callable
from typing import Any

from redis import exceptions
from websockets.datastructures import Headers
from websockets.http11 import Request as HttpRequest

from simulation.loop import PROCESS, Loop
from simulation.model import Model
from simulation.wires import TICK, TIMEOUT, ClientEnd, NodeEnd, Request, Wire, away
from twoseat_client.address import Server
from twoseat_client.connection import OPEN_WITHIN, Unreachable
from twoseat_server.app import Node
from twoseat_server.settings import Settings
from twoseat_server.store.link import StoreAway
from twoseat_server.store.news import Channels, News

SETTINGS = Settings(host="127.0.0.1", port=0, max_matches=1_000_000, moves_per_second=1_000)
_LINE_NOTICED = 5.0
"""Seconds after which a hint line that brings nothing is given up."""


class World:
    """All processes, and the lines between them."""

    def __init__(self, seed: int, nodes: int = 2) -> None:
        self.chance = random.Random(seed)
        self.loop = Loop(random.Random(seed ^ 0x5EED))
        self.model = Model(self.store_ms)
        self.model.publish = self._publish
        self.rate = 0.0
        """How often a request to the store goes wrong."""
        self.offset = 0
        """What the store's wall clock is off, ms."""
        self.store_down = False
        self.store_stopped = False
        self.away: list[tuple[float, float]] = []
        """When the store served nobody, seconds."""
        self.cut: set[str] = set()
        """Nodes that do not reach the store."""
        self.running: dict[str, Node] = {}
        self.ends: list[ClientEnd] = []
        self.traced = hashlib.sha256()
        self.count = nodes
        self._stops: dict[str, asyncio.Event] = {}
        self._lives = 0
        self._nodes: dict[str, asyncio.Task[None]] = {}
        self._held: list[Callable[[], None]] = []
        self._lines: dict[str, tuple[Callable[[bytes], None], asyncio.Future[None]]] = {}

    def store_ms(self) -> int:
        """Return the store's wall clock."""
        return int(self.loop.time() * 1000) + self.offset

    def delay(self) -> float:
        """Return how long a message travels."""
        return self.chance.uniform(0.0002, 0.02) if self.rate else 0.001

    def trace(self, *what: object) -> None:
        """Take down that something happened, so that two runs can be compared."""
        self.traced.update(repr((self.loop.time(), *what)).encode())

    # Nodes.

    def start_node(self) -> str:
        """Start a node as a process of its own."""
        self._lives += 1
        name = f"n{self._lives}"
        self._stops[name] = asyncio.Event()
        self._nodes[name] = self.loop.create_task(self._live(name), context=self.loop.within(name))
        return name

    async def _live(self, name: str) -> None:
        while not self._stops[name].is_set():
            node = Node(SETTINGS, "")
            try:
                async with node.running():
                    self.running[name] = node
                    await self._stops[name].wait()
                    self.running.pop(name, None)
            except StoreAway:
                await asyncio.sleep(1.0)

    def stop_node(self, name: str) -> None:
        """Tell a node to stop: it drains."""
        self.trace("stop", name)
        self._stops[name].set()

    def kill_node(self, name: str) -> None:
        """Let a node be gone, sockets and all."""
        self.trace("kill", name)
        self.running.pop(name, None)
        self._lines.pop(self.channel(name), None)
        self.loop.kill(name)
        for end in tuple(self.ends):
            if end.near is not None and end.near.node == name:
                end.near.open = False
                self.loop.later("people", self.delay(), end.ended, 1006)

    def channel(self, name: str) -> str:
        """Return the channel of a node's hints."""
        return next((channel for channel in self._lines if channel.startswith(f"news:{name}-")), "")

    # The store.

    def request(self, way: Wire, request: Request) -> None:
        """Take a request there and its answer back, or not."""
        way.waiting.append(request)
        fate = self._fate(way.node)
        sent = self.loop.time()
        if fate in {"lost", "late"}:
            self._no_answer(way, request, self.chance.choice([TIMEOUT, self.delay()]))
        if fate == "crash":
            self.loop.later("world", 0, self._crash, way.node)
        if fate not in {"lost", "crash"}:
            slow = {"late": 200, "slow": 30}.get(fate, 1)
            way.arrives = max(way.arrives + TICK, sent + self.delay() * slow)
            self.loop.later("world", way.arrives - sent, self._at_store, way, request, fate, sent)

    def _at_store(self, way: Wire, request: Request, fate: str, sent: float) -> None:
        if self.store_down:
            self._no_answer(way, request, self.delay())
        elif self.store_stopped:
            self._held.append(lambda: self._at_store(way, request, fate, sent))
            self._no_answer(way, request, max(0.0, sent + TIMEOUT - self.loop.time()))
        else:
            self.trace(way.node, fate, request.packed)
            answer = self.model.run(request.packed)
            if fate == "deaf":
                self._no_answer(way, request, self.delay())
            elif fate == "crash after":
                self._crash(way.node)
            elif fate != "late":
                way.returns = max(way.returns + TICK, self.loop.time() + self.delay())
                self.loop.later(way.node, way.returns - self.loop.time(), self._answered, way, request, answer)

    def _answered(self, way: Wire, request: Request, answer: Any) -> None:
        if request in way.waiting:
            way.waiting.remove(request)
            request.answered(answer)

    def _no_answer(self, way: Wire, request: Request, after: float) -> None:
        """Let the line break: all that wait on it are told, whatever becomes of what they sent."""
        self.loop.later(way.node, after, self._line_breaks, way, request)

    def _line_breaks(self, way: Wire, request: Request) -> None:
        if request in way.waiting:
            waiting, way.waiting = way.waiting, []
            for each in waiting:
                each.answered(away("the line broke"))

    def _fate(self, node: str) -> str:
        if node in self.cut:
            return "lost"
        if not self.rate or self.chance.random() > self.rate:
            return ""
        fates = ["lost", "deaf", "late", "slow"]
        if len(self.running) > 1 and self.chance.random() < 0.1:
            fates = ["crash", "crash after"]
        return self.chance.choice(fates)

    def _crash(self, node: str) -> None:
        if node in self.running:
            self.kill_node(node)
            self.loop.later("world", self.chance.uniform(0.5, 3), self.start_node)

    def store_goes(self, *, stopped: bool) -> None:
        """Let the store be dead, or stand still."""
        self.trace("store goes", stopped)
        self.store_stopped, self.store_down = stopped, not stopped
        self._went = self.loop.time()
        if not stopped:
            for channel in tuple(self._lines):
                self._break_line(channel)

    def store_comes(self) -> None:
        """Let the store serve again; what reached it while it stood still is done now."""
        self.trace("store comes")
        self.store_stopped = self.store_down = False
        self.away.append((self._went, self.loop.time()))
        held, self._held = self._held, []
        for each in held:
            each()

    # Hints.

    async def hear(self, news: News, channel: str, heard: Callable[[bytes], None]) -> None:
        """Be a line of hints until it breaks."""
        await asyncio.sleep(self.delay())
        if self.store_down or self.store_stopped or PROCESS.get() in self.cut:
            raise exceptions.ConnectionError
        broken = asyncio.get_running_loop().create_future()
        self._lines[channel] = heard, broken
        news.missed()
        try:
            await broken
        finally:
            self._lines.pop(channel, None)

    def cut_off(self, node: str) -> None:
        """Let a node not reach the store any more."""
        self.trace("cut", node)
        self.cut.add(node)
        self.loop.later("world", self.chance.uniform(0, _LINE_NOTICED), self._noticed, node)

    def _noticed(self, node: str) -> None:
        if node in self.cut:
            self._break_line(self.channel(node))

    def _break_line(self, channel: str) -> None:
        if channel in self._lines and not self._lines[channel][1].done():
            self._lines[channel][1].set_exception(exceptions.ConnectionError())

    def _publish(self, channel: str, message: bytes) -> None:
        channel = channel.partition(":")[2]
        node = channel.removeprefix("news:").partition("-")[0]
        if channel not in self._lines or node in self.cut:
            return
        for _ in range(2 if self.rate and self.chance.random() < 0.1 else 1):
            self.loop.later(node, self.delay() * self.chance.choice([1, 1, 10]), self._lines[channel][0], message)

    # People.

    async def dial(self, server: Server) -> ClientEnd:
        """Open a socket to any node, as the one port they share would. Raises Unreachable."""
        await asyncio.sleep(self.delay())
        if not self.running:
            raise Unreachable
        name = self.chance.choice(list(self.running))
        end = ClientEnd(self)
        accepted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.loop.later(name, self.delay(), self._open, name, end, accepted)
        try:
            async with asyncio.timeout(OPEN_WITHIN / 1000):
                await accepted
        except TimeoutError:
            raise Unreachable from None
        return end

    def _open(self, name: str, end: ClientEnd, accepted: asyncio.Future[None]) -> None:
        if accepted.done() or name not in self.running:
            return
        gateway: Any = self.running[name]._gateway
        if gateway.draining:
            self.loop.later("people", self.delay(), accepted.set_exception, Unreachable())
            return
        near = NodeEnd(self, name, end, gateway.listener.connections.discard)
        gateway.listener.connections.add(near)
        near.visit = gateway.opened(near, HttpRequest("/ws", Headers()))
        end.near = near
        self.ends.append(end)
        self.loop.later("people", self.delay(), _accept, accepted)

    # What came of it.

    def logs(self) -> dict[str, tuple[tuple[bytes, ...], bytes | None]]:
        """Return each match's log and stored record."""
        found = [key for key in sorted(self.model.keys()) if ":log:" in key]
        return {
            key.rpartition(":")[2]: (
                tuple(self.model.do_lrange(key, 0, -1)),
                self.model.do_hget(key.replace(":log:", ":match:"), "d"),
            )
            for key in found
        }

    def all_over(self) -> bool:
        """Whether every stored match has ended."""
        records = (stored for _, stored in self.logs().values())
        return all(stored is None or json.loads(stored.partition(b"\n")[0])["outcome"] for stored in records)


def _accept(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_result(None)


class SimulatedNews(News):
    """A node's hints, over the world's lines."""

    world: World

    async def _line(self, url: str, channels: Channels) -> None:
        await self.world.hear(self, channels[0].partition(":")[2], self._heard)


class SimulatedListener:
    """What drain() needs of a listener."""

    def __init__(self) -> None:
        self.connections: Any = InOrder()

    async def emptied(self, within: float) -> None:
        """Closed ends are gone at once here."""

    async def close(self) -> None:
        """Drop who is left."""
        for connection in tuple(self.connections):
            connection.abort()


class InOrder(dict[Any, None]):
    """A set that keeps its order, so that a run can be had again."""

    def add(self, item: Any) -> None:
        self[item] = None

    def discard(self, item: Any) -> None:
        self.pop(item, None)
