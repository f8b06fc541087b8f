"""Matches in the store: load, commit by compare-and-set, connection numbers and the log; it knows no socket and no
clock.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from twoseat import record
from twoseat.chair import Millis
from twoseat.games.game import Game, Seat
from twoseat.ids import shard_of
from twoseat.inputs import Input
from twoseat.match import Match, MatchId
from twoseat.shake import Shake
from twoseat_server.store import keys
from twoseat_server.store.line import Arg
from twoseat_server.store.link import Link, StoreAway
from twoseat_server.store.scripts import Begun, beginning

RUNNING_TTL: Millis = 24 * 3600 * 1000
"""A match nobody touches for a day is forgotten."""


@dataclass(frozen=True, slots=True)
class Holding:
    """A socket gained (`held`) or lost by `node` for a seat, stored in the same commit as the Connect or Disconnect."""

    node: str
    seat: Seat
    connection: int
    held: bool

    def member(self, match_id: MatchId) -> str:
        """Return the member of the node's set."""
        return f"{match_id}|{self.seat}|{self.connection}"


@dataclass(frozen=True, slots=True)
class _Lasting:
    """What is the same in every commit of a match: how the call of the script begins, and, for as long as its shake is
    the same, a part of its record.
    """

    shake: Shake
    record: bytes
    call: Begun


_Call = tuple[Begun, tuple[Arg, ...]]
"""A call of the script, and what it begins with."""


class Matches:
    """All stored matches. One code path for every store that speaks the Redis protocol."""

    def __init__(self, link: Link, games: dict[str, Game[Any]], node: str, retention: Millis) -> None:
        self._link = link
        self._games = games
        self._node = node
        self._retention = retention
        self.confirmed = bool(link.replicas)
        """Whether replicas are waited for: a commit is then more than one answer."""
        self._lasting: dict[MatchId, _Lasting] = {}

    async def load(self, match_id: MatchId) -> Match | None:
        """Return the stored match, None where there is none. Raises StoreAway."""
        data = await self._link.run("HGET", keys.match(match_id), "d")
        return None if data is None else self.decode(data)

    def decode(self, data: bytes) -> Match:
        """Return the match in an announcement or a stored record."""
        return record.decode(self._games, data)

    async def create(self, match: Match) -> bool:
        """Store a new match; False where its id is taken (the game after a game is made by whoever comes first)."""
        entry = record.encode(self._games[match.options.game], match)
        return await self._written(match, self._call(match, entry, None, self._made(match)))

    async def commit(self, match: Match, event: Input, now: Millis, holding: Holding | None = None) -> bool:
        """Store `match`, the outcome of `event` on version `match.version - 1`; False where that is not the stored one.

        Raises StoreAway: then the outcome is unknown, and the stored version tells.
        """
        return await self._written(match, self._commit(match, event, now, holding))

    def send(self, match: Match, event: Input, now: Millis, told: Callable[[Any], None]) -> None:
        """Send what `commit` stores to somebody who waits for nothing: `told` hears 0 where it is not stored, or
        StoreAway. Not where commits are `confirmed`: then the stored match is still to be announced.
        """
        self._link.tell_again(*self._commit(match, event, now, None), told)

    def forget(self, match_id: MatchId) -> None:
        """Drop what is kept of a match so that its next commit costs less."""
        self._lasting.pop(match_id, None)

    def _commit(self, match: Match, event: Input, now: Millis, holding: Holding | None) -> _Call:
        entry = record.encode_entry(event, match.version, now)
        lasting = self._lasting.get(match.id)
        if lasting is None or lasting.shake is not match.shake:
            lasting = self._lasting[match.id] = self._made(match, lasting)
        return self._call(match, entry, holding, lasting)

    def _call(self, match: Match, entry: bytes, holding: Holding | None, lasting: _Lasting) -> _Call:
        begun, deadline = lasting.call, match.deadline
        if holding is not None or match.outcome is not None:
            begun = self._begun(match, holding)
        data = record.encode(self._games[match.options.game], match, lasting.record)
        return begun, (match.version, data, "" if deadline is None else deadline, entry)

    async def _written(self, match: Match, call: _Call) -> bool:
        answer = await self._link.call_again(*call)
        if isinstance(answer, list):
            await self._announce(match, answer)
            return True
        return bool(answer)

    def _made(self, match: Match, before: _Lasting | None = None) -> _Lasting:
        call = self._begun(match, None) if before is None else before.call
        return _Lasting(match.shake, record.lasting(match), call)

    def _begun(self, match: Match, holding: Holding | None) -> Begun:
        shard, holder, held = shard_of(match.id), self._node, ""
        if holding is not None:
            holder, held = holding.node, "-+"[holding.held] + holding.member(match.id)
        names = (
            keys.match(match.id),
            keys.log(match.id),
            keys.due(shard),
            keys.audience(match.id),
            keys.held(shard, holder),
        )
        quiet = "quiet" if self.confirmed else ""  # what is to be at a replica first is not announced before either
        kept = RUNNING_TTL if match.outcome is None else self._retention
        return beginning("commit", names, (match.id, self._node, quiet, kept, held), more=4)

    async def _announce(self, match: Match, nodes: list[bytes]) -> None:
        shard, stored = shard_of(match.id), record.encode(self._games[match.options.game], match)
        with suppress(StoreAway):
            await self._link.run_all(
                [("SPUBLISH", keys.news(shard, node.decode()), b"match " + stored) for node in nodes]
            )

    async def is_stored(self, match: Match) -> bool:
        """Whether this very version, with this content, is the stored one: the answer to an unknown outcome."""
        stored = await self.load(match.id)
        return stored == match

    async def next_connection(self, match_id: MatchId) -> int | None:
        """Return a connection number higher than any this match gave before, None where it is gone. Raises
        StoreAway.
        """
        return int(await self._link.call("connection", (keys.match(match_id),), ())) or None

    async def release(self, match_id: MatchId, holding: Holding) -> None:
        """Strike a seat from those a node holds, where no commit did. Raises StoreAway."""
        await self._link.run("SREM", keys.held(shard_of(match_id), holding.node), holding.member(match_id))

    async def disarm(self, match_id: MatchId) -> None:
        """Strike the deadline of a match that is gone. Raises StoreAway."""
        await self._link.call("disarm", (keys.match(match_id), keys.due(shard_of(match_id))), (match_id,))

    async def log(self, match_id: MatchId) -> list[bytes]:
        """Return the match's log, oldest first. Raises StoreAway."""
        return list(await self._link.run("LRANGE", keys.log(match_id), 0, -1))
