"""An application that says back what it hears, so that the transport is tested alone."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from twoseat_server.frames import text_frame
from twoseat_server.listener import Listener
from twoseat_server.transport import Connection, Limits


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
async def echoing(limits: Limits) -> AsyncIterator[tuple[Echo, int]]:
    """Run an echo and give its port."""
    echo = Echo()
    listener = Listener(echo, limits)
    await listener.open("127.0.0.1", 0)
    try:
        yield echo, listener.sockets[0].getsockname()[1]
    finally:
        await listener.close()
