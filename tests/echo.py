"""An application that says back what it hears, and raw sockets to it, so that the transport is tested alone."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus

from websockets.asyncio.client import connect
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from twoseat_server.frames import text_frame
from twoseat_server.listener import Listener
from twoseat_server.patience import Limits
from twoseat_server.transport import Connection

UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
MASK = b"\0\0\0\0"
SOON = 5.0


class Echo:
    """Says everything back; `/plain` is answered over HTTP."""

    def __init__(self) -> None:
        self.lines: list[EchoLine] = []
        self.requests: list[Request] = []

    async def admit(self, request: Request) -> Response | None:
        self.requests.append(request)
        if request.path == "/broken":
            raise RuntimeError("as planned")
        if request.path == "/plain":
            body = b"nothing but HTTP\n"
            headers = Headers({"Content-Length": str(len(body)), "Connection": "close"})
            return Response(HTTPStatus.OK, "OK", headers, body)
        return None

    def opened(self, connection: Connection, request: Request) -> "EchoLine":
        self.lines.append(EchoLine(connection))
        return self.lines[-1]


class EchoLine:
    """One socket and all that was heard on it."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.heard: list[str | bytes] = []
        self.is_lost = False

    def received(self, message: str | bytes) -> None:
        self.heard.append(message)
        if isinstance(message, str):
            self.connection.send(text_frame(message.encode()))
        else:
            self.connection.send(b"\x82" + text_frame(message)[1:])

    def lost(self) -> None:
        self.is_lost = True


@asynccontextmanager
async def echoing(limits: Limits, now: Callable[[], float] | None = None) -> AsyncIterator[tuple[Echo, int]]:
    """Run an echo and give its port."""
    echo = Echo()
    listener = Listener(echo, limits, now)
    await listener.open("127.0.0.1", 0)
    try:
        yield echo, listener.sockets[0].getsockname()[1]
    finally:
        await listener.close()


def masked(opcode: int, payload: bytes, *, fin: bool = True) -> bytes:
    """Return a client's short frame."""
    return bytes(((0x80 if fin else 0) | opcode, 0x80 | len(payload))) + MASK + payload


@asynccontextmanager
async def raw_socket(port: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Run with a raw WebSocket after its handshake."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(UPGRADE)
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
        yield reader, writer
    finally:
        writer.close()


def client(port: int) -> connect:
    """Return a client of the library to be entered, without pings of its own."""
    return connect(f"ws://127.0.0.1:{port}/ws", compression=None, ping_interval=None)


async def until(true: Callable[[], bool]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(SOON):
        while not true():  # noqa: ASYNC110 a peer has no event to wait for
            await asyncio.sleep(0.01)
