"""One socket from `hello` to farewell: what it says is weighed, read and served in turn; it knows no rules."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Any

import structlog

from twoseat import wire
from twoseat_server import metrics
from twoseat_server.dialogue import Dialogue
from twoseat_server.frames import text_frame
from twoseat_server.limits import Bucket
from twoseat_server.lobby import Refused
from twoseat_server.sessions import Session
from twoseat_server.store.link import StoreAway
from twoseat_server.transport import Connection

MESSAGE_RATE, MESSAGE_BURST = 10, 40
_WARNINGS = 1, 20
"""Rate and burst of messages over the rate that are answered with a warning; one more and the socket is closed."""

log = structlog.get_logger()


class Visit:
    """One socket from `hello` to farewell. Pings are answered at once; everything else waits its turn, which may be
    long while the store is away. A plain move is sent to the store at once; a task lives only while something else is
    being served.
    """

    __slots__ = (
        *("_connection", "_dialogue", "_early", "_gone", "_landed", "_left"),
        *("_rate", "_sent", "_serving", "_session", "_turns", "_warnings"),
    )

    def __init__(self, connection: Connection, dialogue: Dialogue, left: Callable[["Visit"], None]) -> None:
        self._connection = connection
        self._dialogue = dialogue
        self._left = left
        self._session: Session | None = None
        self._gone = False
        self._early: list[str | bytes] = []
        """What was said before `hello` was answered, `hello` first."""
        self._turns: deque[Any] = deque()
        self._serving: asyncio.Task[None] | None = None
        self._sent = False
        """Whether a move is at the store."""
        self._landed: asyncio.Future[None] | None = None
        self._rate = Bucket(MESSAGE_RATE, MESSAGE_BURST)
        self._warnings = Bucket(*_WARNINGS)

    def received(self, message: str | bytes) -> None:
        """Take a message: refuse what is too much or malformed, the rest has its turn."""
        session = self._session
        if session is None:
            self._before_welcome(message)
        elif not self._rate.take():
            self._too_much(session)
        elif (parsed := _parsed(session, message)) is None:
            return
        elif isinstance(parsed, wire.PlayMove) and self._serving is None and not self._sent:
            self._play(session, parsed)
        elif isinstance(parsed, wire.Ping):
            session.send(wire.Pong(parsed.n))
        elif len(self._turns) < MESSAGE_BURST:
            self._turns.append(parsed)
            self._go_on(session)
        else:
            session.send(wire.Error(wire.ErrorCode.SLOW_DOWN))

    def _play(self, session: Session, move: wire.PlayMove) -> None:
        """Send a move to the store at once, or let it have its turn."""
        began = time.perf_counter()

        def answered(stored: bool) -> None:
            self._sent = False
            if stored:
                self._rate.give_back()
                metrics.SERVED.observe(time.perf_counter() - began)
            else:
                session.moves.give_back()  # it is one move still
                self._turns.appendleft(move)
            self._go_on(session)
            if self._landed is not None and not self._landed.done():
                self._landed.set_result(None)

        self._sent = True
        if not self._dialogue.play_at_once(session, move, answered):
            self._sent = False
            self._turns.append(move)
            self._go_on(session)

    def _go_on(self, session: Session) -> None:
        if self._turns and self._serving is None and not self._sent:
            self._serving = asyncio.get_running_loop().create_task(self._serve(session))

    def lost(self) -> None:
        """The socket is gone."""
        self._gone = True
        if self._session is not None:
            self._session.lost = True
        self._left(self)

    async def end(self) -> None:
        """Serve what was said before the socket was gone, then say farewell."""
        if self._sent:
            self._landed = asyncio.get_running_loop().create_future()
            await self._landed
        if self._serving is not None:
            await asyncio.wait((self._serving,))
        if self._session is not None:
            await self._dialogue.farewell(self._session)

    def _before_welcome(self, message: str | bytes) -> None:
        self._early.append(message)
        if self._serving is None:
            self._connection.expected()
            self._serving = asyncio.get_running_loop().create_task(self._hello(message))
        elif len(self._early) > MESSAGE_BURST:
            self._connection.close(wire.Close.FLOOD)

    def _too_much(self, session: Session) -> None:
        if self._warnings.take():
            session.send(wire.Error(wire.ErrorCode.SLOW_DOWN))
        else:
            log.warning("flood", match=session.match, seat=session.seat)
            self._connection.close(wire.Close.FLOOD)

    async def _hello(self, raw: str | bytes) -> None:
        """Open a session for the first message and the match it names, or say why not and close."""
        try:
            message = wire.parse(raw)
            if isinstance(message, wire.Hello) and message.protocol == wire.PROTOCOL_VERSION:
                await self._welcome(message)
                return
            old = isinstance(message, wire.Hello)
            error = wire.Error(wire.ErrorCode.OLD_CLIENT if old else wire.ErrorCode.HELLO_FIRST)
        except wire.Malformed as problem:
            old = isinstance(raw, str) and wire.old_client(raw)
            error = wire.Error(wire.ErrorCode.OLD_CLIENT) if old else wire.Error(problem.code, problem.field)
        except StoreAway:
            self._refuse(wire.Error(wire.ErrorCode.STORAGE_AWAY), wire.Close.BUSY)
            return
        except Refused as refused:
            self._refuse(wire.Error(refused.code), wire.Close.BUSY)
            return
        except Exception:
            log.exception("hello not served")
            self._connection.close(wire.Close.FAULT)
            return
        self._refuse(error, wire.Close.OLD_CLIENT if old else wire.Close.NO_HELLO)

    def _refuse(self, error: wire.Error, code: wire.Close) -> None:
        self._connection.send(text_frame(wire.encode(error)))
        self._connection.close(code)

    async def _welcome(self, hello: wire.Hello) -> None:
        session = self._session = await self._dialogue.greet(self._connection, hello)
        early, self._early = self._early[1:], []
        for message in early:
            self.received(message)
        if not self._gone:  # else it would take the seat from the socket she has come back on
            await self._dialogue.resume(session, hello.match)
        await self._serve(session)

    async def _serve(self, session: Session) -> None:
        try:
            while self._turns:
                began = time.perf_counter()
                if await self._dialogue.serve(session, self._turns.popleft()):
                    self._rate.give_back()
                metrics.SERVED.observe(time.perf_counter() - began)
        except Exception:
            log.exception("message not served", match=session.match, seat=session.seat)
            self._connection.close(wire.Close.FAULT)
        finally:
            self._serving = None


def _parsed(session: Session, raw: str | bytes) -> Any | None:
    """Return a client's message, None where it is none, which the client is told."""
    try:
        return wire.parse(raw)
    except wire.Malformed as problem:
        session.send(wire.Error(problem.code, problem.field))
        return None
