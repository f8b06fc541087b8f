"""A way between two programs that can be broken as networks break: silent, cut, slow, deaf to answers, or one line
of it half-open. It passes bytes and knows not what they mean.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from enum import StrEnum
from urllib.parse import unquote, urlsplit

_CHUNK = 65536


class Cut(StrEnum):
    """How a way is broken for a while."""

    SILENT = "silent"
    BROKEN = "broken"
    SLOW = "slow"
    DEAF = "deaf"


class _Line:
    """One connection and its continuation on the other side."""

    def __init__(self, near: asyncio.StreamWriter, far: asyncio.StreamWriter) -> None:
        self.ends = near, far
        self.deaf = False
        """No answer goes back any more."""
        self.half_open = False
        """Nothing goes through any more, and neither side learns of the other's end."""

    def abort(self) -> None:
        for end in self.ends:
            end.transport.abort()


class Way:
    """Passes bytes from `url` to a target (unix://, redis:// or http://), as long as it is told nothing else."""

    def __init__(self, target: str) -> None:
        self._target = urlsplit(target)
        self._flows = asyncio.Event()
        self._flows.set()
        self._refusing = self._deaf = False
        self._delay = 0.0
        self._swallow = b""
        self._lines: list[_Line] = []
        self._mended_at: float | None = None
        self.swallowed = 0
        """Requests that went through while their answer did not."""
        self.returns: list[float] = []
        """Seconds from each mending to the first answer that came through."""
        self.url = ""

    @asynccontextmanager
    async def opened(self) -> AsyncIterator["Way"]:
        """Serve for as long as the block runs."""
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        scheme = "redis" if self._target.scheme == "unix" else self._target.scheme
        self.url = f"{scheme}://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            self.go()
            self.cut()
            server.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        try:
            far_reader, far_writer = await self._onward()
        except OSError:
            writer.transport.abort()
            return
        line = _Line(writer, far_writer)
        if self._refusing:
            line.abort()
            return
        self._lines.append(line)
        try:
            with suppress(OSError):
                await asyncio.gather(self._there(line, reader), self._back(line, far_reader))
        finally:
            self._lines.remove(line)
            line.abort()

    async def _onward(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._target.scheme == "unix":
            return await asyncio.open_unix_connection(unquote(self._target.path))
        return await asyncio.open_connection(self._target.hostname, self._target.port)

    async def _there(self, line: _Line, source: asyncio.StreamReader) -> None:
        near, far = line.ends
        while data := await self._read(line, source):
            if self._swallow and self._swallow in data:
                self._swallow = b""
                self.swallowed += 1
                line.deaf = True
            far.write(data)
            await far.drain()
        (near if line.half_open else far).close()

    async def _back(self, line: _Line, source: asyncio.StreamReader) -> None:
        near, far = line.ends
        while data := await self._read(line, source):
            line.deaf = line.deaf or self._deaf  # for good: no connection goes on after a gap
            if line.deaf:
                continue
            if self._mended_at is not None:
                self.returns.append(asyncio.get_running_loop().time() - self._mended_at)
                self._mended_at = None
            near.write(data)
            await near.drain()
        (far if line.half_open else near).close()

    async def _read(self, line: _Line, source: asyncio.StreamReader) -> bytes:
        """Return what is to be passed on next, empty at the end."""
        while True:
            data = await source.read(_CHUNK)
            if self._delay:
                await asyncio.sleep(self._delay)
            await self._flows.wait()
            if not (data and line.half_open):
                return data

    def swallow(self, word: bytes) -> None:
        """Let the next request that holds `word` through, and its answer vanish."""
        self._swallow = word

    def stop(self) -> None:
        """Let nothing through in either direction, and no end either: what was sent stays on the way."""
        self._flows.clear()

    def cut(self) -> None:
        """Break every connection and refuse new ones."""
        self._refusing = True
        for line in tuple(self._lines):
            line.abort()

    def slow(self, seconds: float) -> None:
        """Keep whatever comes for so long before it is passed on."""
        self._delay = seconds

    def deafen(self) -> None:
        """Let requests through, and no answer back."""
        self._deaf = True

    def go(self) -> None:
        """Let everything through again, what was held back too."""
        self._mended_at = asyncio.get_running_loop().time()
        self._refusing = self._deaf = False
        self._delay = 0.0
        self._flows.set()

    def half_open(self, which: float) -> None:
        """Make one of the open lines half-open for ever; `which` from 0 to 1 chooses it."""
        lines = [line for line in self._lines if not line.half_open]
        if lines:
            lines[min(len(lines) - 1, int(which * len(lines)))].half_open = True
