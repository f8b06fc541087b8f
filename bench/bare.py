"""A server of our transport, our line and our store with nothing in it but the parts of a draw up to one of `RUNGS`.

`python -m bench.bare PORT RUNG FOLDER` serves until it is ended; what is between the sockets is in `bench.rungs`.
"""

import asyncio
import gc
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import uvloop
from websockets.http11 import Request

from bench.rungs import RUNGS, STORE, Table, take, tell
from twoseat_server.batch import Batch
from twoseat_server.listener import Listener
from twoseat_server.patience import Limits
from twoseat_server.store.embedded import EmbeddedStore
from twoseat_server.store.link import Link
from twoseat_server.transport import Connection


class Bare:
    """All tables, by path."""

    def __init__(self, rung: int, link: Link | None) -> None:
        self._rung = rung
        self._link = link
        self._tables: dict[str, Table] = {}
        self._asked, self._answered = Batch(take), Batch(tell)

    async def admit(self, _: Request) -> None:
        """Every request gets its socket."""

    def opened(self, connection: Connection, request: Request) -> Table:
        """Return the table of this path, with one more at it."""
        if request.path not in self._tables:
            self._tables[request.path] = Table(self._rung, self._link, self._asked, self._answered)
        table = self._tables[request.path]
        table.connections.append(connection)
        return table


@asynccontextmanager
async def stored(rung: int, folder: Path) -> AsyncIterator[Link | None]:
    """The line to a store of its own, as a server without Redis has it; None where the socket is all there is."""
    if rung < STORE:
        yield None
        return
    async with EmbeddedStore(folder) as url:
        link = Link(url)
        await link.load()
        try:
            yield link
        finally:
            await link.close()


async def main(port: int, rung: int, folder: Path) -> None:
    """Serve until told to end."""
    told = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, told.set)
    async with stored(rung, folder) as link:
        gc.collect()
        gc.freeze()
        gc.set_threshold(20_000, 20, 100)  # as the server does
        listener = Listener(Bare(rung, link), Limits())
        await listener.open("127.0.0.1", port)
        await told.wait()
        await listener.close()


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1]), RUNGS.index(sys.argv[2]), Path(sys.argv[3])))
