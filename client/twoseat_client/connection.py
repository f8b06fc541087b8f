"""One line to a server that mends itself: it greets, asks, reconnects, sends a lost move again, and knows no game.

It reports messages and facts in the order they happen and decides nothing about them. A move is unacknowledged until
the server shows it as the seat's last one, answers `done` or rejects it; only then may the next be sent. Until then it
is sent again, the same in name and number, on every new socket and every few seconds: the server plays a move once.

Only silence is asked about: whatever is heard shows that the line lives.
"""

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Literal

from pydantic import BaseModel
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI

from twoseat import __version__
from twoseat.wire import (
    PROTOCOL_VERSION,
    Close,
    Done,
    Hello,
    Ping,
    PlayMove,
    Pong,
    RejectedMessage,
    Seat,
    Seated,
    State,
    Welcome,
    foreign,
    parse_server,
)
from twoseat_client.address import Server
from twoseat_client.backoff import wait
from twoseat_client.facts import Lag, Lost, Millis, Sent, Stopped, Trying, Woken

_BROKEN, _NO_STATUS = 1006, 1005
RETRY = frozenset({Close.GOING_AWAY, _BROKEN, Close.FAULT, Close.RESTART, Close.BUSY})
QUIET: Millis = 4_000
"""After so much silence a ping goes; with so much more the line is dead."""
FRESH: Millis = 20_000
"""The lag is measured anew after so long, whatever is heard: a person sees it."""
UNANSWERED: Millis = 2_000
"""A move may be on its way this long; then it is lost, or held up, and goes again, and from then on every `QUIET`."""
OPEN_WITHIN: Millis = 5_000
STEADY: Millis = 1_000
"""A line that held so long was a success; a server that greets and drops us at once is not to be hammered."""
FIRST_ATTEMPTS = 3
"""Attempts before the first welcome; a wrong address should be said soon."""
PATIENCE: Millis = 600_000
"""How long a server that once answered is waited for."""
MAX_MESSAGE_BYTES = 1 << 20


class Unreachable(Exception):
    """No socket could be opened; `for_good`: another attempt would end the same."""

    def __init__(self, *, for_good: bool = False) -> None:
        super().__init__("the server does not answer")
        self.for_good = for_good


Dial = Callable[[Server], Awaitable[ClientConnection]]


async def dial(server: Server) -> ClientConnection:
    """Open a socket. Raises Unreachable."""
    proxy: Literal[True] | None = None if server.local else True
    try:
        return await connect(
            server.socket,
            proxy=proxy,
            compression=None,
            ping_interval=None,
            open_timeout=OPEN_WITHIN / 1000,
            close_timeout=1,
            max_size=MAX_MESSAGE_BYTES,
        )
    except InvalidStatus as error:
        raise Unreachable(for_good=error.response.status_code < 500) from error
    except InvalidURI as error:
        raise Unreachable(for_good=True) from error
    except (OSError, TimeoutError, InvalidHandshake, ConnectionClosed) as error:
        raise Unreachable from error


class Connection:
    """The line of one seat. Iterate over `heard()`; speak with `send()` and `play()`."""

    def __init__(
        self,
        server: Server,
        *,
        name: str | None = None,
        token: str | None = None,
        match: str | None = None,
        open_socket: Dial = dial,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        draw: Callable[[], float] = random.random,
    ) -> None:
        self._server = server
        self._name = name
        self._token = token
        self._match = match
        self._seat: Seat | None = None
        self._dial = open_socket
        self._clock = clock
        self._sleep = sleep
        self._draw = draw
        self._heard: asyncio.Queue[Any] = asyncio.Queue()
        self._socket: ClientConnection | None = None
        self._up = False
        self._last_heard: Millis = 0
        self._pings = 0
        self._asked_at: Millis = 0
        """When the last ping left."""
        self._unacknowledged: PlayMove | None = None
        self._again_at: Millis = 0
        self._resend = False
        self._hurry = asyncio.Event()

    @property
    def up(self) -> bool:
        """Whether the server has welcomed this socket."""
        return self._up

    @property
    def token(self) -> str | None:
        """The secret this line speaks with."""
        return self._token

    @property
    def match(self) -> str | None:
        """The match this line comes back to after a break."""
        return self._match

    def now(self) -> Millis:
        """Return the local monotonic clock."""
        return int(self._clock() * 1000)

    def hurry(self) -> None:
        """Try again now instead of waiting out the delay."""
        self._hurry.set()

    def wake(self) -> None:
        """Let heard() yield once more, now."""
        self._tell(Woken())

    def drop(self) -> None:
        """Break the line and go through the next attempt: this socket is of no use."""
        if self._socket is not None:
            self._socket.transport.abort()

    async def send(self, message: BaseModel) -> bool:
        """Send a request if the line is up and return whether it was; a request is never kept for later."""
        if not self._up or self._socket is None:
            return False
        return await self._say(self._socket, message)

    async def play(self, move: PlayMove) -> bool:
        """Send a move and keep it until it is acknowledged. While another is open, send nothing and return False."""
        if self._unacknowledged is not None:
            return False
        self._unacknowledged, self._again_at = move, self.now() + UNANSWERED
        self._tell(Sent(move))
        if await self.send(move):
            self._hurry.set()  # whoever watches this line has something more to watch
        return True

    async def close(self) -> None:
        """Say goodbye properly."""
        self._up = False
        if self._socket is not None:
            await self._socket.close(Close.BYE)

    async def heard(self) -> AsyncIterator[Any]:
        """Yield messages and facts until the line is given up (the last one is then Stopped)."""
        run = asyncio.create_task(self._keep_up())
        try:
            while True:
                item = await self._heard.get()
                yield item
                if isinstance(item, Stopped):
                    return
                if run.done():
                    run.result()
        finally:
            run.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await run
            await self.close()

    async def _keep_up(self) -> None:
        try:
            await self._attempts()
        except BaseException:
            self._heard.put_nowait(Stopped(Close.FAULT))  # wakes heard(), which raises what happened
            raise

    async def _attempts(self) -> None:
        attempt, since, welcomed = 0, self.now(), False
        while True:
            code: int | None = None
            try:
                self._socket = await self._dial(self._server)
            except Unreachable as error:
                if error.for_good or (not welcomed and attempt + 1 >= FIRST_ATTEMPTS):
                    break
            else:
                opened = self.now()
                code = await self._talk(self._socket)
                if self._up:
                    since, welcomed = self.now(), True
                    attempt = 0 if since - opened >= STEADY else attempt
                self._up = False
                if code not in RETRY:
                    self._tell(Stopped(code))
                    return
                self._tell(Lost(code))
            if self.now() - since > PATIENCE:
                break
            attempt += 1
            delay = wait(attempt, self._draw)
            self._tell(Trying(attempt, delay))
            await self._pause(delay)
        self._tell(Stopped(None))

    async def _pause(self, delay: Millis) -> None:
        self._hurry.clear()
        waits = [asyncio.ensure_future(self._sleep(delay / 1000)), asyncio.ensure_future(self._hurry.wait())]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waits:
                task.cancel()

    async def _talk(self, socket: ClientConnection) -> int:
        """Live through one socket and return its close code; 1006 also where nothing was heard for too long."""
        self._last_heard = self.now()
        self._asked_at = self._last_heard + QUIET - FRESH  # so that there is a first figure soon
        self._resend = True
        hello = Hello(
            type="hello",
            protocol=PROTOCOL_VERSION,
            token=self._token,
            match=self._match,
            name=self._name,
            client=f"twoseat-terminal {__version__}",
        )
        await self._say(socket, hello)
        watch = asyncio.create_task(self._watch(socket))
        try:
            async for raw in socket:
                self._last_heard = self.now()
                message = parse_server(raw)
                if message is not None:
                    await self._take(socket, message)
                elif foreign(raw):
                    await socket.close(Close.FOREIGN)
                    return Close.FOREIGN
        except ConnectionClosed:
            pass
        finally:
            watch.cancel()
        return socket.close_code if socket.close_code not in {None, _NO_STATUS} else _BROKEN

    async def _watch(self, socket: ClientConnection) -> None:
        while True:
            now, asked = self.now(), self._asked_at > self._last_heard
            due = self._asked_at + QUIET if asked else min(self._last_heard + QUIET, self._asked_at + FRESH)
            again = self._again_at if self._unacknowledged is not None and self._up else due
            if now >= due and asked:
                socket.transport.abort()
                return
            if now >= due:
                self._pings, self._asked_at = self._pings + 1, now
                await self._say(socket, Ping(type="ping", n=self._pings))
            elif now >= again and self._unacknowledged is not None:
                await self._repeat(socket, self._unacknowledged)
            else:
                await self._pause(min(due, again) - now)

    async def _repeat(self, socket: ClientConnection, move: PlayMove) -> None:
        self._again_at = self.now() + QUIET
        await self._say(socket, move)

    async def _take(self, socket: ClientConnection, message: Any) -> None:
        match message:
            case Pong(n=n):
                if n == self._pings:
                    self._tell(Lag(self._last_heard - self._asked_at))
                return
            case Welcome():
                self._token = message.token or self._token
                self._up = True
            case Seated():
                if message.match != self._match:
                    self._unacknowledged = None
                self._match, self._seat = message.match, message.seat
            case State() if self._seat is not None:
                self._acknowledge(message.chairs[self._seat].last)
                if self._resend and self._unacknowledged is not None:
                    await self._repeat(socket, self._unacknowledged)
                self._resend = False
            case Done(id=name) | RejectedMessage(id=name):
                self._acknowledge(name)
            case _:
                pass
        self._tell(message)

    def _acknowledge(self, name: str | None) -> None:
        if self._unacknowledged is not None and self._unacknowledged.id == name:
            self._unacknowledged = None

    def _tell(self, item: Any) -> None:
        self._heard.put_nowait(item)

    async def _say(self, socket: ClientConnection, message: BaseModel) -> bool:
        try:
            await socket.send(message.model_dump_json(exclude_none=True))
        except ConnectionClosed:
            return False
        return True
