"""Sockets: handshake, first message, size and rate, and the transport behind Session's Socket; it knows no match and
no rules.
"""

import asyncio
import http
import time
from typing import Any

import structlog
from websockets.asyncio.server import Server, ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from twoseat import wire
from twoseat_server import metrics
from twoseat_server.dialogue import Dialogue
from twoseat_server.limits import Bucket
from twoseat_server.origins import Network, Origins, client_address
from twoseat_server.pages import Pages, header, refusal
from twoseat_server.sessions import Session
from twoseat_server.settings import Settings
from twoseat_server.store.link import StoreAway

SOCKET_PATH = "/ws"
HELLO_WITHIN = 5.0
"""Seconds a new socket may be silent."""
MESSAGE_RATE, MESSAGE_BURST = 10, 40
_WARNINGS = 1, 20
"""Rate and burst of messages over the rate that are answered with a warning; one more and the socket is closed."""
_READ_BYTES = 4 * wire.MAX_MESSAGE_BYTES
"""A message up to this is read and answered `too_large`; beyond it the socket is closed with 1009."""

log = structlog.get_logger()


class WebSocket:
    """A websockets connection as sessions use it."""

    def __init__(self, connection: ServerConnection, address: str) -> None:
        self._connection = connection
        self._closing: asyncio.Task[None] | None = None
        self.address = address

    def send(self, frame: bytes) -> None:
        """Send a text frame without waiting; nothing where the socket is closing."""
        broadcast((self._connection,), frame, text=True)
        metrics.FRAMES.inc()

    def unsent(self) -> int:
        """Return the bytes the other side has not read yet."""
        return self._connection.transport.get_write_buffer_size()

    def close(self, code: wire.Close) -> None:
        """Close with a code after what was sent."""
        if self._closing is None:
            self._closing = asyncio.get_running_loop().create_task(self._connection.close(code, code.name.lower()))

    def abort(self) -> None:
        """Drop the connection now."""
        self._connection.transport.abort()

    async def alive(self, seconds: float) -> bool:
        """Whether the other side answers a ping within `seconds`."""
        try:
            async with asyncio.timeout(seconds):
                await (await self._connection.ping())
        except (TimeoutError, ConnectionClosed):
            return False
        return True


class Gateway:
    """Accepts sockets and serves their messages one by one."""

    def __init__(self, settings: Settings, dialogue: Dialogue, pages: Pages, trusted: tuple[Network, ...]) -> None:
        self._settings = settings
        self._dialogue = dialogue
        self._pages = pages
        self._trusted = trusted
        self._origins = Origins(settings.public_url, settings.origins)
        self._open = 0
        self.draining = False
        """Whether this node stops, so that no new socket may come."""

    async def listen(self) -> Server:
        """Start listening. Raises OSError where the address cannot be had."""
        return await serve(
            self._serve,
            self._settings.host,
            self._settings.port,
            process_request=self._admit,
            compression=None,
            open_timeout=HELLO_WITHIN,
            ping_interval=5,
            ping_timeout=8,
            close_timeout=2,
            max_size=_READ_BYTES,
            max_queue=8,
            reuse_port=self._settings.reuse_port or None,
            server_header=None,
        )

    async def _admit(self, connection: ServerConnection, request: Request) -> Response | None:
        host = header(request, "Host")
        if not self._origins.host_allowed(host):
            return refusal(http.HTTPStatus.MISDIRECTED_REQUEST, "unknown Host: start the server with --public-url\n")
        if request.path.partition("?")[0] != SOCKET_PATH:
            return await self._pages.answer(request)
        if not self._origins.origin_allowed(header(request, "Origin"), host):
            return refusal(http.HTTPStatus.FORBIDDEN, "this origin may not open sockets: see --origins\n")
        if self.draining:
            return refusal(http.HTTPStatus.SERVICE_UNAVAILABLE, "this server restarts: try again in a moment\n")
        if self._open >= self._settings.max_sockets:
            return refusal(http.HTTPStatus.SERVICE_UNAVAILABLE, "this server is full: try again later\n")
        return None

    async def _serve(self, connection: ServerConnection) -> None:
        forwarded = connection.request.headers.get_all("X-Forwarded-For") if connection.request else ()
        peer = str((connection.remote_address or ("unknown",))[0])
        socket = WebSocket(connection, client_address(peer, forwarded, self._trusted))
        self._open += 1
        metrics.SOCKETS.inc()
        session: Session | None = None
        try:
            if (hello := await self._hello(connection, socket)) is not None:
                session, match = hello
                await self._dialogue.resume(session, match)
                await self._messages(connection, session)
        except ConnectionClosed:
            pass
        finally:
            self._open -= 1
            metrics.SOCKETS.dec()
            if session is not None:
                await self._dialogue.farewell(session)

    async def _hello(self, connection: ServerConnection, socket: WebSocket) -> tuple[Session, str | None] | None:
        """Take the first message and open a session for the match it names, or say why not and close."""
        raw: str | bytes = b""
        try:
            async with asyncio.timeout(HELLO_WITHIN):
                raw = await connection.recv()
            message = wire.parse(raw)
            if isinstance(message, wire.Hello) and message.protocol == wire.PROTOCOL_VERSION:
                return await self._dialogue.greet(socket, message), message.match
            old = isinstance(message, wire.Hello)
            error = wire.Error(wire.ErrorCode.OLD_CLIENT if old else wire.ErrorCode.HELLO_FIRST)
        except TimeoutError:
            await connection.close(wire.Close.SILENT, "hello came too late")
            return None
        except wire.Malformed as problem:
            old = isinstance(raw, str) and wire.old_client(raw)
            error = wire.Error(wire.ErrorCode.OLD_CLIENT) if old else wire.Error(problem.code, problem.field)
        except StoreAway:
            socket.send(wire.encode(wire.Error(wire.ErrorCode.STORAGE_AWAY)))
            await connection.close(wire.Close.BUSY, "storage is away")
            return None
        socket.send(wire.encode(error))
        await connection.close(wire.Close.OLD_CLIENT if old else wire.Close.NO_HELLO, error.code)
        return None

    async def _messages(self, connection: ServerConnection, session: Session) -> None:
        """Read until the socket closes. Pings are answered at once; everything else waits its turn, which may be long
        while the store is away.
        """
        rate, warnings = Bucket(MESSAGE_RATE, MESSAGE_BURST), Bucket(*_WARNINGS)
        turns: asyncio.Queue[Any] = asyncio.Queue()
        serving = asyncio.create_task(self._turns(session, turns, rate))
        try:
            async for raw in connection:
                if not rate.take():
                    if not warnings.take():
                        log.warning("flood", match=session.match, seat=session.seat)
                        await connection.close(wire.Close.FLOOD, "too many messages")
                        return
                    session.send(wire.Error(wire.ErrorCode.SLOW_DOWN))
                elif (message := _parsed(session, raw)) is None:
                    continue
                elif isinstance(message, wire.Ping):
                    session.send(wire.Pong(message.n))
                elif turns.qsize() < MESSAGE_BURST:
                    turns.put_nowait(message)
                else:
                    session.send(wire.Error(wire.ErrorCode.SLOW_DOWN))
        finally:
            turns.put_nowait(None)
            await serving  # what was said before the socket closed counts

    async def _turns(self, session: Session, turns: asyncio.Queue[Any], rate: Bucket) -> None:
        try:
            while (message := await turns.get()) is not None:
                began = time.perf_counter()
                if await self._dialogue.serve(session, message):
                    rate.give_back()
                metrics.SERVED.observe(time.perf_counter() - began)
        except Exception:
            log.exception("message not served", match=session.match, seat=session.seat)
            session.socket.close(wire.Close.FAULT)


def _parsed(session: Session, raw: str | bytes) -> Any | None:
    """Return a client's message, None where it is none, which the client is told."""
    try:
        return wire.parse(raw)
    except wire.Malformed as problem:
        session.send(wire.Error(problem.code, problem.field))
        return None
