"""Real server processes on real data folders, or on a cluster, for tests that kill them."""

import asyncio
import contextlib
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from twoseat_server.chaos.cluster import Cluster

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": ":".join(str(ROOT / name) for name in ("shared", "server", "client"))}
READY_WITHIN = 20.0


class ServerProcess:
    """`twoseat serve` on a folder; it can be killed and started again on the same port."""

    def __init__(self, folder: Path, *flags: str, cluster: Cluster | None = None) -> None:
        self.folder = folder
        self._cluster = cluster
        self.port = 0
        self.log = folder / "server.log"
        self._flags = flags
        self._process: asyncio.subprocess.Process | None = None

    @property
    def url(self) -> str:
        """Where the page is."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def store(self) -> str:
        """Where the store is, for looking at what was stored."""
        return self._cluster.urls if self._cluster else f"unix://{self.folder / 'data' / 'valkey.sock'}"

    def strike_store(self, how: signal.Signals) -> None:
        """Send the embedded store a signal, or all servers of the cluster; what is killed is started again."""
        if self._cluster is None:
            os.kill(int((self.folder / "data" / "valkey.pid").read_text()), how)
            return
        for server in self._cluster.servers:
            server.send(how)
            if how is signal.SIGKILL:
                self._cluster.start(server)

    async def start(self) -> None:
        """Start and wait until it says where it is."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "twoseat_server", "serve", "--host", "127.0.0.1"),
                *("--port", str(self.port), "--data", str(self.folder / "data"), "--log-level", "debug"),
                *(("--redis", self._cluster.urls) if self._cluster else ()),
                *self._flags,
                env=ENVIRONMENT,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                stdin=asyncio.subprocess.DEVNULL,
            )
        assert self._process.stdout is not None
        async with asyncio.timeout(READY_WITHIN):
            line = (await self._process.stdout.readline()).decode()
        found = re.search(r":(\d+)$", line.strip())
        assert found, f"server said {line!r}: {self.log.read_text()[-2000:]}"
        self.port = int(found[1])

    async def kill(self) -> None:
        """kill -9: no farewell."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> int:
        """SIGTERM: drain. Returns the exit code."""
        return await self._end(signal.SIGTERM)

    async def _end(self, how: signal.Signals) -> int:
        assert self._process is not None
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(how)
        async with asyncio.timeout(20):
            return await self._process.wait()


@contextlib.asynccontextmanager
async def serving(folder: Path, *flags: str, cluster: Cluster | None = None) -> AsyncIterator[ServerProcess]:
    """Run a server for as long as the block does."""
    server = ServerProcess(folder, *flags, cluster=cluster)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()
