"""How often somebody may do something: token buckets; it knows no reason and no message."""

import time
from collections.abc import Callable, Hashable


class Bucket:
    """`burst` at once and `rate` a second after that."""

    __slots__ = ("_burst", "_clock", "_left", "_rate", "_read")

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._left = burst
        self._read = clock()

    def take(self) -> bool:
        """Take one; False where none is left."""
        now = self._clock()
        left = self._left + (now - self._read) * self._rate
        if left > self._burst:
            left = self._burst
        self._read, taken = now, left >= 1
        self._left = left - taken
        return taken

    def wait(self) -> float:
        """Take one, on credit if need be; return the seconds until it would have been there."""
        self._fill()
        self._left -= 1
        return max(0.0, -self._left / self._rate)

    def give_back(self) -> None:
        """Return one that was taken; more than `burst` is never there to take."""
        self._left += 1

    @property
    def full(self) -> bool:
        """Whether nothing has been taken for so long that the bucket may be forgotten."""
        self._fill()
        return self._left >= self._burst

    def _fill(self) -> None:
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._read) * self._rate)
        self._read = now


class Buckets:
    """One bucket a key (an address, say), forgotten when it has filled up again."""

    _SWEEP_ABOVE = 1_000

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._buckets: dict[Hashable, Bucket] = {}

    def __len__(self) -> int:
        """Return how many keys are remembered."""
        return len(self._buckets)

    def take(self, key: Hashable) -> bool:
        """Take one of `key`'s; False where none is left."""
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) > self._SWEEP_ABOVE:
                self._buckets = {k: b for k, b in self._buckets.items() if not b.full}
            bucket = self._buckets[key] = Bucket(self._rate, self._burst, self._clock)
        return bucket.take()

    def give_back(self, key: Hashable) -> None:
        """Return one that was taken from `key`."""
        bucket = self._buckets.get(key)
        if bucket is not None:
            bucket.give_back()
