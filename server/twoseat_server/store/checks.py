"""What a store's own settings mean for the promise that no accepted move is lost; it reads them and changes none."""

from typing import Any

from redis import exceptions

from twoseat_server.store.away import named
from twoseat_server.store.master import connect
from twoseat_server.store.slots import masters


async def advice(urls: str, wait_replicas: int = 0) -> list[str]:
    """Return a line for each setting of the store that breaks a promise, with what to do. Raises StoreAway."""
    found: dict[str, None] = {}
    places = await masters(urls.split(","))
    for url in places:
        found |= dict.fromkeys(await _of_one(url, wait_replicas, clustered=len(places) > 1))
    return list(found)


async def _of_one(url: str, wait_replicas: int, *, clustered: bool) -> list[str]:
    client = connect(url)
    try:
        memory: dict[str, Any] = await client.info("memory")
        disk: dict[str, Any] = await client.info("persistence")
        replicas = int((await client.info("replication")).get("connected_slaves", 0))
    except (exceptions.RedisError, OSError) as error:
        raise named(error, url) from None
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
    if replicas < wait_replicas:
        found.append(
            f"--wait-replicas is {wait_replicas} and a master has {replicas}, so its games stand still: "
            "give it more, or ask for fewer"
        )
    elif clustered and not replicas:
        found.append("a master of the cluster has no replica, so its games stand still while it is away: give it one")
    return found
