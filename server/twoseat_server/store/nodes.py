"""What nodes tell each other through the store: beats, whose sockets they hold, sweeps of the game clock; it knows no
match.
"""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from twoseat.chair import Millis
from twoseat.games.game import SEATS, Seat
from twoseat.match import MatchId
from twoseat_server.store import keys
from twoseat_server.store.away import StoreAway
from twoseat_server.store.link import Link
from twoseat_server.store.scripts import Begun, beginning

SILENT_AFTER: Millis = 5_000
"""A node that has not beaten for this long is dead: its sockets are declared away by any other."""
STOP_FROM: Millis = 1_000
"""A gap between two sweeps longer than this is a stop: the game clock stands still through it."""
ORPHAN_GRACE: Millis = 50
"""How late a deadline is before a sweep hands it out; the node that holds the sockets fires it before that."""
LEASE: Millis = 1_000
IDLE_STAMP: Millis = 400
"""How old the stamp of a shard may be where no match has a deadline. A stop is at most that much too long there: it
begins before the deadline that it spares.
"""
_MOST_DUE = 64
_CLOCKS = tuple(map(keys.clock, keys.shards()))


Part = tuple[int, ...]
"""Shards that one master has."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """What a sweep read: the store's clock and the stops of each shard, and matches whose deadline nobody took."""

    times: Mapping[int, Millis]
    stops: Mapping[int, Millis]
    due: tuple[MatchId, ...]
    away: StoreAway | None = None
    """Why some shards of its part are not among those swept."""


@dataclass(frozen=True, slots=True)
class Held:
    """A seat a node holds, or held, a socket for."""

    match: MatchId
    seat: Seat
    connection: int


class Nodes:
    """The nodes of one store."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._all = _sweeping(keys.shards())
        self._had: dict[int, Millis] = dict.fromkeys(keys.shards(), 0)
        """When a sweep of each shard was last answered, and so was at as many replicas as are waited for."""
        self._each = tuple(_sweeping((shard,)) for shard in keys.shards())

    async def beat(self, node: str) -> tuple[list[str], set[str]]:
        """Say that `node` lives; return those that have been silent too long, and the living. Raises StoreAway."""
        silent, living = await self._link.call("beat", (keys.NODES,), (node, SILENT_AFTER))
        return [name.decode() for name in silent], {name.decode() for name in living}

    def parts(self) -> tuple[Part, ...]:
        """Return the shards, those together that one master has: each part has a clock and outages of its own."""
        homes = self._link.homes(_CLOCKS)
        return tuple(tuple(map(_CLOCKS.index, clocks)) for clocks in homes.values()) or (tuple(keys.shards()),)

    async def sweep(self, part: Part) -> Sweep:
        """Stamp the clocks of a part, record stops, take what is due. Raises StoreAway where no shard was swept."""
        await self._link.known()
        # A script of a cluster keeps to one slot; a store alone spares itself 63 calls.
        calls = [(each, self._each[each[0]]) for each in zip(part)] if self._link.clustered else [(part, self._all)]
        asked = (STOP_FROM, ORPHAN_GRACE, LEASE, _MOST_DUE, IDLE_STAMP)
        had = [self._had[shards[0]] if self._link.replicas else "" for shards, _ in calls]
        answers = await asyncio.gather(
            *[self._link.call_again(begun, (*asked, last)) for (_, begun), last in zip(calls, had, strict=True)],
            return_exceptions=True,
        )
        times: dict[int, Millis] = {}
        stops: dict[int, Millis] = {}
        due: list[MatchId] = []
        away: StoreAway | None = None
        for (shards, _), answer in zip(calls, answers, strict=True):
            if isinstance(answer, StoreAway):
                away = answer
                continue
            if isinstance(answer, BaseException):
                raise answer
            time, stopped, names = answer
            times.update(dict.fromkeys(shards, int(time)))
            stops.update(zip(shards, map(int, stopped), strict=True))
            due += [MatchId(name.decode()) for name in names]
        if away is not None and not times:
            raise away
        self._had.update(times)
        return Sweep(times, stops, tuple(due), away)

    async def held_by(self, node: str) -> tuple[list[Held], bool]:
        """Return the seats `node` holds sockets for, and whether these are all: a master that is away keeps its own to
        itself. Raises StoreAway where nothing could be read.
        """
        answers = await asyncio.gather(
            *[self._link.run("SMEMBERS", keys.held(shard, node)) for shard in keys.shards()], return_exceptions=True
        )
        read = [members for members in answers if not isinstance(members, BaseException)]
        for error in answers:
            if isinstance(error, BaseException) and not (read and isinstance(error, StoreAway)):
                raise error
        return [read_held(member.decode()) for members in read for member in members], len(read) == len(answers)

    async def forget(self, node: str) -> None:
        """Strike a node that holds nothing any more from the list. Raises StoreAway."""
        await self._link.run("ZREM", keys.NODES, node)


def _sweeping(shards: Iterable[int]) -> Begun:
    return beginning("sweep", [key for shard in shards for key in (keys.clock(shard), keys.due(shard))], (), more=6)


def read_held(member: str) -> Held:
    """Return what a member of a node's set says."""
    match_id, seat, connection = member.split("|")
    return Held(MatchId(match_id), SEATS[int(seat)], int(connection))
