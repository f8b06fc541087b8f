"""A TCP relay between clients and a server that reads every frame on its way and changes none.

Clients keep the relay's address while the server behind it is killed and started again, as they would keep a
balancer's.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Generator
from dataclasses import dataclass, field
from typing import Any

from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader as FrameBytes

_READ = 65_536


@dataclass(slots=True)
class Tapped:
    """One socket: what went each way, as text of whole messages."""

    sent: list[str] = field(default_factory=list)
    """By the server."""
    said: list[str] = field(default_factory=list)
    """By the client."""

    def messages(self, kind: str | None = None) -> list[dict[str, Any]]:
        """Return the server's messages, or those of one type."""
        found = [json.loads(text) for text in self.sent]
        return [message for message in found if kind in (None, message["type"])]


class Wiretap:
    """The relay; `sockets` in the order they came."""

    def __init__(self, upstream: Callable[[], int]) -> None:
        self._upstream = upstream
        self._cut: set[asyncio.StreamWriter] = set()
        self.sockets: list[Tapped] = []
        self.port = 0

    @property
    def url(self) -> str:
        """Where clients go."""
        return f"http://127.0.0.1:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Relay one connection."""
        tapped = Tapped()
        try:
            up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self._upstream())
        except OSError:
            writer.close()
            return
        self._cut.add(writer)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._pass(reader, up_writer, tapped.said, is_client=True))
                group.create_task(self._pass(up_reader, writer, tapped.sent, is_client=False, tapped=tapped))
        finally:
            self._cut.discard(writer)
            for end in (writer, up_writer):
                end.close()

    async def _pass(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        into: list[str],
        *,
        is_client: bool,
        tapped: Tapped | None = None,
    ) -> None:
        parse = _frames(into, masked=is_client, opened=lambda: self._opened(tapped))
        next(parse)
        with contextlib.suppress(OSError):
            while data := await reader.read(_READ):
                parse.send(data)
                writer.write(data)
                await writer.drain()
        with contextlib.suppress(OSError):
            writer.close()

    def _opened(self, tapped: Tapped | None) -> None:
        if tapped is not None:
            self.sockets.append(tapped)

    def cut(self) -> None:
        """Cut every line now."""
        for writer in tuple(self._cut):
            writer.transport.abort()


def _frames(into: list[str], *, masked: bool, opened: Callable[[], None]) -> Generator[None, bytes, None]:
    """Collect the text messages of one direction of a WebSocket connection; of plain HTTP, none."""
    head = b""
    while b"\r\n\r\n" not in head:
        head += yield
    head, _, rest = head.partition(b"\r\n\r\n")
    if b"upgrade: websocket" not in head.lower():
        while True:
            yield
    opened()
    stream = FrameBytes()
    stream.feed_data(rest)
    text = b""
    while True:
        frame = yield from _frame(stream, masked=masked)
        if frame.opcode in (Opcode.TEXT, Opcode.CONT):
            text += bytes(frame.data)
            if frame.fin:
                into.append(text.decode())
                text = b""


def _frame(stream: FrameBytes, *, masked: bool) -> Generator[None, bytes, Frame]:
    parse = Frame.parse(stream.read_exact, mask=masked, max_size=None)
    while True:
        try:
            next(parse)
        except StopIteration as parsed:
            frame: Frame = parsed.value
            return frame
        stream.feed_data((yield))


@contextlib.asynccontextmanager
async def tapping(upstream: Callable[[], int]) -> AsyncIterator[Wiretap]:
    """Run a relay to the port that `upstream` names at each connection."""
    tap = Wiretap(upstream)
    server = await asyncio.start_server(tap.serve, "127.0.0.1", 0)
    tap.port = server.sockets[0].getsockname()[1]
    try:
        yield tap
    finally:
        server.close()
        tap.cut()
        await server.wait_closed()
