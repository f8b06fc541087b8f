"""Whether the account of a node may do all that a node does, tried before anybody relies on it; it changes nothing."""

import asyncio
import secrets
from collections.abc import Sequence

from redis import exceptions
from redis.asyncio.client import Redis

from twoseat_server.store import keys
from twoseat_server.store.away import Away, StoreAway, named, place
from twoseat_server.store.line import Arg
from twoseat_server.store.master import connect
from twoseat_server.store.scripts import SCRIPTS, slot_of
from twoseat_server.store.slots import spread

_KEYED: tuple[tuple[Arg, ...], ...] = (
    *(("GET",), ("EXISTS",), ("PEXPIRE", 1000)),
    *(("HGET", "f"), ("HSET", "f", "v"), ("HMGET", "f"), ("HGETALL",), ("HDEL", "f"), ("HVALS",), ("HINCRBY", "f", 1)),
    *(("RPUSH", "v"), ("LRANGE", 0, 0), ("LLEN",), ("SADD", "m"), ("SREM", "m"), ("SMEMBERS",)),
    *(("ZADD", 0, "m"), ("ZCARD",), ("ZREM", "m"), ("ZRANGE", 0, 0), ("ZRANGEBYSCORE", 0, 0)),
    *(("ZREVRANGE", 0, 0), ("ZSCORE", "m"), ("DEL",)),
)
"""Commands without their key. It is no hash, list or set: whoever may do them hears so, and nothing comes to be."""
_KEYLESS: tuple[tuple[Arg, ...], ...] = (
    *(("TIME",), ("CLUSTER SLOTS",), ("ASKING",), ("WAIT", 0, 0), ("EVALSHA", "0" * 40, 0)),
)
_MS = 1000


class UnknownCommand(exceptions.ResponseError):
    """A server is older than what a node needs, or its owner has taken the command away."""


async def check(urls: str) -> None:
    """Try every command and kind of key at each server that has some. Raises StoreAway (`denied`) with the server and
    the command where one is refused, UnknownCommand where a server has none such; what a master that is away would
    say is not waited for.
    """
    found: dict[str, list[tuple[str, str]]] = {}
    name = secrets.token_hex(8)
    shares = await spread(urls.split(","))
    pairs = [(keys.tried(shard, name), keys.news(shard, name)) for shard in keys.shards()]
    for pair in (*pairs, (keys.lobby_tried(name), keys.lobby_news(name))):
        for url in [url for url, first, last in shares if first <= slot_of(pair[0]) <= last]:
            found.setdefault(url, []).append(pair)
    await asyncio.gather(*(_at(url, tried) for url, tried in found.items()))


async def _at(url: str, tried: Sequence[tuple[str, str]]) -> None:
    client = connect(url)
    try:
        await _try(client, url, [*_KEYLESS, ("SCRIPT LOAD", SCRIPTS["beat"].text)])
        for key, channel in tried:
            await _try(client, url, [("SET", key, "", "PX", _MS)])
            await _try(client, url, [(words[0], key, *words[1:]) for words in _KEYED])
            await _try(client, url, [("SPUBLISH", channel, "")])
            await _subscribe(client, url, channel)
    except UnknownCommand:
        raise
    except (exceptions.RedisError, OSError) as error:
        _judge(url, "", error)
    finally:
        await client.aclose(close_connection_pool=True)


async def _try(client: Redis, url: str, commands: Sequence[Sequence[Arg]]) -> None:
    pipe = client.pipeline(transaction=False)
    for words in commands:
        pipe.execute_command(*words)
    for words, answer in zip(commands, await pipe.execute(raise_on_error=False), strict=True):
        if isinstance(answer, exceptions.RedisError):
            _judge(url, str(words[0]), answer)


async def _subscribe(client: Redis, url: str, channel: str) -> None:
    async with client.pubsub() as line:
        for word, does in (("SSUBSCRIBE", line.ssubscribe), ("SUNSUBSCRIBE", line.sunsubscribe)):
            try:
                await does(channel)
                await line.get_message(timeout=None)
            except exceptions.ResponseError as error:
                _judge(url, word, error)


def _judge(url: str, word: str, error: BaseException) -> None:
    """Raise what no later answer would mend."""
    failure = named(error, url)
    if isinstance(failure, StoreAway) and failure.why is Away.DENIED:
        raise StoreAway(Away.DENIED, f"{failure.text}, tried {word}" if word else failure.text) from None
    if str(error).startswith("unknown command"):
        raise UnknownCommand(f"{place(url)} does not know {word}") from None
