"""How a node stops: nobody new, everybody told to come back elsewhere, out in five seconds; it knows no match."""

import asyncio
import random

from websockets.asyncio.server import Server, ServerConnection

from twoseat.wire import Close

SPREAD = 0.5
"""Seconds over which players are sent away, so that they do not all come back at once."""
FAREWELL = 2.0
"""Seconds after which a socket that has not closed is dropped, and after which nothing more is waited for."""


async def drain(server: Server) -> None:
    """Close every socket with 1012, drop those that do not answer, stop listening.

    Listening goes on until the last socket is told, so that whoever asks meanwhile hears that the node is not ready.
    """
    if connections := tuple(server.connections):
        await asyncio.gather(*(_send_away(connection) for connection in connections))
    server.close(close_connections=False)
    try:
        async with asyncio.timeout(FAREWELL):
            await server.wait_closed()
    except TimeoutError:
        return  # what still runs is cancelled with the loop


async def _send_away(connection: ServerConnection) -> None:
    await asyncio.sleep(random.uniform(0, SPREAD))  # noqa: S311 a spread, no secret
    try:
        async with asyncio.timeout(FAREWELL):
            await connection.close(Close.RESTART, "server restarts")
    except TimeoutError:
        connection.transport.abort()
