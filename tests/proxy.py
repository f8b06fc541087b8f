"""A way to a store that can be broken: cut, black-holed both ways, or deaf to answers."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import unquote, urlsplit


class Proxy:
    """Passes bytes between TCP and the store's unix socket, as long as it is told nothing else."""

    def __init__(self, target: str) -> None:
        self._target = unquote(urlsplit(target).path)
        self._flows = asyncio.Event()
        self._flows.set()
        self._refusing = False
        self._swallow = b""
        self._writers: set[asyncio.StreamWriter] = set()
        self._deaf: set[asyncio.StreamWriter] = set()
        self.swallowed = 0
        self.url = ""

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        store_reader, store_writer = await asyncio.open_unix_connection(self._target)
        if self._refusing:
            writer.close()
            store_writer.close()
            return
        self._writers |= {writer, store_writer}
        with suppress(OSError):
            await asyncio.gather(self._pass(reader, store_writer, writer), self._pass(store_reader, writer, None))

    async def _pass(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, answers: asyncio.StreamWriter | None
    ) -> None:
        try:
            while data := await source.read(65536):
                await self._flows.wait()
                if answers is not None and self._swallow and self._swallow in data:
                    self._swallow = b""
                    self.swallowed += 1
                    self._deaf.add(answers)
                if target not in self._deaf:
                    target.write(data)
                    await target.drain()
        finally:
            target.close()
            self._writers.discard(target)

    def swallow(self, word: bytes) -> None:
        """Let the next request that holds `word` through, and its answer vanish."""
        self._swallow = word

    def stop(self) -> None:
        """Let nothing through in either direction, and no end either: what was sent stays on the way."""
        self._flows.clear()

    def go(self) -> None:
        """Let everything through again, what was held back too."""
        self._refusing = False
        self._flows.set()

    def cut(self) -> None:
        """Break every connection and refuse new ones."""
        self._refusing = True
        for writer in tuple(self._writers):
            writer.transport.abort()


@asynccontextmanager
async def proxy(target: str) -> AsyncIterator[Proxy]:
    """A proxy to the store at `target` (unix://), reached by `url`."""
    way = Proxy(target)
    server = await asyncio.start_server(way.connected, "127.0.0.1", 0)
    way.url = f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield way
    finally:
        way.go()
        way.cut()
        server.close()
