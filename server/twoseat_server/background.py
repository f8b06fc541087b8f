"""Work that nobody waits for: kept from being collected, its failure logged; it knows not what the work is."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any

import structlog

_PAUSE = 1.0
_TRIES, _TRY = 3, 0.5
"""A library that breaks while it is being cancelled may answer with an error of its own, which then hides the
cancelling: so it is said again, but not before who heard it has had time to clean up.
"""

log = structlog.get_logger()


class Background:
    """A set of running tasks: jobs, which end by themselves, and loops, which do not."""

    def __init__(self) -> None:
        self._jobs: set[asyncio.Task[None]] = set()
        self._loops: set[asyncio.Task[None]] = set()
        self._stopped = False

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run `work` to its end; not at all once stop() has begun to cancel."""
        if self._stopped:
            work.close()
            return
        task = asyncio.get_running_loop().create_task(work)
        self._jobs.add(task)
        task.add_done_callback(self._ended)

    def keep(self, loop: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run a loop until stop(); one that falls over is logged and begins again."""
        self._loops.add(asyncio.get_running_loop().create_task(_for_ever(loop)))

    async def stop(self, within: float) -> None:
        """Let the jobs, and those that they start, come to their end for `within` seconds, then cancel all."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within):
                while self._jobs:
                    await asyncio.wait(tuple(self._jobs))
        self._stopped = True
        for _ in range(_TRIES):
            tasks = [task for task in (*self._jobs, *self._loops) if not task.done()]
            for task in tasks:
                task.cancel()
            if tasks:
                await asyncio.wait(tasks, timeout=_TRY)
        self._loops.clear()

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._jobs.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("background work failed", exc_info=error)


async def _for_ever(loop: Callable[[], Coroutine[Any, Any, None]]) -> None:
    while True:
        try:
            await loop()
        except Exception:  # a node without one of its loops would be worse than any fault in it
            log.exception("a loop of this node fell over and begins again: report this", loop=loop.__qualname__)
        await asyncio.sleep(_PAUSE)
