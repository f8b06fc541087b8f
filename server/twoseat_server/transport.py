"""One connection, an HTTP answer or a WebSocket, without a task or timer of its own; it knows no message, no player.

websockets' Sans-I/O protocol does the protocol, as in that library's own server. What that server adds (time-outs,
keepalive, back-pressure) is done here for less: the listener looks at each connection when something of it may be
overdue, and messages are handed over as they are read. What comes often, short messages and the pongs of who is silent,
does not go through the library at all.
"""

import asyncio
import http
import logging
from dataclasses import replace
from enum import IntEnum
from typing import Protocol, cast

import structlog
from websockets.exceptions import InvalidMessage
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import Event, State
from websockets.server import ServerProtocol

from twoseat_server import metrics
from twoseat_server.frames import PING, is_pong, joined, whole_frames, whole_texts
from twoseat_server.patience import Limits

_LIBRARY_LOG = logging.getLogger("websockets.server")

log = structlog.get_logger()


class Visitor(Protocol):
    """Whom an open WebSocket's messages are for."""

    def received(self, message: str | bytes) -> None:
        """Take a message; what comes of it is not waited for."""

    def lost(self) -> None:
        """The WebSocket is gone."""


class Application(Protocol):
    """Whom the connections are for."""

    async def admit(self, request: Request) -> Response | None:
        """Return the answer to a request that gets no socket, None for one that does."""

    def opened(self, connection: "Connection", request: Request) -> Visitor:
        """Return whom the messages of this WebSocket are for."""


class Watch(Protocol):
    """Whoever listens: keeps the connections and the time."""

    application: Application
    limits: Limits

    def now(self) -> float:
        """Return the loop's time, seconds."""

    def arrived(self, connection: "Connection", look_at: float) -> None:
        """A connection was made."""

    def look(self, connection: "Connection", at: float) -> None:
        """See to it that this connection is looked at no later than at the first sweep after `at`."""

    def departed(self, connection: "Connection") -> None:
        """A connection was lost."""


class Connection(asyncio.Protocol):
    """One connection from its first byte to its last."""

    _transport: asyncio.Transport

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._protocol = ServerProtocol(max_size=watch.limits.message_bytes, logger=_LIBRARY_LOG)
        self._answering: asyncio.Task[None] | None = None
        self._visitor: Visitor | None = None
        self._pieces: list[Frame] = []
        self._pongs: dict[bytes, asyncio.Future[None]] = {}
        self._asked_alive = 0
        self._is_open = False
        self._boundary = False
        """Whether the next byte begins a frame, so that whole frames need not go through the library."""
        self._ending = False
        self._deadline: float | None = None
        self._overdue: IntEnum | None = None
        """The code to close with at the deadline; None: the connection is dropped."""
        self._heard = watch.now()
        self._half_since: float | None = None
        self._pinged: float | None = None
        self._loose = 0
        self.sweep = 0
        """The listener's next sweep that looks at this connection."""
        self.address = ""

    # What asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        peer = transport.get_extra_info("peername")
        self.address = str(peer[0]) if peer else ""
        self._deadline = self._heard + self._watch.limits.opening
        self._watch.arrived(self, self._deadline)

    def data_received(self, data: bytes) -> None:
        if self._boundary:
            answered = self._pinged is not None and is_pong(data)
            texts = () if answered else whole_texts(data, self._watch.limits.message_bytes)
            if texts is not None:
                self._heard, self._pinged = self._watch.now(), None
                for text in texts:
                    self._take(text)
                return
            self._boundary = whole_frames(data)
        self._read(data)

    def eof_received(self) -> None:
        self._protocol.receive_eof()
        self._write()

    def connection_lost(self, exc: Exception | None) -> None:
        self._boundary = self._is_open = False
        self._protocol.receive_eof()
        for pong in self._pongs.values():
            pong.cancel()
        if self._answering is not None:
            self._answering.cancel()
        if self._visitor is not None:
            self._visitor.lost()
            self._visitor = None
        self._watch.departed(self)

    def pause_writing(self) -> None:
        self._transport.pause_reading()  # who does not read is not read from

    def resume_writing(self) -> None:
        self._transport.resume_reading()

    # What the application asks for.

    def send(self, frame: bytes) -> None:
        """Send a frame made by `text_frame`; nothing where the socket is closing. Never waits."""
        if self._is_open:
            self._transport.write(frame)
            metrics.FRAMES.inc()

    def unsent(self) -> int:
        """Return the bytes the other side has not read yet."""
        return self._transport.get_write_buffer_size()

    def close(self, code: IntEnum) -> None:
        """Close with a code and its name, after what was sent."""
        if self._protocol.state is State.OPEN:
            self._protocol.send_close(code, code.name.lower())
            self._write()

    def abort(self) -> None:
        """Drop the connection now."""
        self._transport.abort()

    def expect(self, seconds: float, code: IntEnum) -> None:
        """Close with `code` unless `expected` is called within this time."""
        self._deadline, self._overdue = self._watch.now() + seconds, code
        self._watch.look(self, self._next())

    def expected(self) -> None:
        """Take back `expect`: what was to come has come."""
        if not self._ending:
            self._deadline = self._overdue = None

    async def alive(self, seconds: float) -> bool:
        """Whether the other side answers a ping within `seconds`."""
        if self._protocol.state is not State.OPEN:
            return False
        self._asked_alive += 1
        name = f"alive {self._asked_alive}".encode()
        pong = self._pongs[name] = asyncio.get_running_loop().create_future()
        self._protocol.send_ping(name)
        self._write()
        try:
            done, _ = await asyncio.wait((pong,), timeout=seconds)
            return bool(done) and not pong.cancelled()
        finally:
            self._pongs.pop(name, None)

    # What the listener asks for.

    def look(self, now: float) -> float:
        """Do what is overdue, and return the moment to look again."""
        limits, loose = self._watch.limits, self._loose
        self._loose = 0
        if self._deadline is not None and now >= self._deadline:
            if self._overdue is None:
                self._transport.abort()
            else:
                self.close(self._overdue)
        elif not self._is_open:
            pass
        elif loose > limits.loose:
            self._fail(CloseCode.POLICY_VIOLATION, "too many frames that are no message")
        elif self._half_since is not None and now - self._half_since > limits.half:
            self.abort()
        elif self._pinged is not None:
            if now - self._pinged > limits.pong_within:
                self._fail(CloseCode.INTERNAL_ERROR, "keepalive ping timeout")
                self._deadline = now  # who answers nothing is not waited for once more
        elif now - self._heard >= limits.ping_after:
            self._pinged = now
            self._transport.write(PING)
        return self._next()

    def _next(self) -> float:
        """The next moment at which something may be overdue; what is heard until then only puts it off."""
        limits = self._watch.limits
        if self._pinged is None:
            at = self._heard + limits.ping_after
        else:  # by the time of the next ping, should this one be answered
            at = self._pinged + min(limits.ping_after, limits.pong_within)
        if self._half_since is not None:
            at = min(at, self._half_since + limits.half)
        return at if self._deadline is None else min(at, self._deadline)

    # Reading.

    def _read(self, data: bytes) -> None:
        """Read what is no plain message, and at first the request, with the library."""
        self._protocol.receive_data(data)
        events = self._protocol.events_received()
        if events and isinstance(request := events[0], Request):
            self._asked(request)
            del events[0]
        if self._answering is None:
            self._write()  # first of all, so that a pong comes before the answer to what came behind the ping
        for event in events:
            self._frame(event)
        if self._visitor is not None:
            whole = events and not self._pieces and not self._protocol.reader.buffer
            if whole:
                self._half_since = None
            elif self._half_since is None:
                self._half_since = self._watch.now()
                self._watch.look(self, self._next())
        if events:
            self._heard, self._pinged = self._watch.now(), None

    def _frame(self, frame: Event) -> None:
        if self._visitor is None or not isinstance(frame, Frame):
            self._transport.abort()  # a frame before the handshake was answered
        elif frame.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            self._pieces.append(frame)
            if frame.fin:
                self._whole()
            else:
                self._loosely()
        else:
            self._loosely()
            pong = self._pongs.get(bytes(frame.data)) if frame.opcode is Opcode.PONG else None
            if pong is not None and not pong.done():
                pong.set_result(None)

    def _loosely(self) -> None:
        """Count a frame that is no message."""
        if not self._loose:
            self._watch.look(self, self._heard)  # they are counted from sweep to sweep
        self._loose += 1

    def _whole(self) -> None:
        pieces, self._pieces = self._pieces, []
        try:
            message = joined(pieces)
        except UnicodeDecodeError:
            self._fail(CloseCode.INVALID_DATA, "text that is no UTF-8")
        else:
            self._take(message)

    def _take(self, message: str | bytes) -> None:
        # A message before the other side's close counts; one after this side's own close does not.
        if self._visitor is not None and (self._is_open or self._protocol.close_rcvd_then_sent):
            self._visitor.received(message)

    # The answer to the request.

    def _asked(self, request: Request) -> None:
        self._transport.pause_reading()
        self._deadline = self._watch.now() + self._watch.limits.answer
        self._answering = asyncio.get_running_loop().create_task(self._answer(request))

    async def _answer(self, request: Request) -> None:
        protocol, transport = self._protocol, self._transport
        response = await self._response(request)
        self._answering = None
        if protocol.state is not State.CONNECTING or transport.is_closing():
            return
        if request.method == "HEAD":
            response = replace(response, body=b"")
        if protocol.eof_sent:  # what came behind the request is no WebSocket's frame, such as another request
            transport.write(response.serialize())
            transport.close()
            return
        protocol.send_response(response)
        self._write()
        transport.resume_reading()
        self._heard = self._watch.now()
        if response.status_code == http.HTTPStatus.SWITCHING_PROTOCOLS:
            self._deadline = None
            self._watch.look(self, self._next())
            self._boundary = not protocol.reader.buffer
            self._visitor = self._watch.application.opened(self, request)

    async def _response(self, request: Request) -> Response:
        try:
            answer = await self._watch.application.admit(request)
        except Exception:
            log.exception("answering a request failed")
            return self._protocol.reject(http.HTTPStatus.INTERNAL_SERVER_ERROR, "Something went wrong on this side.\n")
        return self._protocol.accept(request) if answer is None else answer

    # Writing.

    def _fail(self, code: CloseCode, reason: str) -> None:
        self._protocol.fail(code, reason)
        self._write()

    def _write(self) -> None:
        """Send what the protocol has to say, and see to it that a closing connection ends."""
        protocol, transport = self._protocol, self._transport
        self._is_open = protocol.state is State.OPEN and not transport.is_closing()
        self._boundary = self._boundary and self._is_open
        if transport.is_closing():
            return
        for data in protocol.data_to_send():
            if data:
                transport.write(data)
                continue
            if isinstance(protocol.handshake_exc, InvalidMessage) and not protocol.reader.eof:
                answer = protocol.reject(http.HTTPStatus.BAD_REQUEST, "This is no request this server can read.\n")
                transport.write(answer.serialize())
            if transport.can_write_eof():
                transport.write_eof()
            else:
                transport.close()
        if protocol.close_expected() and not self._ending and self._visitor is not None:
            self._ending = True
            self._deadline, self._overdue = self._watch.now() + self._watch.limits.closing, None
            self._watch.look(self, self._next())
