"""What a store's own settings mean for the promise that no accepted move is lost; it reads them and changes none."""

from typing import Any

from redis import exceptions

from twoseat_server.store.away import named
from twoseat_server.store.master import connect
from twoseat_server.store.slots import masters


async def advice(urls: str) -> list[str]:
    """Return a line for each setting of the store that breaks a promise, with what to do. Raises StoreAway."""
    found: dict[str, None] = {}
    for url in await masters(urls.split(",")):
        found |= dict.fromkeys(await _of_one(url))
    return list(found)


async def _of_one(url: str) -> list[str]:
    client = connect(url)
    try:
        memory: dict[str, Any] = await client.info("memory")
        disk: dict[str, Any] = await client.info("persistence")
    except (exceptions.RedisError, OSError) as error:
        raise named(error) from None
    finally:
        await client.aclose(close_connection_pool=True)
    found = []
    if not int(disk.get("aof_enabled", 0)):
        found.append("the store keeps no append-only file, so its restart loses games: set appendonly yes")
    policy = memory.get("maxmemory_policy", "noeviction")
    if int(memory.get("maxmemory", 0)) and policy != "noeviction":
        found.append(
            f"the store evicts keys when full ({policy}), so it may drop games: set maxmemory-policy noeviction"
        )
    return found
