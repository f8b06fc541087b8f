"""The raw limit: websockets' asyncio server on uvloop sends 500 bytes to both at a table for 60 from one of them."""

import asyncio
import sys
from collections import defaultdict

import uvloop
from websockets.asyncio.server import ServerConnection, broadcast, serve

STATE = b"x" * 500


async def main(port: int) -> None:
    """Serve until ended. The path is the table's name; the answer tells nothing."""
    tables: dict[str, list[ServerConnection]] = defaultdict(list)

    async def serve_one(socket: ServerConnection) -> None:
        assert socket.request is not None
        table = tables[socket.request.path]
        table.append(socket)
        async for _ in socket:
            broadcast(table, STATE, text=True)

    async with serve(serve_one, "127.0.0.1", port, compression=None):
        await asyncio.Event().wait()


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1])))
