"""A lock for each key, fair, there only while somebody holds it, and taken without waiting where it is free; it knows
not what for.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Hashable


class Locks:
    """Any number of locks. Who waits gets one in the order of asking."""

    def __init__(self) -> None:
        self._held: dict[Hashable, deque[asyncio.Future[None]] | None] = {}
        """Who waits for each lock that is held, None where nobody ever did."""

    def take(self, key: Hashable) -> bool:
        """Take a lock that is free, to be given back by `release`; False where it is held."""
        if key in self._held:
            return False
        self._held[key] = None
        return True

    def release(self, key: Hashable) -> None:
        """Give a lock to whoever has waited longest."""
        waiting = self._held[key]
        while waiting:
            turn = waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        del self._held[key]

    @contextlib.asynccontextmanager
    async def holding(self, key: Hashable) -> AsyncIterator[None]:
        """Hold a lock for as long as the block runs."""
        if not self.take(key):
            await self._turn(key)
        try:
            yield
        finally:
            self.release(key)

    async def _turn(self, key: Hashable) -> None:
        turn = asyncio.get_running_loop().create_future()
        waiting = self._held[key]
        if waiting is None:
            waiting = self._held[key] = deque()
        waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it was given to somebody who just then stopped waiting
                self.release(key)
            raise
