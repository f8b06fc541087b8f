"""One server of the store that takes writes: its line, opened again when it is lost, and its scripts; it knows no other
server.

Settings and why (all reproduced against redis-py 8): no client retries, because a repeated command
may land twice; short time-outs, because a black-holed one takes a minute; RESP2, because RESP3 switches off the check
that keeps a cancelled command's answer from the next; a blocking pool,
because the default one raises at its last connection.
"""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import redis.asyncio as redis
import structlog
from redis import exceptions
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from twoseat_server.store.away import named
from twoseat_server.store.line import Line, command
from twoseat_server.store.replicas import confirmed
from twoseat_server.store.scripts import SCRIPTS

log = structlog.get_logger()

TIMEOUT = 1.0
"""Seconds for one answer; after that its outcome is unknown."""
_CONNECTIONS = 8
_ASKING = b"*1\r\n$6\r\nASKING\r\n"


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


class Sent:
    """A script or a plain command on its way, and who hears what came of it."""

    __slots__ = ("_refused", "packed", "slot", "told", "tries")

    def __init__(
        self,
        packed: bytes,
        slot: int,
        told: Callable[[Any], None],
        refused: "Callable[[Sent, BaseException], None]",
    ) -> None:
        self.packed = packed
        self.slot = slot
        self.told = told
        """Hears the answer, or the exception that came instead."""
        self.tries = 0
        """How often it was sent elsewhere, or again, because it was not carried out."""
        self._refused = refused

    def answered(self, answer: Any) -> None:
        """Pass the answer on; what an error means is decided by who sent it. Never raises, whatever comes of it: others
        wait for their answers.
        """
        try:
            if isinstance(answer, BaseException):
                self._refused(self, answer)
            else:
                self.told(answer)
        except Exception:
            log.exception("what an answer of the store led to failed")


def telling(answer: asyncio.Future[Any]) -> Callable[[Any], None]:
    """Return what gives this future an answer or an exception, unless nobody waits for it any more."""

    def told(said: Any) -> None:
        if answer.done():
            return
        if isinstance(said, BaseException):
            answer.set_exception(said)
        else:
            answer.set_result(said)

    return told


def _given_up(call: Sent, error: BaseException) -> None:
    call.told(None)


class Master:
    """A line to one server: however many people come at once, nobody waits for a connection to be free."""

    def __init__(self, url: str, replicas: int = 0) -> None:
        """`replicas`: how many must have a change before it is answered."""
        self.url = url
        self._written = partial(confirmed, replicas=replicas) if replicas else None
        self._client = connect(url)
        self._line: Line | None = None
        self._waiting: list[Sent] = []
        """Calls that wait for the line to be opened, or for their script to be loaded."""
        self._preparing: asyncio.Task[None] | None = None
        self._loaded = False

    @property
    def stands(self) -> bool:
        """Whether there is a line to it now."""
        return self._line is not None and self._line.lost is None

    async def load(self) -> None:
        """Send all scripts to the server. Raises StoreAway."""
        pipe = self._client.pipeline(transaction=False)
        for script in SCRIPTS.values():
            pipe.execute_command("SCRIPT LOAD", script.text)
        try:
            # Raised by the client library, an error would come with the text of the script.
            for answer in await pipe.execute(raise_on_error=False):
                if isinstance(answer, exceptions.RedisError):
                    raise answer
        except (exceptions.RedisError, OSError) as error:
            raise named(error, self.url) from None
        self._loaded = True

    def send(self, call: Sent) -> None:
        """Send a call. All of one loop tick travel in one write, in order."""
        line = self._line
        if line is not None and line.lost is None:
            line.send(call)
        else:
            self._prepare(call, self._open)

    def send_loaded(self, call: Sent) -> None:
        """Send a call after all scripts, which the server has forgotten."""
        self._prepare(call, self.load)

    def send_asking(self, call: Sent) -> None:
        """Send a call for a slot that this server is about to get."""
        asking = Sent(_ASKING, call.slot, lambda answer: None, lambda asking, error: None)
        for each in (asking, call):
            if self._loaded:
                self.send(each)
            else:
                self.send_loaded(each)

    def _prepare(self, call: Sent, what: Callable[[], Coroutine[Any, Any, None]]) -> None:
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
            if failure is not None:
                call.answered(failure)
            else:
                self.send(call)

    async def _open(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            await line.close()
        self._loaded = False
        self._line = await Line.open(self._client, TIMEOUT, self._written)

    async def close(self) -> None:
        """Finish what is under way and close the pool."""
        if self._preparing is not None:
            await asyncio.wait([self._preparing])
        if self._line is not None:
            if self._line.lost is None:
                last = asyncio.get_running_loop().create_future()
                self._line.send(Sent(command(("PING",)), 0, telling(last), _given_up))  # answers come in order
                await last
            await self._line.close()
        await self._client.aclose(close_connection_pool=True)
