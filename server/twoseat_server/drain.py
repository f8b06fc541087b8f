"""How a node stops: nobody new, everybody told to come back elsewhere, out in five seconds; it knows no match."""

import asyncio
import random

from websockets.asyncio.server import Server, ServerConnection

from twoseat.wire import Close

SPREAD = 0.5
"""Seconds over which players are sent away, so that they do not all come back at once."""
FAREWELL = 2.0
"""Seconds after which sockets that have not closed are dropped."""


async def drain(server: Server) -> None:
    """Stop listening, close every socket with 1012, drop those that do not answer."""
    server.close(close_connections=False)
    connections = tuple(server.connections)
    if connections:
        await asyncio.wait([asyncio.create_task(_send_away(connection)) for connection in connections])
    await asyncio.wait([asyncio.create_task(server.wait_closed())], timeout=FAREWELL)


async def _send_away(connection: ServerConnection) -> None:
    await asyncio.sleep(random.uniform(0, SPREAD))  # noqa: S311 a spread, no secret
    try:
        async with asyncio.timeout(FAREWELL):
            await connection.close(Close.RESTART, "server restarts")
    except TimeoutError:
        connection.transport.abort()
