"""A line to a scripted server in still time, and what was heard on it; scenes for tests of the connection."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from scripted_server import Dialogue, Peer, StillClock, until
from table_talk import welcome
from twoseat import wire
from twoseat_client.address import Server
from twoseat_client.connection import Connection

TOKEN = "t" * 43
MOVE = wire.PlayMove(type="play", id="m1", number=0, move="draw")


class Heard:
    """What a connection reported, collected while it runs."""

    def __init__(self, connection: Connection, clock: StillClock) -> None:
        self.connection = connection
        self.clock = clock
        self.items: list[Any] = []

    def of(self, kind: type) -> list[Any]:
        return [item for item in self.items if isinstance(item, kind)]

    async def gets(self, kind: type, times: int = 1) -> Any:
        await until(lambda: len(self.of(kind)) >= times)
        return self.of(kind)[times - 1]


@asynccontextmanager
async def listening(server: Server, **options: Any) -> AsyncIterator[Heard]:
    clock = StillClock()
    options = {"clock": clock.read, "sleep": clock.sleep, "draw": lambda: 1.0} | options
    heard = Heard(Connection(server, **options), clock)

    async def collect() -> None:
        async for item in heard.connection.heard():
            heard.items.append(item)

    task = asyncio.create_task(collect())
    try:
        yield heard
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def welcomes(peer: Peer) -> None:
    await peer.hears("hello")
    await peer.says(welcome(token=TOKEN))


def closing(code: int) -> Dialogue:
    async def dialogue(peer: Peer) -> None:
        await peer.hears("hello")
        await peer.closes(code)

    return dialogue


async def stays(peer: Peer) -> None:
    await welcomes(peer)
    await peer.stays()


class Partner:
    """The other end of a line that goes on: says what it is told to, and answers pings while it `answers`."""

    def __init__(self, *first: Any) -> None:
        self.said: list[dict[str, Any]] = []
        self.answers = True
        self._first = first
        self._peer: Peer

    async def dialogue(self, peer: Peer) -> None:
        await welcomes(peer)
        await peer.says(*self._first)
        self._peer = peer
        while True:
            self.said.append(await peer.hears())
            if self.said[-1]["type"] == "ping" and self.answers:
                await peer.says(wire.Pong(self.said[-1]["n"]))

    async def says(self, *messages: Any) -> None:
        """Say something."""
        await self._peer.says(*messages)

    async def speaks(self, heard: Heard, message: Any) -> None:
        """Say something and wait until it was heard."""
        before = len(heard.of(type(message)))
        await self.says(message)
        await heard.gets(type(message), before + 1)

    async def hears(self, kind: str, count: int) -> None:
        """Wait for the `count`-th message of a kind."""
        await until(lambda: len(self.of(kind)) >= count)

    async def heard_all(self, heard: Heard, kind: str) -> int:
        """Return how many messages of a kind were said, up to one that is said now."""
        count = len(self.of("cancel")) + 1
        assert await heard.connection.send(wire.Cancel(type="cancel"))
        await self.hears("cancel", count)
        return len(self.of(kind))

    def of(self, kind: str) -> list[dict[str, Any]]:
        """What was heard of a kind."""
        return [message for message in self.said if message["type"] == kind]
