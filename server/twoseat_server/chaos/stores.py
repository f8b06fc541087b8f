"""The stores a chaos run can have, and how each is struck: one store that its server looks after, or a cluster."""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Protocol

from twoseat_server.chaos.cluster import Cluster, Server
from twoseat_server.chaos.plan import Fault, Strike
from twoseat_server.store.embedded import PID_FILE, EmbeddedStore
from twoseat_server.store.link import Link, StoreAway
from twoseat_server.store.slots import SLOTS

Slots = frozenset[int]

_ASK_EVERY = 0.02
_ALL = Slots(range(SLOTS))
_CLUSTER = (
    *("--appendonly", "yes", "--appendfsync", "no"),
    *("--cluster-node-timeout", "3000", "--cluster-require-full-coverage", "no"),
)


class Store(Protocol):
    """A store that runs."""

    url: str

    async def struck(self, strike: Strike, serves: Callable[[Slots], None]) -> None:
        """Suffer a fault of the store. Say when everything is served again, and which slots were not; return when the
        next may come.
        """


class Alone:
    """The embedded store: started again by who looks after it."""

    def __init__(self, folder: Path, url: str) -> None:
        self.url = url
        self._folder = folder

    async def struck(self, strike: Strike, serves: Callable[[Slots], None]) -> None:
        pid = int((self._folder / PID_FILE).read_text())
        await _kill_or_stop(lambda what: os.kill(pid, what), strike)
        link = Link(self.url)
        try:
            while not await _answers(link):  # noqa: ASYNC110 another process is waited for
                await asyncio.sleep(_ASK_EVERY)
        finally:
            await link.close()
        serves(_ALL)


class Masters:
    """Three masters with a replica each: a killed one comes back as the replica of the one that took over."""

    def __init__(self, cluster: Cluster) -> None:
        self.url = cluster.urls
        self._cluster = cluster

    async def struck(self, strike: Strike, serves: Callable[[Slots], None]) -> None:
        slot = min(int(strike.drawn * SLOTS), SLOTS - 1)
        victim = await self._cluster.master_of(slot)
        its = await self._cluster.slots_of(victim)
        if strike.fault is Fault.STORE_SPLIT:
            await _split(victim)
            await asyncio.sleep(strike.lasts)
        await _kill_or_stop(victim.send, strike)
        if not victim.runs:
            while await self._cluster.master_of(slot) is victim:  # noqa: ASYNC110 other processes settle that
                await asyncio.sleep(_ASK_EVERY)
        await self._cluster.ready(await self._cluster.master_of(slot))
        serves(its)
        if not victim.runs:
            self._cluster.start(victim)
        await self._cluster.ready(victim)


async def _split(master: Server) -> None:
    """Let nothing reach a master's replica any more, until the master is started again."""
    async with master.asked() as client:
        await client.execute_command("ACL", "SETUSER", "default", "-psync", "-sync")
        await client.execute_command("CLIENT", "KILL", "TYPE", "replica")


@contextlib.asynccontextmanager
async def running(folder: Path, *, cluster: bool, min_replicas: int = 0) -> AsyncIterator[Store]:
    """Run a store in this folder for as long as the block does. Raises EmbeddedStoreError."""
    if cluster:
        least = ("--min-replicas-to-write", str(min_replicas), "--min-replicas-max-lag", "1")
        async with Cluster(folder, *_CLUSTER, *least, replicas=1) as servers:
            yield Masters(servers)
    else:
        async with EmbeddedStore(folder) as url:
            yield Alone(folder, url)


async def _kill_or_stop(send: Callable[[signal.Signals], None], strike: Strike) -> None:
    if strike.fault is not Fault.STORE_STOP:
        send(signal.SIGKILL)
        return
    send(signal.SIGSTOP)
    try:
        await asyncio.sleep(strike.lasts)
    finally:
        send(signal.SIGCONT)


async def _answers(link: Link) -> bool:
    try:
        await link.run("PING")
    except StoreAway:
        return False
    return True
