"""Listens, keeps all connections and looks after them in one sweep; it knows nothing of what is said on them."""

import asyncio
import socket
from collections.abc import Sequence

from twoseat_server.transport import Application, Connection, Limits

SWEEP_EVERY = 0.5
"""Seconds; what is overdue is done this much too late at most."""
_AT_ONCE = 100
"""Connections swept without a break: thousands, and a ping to many, would hold up every move for tens of ms."""
_BACKLOG = 1024
_UNSENT_BYTES = 16 * 1024
"""What the kernel keeps that is not on its way yet. The rest waits here, where the newest state can take its place."""


class Listener:
    """All connections of one address, from `open` to `close`."""

    def __init__(self, application: Application, limits: Limits) -> None:
        self.application = application
        self.limits = limits
        self.now = asyncio.get_running_loop().time
        self.connections: set[Connection] = set()
        self._empty = asyncio.Event()
        self._server: asyncio.Server | None = None
        self._sweeping: asyncio.Task[None] | None = None

    @property
    def sockets(self) -> Sequence[socket.socket]:
        """The sockets that are listened on."""
        return self._server.sockets if self._server is not None else ()

    def arrived(self, connection: Connection) -> None:
        """Take note of a new connection."""
        self.connections.add(connection)

    def departed(self, connection: Connection) -> None:
        """Take note of a lost connection."""
        self.connections.discard(connection)
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

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_EVERY)
            for number, connection in enumerate(tuple(self.connections), 1):
                if connection in self.connections:  # not lost in a break
                    connection.sweep(self.now())
                if number % _AT_ONCE == 0:
                    await asyncio.sleep(0)
