"""The one way to the store: a redis client with our own time-outs, a line that sends all commands of a loop tick in one
write, and named outages.

It knows no match. Settings and why (all reproduced against redis-py 8): no client retries, because a repeated command
may land twice; short time-outs, because a black-holed one takes a minute; RESP2, because RESP3 switches off the check
that keeps a cancelled command's answer from the next; a blocking pool,
because the default one raises at its last connection.
"""

import asyncio
import hashlib
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib import resources
from typing import Any

import redis.asyncio as redis
from redis import exceptions
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from twoseat_server.store.line import Arg, Line, pack

TIMEOUT = 1.0
"""Seconds for one answer; after that its outcome is unknown."""
_CONNECTIONS = 8


class Away(StrEnum):
    """Why the store cannot serve, by the name an operator looks up."""

    UNREACHABLE = "unreachable"
    LOADING = "loading"
    BUSY = "busy"
    READONLY = "readonly"
    OUT_OF_MEMORY = "out_of_memory"
    DISK = "disk"
    NO_REPLICAS = "no_replicas"
    CLUSTER_DOWN = "cluster_down"
    DENIED = "denied"


_WORDS = {
    "LOADING": Away.LOADING,
    "BUSY": Away.BUSY,
    "READONLY": Away.READONLY,
    "OOM": Away.OUT_OF_MEMORY,
    "MISCONF": Away.DISK,
    "NOREPLICAS": Away.NO_REPLICAS,
    "CLUSTERDOWN": Away.CLUSTER_DOWN,
    "MASTERDOWN": Away.CLUSTER_DOWN,
    "NOAUTH": Away.DENIED,
    "WRONGPASS": Away.DENIED,
    "NOPERM": Away.DENIED,
}
"""The first word of a server's error, and what it means for us."""
_NO_RIGHT = ("can't run this command", "unauthenticated")
"""Words in errors that have no first word of their own: to a script whose user lacks a right, to a long request before
any password.
"""
_KINDS: dict[type[Exception], Away] = {
    exceptions.BusyLoadingError: Away.LOADING,
    exceptions.ReadOnlyError: Away.READONLY,
    exceptions.OutOfMemoryError: Away.OUT_OF_MEMORY,
    exceptions.ClusterDownError: Away.CLUSTER_DOWN,
    exceptions.AuthenticationError: Away.DENIED,
    exceptions.NoPermissionError: Away.DENIED,
    exceptions.ConnectionError: Away.UNREACHABLE,
    exceptions.TimeoutError: Away.UNREACHABLE,
    OSError: Away.UNREACHABLE,
}
"""The same for errors whose first word the client library has taken off; the special before the general."""


class StoreAway(Exception):
    """The store did not answer, or refused; what was sent may or may not have happened."""

    def __init__(self, why: Away, text: str = "") -> None:
        super().__init__(f"{why}: {text}" if text else why)
        self.why = why


@dataclass(frozen=True, slots=True)
class Script:
    """A Lua file and its hash."""

    name: str
    text: bytes
    sha: str


_NAMES = ("beat", "claim", "commit", "connection", "disarm", "onward", "pair", "swap", "sweep", "vouch", "withdraw")


def _script(name: str) -> Script:
    text = resources.files(__package__).joinpath("lua", f"{name}.lua").read_bytes()
    return Script(name, text, hashlib.sha1(text, usedforsecurity=False).hexdigest())


SCRIPTS = {name: _script(name) for name in _NAMES}


class _Call:
    """A script or a plain command on its way, and who waits for its answer."""

    __slots__ = ("_forgotten", "answer", "packed")

    def __init__(self, packed: bytes, forgotten: "Callable[[_Call], None]") -> None:
        self.packed = packed
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._forgotten = forgotten

    def answered(self, answer: Any) -> None:
        """Pass the answer on, or the outage that it means. A script the store has forgotten goes there again."""
        if self.answer.done():
            return
        if not isinstance(answer, BaseException):
            self.answer.set_result(answer)
        elif str(answer).startswith("NOSCRIPT"):
            self._forgotten(self)
        else:
            self.answer.set_exception(named(answer))


def beginning(name: str, keys: Sequence[str], first: Sequence[Arg], more: int) -> bytes:
    """Return a script's call up to its `first` arguments, `more` of them to follow: packed once for many calls."""
    head = b"*%d\r\n$7\r\nEVALSHA\r\n" % (3 + len(keys) + len(first) + more)
    return head + pack((SCRIPTS[name].sha, len(keys), *keys, *first))


class Link:
    """One line to one store, with `call` for scripts and `run` for plain commands: however many people come at once,
    nobody waits for a connection to be free.
    """

    def __init__(self, url: str) -> None:
        self._client = connect(url)
        self._line: Line | None = None
        self._waiting: list[_Call] = []
        """Calls that wait for the line to be opened, or for their script to be loaded."""
        self._preparing: asyncio.Task[None] | None = None
        self._last: asyncio.Future[Any] | None = None

    async def load(self) -> None:
        """Send all scripts to the store. Raises StoreAway."""
        pipe = self._client.pipeline(transaction=False)
        for script in SCRIPTS.values():
            pipe.execute_command("SCRIPT LOAD", script.text)
        try:
            await pipe.execute()
        except (exceptions.RedisError, OSError) as error:
            raise named(error) from None

    async def run(self, *command: Arg) -> Any:
        """Return what the store answers to one plain command, as it says it. Raises StoreAway."""
        return await self._said(command)

    async def run_all(self, commands: Iterable[Sequence[Arg]]) -> list[Any]:
        """Run plain commands one after another, in one write. Raises StoreAway."""
        return list(await asyncio.gather(*[self._said(command) for command in commands]))

    def _said(self, command: Sequence[Arg]) -> asyncio.Future[Any]:
        return self._send(_Call(b"*%d\r\n%b" % (len(command), pack(command)), self._forgotten))

    def call(self, name: str, keys: Sequence[str], args: Sequence[Arg]) -> asyncio.Future[Any]:
        """Return the answer of a script to come, which may be StoreAway."""
        return self.call_again(beginning(name, keys, (), len(args)), args)

    def call_again(self, begun: bytes, args: Sequence[Arg]) -> asyncio.Future[Any]:
        """Return the answer of a script to come whose beginning() is kept. All calls of one loop tick travel in one
        write, in order.
        """
        return self._send(_Call(begun + pack(args), self._forgotten))

    def _send(self, call: _Call) -> asyncio.Future[Any]:
        if self._line is not None and self._line.lost is None:
            self._line.send(call)
        else:
            self._prepare(call, self._open)
        self._last = call.answer
        return call.answer

    def _forgotten(self, call: _Call) -> None:
        self._prepare(call, self.load)

    def _prepare(self, call: _Call, what: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._waiting.append(call)
        if self._preparing is None:
            self._preparing = asyncio.get_running_loop().create_task(self._prepared(what))

    async def _prepared(self, what: Callable[[], Coroutine[Any, Any, None]]) -> None:
        failure: BaseException | None = None
        try:
            await what()
        except BaseException as error:  # noqa: BLE001 whatever it is, no caller may wait for ever
            failure = error
        calls, self._waiting, self._preparing = self._waiting, [], None
        for call in calls:
            if failure is not None or self._line is None:
                call.answered(failure)
            else:
                self._line.send(call)

    async def _open(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            await line.close()
        self._line = await Line.open(self._client, TIMEOUT)

    async def close(self) -> None:
        """Finish what is under way and close the pool."""
        under_way = [work for work in (self._last, self._preparing) if work is not None and not work.done()]
        if under_way:
            await asyncio.wait(under_way)
        if self._line is not None:
            await self._line.close()
        await self._client.aclose(close_connection_pool=True)


def pairs(flat: Sequence[bytes]) -> Iterable[tuple[bytes, bytes]]:
    """Return the fields and values of a hash, which come in turn."""
    return zip(flat[::2], flat[1::2], strict=True)


def connect(url: str, *, timeout: float | None = TIMEOUT) -> redis.Redis:
    """Return a client for `url` with our settings; `timeout` None for one that waits for messages."""
    pool = redis.BlockingConnectionPool.from_url(
        url,
        max_connections=_CONNECTIONS,
        timeout=TIMEOUT,
        protocol=2,
        socket_timeout=timeout,
        socket_connect_timeout=TIMEOUT,
        retry=Retry(NoBackoff(), 0),
        retry_on_error=[],
    )
    return redis.Redis(connection_pool=pool)


def named(error: BaseException) -> BaseException:
    """Return the outage this error means; an error that means none is a fault of ours and returned as it is."""
    if isinstance(error, asyncio.CancelledError):
        return StoreAway(Away.UNREACHABLE, "stopping")
    # What went wrong while connecting comes wrapped in a ConnectionError.
    why = _why(error.__cause__) if isinstance(error, exceptions.ConnectionError) else None
    why = why or _why(error)
    return StoreAway(why, type(error).__name__) if why else error


def _why(error: BaseException | None) -> Away | None:
    text = str(error)
    if why := _WORDS.get(text.partition(" ")[0]):
        return why
    if any(words in text for words in _NO_RIGHT):
        return Away.DENIED
    return next((why for kind, why in _KINDS.items() if isinstance(error, kind)), None)
