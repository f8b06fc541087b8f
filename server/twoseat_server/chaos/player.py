"""One person of a chaos run: the terminal client's own line, so its own reconnect rules, somebody who moves whenever
she may, and a record of every frame.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import Any

from pydantic import BaseModel
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from twoseat import wire
from twoseat.shake import Stage, nonce_digest
from twoseat_client.address import Server
from twoseat_client.connection import Connection, dial
from twoseat_client.facts import Lost, Stopped, Woken
from twoseat_server.chaos.history import Spoken, Witness

AGAIN = 1.0
"""Seconds after which a request that found no storage is made again."""
_SAFE = 0.4
"""How often the first open move is made, which ends a turn of many moves as soon as may be."""
Dial = Callable[[Server], Awaitable[Any]]


class Tapped:
    """A client's socket, with every message of both directions written down."""

    def __init__(self, socket: ClientConnection, number: int, witness: Witness, clock: Callable[[], float]) -> None:
        self._socket = socket
        self._number = number
        self._spoken = witness.spoken
        self._clock = clock

    @property
    def transport(self) -> Any:
        """What the line breaks when it has heard nothing for too long."""
        return self._socket.transport

    @property
    def close_code(self) -> int | None:
        """The code the socket was closed with."""
        return self._socket.close_code

    async def send(self, text: str) -> None:
        """Send a message."""
        self._spoken.append(Spoken(self._clock(), self._number, text, heard=False))
        await self._socket.send(text)

    async def close(self, code: int) -> None:
        """Say goodbye."""
        await self._socket.close(code)

    async def __aiter__(self) -> AsyncIterator[str]:
        async for text in self._socket:
            if not isinstance(text, str):
                raise ConnectionClosed(None, None)
            self._spoken.append(Spoken(self._clock(), self._number, text, heard=True))
            yield text


def some_move(legal: Sequence[str], draw: Callable[[], float]) -> str:
    """Return one of the open moves: often the first, else any, with any number where it ends in a range."""
    if len(legal) == 1 or draw() < _SAFE:
        return legal[0]
    form, _, numbers = legal[int(draw() * len(legal)) % len(legal)].rpartition(" ")
    low, dash, high = numbers.partition("-")
    if not dash:
        return f"{form} {numbers}".strip()
    return f"{form} {int(low) + int(draw() * (int(high) - int(low) + 1))}"


def witnesses_of(match: str, players: Sequence["Player"]) -> tuple[Witness, ...]:
    """Return what those who were at a match said and heard, and their other tabs, which may have been on their way."""
    there = {player.token for player in players if match in player.matches}
    return tuple(player.witness for player in players if match in player.matches or player.token in there)


class Player:
    """A person at a table, game after game until `enough()`, then to the end of the last one."""

    def __init__(
        self,
        server: Server,
        name: str,
        start: Callable[[], Awaitable[BaseModel]],
        *,
        number: int,
        think: Callable[[], float],
        enough: Callable[[], bool],
        clock: Callable[[], float],
        draw: Callable[[], float],
        open_socket: Dial = dial,
        seat: tuple[str, str] | None = None,
    ) -> None:
        """`start` tells what to ask for; `number` tells this player's sockets from all others; `think` gives the
        seconds before a move, `draw` the chance in reconnecting. `seat`: token and match to come back with.
        """
        self.witness = Witness()
        self.matches: list[str] = []
        """The matches sat down at, in order."""
        self.code: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.sits = asyncio.Event()
        """The first match has been sat down at."""
        self.done = asyncio.Event()
        self.breaks: list[float] = []
        """Seconds from each break of the line to seeing the match again."""
        self.degraded: list[float] = []
        """When storage was said to be away."""
        self.shown: list[float] = []
        """When a state was seen."""
        self._server = server
        self._name = name
        self._start = start
        self._think = think
        self._enough = enough
        self._clock = clock
        self._draw = draw
        self._open = open_socket
        self._number = number
        self._sockets = number * 1_000_000
        self._lost_at: float | None = None
        self._nonces: dict[str, str] = {}
        self._played = ("", -1)
        self._asked = self._greeted = False
        self._state: wire.State | None = None
        self._seat: wire.Seat | None = None
        self._solo = False
        self._line = self._new_line(*(seat or (None, None)))

    @property
    def seat(self) -> tuple[str, str] | None:
        """The token and the match this player is at, None while she is at none."""
        token, match = self._line.token, self._line.match
        return None if token is None or match is None else (token, match)

    @property
    def token(self) -> str | None:
        """The secret this player is known by, None before her first welcome."""
        return self._line.token

    async def run(self) -> None:
        """Play until the last game is over; a line that gave up begins anew."""
        while not self.done.is_set():
            async with aclosing(self._line.heard()) as heard:  # type: ignore[type-var]
                async for item in heard:
                    await self._take(item)
                    if self.done.is_set():
                        return
            await asyncio.sleep(AGAIN)
            self._line = self._new_line(self._line.token, self._line.match)

    def _new_line(self, token: str | None, match: str | None) -> Connection:
        return Connection(
            self._server,
            name=self._name,
            token=token,
            match=match,
            open_socket=self._tap,
            clock=self._clock,
            draw=self._draw,
        )

    async def _tap(self, server: Server) -> Any:
        socket = await self._open(server)
        self._sockets += 1
        return Tapped(socket, self._sockets, self.witness, self._clock)

    async def _take(self, item: Any) -> None:
        match item:
            case wire.Welcome():
                await self._welcomed(item)
            case wire.Waiting(code=str(code)) if not self.code.done():
                self.code.set_result(code)
            case wire.Error(code=wire.ErrorCode.STORAGE_AWAY | wire.ErrorCode.BUSY) if not self.matches:
                await asyncio.sleep(AGAIN)
                await self._line.send(await self._start())
            case wire.Seated():
                self._seat, self._solo, self._state = item.seat, any(item.bots), None
                self.sits.set()
                if item.match not in self.matches:
                    self.matches.append(item.match)
                    self._asked = False
            case wire.Fair():
                await self._shake(item)
            case wire.State():
                await self._look(item)
            case wire.Degraded(on=True):
                self.degraded.append(self._clock())
            case Woken() if self._state is not None and self._state.phase == "over":
                await self._over(self._state)
            case Stopped(code=wire.Close.REPLACED):
                self.done.set()  # she plays on elsewhere
            case Lost():
                self._asked = self._greeted = False
                self._lost_at = self._clock() if self._lost_at is None else self._lost_at
            case _:
                pass

    async def _welcomed(self, welcome: wire.Welcome) -> None:
        if self._line.match is not None or self._greeted:
            return
        self._greeted = True
        if welcome.resume is not None:
            await self._line.send(wire.Join(type="join", code=welcome.resume.code))
        elif self.code.done():
            await self._line.send(wire.Join(type="join", code=self.code.result()))
        else:
            await self._line.send(await self._start())

    async def _shake(self, fair: wire.Fair) -> None:
        if self._seat is None:
            return
        nonce = self._nonces.setdefault(fair.match, secrets.token_hex(32))
        if fair.stage is Stage.COMMIT and fair.digests[self._seat] is None:
            await self._line.send(wire.CommitNonce(type="commit", digest=nonce_digest(nonce)))
        elif fair.stage is Stage.OPEN and fair.digests[self._seat] and fair.nonces[self._seat] is None:
            await self._line.send(wire.OpenNonce(type="open", nonce=nonce))

    async def _look(self, state: wire.State) -> None:
        self.shown.append(self._clock())
        self._state = state
        if self._lost_at is not None:
            self.breaks.append(self.shown[-1] - self._lost_at)
            self._lost_at = None
        if state.phase == "over":
            await self._over(state)
        if self._seat is None or state.phase == "over":
            return
        chair = state.chairs[self._seat]
        if chair.driver == "bot" and not chair.back:
            await self._line.send(wire.TakeBack(type="return"))
        elif state.legal[self._seat] and self._played != (self.matches[-1], chair.number):
            self._played = self.matches[-1], chair.number
            legal = state.legal[self._seat]
            await asyncio.sleep(self._think())
            await self._line.play(
                wire.PlayMove(
                    type="play",
                    id=f"{self._number}-{len(self.matches)}-{chair.number}",
                    number=chair.number,
                    move=legal[0] if self._enough() else some_move(legal, self._draw),
                )
            )

    async def _over(self, state: wire.State) -> None:
        """Ask for another game, or leave; not while the one that was asked for is about to begin."""
        if state.outcome is not None and state.outcome.termination is wire.Termination.VOID:
            self.done.set()  # nothing was begun, so there is nothing to begin again
        elif not self._enough():
            if self._seat is not None and not self._asked:
                self._asked = await self._line.send(wire.AskRematch(type="rematch"))
        elif not self._asked or (not self._solo and [chair.rematch for chair in state.chairs].count(True) == 1):
            self.done.set()

    def wake(self) -> None:
        """Have the player look whether it is enough."""
        self._line.wake()
