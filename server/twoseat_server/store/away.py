"""The outages of the store by name; it knows no connection.

Each error a store or the client library gives is one of these, or a fault of ours.
"""

import asyncio
from enum import StrEnum
from urllib.parse import urlsplit

from redis import exceptions


class Away(StrEnum):
    """Why the store cannot serve, by the name an operator looks up."""

    UNREACHABLE = "unreachable"
    LOADING = "loading"
    BUSY = "busy"
    READONLY = "readonly"
    OUT_OF_MEMORY = "out_of_memory"
    DISK = "disk"
    NO_REPLICAS = "no_replicas"
    CLUSTER_DOWN = "cluster_down"
    MOVING = "moving"
    NO_CLUSTER = "no_cluster"
    DENIED = "denied"


_WORDS = {
    "LOADING": Away.LOADING,
    "BUSY": Away.BUSY,
    "READONLY": Away.READONLY,
    "OOM": Away.OUT_OF_MEMORY,
    "MISCONF": Away.DISK,
    "NOREPLICAS": Away.NO_REPLICAS,
    "CLUSTERDOWN": Away.CLUSTER_DOWN,
    "MASTERDOWN": Away.CLUSTER_DOWN,
    "MOVED": Away.MOVING,
    "ASK": Away.MOVING,
    "TRYAGAIN": Away.MOVING,
    "NOAUTH": Away.DENIED,
    "WRONGPASS": Away.DENIED,
    "NOPERM": Away.DENIED,
}
"""The first word of a server's error, and what it means for us."""
_NO_RIGHT = ("can't run this command", "unauthenticated")
"""Words in errors that have no first word of their own: to a script whose user lacks a right, to a long request before
any password.
"""
_KINDS: dict[type[Exception], Away] = {
    exceptions.BusyLoadingError: Away.LOADING,
    exceptions.ReadOnlyError: Away.READONLY,
    exceptions.OutOfMemoryError: Away.OUT_OF_MEMORY,
    exceptions.ClusterDownError: Away.CLUSTER_DOWN,
    exceptions.AuthenticationError: Away.DENIED,
    exceptions.NoPermissionError: Away.DENIED,
    exceptions.ConnectionError: Away.UNREACHABLE,
    exceptions.TimeoutError: Away.UNREACHABLE,
    OSError: Away.UNREACHABLE,
}
"""The same for errors whose first word the client library has taken off; the special before the general."""


class StoreAway(Exception):
    """The store did not answer, or refused; what was sent may or may not have happened."""

    def __init__(self, why: Away, text: str = "") -> None:
        super().__init__(f"{why}: {text}" if text else why)
        self.why = why
        self.text = text


def named(error: BaseException, url: str = "") -> BaseException:
    """Return the outage this error of the server at `url` means, with what it said; an error that means none is a fault
    of ours and returned as it is.
    """
    if isinstance(error, asyncio.CancelledError):
        return StoreAway(Away.UNREACHABLE, "stopping")
    if isinstance(error, StoreAway):
        return error
    # What went wrong while connecting comes wrapped in a ConnectionError.
    cause = error.__cause__ if isinstance(error, exceptions.ConnectionError) else None
    why = _why(cause) or _why(error)
    if why is None:
        return error
    at = f"{place(url)}: " if url else ""
    return StoreAway(why, at + (_said(cause) or _said(error) or type(error).__name__))


def place(url: str) -> str:
    """Return where a server is, for a log: its URL without account."""
    parts = urlsplit(url)
    return parts.path if parts.scheme == "unix" else parts.netloc.rpartition("@")[2]


def _said(error: BaseException | None) -> str:
    """Return a server's own sentence, without what it repeats of a command: it names no password. Nothing for an error
    that no server sent.
    """
    if isinstance(error, exceptions.ResponseError | exceptions.AuthenticationError):
        return str(error).partition(", with args beginning with")[0]
    return ""


def _why(error: BaseException | None) -> Away | None:
    text = str(error)
    if why := _WORDS.get(text.partition(" ")[0]):
        return why
    if any(words in text for words in _NO_RIGHT):
        return Away.DENIED
    return next((why for kind, why in _KINDS.items() if isinstance(error, kind)), None)
