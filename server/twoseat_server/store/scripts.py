"""The Lua scripts, and how a call of one is packed; it knows no connection."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import NamedTuple

from redis.crc import key_slot

from twoseat_server.store.line import Arg, pack


@dataclass(frozen=True, slots=True)
class Script:
    """A Lua file and its hash."""

    name: str
    text: bytes
    sha: str


_NAMES = ("beat", "claim", "commit", "connection", "disarm", "onward", "pair", "swap", "sweep", "vouch", "withdraw")


def _script(name: str) -> Script:
    text = resources.files(__package__).joinpath("lua", f"{name}.lua").read_bytes()
    return Script(name, text, hashlib.sha1(text, usedforsecurity=False).hexdigest())


SCRIPTS = {name: _script(name) for name in _NAMES}


class Begun(NamedTuple):
    """A script's call up to some of its arguments, and the slot of a cluster that its keys are in."""

    packed: bytes
    slot: int


def beginning(name: str, keys: Sequence[str], first: Sequence[Arg], more: int) -> Begun:
    """Return a script's call up to its `first` arguments, `more` of them to follow: packed once for many calls."""
    head = b"*%d\r\n$7\r\nEVALSHA\r\n" % (3 + len(keys) + len(first) + more)
    return Begun(head + pack((SCRIPTS[name].sha, len(keys), *keys, *first)), slot_of(keys[0]))


def slot_of(key: str) -> int:
    """Return the slot of a cluster that a key, or a channel, is in."""
    return key_slot(key.encode())
