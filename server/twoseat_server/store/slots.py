"""Which master of a Redis Cluster has which slots, as any of its servers says; it keeps nothing."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from redis import exceptions

from twoseat_server.store.away import Away, StoreAway, named
from twoseat_server.store.master import connect

SLOTS = 16384

Shares = list[tuple[str, int, int]]
"""URL of a master, its first slot and its last, for each stretch of slots."""


async def shares(url: str) -> Shares | None:
    """Return who has which slots, None where this is a store alone. Raises StoreAway, also where nobody has any."""
    client = connect(url)
    try:
        told: dict[str, Any] = await client.info("cluster")
        if not told.get("cluster_enabled"):
            return None
        found = _read(url, await client.execute_command("CLUSTER", "SLOTS"))  # type: ignore[no-untyped-call]
    except (exceptions.RedisError, OSError) as error:
        raise named(error, url) from None
    finally:
        await client.aclose(close_connection_pool=True)
    if not found:
        raise StoreAway(Away.CLUSTER_DOWN, "no server of the cluster has a slot yet")
    return found


async def masters(urls: Iterable[str]) -> list[str]:
    """Return the address of every master, as the first of these servers that answers says. Raises StoreAway."""
    return list(dict.fromkeys(master for master, _, _ in await spread(urls)))


async def spread(urls: Iterable[str]) -> Shares:
    """Return who has which slots, as the first of these servers that answers says; a store alone has all. Raises
    StoreAway.
    """
    failure = StoreAway(Away.UNREACHABLE)
    for url in urls:
        try:
            found = await shares(url)
        except StoreAway as error:
            failure = error
        else:
            return [(url, 0, SLOTS - 1)] if found is None else found
    raise failure


def _read(url: str, stretches: Iterable[Any]) -> Shares:
    return [(at(url, f"{_host(master[0])}:{master[1]}"), first, last) for first, last, master, *_ in stretches]


def _host(name: bytes | None) -> str:
    """A server that does not know its own address says nothing, or `?`: it is where it was asked."""
    return "" if name in (None, b"?") else name.decode()


def at(url: str, place: str) -> str:
    """Return the URL of another server of the cluster that `url` is one of, at `host:port`, with the same account."""
    parts = urlsplit(url)
    host, _, port = place.rpartition(":")
    account, sign, _ = parts.netloc.rpartition("@")
    if not host:
        host = parts.hostname if parts.scheme != "unix" and parts.hostname else "127.0.0.1"
    scheme = "rediss" if parts.scheme == "rediss" else "redis"
    options = f"?{parts.query}" if parts.query else ""
    return f"{scheme}://{account}{sign}{f'[{host}]' if ':' in host else host}:{port}{options}"
