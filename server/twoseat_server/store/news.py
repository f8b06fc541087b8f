"""Hints between nodes over the store's pub/sub: the truth is always the stored match; a lost hint costs a moment,
never a move.

Channels are a shard's, as its keys are: of a cluster only the master that has the shard passes them on, and nothing
goes over its bus to all others. So there is a line to each master, with the channels it has. A silent partition leaves
redis-py's reader spinning on a dead socket, so a line proves itself: it sends a beat over each channel and expects it
back, and ends when one does not come. Then, or when a channel has moved to another master, a new one is started.
"""

import asyncio
import contextlib
from collections.abc import Callable

import structlog
from redis import exceptions
from redis.asyncio.client import PubSub

from twoseat_server.store import keys
from twoseat_server.store.away import Away, StoreAway, named, place
from twoseat_server.store.link import Link
from twoseat_server.store.master import connect

BEAT_EVERY = 2.0
SILENCE = 5.0
_BEAT = b"beat"
_PAUSE = 0.2
_LOST = (exceptions.RedisError, OSError, StoreAway)

Channels = tuple[str, ...]

log = structlog.get_logger()


class News:
    """The hints for one node."""

    def __init__(self, link: Link, node: str, heard: Callable[[bytes], None]) -> None:
        self._link = link
        self._channels = (*(keys.news(shard, node) for shard in keys.shards()), keys.lobby_news(node))
        self._heard = heard
        self._broken: set[str] = set()
        self.refused: dict[str, StoreAway] = {}
        """Masters that do not let this account hear or tell, by URL: until that is mended this node is deaf or dumb."""
        self.missed: Callable[[], None] = lambda: None
        """Called on each new line, once it hears: on the way there hints may have been lost."""

    async def tell(self, node: str, hint: bytes) -> None:
        """Send a hint about the lobby to another node; a failure is silent, as a lost hint is."""
        with contextlib.suppress(StoreAway):
            await self._link.run("SPUBLISH", keys.lobby_news(node), hint)

    async def listen(self) -> None:
        """Hear hints until cancelled."""
        lines: dict[tuple[str, Channels], asyncio.Task[None]] = {}
        try:
            while True:
                with contextlib.suppress(StoreAway):
                    await self._link.known()
                wanted = self._link.homes(self._channels).items()
                for gone in self.refused.keys() - {url for url, _ in wanted}:
                    del self.refused[gone]
                for old in [each for each in lines if each not in wanted]:
                    lines.pop(old).cancel()
                for each in wanted:
                    if each in lines and lines[each].done():
                        lines.pop(each).result()  # what is no broken line is a fault of ours, and told
                    if each not in lines:
                        lines[each] = asyncio.create_task(self._attempt(*each))
                await asyncio.sleep(_PAUSE)
        finally:
            for line in lines.values():
                line.cancel()
            await asyncio.gather(*lines.values(), return_exceptions=True)

    async def _attempt(self, url: str, channels: Channels) -> None:
        try:
            await self._line(url, channels)
        except _LOST as error:
            if self._denied(url, named(error, url)):
                return
            tell = log.debug if url in self._broken else log.info  # once a break, not at each try
            tell("news line lost", error=type(error).__name__, at=place(url))
            self._broken.add(url)

    async def _line(self, url: str, channels: Channels) -> None:
        client = connect(url, timeout=None)
        try:
            async with client.pubsub() as line:
                async with asyncio.timeout(SILENCE):
                    for channel in channels:  # one command may only name channels of one slot
                        await line.ssubscribe(channel)
                    for _ in channels:  # the store says of each that it stands
                        await line.get_message(timeout=None)
                self._broken.discard(url)
                self.missed()
                beats = asyncio.create_task(self._beats(url, channels))
                try:
                    await self._hear(line, url, channels)
                finally:
                    beats.cancel()
        finally:
            await client.aclose(close_connection_pool=True)

    async def _hear(self, line: PubSub, url: str, channels: Channels) -> None:
        loop = asyncio.get_running_loop()
        proven = dict.fromkeys(map(str.encode, channels), loop.time())
        while True:
            async with asyncio.timeout_at(min(proven.values()) + SILENCE):
                message = await line.get_message(timeout=None)
            if message is not None and message["type"] == "sunsubscribe":
                raise exceptions.ConnectionError("a channel has moved")
            if message is None or message["type"] != "smessage":
                await asyncio.sleep(0)  # a reader that returns nothing must not keep the loop to itself
            elif message["data"] != _BEAT:
                self._heard(message["data"])
            else:
                proven[message["channel"]] = loop.time()
                if self.refused.pop(url, None):
                    log.warning("news come again")

    async def _beats(self, url: str, channels: Channels) -> None:
        while True:
            try:
                await self._link.run_all([("SPUBLISH", channel, _BEAT) for channel in channels])
            except StoreAway as error:
                self._denied(url, error)
            await asyncio.sleep(BEAT_EVERY)

    def _denied(self, url: str, error: BaseException) -> bool:
        """Whether a right is missing; it is told once, until a beat comes through again."""
        if not isinstance(error, StoreAway) or error.why is not Away.DENIED:
            return False
        if url not in self.refused:
            log.error("news are refused: people on two nodes do not see each other's moves at once", said=error.text)
        self.refused[url] = error
        return True
