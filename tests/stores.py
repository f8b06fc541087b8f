"""Stores for tests: a real Redis, clients of any kind of store, what one node has of it, and matches to put there."""

import shutil
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from socket import AF_UNIX, socket
from typing import Any

import redis.asyncio as redis
from msgspec.structs import replace

from twoseat.chair import Millis, PlayerId
from twoseat.fair import fresh_seed
from twoseat.games import GAMES
from twoseat.games.game import SEATS, Options, Seat
from twoseat.ids import new_code, new_match_id, new_token, player_of
from twoseat.inputs import Connect
from twoseat.match import Match, create, step
from twoseat_server.store.link import Link
from twoseat_server.store.matches import Holding, Matches
from twoseat_server.store.nodes import Nodes
from twoseat_server.store.scripts import slot_of
from twoseat_server.store.slots import shares
from twoseat_server.store.tickets import Ticket, Tickets

RETENTION: Millis = 3_600_000
WAR = GAMES["war"]


def raw(url: str) -> Any:
    """A plain client, to look into the store and to break it."""
    return _client(url, decode_responses=True)


def _client(urls: str, *, decode_responses: bool) -> Any:
    if "," in urls:
        return _Spread(urls.split(","), decode_responses)
    return redis.Redis.from_url(urls, decode_responses=decode_responses, protocol=2)


class _Spread:
    """Plain clients of all masters: a command goes to the one that has its key, or to all where it has none."""

    def __init__(self, urls: list[str], decode_responses: bool) -> None:
        self._urls = urls
        self._decode = decode_responses
        self._shares: Any = None
        self._clients: dict[str, Any] = {}

    async def __aenter__(self) -> Any:
        self._shares = await shares(self._urls[0])
        for url, _, _ in self._shares:
            self._clients[url] = redis.Redis.from_url(url, decode_responses=self._decode, protocol=2)
        return self

    async def __aexit__(self, *error: object) -> None:
        for client in self._clients.values():
            await client.aclose()

    def __getattr__(self, name: str) -> Any:
        async def does(*args: Any, **options: Any) -> Any:
            keyed = bool(args) and "{" in str(args[0])
            slot = slot_of(args[0].decode() if isinstance(args[0], bytes) else args[0]) if keyed else None
            homes = dict.fromkeys(url for url, first, last in self._shares if slot is None or first <= slot <= last)
            answers = [await getattr(self._clients[url], name)(*args, **options) for url in homes]
            return [*chain(*answers)] if isinstance(answers[0], list) and not keyed else answers[0]

        return does


@asynccontextmanager
async def at_key(at: "Peer", key: str) -> AsyncIterator[Any]:
    """A plain client of the master that has a key."""
    await at.link.known()
    (url,) = at.link.homes((key,))
    async with redis.Redis.from_url(url, decode_responses=True, protocol=2) as store:
        yield store


async def snapshot(url: str) -> dict[str, bytes]:
    """All that is stored there, by key."""
    async with _client(url, decode_responses=False) as store:
        return {key.decode(): await store.dump(key) for key in await store.keys()}


async def everlasting(url: str) -> set[str]:
    """The keys that nothing will ever remove by itself."""
    async with raw(url) as store:
        return {key for key in await store.keys() if await store.pttl(key) < 0}


async def emptied(url: str) -> str:
    """The URL, once nothing is stored there, no script either."""
    async with raw(url) as store:
        await store.flushall()
        await store.script_flush()
    return url


@contextmanager
def redis_server(folder: Path, *settings: str, port: int = 0) -> Iterator[str]:
    """A real redis-server, not Valkey, as long as the block runs."""
    program = shutil.which("redis-server")
    assert program, "install redis-server: ./dev test does"
    path = folder / "redis.sock"
    child = subprocess.Popen(
        [program, "--port", str(port), "--unixsocket", str(path), "--save", "", "--dir", str(folder), *settings],
        stdout=subprocess.DEVNULL,
    )
    try:
        ends = time.monotonic() + 10
        while True:
            with socket(AF_UNIX) as probe, suppress(OSError):
                probe.connect(str(path))
                break
            assert time.monotonic() < ends, "redis-server does not listen"
            time.sleep(0.02)
        yield f"unix://{path}"
    finally:
        child.kill()  # one whose disk fails would not go otherwise
        child.wait()


@dataclass(slots=True)
class Peer:
    """What one node has of the store."""

    name: str
    url: str
    link: Link
    matches: Matches
    nodes: Nodes
    tickets: Tickets


Join = Callable[..., Peer]
"""Give a node's name and get its view of the store."""


def peer(url: str, name: str = "a") -> Peer:
    """A node of this name at the store."""
    link = Link(url)
    return Peer(name, url, link, Matches(link, GAMES, name, RETENTION), Nodes(link), Tickets(link))


def person(name: str = "Ann") -> tuple[PlayerId, str]:
    """A new player."""
    return player_of(new_token()), name


def dealt(now: Millis = 0, options: Options | None = None, *, bot: bool = False) -> Match:
    """A new match of two people, or a person and a bot, that nobody has sat down at."""
    players: Any = (person("Ann"), (None, "Bot") if bot else person("Bob"))
    return create(
        WAR, new_match_id(), new_code(), options or Options(), players, fresh_seed(), now, start_within=30_000
    )


async def sit(at: Peer, match: Match, seat: Seat, now: Millis = 0) -> Match:
    """The match with this seat's socket on this node, stored."""
    connection = await at.matches.next_connection(match.id)
    assert connection is not None
    event = Connect(seat, connection)
    after = step(WAR, match, event, now)
    assert await at.matches.commit(after, event, now, Holding(at.name, seat, connection, held=True))
    return after


async def seated(at: Peer, match: Match, now: Millis = 0) -> Match:
    """The match stored and started, everybody's socket on this node."""
    assert await at.matches.create(match)
    for seat in SEATS:
        if match.chairs[seat].player is not None:
            match = await sit(at, match, seat, now)
    return match


def ticket(at: Peer, options: Options | None = None, *, player: PlayerId | None = None) -> Ticket:
    """A ticket of a new player on this node."""
    new, name = person()
    return Ticket(new_match_id()[:16], player or new, name, at.name, options or Options())


def due_at(match: Match, moment: Millis) -> Match:
    """The match with the clock of the seat that owes a move running out at this moment."""
    owing = WAR.owes(match.state)
    first, second = (replace(chair, due=moment if seat in owing else None) for seat, chair in enumerate(match.chairs))
    return replace(match, chairs=(first, second))
