"""The name of every key in one place. A match and all that changes with it share a shard tag; the lobby has a tag of
its own.

Ids in names are ours (shared ids.py), so no key ever holds text that came from outside.
"""

from twoseat.chair import PlayerId
from twoseat.ids import SHARDS, shard_of
from twoseat.match import MatchId


def match(match_id: MatchId) -> str:
    """Hash: `v` version, `d` the record, `c` connections given."""
    return f"{_tag(shard_of(match_id))}:match:{match_id}"


def log(match_id: MatchId) -> str:
    """List: what happened to the match, oldest first."""
    return f"{_tag(shard_of(match_id))}:log:{match_id}"


def audience(match_id: MatchId) -> str:
    """Set: nodes that hold sockets of this match."""
    return f"{_tag(shard_of(match_id))}:at:{match_id}"


def watchers(match_id: MatchId) -> str:
    """Hash: node to the number of watchers it holds."""
    return f"{_tag(shard_of(match_id))}:watch:{match_id}"


def due(shard: int) -> str:
    """Sorted set: match ids by deadline in game time."""
    return f"{_tag(shard)}:due"


def clock(shard: int) -> str:
    """Hash: `stamp` of the last sweep, `stops`, the sum of recorded stops, `had`, the last sweep replicas had, ms."""
    return f"{_tag(shard)}:clock"


def held(shard: int, node: str) -> str:
    """Set: `match|seat|connection` of each seat a node holds a socket for."""
    return f"{_tag(shard)}:held:{node}"


NODES = "{lobby}:nodes"
"""Sorted set: nodes by the time of their last beat, ms of the store's clock."""


def pool(name: str) -> str:
    """Sorted set: tickets that want the same game, by the moment their wait began."""
    return f"{{lobby}}:pool:{name}"


def ticket(ticket_id: str) -> str:
    """JSON of a waiting player; gone 6 s after its node last vouched for its socket."""
    return f"{{lobby}}:ticket:{ticket_id}"


def code(text: str) -> str:
    """JSON of the table with this code: its host, and its match once there is one."""
    return f"{{lobby}}:code:{text}"


def player(player_id: PlayerId) -> str:
    """JSON of where this player is: a ticket, a code or a match."""
    return f"{{lobby}}:player:{player_id}"


def news(shard: int, node: str) -> str:
    """Channel: hints for one node about matches of this shard."""
    return f"{_tag(shard)}:news:{node}"


def lobby_news(node: str) -> str:
    """Channel: hints for one node about those who wait there."""
    return f"{{lobby}}:news:{node}"


def tried(shard: int, name: str) -> str:
    """String: what an account may do is tried on it; gone a second later."""
    return f"{_tag(shard)}:tried:{name}"


def lobby_tried(name: str) -> str:
    """The same in the lobby."""
    return f"{{lobby}}:tried:{name}"


def shards() -> range:
    """All shards."""
    return range(SHARDS)


def _tag(shard: int) -> str:
    return f"{{s{shard:02d}}}"
