"""The store in memory does what the real one does: the same commands, in the same order, the same answers and keys."""

import json
import random
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from simulation.model import Model
from stores import emptied
from twoseat.ids import SHARDS
from twoseat_server.store import keys
from twoseat_server.store.embedded import EmbeddedStore
from twoseat_server.store.line import pack
from twoseat_server.store.link import Link
from twoseat_server.store.nodes import IDLE_STAMP, LEASE, ORPHAN_GRACE, STOP_FROM
from twoseat_server.store.scripts import SCRIPTS, beginning

MATCHES = [f"{shard:02x}{number:032x}" for shard in (0, 1) for number in (1, 2)]
NODES = ["a-1", "b-2"]
PLAYERS = ["p" * 64, "q" * 64]
STEPS = 400
TTL = 100_000_000


class Both:
    """A real store and the model, asked the same."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.time = 0
        self.model = Model(lambda: self.time)
        self.versions = dict.fromkeys(MATCHES, 0)

    async def script(self, name: str, names: list[str], args: tuple[Any, ...], when: Callable[[Any], int]) -> None:
        """Run a script on both; `when` reads the real store's clock from the answer."""
        real = await self.link.call(name, names, args)
        self.time = when(real)
        assert _read(self.model.run(beginning(name, names, (), len(args)).packed + pack(args))) == _read(real), name

    async def command(self, *command: Any) -> None:
        """Run a command on both."""
        real = await self.link.run(*command)
        modelled = self.model.run(b"*%d\r\n%b" % (len(command), pack(command)))
        unordered = command[0] in {"SMEMBERS", "HGETALL"}
        assert (sorted(modelled) == sorted(real)) if unordered else (modelled == real), command

    async def alike(self) -> None:
        """Compare every key."""
        assert sorted(self.model.keys()) == sorted(key.decode() for key in await self.link.run("KEYS", "*"))
        for key in sorted(self.model.keys()):
            value = self.model.there(key)
            kind = (await self.link.run("TYPE", key)).decode()
            assert self.model.lasts(key) == (await self.link.run("PTTL", key) < 0), key
            if kind == "string":
                real = await self.link.run("GET", key)
                assert value == real or json.loads(value) == json.loads(real), key
            elif kind == "list":
                assert value == await self.link.run("LRANGE", key, 0, -1)
            elif kind == "set":
                assert sorted(value) == sorted(await self.link.run("SMEMBERS", key))
            elif kind == "hash":
                flat = await self.link.run("HGETALL", key)
                assert {k.encode(): v for k, v in value.items()} == dict(zip(flat[::2], flat[1::2], strict=True))
            else:
                flat = await self.link.run("ZRANGE", key, 0, -1, "WITHSCORES")
                assert [(n.encode(), s) for n, s in self.model.ranked(key)] == [
                    (n, float(s)) for n, s in zip(flat[::2], flat[1::2], strict=True)
                ]


@pytest.fixture
async def both(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Both]:
    async with EmbeddedStore(tmp_path_factory.mktemp("valkey")) as url:
        link = Link(await emptied(url))
        await link.load()
        asked = Both(link)
        seconds, micros = await link.run("TIME")
        asked.time = int(seconds) * 1000 + int(micros) // 1000
        yield asked
        await link.close()


async def test_the_model_answers_and_holds_what_the_real_store_does(both: Both) -> None:
    chance = random.Random(5)
    tried = set()
    for step in range(STEPS):
        does = chance.choice([_commit, _sweep, _beat, _pair, _ticket, _code, _place, _gone])
        tried.add(does.__name__)
        await does(both, chance)
        if step % 10 == 0:
            await both.alike()
    assert len(tried) == 8
    assert both.model.asked.keys() == set(SCRIPTS)
    spread = {name for name, tags in both.model.asked.items() if tags != {1}}
    assert spread == {"sweep"}, "each script keeps to one shard, so that a cluster could serve it; one looks at all"


def _read(answer: Any) -> Any:
    """An answer with its JSON read: the store writes the fields in an order of its own."""
    if isinstance(answer, list):
        return [_read(each) for each in answer]
    return json.loads(answer) if isinstance(answer, bytes) and answer.startswith(b"{") else answer


def _unmoved(both: Both) -> Callable[[Any], int]:
    return lambda answer: both.time


async def _commit(both: Both, chance: random.Random) -> None:
    match, node = chance.choice(MATCHES), chance.choice(NODES)
    shard = int(match[:2], 16)
    names = [keys.match(match), keys.log(match), keys.due(shard), keys.audience(match), keys.held(shard, node)]  # type: ignore[arg-type]
    stored = both.versions[match]
    expected = chance.choice([stored, stored, stored, stored + 1])
    version = expected + 1
    deadline = chance.choice(["", both.time - 5_000, both.time + 60_000])
    held = chance.choice(["", f"+{match}|0|{version}", f"-{match}|0|{version - 1}"])
    args = (
        match,
        node,
        chance.choice(["", "", "quiet"]),
        TTL,
        held,
        version,
        b"{}\n\xff\x00",
        deadline,
        b'{"in":"tick"}',
    )
    await both.script("commit", names, args, _unmoved(both))
    if expected == stored:
        both.versions[match] = version
    await both.script("connection", [names[0]], (), _unmoved(both))
    await both.command("SREM", names[4], f"{match}|0|{version - 1}")


async def _sweep(both: Both, chance: random.Random) -> None:
    names = [key for shard in range(SHARDS) for key in (keys.clock(shard), keys.due(shard))]
    if chance.random() < 0.3:
        jump = chance.choice([-50_000, 50_000])
        for command in (("HSET", names[0], "stamp", both.time + jump),):
            await both.command(*command)
    had = chance.choice(["", both.time, both.time - 2 * STOP_FROM - 700, both.time + 9_000, 0])
    args = (STOP_FROM, ORPHAN_GRACE, LEASE, 64, IDLE_STAMP, had)
    await both.script("sweep", names, args, lambda answer: int(answer[0]))


async def _beat(both: Both, chance: random.Random) -> None:
    node = chance.choice(NODES)
    if chance.random() < 0.3:
        await both.command("ZADD", keys.NODES, both.time - chance.choice([1_000, 9_000]), chance.choice(NODES))
    real = await both.link.call("beat", (keys.NODES,), (node, 5_000))
    both.time = int(float(await both.link.run("ZSCORE", keys.NODES, node)))
    assert both.model.run(beginning("beat", (keys.NODES,), (), 2).packed + pack((node, 5_000))) == real


async def _pair(both: Both, chance: random.Random) -> None:
    ticket, player = f"{chance.randrange(8):016x}", chance.choice(PLAYERS)
    data = json.dumps({"id": ticket, "player": player})
    args = (ticket, player, data, TTL, chance.choice([0, both.time + 1]), TTL)
    names = [keys.pool("war"), keys.ticket(ticket)]
    since = args[4]
    await both.script("pair", names, args, lambda answer: both.time if since else int(answer[0]))


async def _ticket(both: Both, chance: random.Random) -> None:
    ticket = keys.ticket(f"{chance.randrange(8):016x}")
    await both.script(chance.choice(["vouch", "withdraw"]), [ticket], (TTL,), _unmoved(both))
    await both.command("EXISTS", ticket)


async def _code(both: Both, chance: random.Random) -> None:
    code, player = keys.code(chance.choice(["BCDFGH", "BCDFGJ"])), chance.choice(PLAYERS)
    table = json.dumps({"player": PLAYERS[0], "match": ""}, separators=(",", ":"))
    await both.command("SET", code, table, "PX", TTL, "NX")
    new = chance.choice(MATCHES)
    await both.script("claim", [code], (player, new, chance.choice(["", *MATCHES]), TTL), _unmoved(both))
    if chance.random() < 0.5:
        places = [keys.player(each) for each in PLAYERS]  # type: ignore[arg-type]
        await both.command("SET", places[0], json.dumps({"match": new}, separators=(",", ":")), "PX", TTL)
        args = (chance.choice([new, *MATCHES]), chance.choice(MATCHES), TTL)
        await both.script("onward", [code, *places], args, _unmoved(both))
    if chance.random() < 0.3:
        await both.command("DEL", code)


async def _place(both: Both, chance: random.Random) -> None:
    player = keys.player(chance.choice(PLAYERS))  # type: ignore[arg-type]
    values = ["", "one", "two"]
    await both.script("swap", [player], (chance.choice(values), chance.choice(values), TTL), _unmoved(both))
    await both.command("GET", player)


async def _gone(both: Both, chance: random.Random) -> None:
    match, node = chance.choice(MATCHES), chance.choice(NODES)
    shard = int(match[:2], 16)
    if chance.random() < 0.2:
        both.versions[match] = 0
        for key in (keys.match(match), keys.log(match)):  # type: ignore[arg-type]
            await both.command("DEL", key)
    await both.script("disarm", [keys.match(match), keys.due(shard)], (match,), _unmoved(both))  # type: ignore[arg-type]
    watch, at = keys.watchers(match), keys.audience(match)  # type: ignore[arg-type]
    await both.command("HSET", watch, node, chance.randrange(5))
    await both.command("PEXPIRE", watch, TTL)
    await both.command("HGETALL", watch)
    await both.command("HDEL", watch, chance.choice(NODES))
    await both.command("SADD", at, node)
    await both.command("PEXPIRE", at, TTL)
    await both.command("SMEMBERS", at)
    await both.command("ZREM", keys.NODES, chance.choice(NODES))
    await both.command("ZRANGE", keys.NODES, 0, -1)
    await both.command("HGET", keys.match(match), "d")  # type: ignore[arg-type]
    await both.command("LRANGE", keys.log(match), 0, -1)  # type: ignore[arg-type]
    await both.command("SMEMBERS", keys.held(shard, node))
