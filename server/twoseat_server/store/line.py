"""One connection for all commands: packed out, answered in the order of the commands; it knows no script.

redis-py opens it (address, TLS, password, time-outs, as everywhere else) and then hands over the socket. What it would
do for each command, a task for the time-out and several coroutines for the reply, costs more than a move's rules.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

import hiredis
import redis.asyncio as redis
from redis import exceptions

Arg = str | bytes | int


class Call(Protocol):
    """A command on its way."""

    packed: bytes

    def answered(self, answer: Any) -> None:
        """Take the answer: what the store said, or the exception that came instead. Never raises."""


Written = Callable[[list[Call]], list[Call]]


def command(words: tuple[Arg, ...]) -> bytes:
    """Return a command as the Redis protocol has it."""
    packed: bytes = hiredis.pack_command(words)  # type: ignore[arg-type]  # its stub knows a tuple of one word only
    return packed


def pack(args: tuple[Arg, ...]) -> bytes:
    """Return a command's last arguments: as a command, without the number of words in front."""
    return command(args).partition(b"\n")[2]


class Line(asyncio.Protocol):
    """An open connection. When it is lost, or an answer is overdue, every call on it is answered with the error."""

    def __init__(self, client: redis.Redis, connection: Any, patience: float, written: Written | None) -> None:
        self._client = client
        self._connection = connection
        self._patience = patience
        self._written = written
        self._loop = asyncio.get_running_loop()
        self._reader = hiredis.Reader(protocolError=exceptions.InvalidResponse, replyError=exceptions.ResponseError)
        self._out: list[Call] = []
        self._sent: deque[Call] = deque()
        self._progress = 0.0
        """When the last answer came, or the first of the present calls was sent."""
        self._watch: asyncio.TimerHandle | None = None
        self.lost: Exception | None = None
        # redis-py has no public way to the socket it has opened.
        self._transport: asyncio.Transport = connection._writer.transport  # noqa: SLF001
        self._before = self._transport.get_protocol()
        self._transport.set_protocol(self)
        self._transport.resume_reading()

    @classmethod
    async def open(cls, client: redis.Redis, patience: float, written: Written | None = None) -> "Line":
        """Return a connection of the client's pool, with so many seconds for an answer; `written` says what goes out in
        place of the calls of a write. Raises what redis-py raises.
        """
        try:
            connection = await client.connection_pool.get_connection()  # type: ignore[no-untyped-call]
        except RuntimeError as error:  # uvloop's, of a socket that was lost while redis-py was greeting on it
            raise exceptions.ConnectionError("lost") from error
        return cls(client, connection, patience, written)

    def send(self, call: Call) -> None:
        """Send a command with all others of this turn of the loop, in one write."""
        if self.lost is not None:
            call.answered(self.lost)
            return
        self._out.append(call)
        if len(self._out) == 1:
            self._loop.call_soon(self._flush)

    async def close(self) -> None:
        """Give up the connection."""
        self._lose(exceptions.ConnectionError("closed"))
        await self._connection.disconnect(nowait=True)
        await self._client.connection_pool.release(self._connection)

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        self._progress = self._loop.time()
        try:
            while self._sent and (answer := self._reader.gets()) is not False:
                self._sent.popleft().answered(answer)
        except exceptions.InvalidResponse as error:
            self._lose(error)

    def connection_lost(self, exc: Exception | None) -> None:
        self._before.connection_lost(exc)
        self._lose(exceptions.ConnectionError(f"lost: {exc}"))

    def _flush(self) -> None:
        calls, self._out = self._out, []
        if self.lost is not None:
            for call in calls:
                call.answered(self.lost)
            return
        if self._written is not None:
            calls = self._written(calls)
        if not self._sent:
            self._progress = self._loop.time()
        self._sent.extend(calls)
        self._transport.write(b"".join([call.packed for call in calls]))
        if self._watch is None:
            self._watch = self._loop.call_later(self._patience, self._overdue)

    def _overdue(self) -> None:
        self._watch = None
        if not self._sent:
            return
        left = self._progress + self._patience - self._loop.time()
        if left > 0:
            self._watch = self._loop.call_later(left, self._overdue)
        else:
            self._lose(exceptions.TimeoutError("no answer"))

    def _lose(self, error: Exception) -> None:
        """From now on there is no answer any more: what was sent may or may not have happened."""
        if self.lost is None:
            self.lost = error
            self._transport.abort()
            if self._watch is not None:
                self._watch.cancel()
            calls, self._out = (*self._sent, *self._out), []
            self._sent.clear()
            for call in calls:
                call.answered(error)
