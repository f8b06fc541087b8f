"""How long a listener waits for whom, and how much it takes in; it knows no connection."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a listener waits (seconds) and how much it takes in."""

    opening: float = 5.0
    """From the connection to the end of its request."""
    half: float = 5.0
    """From the first byte of a message to its last."""
    ping_after: float = 8.0
    """Of silence, then a ping is sent."""
    pong_within: float = 5.0
    closing: float = 2.0
    """For the other side to close too."""
    answer: float = 30.0
    """To find an HTTP answer, and for the other side to read it."""
    message_bytes: int = 16 * 1024
    """A larger message closes the socket with 1009."""
    loose: int = 50
    """Frames between two sweeps that are no message and were not asked for (pings, pieces), above which the socket is
    closed.
    """
