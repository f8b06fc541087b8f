"""How long to wait before the next attempt to reach the server: full jitter, so that no crowd comes back at once."""

from collections.abc import Callable

CEILINGS = (300, 1_000, *(2_000,) * 20, 4_000, 8_000, 10_000)
"""Milliseconds; the wait before attempt n is anything from 0 to the n-th, the last one for all that follow. What broke
the line is mostly over in seconds (another server takes over, a restart, storage that was away), and from then on the
clocks run: so nobody waits long for some twenty seconds, and only then it gets seldom.
"""


def wait(attempt: int, draw: Callable[[], float]) -> int:
    """Return the milliseconds to wait before `attempt` (from 1); `draw` gives a number in 0..1."""
    return int(draw() * CEILINGS[min(attempt, len(CEILINGS)) - 1])
