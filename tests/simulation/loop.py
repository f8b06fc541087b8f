"""An event loop in virtual time with several processes in it: whose turn is next is drawn, the clock jumps to what
comes next, a process can stand still or die.

Which process a callback belongs to is known by its context. Within a process callbacks keep their order, as asyncio
promises; between processes any order may come.
"""

import asyncio
import heapq
import random
from collections import deque
from collections.abc import Callable
from contextvars import Context, ContextVar, copy_context
from typing import Any

PROCESS: ContextVar[str] = ContextVar("process", default="world")
_BEGINNING = 1_000_000.0


class NothingLeft(Exception):
    """Everybody waits and no timer is set: what is waited for will never come."""


class Unexpected(Exception):
    """Something went wrong that nobody caught."""


class Loop(asyncio.BaseEventLoop):
    """Virtual time, drawn order."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__()
        self.paused: set[str] = set()
        self.dead: set[str] = set()
        self.failures: list[str] = []
        """What nobody caught."""
        self._chance = chance
        self._now = _BEGINNING
        self._turns: dict[str, deque[asyncio.Handle]] = {}
        self._ready: deque[asyncio.Handle]
        self._scheduled: list[asyncio.TimerHandle]
        self.set_exception_handler(
            lambda loop, context: self.failures.append(repr(context.get("exception") or context["message"]))
        )

    def time(self) -> float:
        """Return virtual time, seconds."""
        return self._now

    def within(self, process: str) -> Context:
        """Return a context whose callbacks are this process's."""
        context = copy_context()
        context.run(PROCESS.set, process)
        return context

    def later(self, process: str, delay: float, call: Callable[..., Any], *args: Any) -> None:
        """Let a process do something after `delay` seconds."""
        self.call_at(self._now + delay, call, *args, context=self.within(process))

    def _run_once(self) -> None:
        while self._ready:
            self._take(self._ready.popleft())
        able = [name for name, turns in self._turns.items() if turns and name not in self.paused]
        if not able:
            self._advance()
            return
        if self.failures:
            raise Unexpected(self.failures[0])
        name = able[0] if len(able) == 1 else able[self._chance.randrange(len(able))]
        handle = self._turns[name].popleft()
        if not handle.cancelled():
            handle._run()

    def _take(self, handle: asyncio.Handle) -> None:
        name = handle._context.get(PROCESS, "world")  # type: ignore[attr-defined]
        if name not in self.dead:
            self._turns.setdefault(name, deque()).append(handle)

    def _advance(self) -> None:
        scheduled = self._scheduled
        while scheduled and scheduled[0].cancelled():
            heapq.heappop(scheduled)._scheduled = False  # type: ignore[attr-defined]
        if not scheduled:
            raise NothingLeft
        self._now = max(self._now, scheduled[0].when())
        while scheduled and scheduled[0].when() <= self._now:
            handle = heapq.heappop(scheduled)
            handle._scheduled = False  # type: ignore[attr-defined]
            if not handle.cancelled():
                self._take(handle)

    def kill(self, process: str) -> None:
        """Let a process do nothing any more, for ever."""
        self.dead.add(process)
        self.paused.discard(process)
        self._turns.pop(process, None)

    def finish(self) -> None:
        """Cancel all that is left, dead or alive, and close."""
        self.dead.clear()
        self.paused.clear()
        for _ in range(20):
            tasks = asyncio.all_tasks(self)
            if not tasks:
                break
            for task in tasks:
                task.cancel()
            self.run_until_complete(asyncio.wait(tasks, timeout=0))
        self.close()

    def _process_events(self, event_list: Any) -> None:
        """There is no selector."""

    def _write_to_self(self) -> None:
        """There is nobody to wake."""
