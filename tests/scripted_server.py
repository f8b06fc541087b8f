"""A server for tests of clients that says what the test tells it to, over real sockets, and a clock that stands."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from twoseat import wire
from twoseat_client.address import Server

DEADLINE = 20.0
"""Real seconds after which a test that waits in vain fails."""


class Peer:
    """The server's end of one socket."""

    def __init__(self, socket: ServerConnection) -> None:
        self._socket = socket

    async def hears(self, kind: str | None = None) -> dict[str, Any]:
        """Return the next message, or the next one of a kind."""
        async with asyncio.timeout(DEADLINE):
            while True:
                message: dict[str, Any] = json.loads(await self._socket.recv())
                if kind is None or message["type"] == kind:
                    return message

    async def says(self, *messages: Any) -> None:
        """Send messages."""
        for message in messages:
            await self._socket.send(wire.encode(message).decode())

    async def closes(self, code: int) -> None:
        """Close with a code."""
        await self._socket.close(code)

    def drops(self) -> None:
        """Break the connection without a word."""
        self._socket.transport.abort()

    async def stays(self) -> int | None:
        """Read on until the client goes; returns the code it closed with."""
        try:
            async for _ in self._socket:
                pass
        except ConnectionClosed:
            pass
        return self._socket.close_code


Dialogue = Callable[[Peer], Awaitable[object]]


@asynccontextmanager
async def scripted(*dialogues: Dialogue) -> AsyncIterator[Server]:
    """Serve the first socket by the first dialogue and so on; what went wrong in one is raised at the end."""
    left = list(dialogues)
    failed: list[BaseException] = []

    async def handle(socket: ServerConnection) -> None:
        if not left:
            await socket.close(wire.Close.BUSY)
            return
        try:
            await left.pop(0)(Peer(socket))
        except ConnectionClosed:
            pass
        except BaseException as error:
            failed.append(error)
            raise

    async with serve(handle, "127.0.0.1", 0, ping_interval=None, close_timeout=1) as server:
        port = server.sockets[0].getsockname()[1]
        yield Server(f"http://127.0.0.1:{port}")
    if failed:
        raise failed[0]


class StillClock:
    """Time that passes only when the test says so."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.slept: list[float] = []
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    def read(self) -> float:
        """Return the seconds of this clock."""
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Sleep until the clock has been moved on so far."""
        self.slept.append(seconds)
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        woken = asyncio.get_running_loop().create_future()
        self._sleepers.append((self.now + seconds, woken))
        await woken

    def move(self, seconds: float) -> None:
        """Move the clock on and wake whoever has slept enough."""
        self.now += seconds
        due = [sleeper for sleeper in self._sleepers if sleeper[0] <= self.now + 1e-9]
        self._sleepers = [sleeper for sleeper in self._sleepers if sleeper not in due]
        for _, woken in due:
            if not woken.done():
                woken.set_result(None)


async def until(condition: Callable[[], bool]) -> None:
    """Let the loop run until the condition holds; fails after DEADLINE."""
    async with asyncio.timeout(DEADLINE):
        while not condition():  # noqa: ASYNC110 the condition belongs to code that knows no events
            await asyncio.sleep(0.002)
