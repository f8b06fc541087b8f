"""Hints between nodes over the store's pub/sub: the truth is always the stored match; a lost hint costs a moment,
never a move.

A silent partition leaves redis-py's reader spinning on a dead socket, so this one proves its own line: it sends
itself a beat and expects it back, and starts a new line when it does not come.
"""

import asyncio
import contextlib
from collections.abc import Callable

import structlog
from redis import exceptions
from redis.asyncio.client import PubSub

from twoseat_server.store import keys
from twoseat_server.store.link import Link, StoreAway, connect

BEAT_EVERY = 2.0
SILENCE = 5.0
_BEAT = b"beat"
_PAUSE = 0.2
_LOST = (exceptions.RedisError, OSError, StoreAway)

log = structlog.get_logger()


class News:
    """The hints for one node."""

    def __init__(self, link: Link, url: str, node: str, heard: Callable[[bytes], None]) -> None:
        self._link = link
        self._url = url
        self._channel = keys.news(node)
        self._heard = heard
        self._stands = True
        self.missed: Callable[[], None] = lambda: None
        """Called on each new line, once it hears: on the way there hints may have been lost."""

    async def tell(self, node: str, hint: bytes) -> None:
        """Send a hint to another node; a failure is silent, as a lost hint is."""
        with contextlib.suppress(StoreAway):
            await self._link.run("PUBLISH", keys.news(node), hint)

    async def listen(self) -> None:
        """Hear hints until cancelled."""
        while True:
            try:
                await self._line()
            except _LOST as error:
                tell = log.info if self._stands else log.debug  # once a break, not at each try
                tell("news line lost", error=type(error).__name__)
                self._stands = False
            await asyncio.sleep(_PAUSE)

    async def _line(self) -> None:
        client = connect(self._url, timeout=None)
        try:
            async with client.pubsub() as line:
                async with asyncio.timeout(SILENCE):
                    await line.subscribe(self._channel)
                    await line.get_message(timeout=None)  # the store says that the line stands
                self._stands = True
                self.missed()
                beats = asyncio.create_task(self._beats())
                try:
                    await self._hear(line)
                finally:
                    beats.cancel()
        finally:
            await client.aclose(close_connection_pool=True)

    async def _hear(self, line: PubSub) -> None:
        while True:
            async with asyncio.timeout(SILENCE):
                message = await line.get_message(timeout=None)
            if message is None or message["type"] != "message":
                await asyncio.sleep(0)  # a reader that returns nothing must not keep the loop to itself
            elif message["data"] != _BEAT:
                self._heard(message["data"])

    async def _beats(self) -> None:
        while True:
            with contextlib.suppress(StoreAway):
                await self._link.run("PUBLISH", self._channel, _BEAT)
            await asyncio.sleep(BEAT_EVERY)
