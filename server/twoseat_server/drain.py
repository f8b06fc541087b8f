"""How a node stops: nobody new, everybody told to come back elsewhere, out in five seconds; it knows no match."""

import asyncio
import secrets

from twoseat.wire import Close
from twoseat_server.listener import Listener

SPREAD = 0.5
"""Seconds over which players are sent away, so that they do not all come back at once."""
FAREWELL = 2.0
"""Seconds after which a socket that has not closed is dropped."""
_CHANCE = secrets.SystemRandom()  # a server of games of chance has no generator whose state could be guessed


async def drain(listener: Listener, *, shared: bool) -> None:
    """Close every socket with 1012, stop listening, drop those that do not answer.

    Listening goes on until the last socket is told, so that whoever asks meanwhile hears that the node is not ready;
    but not where other nodes share the port, for then who comes is theirs from the first moment on.
    """
    loop = asyncio.get_running_loop()
    if shared:
        listener.leave_port()
    for connection in listener.connections:
        loop.call_later(_CHANCE.uniform(0, SPREAD), connection.close, Close.RESTART)
    try:
        await listener.emptied(within=SPREAD + FAREWELL)
    except TimeoutError:
        pass  # who is left does not read
    finally:
        await listener.close()
