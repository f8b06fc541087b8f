"""What the store holds about one match, for the eyes of its host: the log, and which nodes have sockets of it."""

from dataclasses import dataclass

from twoseat.chair import Millis
from twoseat.ids import read_code, shard_of
from twoseat.match import MatchId
from twoseat_server.store import keys
from twoseat_server.store.link import Link, pairs
from twoseat_server.store.nodes import Held, read_held
from twoseat_server.store.tickets import Tickets


@dataclass(frozen=True, slots=True)
class Recorded:
    """A match's log, its seats' sockets and its watchers by node. `deadline`: armed in the store, in game time."""

    log: tuple[bytes, ...]
    held: tuple[tuple[str, Held], ...]
    watchers: tuple[tuple[str, int], ...]
    deadline: Millis | None
    alive: frozenset[str]
    """Nodes that beat."""


class Recorder:
    """Reads and never writes."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._tickets = Tickets(link)

    async def named(self, text: str) -> MatchId | None:
        """Return the id of the match with this id or code, None where a code has none. Raises StoreAway."""
        code = read_code(text)
        if code is None:
            return MatchId(text)
        table = await self._tickets.table(code)
        return MatchId(table.match) if table is not None and table.match else None

    async def read(self, match_id: MatchId) -> Recorded:
        """Return all there is, as it stood at one moment; an empty log where the match is unknown. Raises StoreAway."""
        shard = shard_of(match_id)
        while True:
            log, nodes, at, watch, due, length = await self._link.run_all(
                [
                    ("LRANGE", keys.log(match_id), 0, -1),
                    ("ZRANGE", keys.NODES, 0, -1),
                    ("SMEMBERS", keys.audience(match_id)),
                    ("HGETALL", keys.watchers(match_id)),
                    ("ZSCORE", keys.due(shard), match_id),
                    ("LLEN", keys.log(match_id)),
                ]
            )
            if length == len(log):
                break
        names = sorted({name.decode() for name in (*nodes, *at)})
        sets = await self._link.run_all([("SMEMBERS", keys.held(shard, name)) for name in names]) if names else []
        held = [
            (name, seat)
            for name, members in zip(names, sets, strict=True)
            for seat in (read_held(member.decode()) for member in members)
            if seat.match == match_id
        ]
        counts = sorted((name.decode(), int(count)) for name, count in pairs(watch))
        return Recorded(
            log=tuple(log),
            held=tuple(sorted(held, key=lambda each: (each[1].seat, each[0]))),
            watchers=tuple(counts),
            deadline=None if due is None else int(float(due)),
            alive=frozenset(name.decode() for name in nodes),
        )
