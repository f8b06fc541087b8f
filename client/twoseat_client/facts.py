"""What a client learns beside the server's messages: how its line is doing and what it sent; facts only, no socket."""

from dataclasses import dataclass

from twoseat.wire import PlayMove

Millis = int
"""Milliseconds; a moment is one of the local monotonic clock."""


@dataclass(frozen=True, slots=True)
class Lost:
    """The line broke with this close code (1006: without one)."""

    code: int


@dataclass(frozen=True, slots=True)
class Trying:
    """Attempt number `attempt` to reach the server follows in `wait` milliseconds."""

    attempt: int
    wait: Millis


@dataclass(frozen=True, slots=True)
class Stopped:
    """The line is given up: it was closed with this code for good, or (None) the server never answered."""

    code: int | None


@dataclass(frozen=True, slots=True)
class Sent:
    """This move is on its way and not yet acknowledged."""

    move: PlayMove


@dataclass(frozen=True, slots=True)
class Lag:
    """A ping took this long there and back."""

    ms: Millis


@dataclass(frozen=True, slots=True)
class Woken:
    """Nothing happened; somebody wants the reader's attention."""
