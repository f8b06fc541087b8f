"""Real `twoseat play --json` processes, read line by line."""

import asyncio
import contextlib
import json
import signal
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from e2e.nodes import ENVIRONMENT

Event = dict[str, Any]
WITHIN = 40.0


class Terminal:
    """One client process. `events` are all it has printed so far."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._more = asyncio.Condition()
        self._reading = asyncio.create_task(self._read())
        self.events: list[Event] = []

    async def _read(self) -> None:
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            async with self._more:
                self.events.append(json.loads(line))
                self._more.notify_all()
        async with self._more:
            self._more.notify_all()

    async def until(
        self,
        name: str | tuple[str, ...],
        check: Callable[[Event], bool] = lambda event: True,
        *,
        after: int = 0,
        within: float = WITHIN,
    ) -> Event:
        """Return the first event of this name (or one of these) from index `after` on that passes `check`."""
        names = (name,) if isinstance(name, str) else name
        async with asyncio.timeout(within), self._more:
            while True:
                for event in self.events[after:]:
                    if event["event"] in names and check(event):
                        return event
                assert not self._reading.done(), f"the client ended without {names}: {self.events[-3:]}"
                await self._more.wait()

    def named(self, name: str) -> list[Event]:
        """Return all events of this name so far."""
        return [event for event in self.events if event["event"] == name]

    async def type(self, word: str) -> None:
        """Type a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(word.encode() + b"\n")
        await self._process.stdin.drain()

    async def ended(self, *, within: float = WITHIN) -> int:
        """Wait for the end and return the exit code."""
        async with asyncio.timeout(within):
            code = await self._process.wait()
            await self._reading
        return code

    async def kill(self) -> None:
        """kill -9."""
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGKILL)
        await self._process.wait()
        await self._reading


@contextlib.asynccontextmanager
async def terminal(*flags: str, state: Path) -> AsyncIterator[Terminal]:
    """Run `twoseat play --json` with these flags and this file of seats for as long as the block does."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "twoseat_server", "play", "--json", "--state", str(state), *flags),
        env=ENVIRONMENT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=1 << 20,
    )
    client = Terminal(process)
    try:
        yield client
    finally:
        await client.kill()
