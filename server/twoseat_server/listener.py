"""Listens, keeps all connections and looks at each when it is time; it knows nothing of what is said on them."""

import asyncio
import math
import socket
from collections import defaultdict
from collections.abc import Callable, Sequence

from twoseat_server.patience import Limits
from twoseat_server.transport import Application, Connection

SWEEP_EVERY = 0.5
"""Seconds; what is overdue is done this much too late at most."""
_AT_ONCE = 100
"""Connections looked at without a break: thousands, and a ping to many, would hold up every move for tens of ms."""
_BACKLOG = 1024
_UNSENT_BYTES = 16 * 1024
"""What the kernel keeps that is not on its way yet. The rest waits here, where the newest state can take its place."""


class Listener:
    """All connections of one address, from `open` to `close`."""

    def __init__(self, application: Application, limits: Limits, now: Callable[[], float] | None = None) -> None:
        self.application = application
        self.limits = limits
        self.now = now or asyncio.get_running_loop().time
        self.connections: set[Connection] = set()
        self._looks: defaultdict[int, set[Connection]] = defaultdict(set)
        """By the number of the sweep, whom to look at then: who is merely silent costs nothing until it is time."""
        self._swept = int(self.now() / SWEEP_EVERY)
        """The number of the last sweep: its moment, counted in `SWEEP_EVERY`."""
        self._empty = asyncio.Event()
        self._server: asyncio.Server | None = None
        self._sweeping: asyncio.Task[None] | None = None

    @property
    def sockets(self) -> Sequence[socket.socket]:
        """The sockets that are listened on."""
        return self._server.sockets if self._server is not None else ()

    def arrived(self, connection: Connection, look_at: float) -> None:
        """Take note of a new connection."""
        self.connections.add(connection)
        self._plan(connection, look_at)

    def look(self, connection: Connection, at: float) -> None:
        """See to it that a connection is looked at no later than at the first sweep after `at`."""
        if connection in self.connections and self._sweep_after(at) < connection.sweep:
            self._looks[connection.sweep].discard(connection)
            self._plan(connection, at)

    def departed(self, connection: Connection) -> None:
        """Take note of a lost connection."""
        self.connections.discard(connection)
        self._looks[connection.sweep].discard(connection)
        if not self.connections:
            self._empty.set()

    async def open(self, host: str, port: int, *, reuse_port: bool = False) -> None:
        """Start listening. Raises OSError where the address cannot be had."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            lambda: Connection(self), host, port, backlog=_BACKLOG, reuse_port=reuse_port or None
        )
        if hasattr(socket, "TCP_NOTSENT_LOWAT"):  # Linux and macOS
            for listening in self.sockets:
                listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, _UNSENT_BYTES)
        self._sweeping = loop.create_task(self._sweep())

    async def emptied(self, within: float) -> None:
        """Wait until the last connection is gone. Raises TimeoutError after `within` seconds."""
        async with asyncio.timeout(within):
            while self.connections:
                self._empty.clear()
                await self._empty.wait()

    def leave_port(self) -> None:
        """Stop listening; connections stay."""
        if self._server is not None:
            self._server.close()

    async def close(self) -> None:
        """Stop listening, and drop the connections that are left."""
        self.leave_port()
        for connection in tuple(self.connections):
            connection.abort()
        if self._sweeping is not None:
            self._sweeping.cancel()
        await asyncio.sleep(0)  # connections are lost a turn of the loop after they are dropped

    def _sweep_after(self, at: float) -> int:
        return max(self._swept + 1, math.ceil(at / SWEEP_EVERY))

    def _plan(self, connection: Connection, at: float) -> None:
        connection.sweep = self._sweep_after(at)
        self._looks[connection.sweep].add(connection)

    async def _sweep(self) -> None:
        while True:
            left = (self._swept + 1) * SWEEP_EVERY - self.now()
            await asyncio.sleep(max(0.0, left))
            if left <= 0:
                self._swept += 1
                await self._look()

    async def _look(self) -> None:
        due, looked = self._looks[self._swept], 0
        while due:
            connection = due.pop()
            self._plan(connection, connection.look(self.now()))
            looked += 1
            if looked % _AT_ONCE == 0:
                await asyncio.sleep(0)
        del self._looks[self._swept]
