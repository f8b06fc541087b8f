"""What nodes tell each other through the store: beats, whose sockets they hold, sweeps of the game clock; it knows no
match.
"""

from dataclasses import dataclass

from twoseat.chair import Millis
from twoseat.games.game import SEATS, Seat
from twoseat.match import MatchId
from twoseat_server.store import keys
from twoseat_server.store.link import Link, beginning

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


@dataclass(frozen=True, slots=True)
class Sweep:
    """What a sweep read: the store's clock, the stops of each shard, and matches whose deadline nobody took."""

    time: Millis
    stops: tuple[Millis, ...]
    due: tuple[MatchId, ...]


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
        swept = [key for shard in keys.shards() for key in (keys.clock(shard), keys.due(shard))]
        self._sweep = beginning("sweep", swept, (), more=5)

    async def beat(self, node: str) -> tuple[list[str], set[str]]:
        """Say that `node` lives; return those that have been silent too long, and the living. Raises StoreAway."""
        silent, living = await self._link.call("beat", (keys.NODES,), (node, SILENT_AFTER))
        return [name.decode() for name in silent], {name.decode() for name in living}

    async def sweep(self) -> Sweep:
        """Stamp every shard's clock, record stops, take what is due. Raises StoreAway."""
        time, stops, due = await self._link.call_again(
            self._sweep, (STOP_FROM, ORPHAN_GRACE, LEASE, _MOST_DUE, IDLE_STAMP)
        )
        return Sweep(int(time), tuple(map(int, stops)), tuple(MatchId(name.decode()) for name in due))

    async def held_by(self, node: str) -> list[Held]:
        """Return the seats `node` holds sockets for. Raises StoreAway."""
        answers = await self._link.run_all([("SMEMBERS", keys.held(shard, node)) for shard in keys.shards()])
        return [read_held(member.decode()) for members in answers for member in members]

    async def forget(self, node: str) -> None:
        """Strike a node that holds nothing any more from the list. Raises StoreAway."""
        await self._link.run("ZREM", keys.NODES, node)


def read_held(member: str) -> Held:
    """Return what a member of a node's set says."""
    match_id, seat, connection = member.split("|")
    return Held(MatchId(match_id), SEATS[int(seat)], int(connection))
