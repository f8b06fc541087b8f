"""Sockets and the way to the store, inside one process: whole frames and requests that may be late, lost or cut."""

import asyncio
from collections.abc import AsyncIterator, Callable
from enum import IntEnum
from typing import Any, Protocol

from twoseat_server.store.link import Away, Link, StoreAway

TIMEOUT = 1.0
"""Seconds after which an answer of the store is waited for no more, as on the real line."""
SILENCE = 13.0
"""Seconds after which a node gives up a socket that answers no ping: 8 until it asks, 5 until it stops waiting."""
TICK = 1e-6
"""Seconds between two messages on one line: what comes at one moment comes in any order."""
_BROKEN = 1006


class Weather(Protocol):
    """What happens on the way."""

    loop: Any

    def delay(self) -> float:
        """Return how long the next message travels, seconds."""

    def request(self, way: "Wire", request: "Request") -> None:
        """Take a request to the store; at most one answer, or StoreAway, comes back."""


class Request(Protocol):
    """A command on its way, as the real line has it."""

    packed: bytes

    def answered(self, answer: Any) -> None:
        """Take the answer, or the exception that came instead."""


class Wire(Link):
    """A node's link to the store in memory: the server's own calls, on a line that the weather carries."""

    def __init__(self, weather: Weather, node: str) -> None:
        self.node = node
        self.waiting: list[Request] = []
        """Who waits for an answer. They keep their order, and are lost together."""
        self.arrives = self.returns = 0.0
        """When the last request reaches the store, and its answer the node."""
        self._weather = weather
        self._of = []  # no master has an address
        self.clustered = False
        self.replicas = 0

    async def load(self) -> None:
        await self.run("PING")

    async def close(self) -> None:
        pass

    async def known(self) -> None:
        pass

    def homes(self, names: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
        return {"": names}

    def _send(self, call: Any) -> None:
        self._weather.request(self, call)


def away(text: str) -> StoreAway:
    """What a node knows of a request that did not come back."""
    return StoreAway(Away.UNREACHABLE, text)


class NodeEnd:
    """A socket as a node has it: a Connection for its gateway, visits and sessions."""

    def __init__(self, weather: Weather, node: str, far: "ClientEnd", left: Callable[["NodeEnd"], None]) -> None:
        self.address = "127.0.0.1"
        self.node = node
        self.visit: Any = None
        self.open = True
        self._weather = weather
        self._far = far
        self._left = left
        self._expected: IntEnum | None = None
        self._arrives = 0.0

    def send(self, frame: bytes) -> None:
        if self.open:
            self._travel(self._far.heard, payload(frame))

    def unsent(self) -> int:
        return 0

    def close(self, code: IntEnum) -> None:
        if self.open:
            self._travel(self._far.ended, int(code))
            self.lost()

    def abort(self) -> None:
        if self.open:
            self._travel(self._far.ended, _BROKEN)
            self.lost()

    def expect(self, seconds: float, code: IntEnum) -> None:
        self._expected = code
        self._weather.loop.later(self.node, seconds, self._overdue)

    def expected(self) -> None:
        self._expected = None

    async def alive(self, seconds: float) -> bool:
        await asyncio.sleep(self._weather.delay())
        return self.open and not self._far.deaf and self._far.close_code is None

    def received(self, text: str) -> None:
        if self.open and self.visit is not None:
            self.visit.received(text)

    def lost(self) -> None:
        """The socket is gone, as this side knows now."""
        if self.open:
            self.open = False
            self._left(self)
            if self.visit is not None:
                self.visit.lost()

    def _overdue(self) -> None:
        if self._expected is not None:
            self.close(self._expected)

    def _travel(self, take: Callable[..., None], what: Any) -> None:
        loop = self._weather.loop
        self._arrives = max(self._arrives + TICK, loop.time() + self._weather.delay())
        loop.later("people", self._arrives - loop.time(), take, what)


class ClientEnd:
    """A socket as a client has it."""

    def __init__(self, weather: Weather) -> None:
        self.close_code: int | None = None
        self.transport = self
        self.near: NodeEnd | None = None
        self.deaf = False
        """Nothing comes through any more, and no end either."""
        self._weather = weather
        self._inbox: asyncio.Queue[str | None] = asyncio.Queue()
        self._arrives = 0.0

    async def send(self, text: str) -> None:
        self._travel("received", text)

    async def close(self, code: int) -> None:
        self.abort(code)

    def abort(self, code: int = _BROKEN) -> None:
        """Break the line; the node learns of it later."""
        if self.close_code is None:
            self._travel("lost")
            self.deaf = False
            self.ended(code)

    async def __aiter__(self) -> AsyncIterator[str]:
        while (text := await self._inbox.get()) is not None:
            yield text

    def heard(self, text: str) -> None:
        if self.close_code is None and not self.deaf:
            self._inbox.put_nowait(text)

    def ended(self, code: int) -> None:
        if self.close_code is None and not self.deaf:
            self.close_code = code
            self._inbox.put_nowait(None)

    def go_deaf(self) -> None:
        """Be half-open: both sides find out by silence only."""
        self.deaf = True
        if self.near is not None:
            self._weather.loop.later(self.near.node, SILENCE, self.near.lost)

    def _travel(self, what: str, *args: Any) -> None:
        if self.near is None or self.deaf:
            return
        loop = self._weather.loop
        self._arrives = max(self._arrives + TICK, loop.time() + self._weather.delay())
        loop.later(self.near.node, self._arrives - loop.time(), getattr(self.near, what), *args)


def payload(frame: bytes) -> str:
    """Return the text in a server's whole frame."""
    length, start = frame[1], 2
    if length == 126:
        start = 4
    elif length == 127:
        start = 10
    return frame[start:].decode()
