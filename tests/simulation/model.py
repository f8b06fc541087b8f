"""The store in memory: the commands and scripts the server uses, as Redis does them; held to the real one by a test."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import hiredis

from simulation.scripts import NAMES_BY_SHA, SCRIPTS_BY_SHA

Value = Any
Publish = Callable[[str, bytes], None]


class Model:
    """All keys. `now` gives ms; every command is one moment."""

    def __init__(self, now: Callable[[], int]) -> None:
        self.now = now
        self.publish: Publish = lambda channel, message: None
        self.asked: dict[str, set[int]] = {}
        """The scripts that were run, with the number of tags (a Redis Cluster's slots) that one call touched."""
        self._data: dict[str, Value] = {}
        self._gone: dict[str, int] = {}
        """When a key that has an end is gone."""

    def run(self, packed: bytes) -> Any:
        """Return what the store answers to a packed command."""
        name, args = _parsed(packed)
        if name == "evalsha":
            sha, names = args[0].decode(), _texts(args[2 : 2 + int(args[1])])
            self.asked.setdefault(NAMES_BY_SHA[sha], set()).add(_tags(names))
            return SCRIPTS_BY_SHA[sha](self, names, args[2 + len(names) :])
        return getattr(self, f"do_{name}")(*map(_text, args[:1]), *args[1:])

    def keys(self) -> list[str]:
        """Return the keys that are there."""
        return [key for key in tuple(self._data) if self.there(key) is not None]

    def lasts(self, key: str) -> bool:
        """Whether nothing will remove this key by itself."""
        return key not in self._gone

    def there(self, key: str) -> Value:
        """Return a key's value, None where there is none (any more)."""
        value = self._data.get(key)
        if value is None:
            return None
        end = self._gone.get(key)
        if (end is not None and end <= self.now()) or (not value and not isinstance(value, bytes)):
            del self._data[key]
            self._gone.pop(key, None)
            return None
        return value

    def made(self, key: str, kind: type) -> Value:
        """Return a key's value, made empty where there is none."""
        value = self.there(key)
        if value is None:
            value = self._data[key] = kind()
        return value

    def do_ping(self) -> bytes:
        return b"PONG"

    def do_get(self, key: str) -> bytes | None:
        value: bytes | None = self.there(key)
        return value

    def do_set(self, key: str, value: bytes, *how: Any) -> bytes | None:
        if b"NX" in map(_bytes, how) and self.there(key) is not None:
            return None
        self._data[key] = _bytes(value)
        self._gone.pop(key, None)
        if how:
            self.do_pexpire(key, how[1])
        return b"OK"

    def do_del(self, key: str) -> int:
        there = self.there(key) is not None
        self._data.pop(key, None)
        self._gone.pop(key, None)
        return int(there)

    def do_exists(self, key: str) -> int:
        return int(self.there(key) is not None)

    def do_pexpire(self, key: str, ttl: Any) -> int:
        if self.there(key) is None:
            return 0
        self._gone[key] = self.now() + int(ttl)
        return 1

    def do_hget(self, key: str, name: str) -> bytes | None:
        return (self.there(key) or {}).get(_text(name))

    def do_hset(self, key: str, *pairs: Any) -> int:
        fields = self.made(key, dict)
        new = sum(_text(name) not in fields for name in pairs[::2])
        fields.update({_text(name): _bytes(value) for name, value in zip(pairs[::2], pairs[1::2], strict=True)})
        return new

    def do_hdel(self, key: str, name: str) -> int:
        return int((self.there(key) or {}).pop(_text(name), None) is not None)

    def do_hgetall(self, key: str) -> list[bytes]:
        return [part for name, value in (self.there(key) or {}).items() for part in (name.encode(), value)]

    def do_hincrby(self, key: str, name: str, by: int) -> int:
        value = int(self.do_hget(key, name) or 0) + by
        self.do_hset(key, name, value)
        return value

    def do_rpush(self, key: str, value: Any) -> int:
        items: list[bytes] = self.made(key, list)
        items.append(_bytes(value))
        return len(items)

    def do_lrange(self, key: str, first: Any, last: Any) -> list[bytes]:
        items: list[bytes] = self.there(key) or []
        return items[int(first) :] if int(last) == -1 else items[int(first) : int(last) + 1]

    def do_sadd(self, key: str, member: Any) -> int:
        members = self.made(key, dict)  # a dict: a set that keeps its order, so that a run can be had again
        new = _bytes(member) not in members
        members[_bytes(member)] = None
        return int(new)

    def do_srem(self, key: str, member: Any) -> int:
        return int((self.there(key) or {}).pop(_bytes(member), 0) is None)

    def do_smembers(self, key: str) -> list[bytes]:
        return list(self.there(key) or {})

    def do_zadd(self, key: str, score: Any, member: Any) -> int:
        scores = self.made(key, dict)
        new = _text(member) not in scores
        scores[_text(member)] = float(score)
        return int(new)

    def do_zrem(self, key: str, *members: Any) -> int:
        scores = self.there(key) or {}
        return sum(scores.pop(_text(member), None) is not None for member in members)

    def do_zrange(self, key: str, first: Any, last: Any) -> list[bytes]:
        names = [name.encode() for name, _ in self.ranked(key)]
        return names[int(first) :] if int(last) == -1 else names[int(first) : int(last) + 1]

    def ranked(self, key: str) -> list[tuple[str, float]]:
        """Return a sorted set's members and scores, lowest first."""
        return sorted((self.there(key) or {}).items(), key=lambda each: (each[1], each[0]))

    def do_spublish(self, channel: str, message: Any) -> int:
        self.publish(_text(channel), _bytes(message))
        return 0


@lru_cache(maxsize=64)  # a sweep names every shard, and is the same each time
def _parsed(packed: bytes) -> tuple[str, tuple[bytes, ...]]:
    reader = hiredis.Reader()
    reader.feed(packed)
    name, *args = reader.gets()
    return name.decode().lower(), tuple(args)


@lru_cache(maxsize=64)
def _texts(names: tuple[bytes, ...]) -> tuple[str, ...]:
    return tuple(name.decode() for name in names)


@lru_cache(maxsize=1024)
def _tags(names: tuple[str, ...]) -> int:
    return len({name.partition("}")[0] for name in names})


def _text(value: Any) -> Any:
    return value.decode(errors="surrogateescape") if isinstance(value, bytes) else str(value)


def _bytes(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    return str(value).encode(errors="surrogateescape")
