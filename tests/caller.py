"""A client for tests of the server: it hears everything, shakes hands before a deal, and else does what it is told."""

import asyncio
import contextlib
import json
import secrets
from collections.abc import AsyncIterator, Callable
from typing import Any, TypeVar

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from twoseat import wire
from twoseat.shake import Stage, nonce_digest

WITHIN = 15.0
"""Real seconds after which what a test waits for has failed to come."""
Heard = TypeVar("Heard")


class Caller:
    """One socket of one player."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: list[Any] = []
        self.token = ""
        self.seat: wire.Seat | None = None
        self.seated: wire.Seated | None = None
        self.state: wire.State | None = None
        self._said: dict[Stage, str] = {}
        self.nonce = secrets.token_hex(32)
        self._read = 0
        self._news = asyncio.Condition()
        self._moves = 0
        self._reading = asyncio.create_task(self._listen())

    async def say(self, kind: str, **fields: Any) -> None:
        """Send a message; nothing where the socket is closed."""
        with contextlib.suppress(ConnectionClosed):
            await self.socket.send(json.dumps({"type": kind, **fields}))

    async def hear(self, kind: type[Heard], holds: Callable[[Heard], bool] = lambda message: True) -> Heard:
        """Return the next message of a kind for which `holds`; what came before it has been heard then."""

        def found() -> bool:
            while self._read < len(self.heard):
                self._read += 1
                message = self.heard[self._read - 1]
                if isinstance(message, kind) and holds(message):
                    return True
            return False

        async with asyncio.timeout(WITHIN), self._news:
            await self._news.wait_for(found)
        message: Heard = self.heard[self._read - 1]
        return message

    async def refused(self) -> str:
        """Return the code of the next error."""
        return (await self.hear(wire.Error)).code

    async def rejected(self) -> wire.RejectedMessage:
        """Return the next rejection."""
        return await self.hear(wire.RejectedMessage)

    async def until(self, holds: Callable[[wire.State], bool]) -> wire.State:
        """Return the newest state once `holds` for it; what was heard before counts."""
        async with asyncio.timeout(WITHIN), self._news:
            await self._news.wait_for(lambda: self.state is not None and holds(self.state))
        assert self.state is not None
        return self.state

    async def my_turn(self) -> wire.State:
        """Return the state in which this seat owes a move."""
        return await self.until(lambda state: self.seat is not None and bool(state.legal[self.seat]))

    async def draw(self) -> wire.State:
        """Make this seat's next move, as soon as it may, and return the state that acknowledges it."""
        state = await self.my_turn()
        assert self.seat is not None
        seat, version = self.seat, state.version
        move_id = await self.play(state.chairs[seat].number, state.legal[seat][0])
        return await self.until(
            lambda state: (state.chairs[seat].last == move_id and state.version > version) or state.outcome is not None
        )

    async def play(self, number: int, move: str = "draw", move_id: str = "") -> str:
        """Say `play` as it is given, and return the move's name."""
        self._moves += 1
        move_id = move_id or f"move-{self._moves}"
        await self.say("play", id=move_id, number=number, move=move)
        return move_id

    async def results(self) -> wire.Results:
        """Play to the end."""
        while (await self.until(lambda state: self._owes(state) or state.outcome is not None)).outcome is None:
            await self.draw()
        return await self.hear(wire.Results)

    async def closed(self) -> int:
        """Return the code the server closes this socket with."""
        async with asyncio.timeout(WITHIN):
            await asyncio.wait((self._reading,))
        return self.socket.close_code or 0

    def freeze(self) -> None:
        """Be half-open: read nothing any more and answer no ping."""
        self.socket.transport.pause_reading()

    def thaw(self) -> None:
        """Read on."""
        self.socket.transport.resume_reading()

    def vanish(self) -> None:
        """Break the connection without a word."""
        self.socket.transport.abort()

    async def hang_up(self) -> None:
        """Close, and have read all there was."""
        await self.socket.close()
        await asyncio.wait((self._reading,))

    def _owes(self, state: wire.State) -> bool:
        return self.seat is not None and bool(state.legal[self.seat])

    async def _listen(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for frame in self.socket:
                message = wire.parse_server(frame)
                assert message is not None, frame
                await self._take(message)

    async def _take(self, message: Any) -> None:
        async with self._news:
            self.heard.append(message)
            match message:
                case wire.Welcome(token=str(token)):
                    self.token = token
                case wire.Seated():
                    if self.seated is None or self.seated.match != message.match:
                        self._said = {}
                    self.seated, self.seat, self.state = message, message.seat, None
                case wire.State():
                    self.state = message
                case wire.Fair():
                    await self._shake(message)
                case _:
                    pass
            self._news.notify_all()

    async def _shake(self, fair: wire.Fair) -> None:
        if self.seat is None or fair.stage in self._said:
            return
        if fair.stage is Stage.COMMIT:
            self._said[fair.stage] = nonce_digest(self.nonce)
            await self.say("commit", digest=self._said[fair.stage])
        elif fair.stage is Stage.OPEN and fair.digests[self.seat] == nonce_digest(self.nonce):
            self._said[fair.stage] = self.nonce
            await self.say("open", nonce=self.nonce)


class Callers:
    """Opens sockets to one server, and closes them all at the end."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._all: list[Caller] = []

    async def connect(self, **options: Any) -> Caller:
        """Open a socket that has said nothing yet."""
        url = f"ws://127.0.0.1:{self.port}/ws"
        caller = Caller(await connect(url, compression=None, proxy=None, ping_interval=None, **options))
        self._all.append(caller)
        return caller

    async def __call__(self, token: str | None = None, **fields: Any) -> Caller:
        """Open a socket and be welcome, as a new player or the one with this token."""
        caller = await self.connect()
        caller.token = token or ""
        hello = {"protocol": wire.PROTOCOL_VERSION, "token": token, **fields}
        await caller.say("hello", **{name: value for name, value in hello.items() if value is not None})
        await caller.hear(wire.Welcome)
        return caller

    async def pair(self, **terms: Any) -> tuple[Caller, Caller]:
        """Two new players at one table, by seat, the game dealt."""
        return await meet(self, self, **terms)

    async def close(self) -> None:
        """Hang up everywhere."""
        for caller in self._all:
            if not caller.socket.transport.is_closing():
                caller.socket.transport.resume_reading()
            caller.vanish()
        for caller in self._all:
            await caller.closed()


async def meet(first: Callers, second: Callers, **terms: Any) -> tuple[Caller, Caller]:
    """Two new players at one table, in seat 0 by the first server and in seat 1 by the second, the game dealt."""
    host, guest = await first(name="Ann"), await second(name="Bob")
    await host.say("host", terms=terms)
    await guest.say("join", code=(await host.hear(wire.Waiting)).code)
    for caller in (host, guest):
        await caller.hear(wire.Seated)
        await caller.until(lambda state: state.phase == "playing")
    return host, guest


@contextlib.asynccontextmanager
async def calling(port: int) -> AsyncIterator[Callers]:
    """Callers of the server on this port."""
    callers = Callers(port)
    try:
        yield callers
    finally:
        await callers.close()


async def play_out(*callers: Caller) -> list[wire.Results]:
    """Both play to the end."""
    return await asyncio.gather(*(caller.results() for caller in callers))
