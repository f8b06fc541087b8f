"""Which nodes hold watchers of a match, and how many there are in all; counts only, nobody's name."""

from twoseat.ids import shard_of
from twoseat.match import MatchId
from twoseat_server.store import keys
from twoseat_server.store.link import Link, pairs
from twoseat_server.store.matches import RUNNING_TTL


class Audience:
    """Watchers by match. They never enter the match itself."""

    def __init__(self, link: Link, node: str) -> None:
        self._link = link
        self._node = node

    async def join(self, match_id: MatchId, here: int) -> None:
        """Note that this node holds `here` watchers, and let every node with sockets of the match count anew."""
        watchers, nodes = keys.watchers(match_id), keys.audience(match_id)
        answers = await self._link.run_all(
            [
                ("HSET", watchers, self._node, here) if here else ("HDEL", watchers, self._node),
                ("PEXPIRE", watchers, RUNNING_TTL),
                ("SADD", nodes, self._node),
                ("PEXPIRE", nodes, RUNNING_TTL),
                ("SMEMBERS", nodes),
            ]
        )
        hint = f"watchers {match_id}"
        await self._tell(match_id, answers[-1], hint)

    async def tell(self, match_id: MatchId, hint: str) -> None:
        """Send a hint to every node with sockets of this match, this one included."""
        nodes = await self._link.run("SMEMBERS", keys.audience(match_id))
        await self._tell(match_id, nodes, hint)

    async def _tell(self, match_id: MatchId, nodes: list[bytes], hint: str) -> None:
        shard = shard_of(match_id)
        await self._link.run_all([("SPUBLISH", keys.news(shard, node.decode()), hint) for node in nodes])

    async def count(self, match_id: MatchId) -> int:
        """Return how many watch this match on all nodes that live. Raises StoreAway."""
        counts = await self._link.run("HGETALL", keys.watchers(match_id))
        if not counts:  # as at most matches: then nobody need be asked which nodes live
            return 0
        living = await self._link.run("ZRANGE", keys.NODES, 0, -1)
        return sum(int(count) for node, count in pairs(counts) if node in living)
