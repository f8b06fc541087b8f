"""Real server processes on this machine's loopback that share one port: started, killed, stopped; it knows no match."""

import asyncio
import contextlib
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

READY_WITHIN = 60.0
"""Seconds a node may take to start, on a machine that has much else to do."""
_GONE_WITHIN = 30.0


class NotStarted(Exception):
    """A node did not start; the text holds the end of its log."""


class NodeProcess:
    """One `twoseat serve`, again and again under one name."""

    def __init__(self, name: str, store: str, port: int, folder: Path, *flags: str) -> None:
        self.name = name
        self.log = folder / f"{name}.log"
        self._command = (
            *(sys.executable, "-m", "twoseat_server", "serve", "--host", "127.0.0.1", "--port", str(port)),
            *("--reuse-port", "--redis", store, "--node", name, "--log-level", "info"),
            *("--moves-per-second", "1000", "--max-matches", "1000000"),
            *flags,
        )
        self._process: asyncio.subprocess.Process | None = None

    @property
    def pid(self) -> int:
        """The process that runs now."""
        if self._process is None:
            raise ProcessLookupError
        return self._process.pid

    async def start(self) -> None:
        """Start, and return once it serves. Raises NotStarted."""
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self._command, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=log
            )
        if self._process.stdout is None:
            raise NotStarted(self.name)
        try:
            async with asyncio.timeout(READY_WITHIN):
                line = await self._process.stdout.readline()
        except TimeoutError:
            line = b""
        if b"ready" not in line:
            raise NotStarted(f"{self.name}: {self.log.read_text()[-500:]}")

    def send(self, how: signal.Signals) -> None:
        """Send the process a signal; nothing where it has ended."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(how)

    async def end(self, how: signal.Signals) -> int:
        """End the process by a signal and return its exit code."""
        self.send(how)
        self.send(signal.SIGCONT)
        if self._process is None:
            return 0
        async with asyncio.timeout(_GONE_WITHIN):
            return await self._process.wait()


@contextlib.contextmanager
def shared_port() -> Iterator[int]:
    """A free port that several nodes may listen on; it stays theirs while none of them lives."""
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        held.bind(("127.0.0.1", 0))
        port: int = held.getsockname()[1]
        yield port
