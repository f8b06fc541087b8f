"""A Redis Cluster of processes on the loopback, to be broken: it starts, kills and asks servers, and knows no match."""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import redis.asyncio as redis

from twoseat_server.store.embedded import server_binary
from twoseat_server.store.slots import SLOTS, Shares, shares

_POLL = 0.02
_READY_WITHIN = 30.0
_NODES = "nodes.conf"


class Server:
    """One server of the cluster: a master or a replica, as it goes."""

    def __init__(self, number: int, folder: Path, ports: tuple[int, int], program: Path) -> None:
        self.number = number
        self.port, self.bus = ports
        self.url = f"redis://127.0.0.1:{self.port}"
        self.folder = folder
        self._program = program
        self._child: subprocess.Popen[bytes] | None = None

    @property
    def runs(self) -> bool:
        """Whether it was started, and not killed since."""
        return self._child is not None

    def start(self, *settings: str) -> None:
        """Start it on its folder."""
        with (self.folder / "log").open("ab") as log:
            self._child = subprocess.Popen(
                [
                    *(self._program, "--bind", "127.0.0.1", "--port", str(self.port)),
                    *("--cluster-enabled", "yes", "--cluster-port", str(self.bus), "--cluster-config-file", _NODES),
                    *("--save", "", "--repl-diskless-sync-delay", "0", "--dir", str(self.folder), *settings),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def send(self, what: signal.Signals) -> None:
        """Send it a signal; after SIGKILL, wait for its end."""
        if self._child is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._child.pid, what)
            if what is signal.SIGKILL:
                self._child.wait()
                self._child = None

    @contextlib.asynccontextmanager
    async def asked(self) -> AsyncIterator[Any]:
        """A plain client of this server."""
        client = redis.Redis(port=self.port, protocol=2, decode_responses=True, socket_timeout=5)
        try:
            yield client
        finally:
            await client.aclose()


class Cluster:
    """`async with Cluster(folder) as cluster`: as many masters, each with as many replicas. Slots are shared evenly."""

    def __init__(
        self, folder: Path, *settings: str, masters: int = 3, replicas: int = 0, program: Path | None = None
    ) -> None:
        self._settings = settings
        self._masters = masters
        program = program or server_binary()
        self.servers = [
            Server(number, folder / str(number), ports, program)
            for number, ports in enumerate(_free_ports(masters * (1 + replicas)))
        ]

    @property
    def urls(self) -> str:
        """Its addresses, as `--redis` takes them."""
        return ",".join(server.url for server in self.servers)

    async def __aenter__(self) -> Self:
        try:
            for server in self.servers:
                server.folder.mkdir(parents=True)
                self.start(server)
            async with asyncio.timeout(_READY_WITHIN):
                await self._join()
                await asyncio.gather(*map(self.ready, self.servers))
        except BaseException:
            self._end()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def _end(self) -> None:
        for server in self.servers:
            server.send(signal.SIGKILL)

    def start(self, server: Server) -> None:
        """Start a server, or start it again."""
        server.start(*self._settings)

    async def master_of(self, slot: int) -> Server:
        """Return the server that has a slot, as one that runs says."""
        url = next(url for url, first, last in await self._shares() if first <= slot <= last)
        return next(server for server in self.servers if server.url == url)

    async def slots_of(self, master: Server) -> frozenset[int]:
        """Return the slots a server has, as one that runs says."""
        stretches = [range(first, last + 1) for url, first, last in await self._shares() if url == master.url]
        return frozenset().union(*stretches)

    async def ready(self, server: Server) -> None:
        """Return once a server finds the cluster whole, and has had everything from its master if it is a replica."""
        while True:
            with contextlib.suppress(redis.RedisError, OSError):
                async with server.asked() as client:
                    state = await client.execute_command("CLUSTER", "INFO")
                    link = (await client.info("replication")).get("master_link_status", "up")
                    if "cluster_state:ok" in state and link == "up":
                        return
            await asyncio.sleep(_POLL)

    async def _shares(self) -> Shares:
        return await shares(next(server.url for server in self.servers if server.runs)) or []

    async def _join(self) -> None:
        masters, replicas = self.servers[: self._masters], self.servers[self._masters :]
        share = SLOTS / len(masters)
        for master in masters:
            stretch = round(share * master.number), round(share * (master.number + 1)) - 1
            await self._ask(master, "ADDSLOTSRANGE", *stretch)
            # As a cluster's own tool does: who has which slot is then settled from the start.
            await self._ask(master, "SET-CONFIG-EPOCH", master.number + 1)
        for server in self.servers[1:]:
            await self._ask(self.servers[0], "MEET", "127.0.0.1", server.port, server.bus)
        for server in self.servers:
            while (await self._ask(server, "NODES")).count("connected") < len(self.servers):  # noqa: ASYNC110 they talk
                await asyncio.sleep(_POLL)
        for replica in replicas:
            master = masters[replica.number % len(masters)]
            await self._ask(replica, "REPLICATE", await self._ask(master, "MYID"))

    async def _ask(self, server: Server, *words: str | int) -> Any:
        """Return what a server answers to a CLUSTER command, asked until it listens."""
        while True:
            async with server.asked() as client:
                with contextlib.suppress(redis.ConnectionError):
                    return await client.execute_command("CLUSTER", *words)
            await asyncio.sleep(_POLL)


def _free_ports(count: int) -> list[tuple[int, int]]:
    """Return pairs of ports that were free a moment ago."""
    with contextlib.ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(2 * count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        ports = [probe.getsockname()[1] for probe in probes]
    return list(zip(ports[::2], ports[1::2], strict=True))
