"""Who waits for whom, in the store: tickets in pools, tables with codes, and where each player is; it knows no
socket.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import msgspec

from twoseat.chair import Millis, PlayerId
from twoseat.games.game import Options
from twoseat.match import MatchId
from twoseat_server.store import keys
from twoseat_server.store.link import Link

TICKET_TTL: Millis = 6_000
CODE_TTL: Millis = 30 * 60 * 1000
PLACE_TTL: Millis = 24 * 3600 * 1000


@dataclass(frozen=True, slots=True)
class Ticket:
    """A player in the queue; `node` holds the socket."""

    id: str
    player: PlayerId
    name: str
    node: str
    options: Options


class Standing(StrEnum):
    """How a ticket stands: in the queue, paired a moment ago, or neither."""

    WAITS = "waits"
    PAIRED = "paired"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a code: its host waits, or (`match`) there is a game at it."""

    code: str
    player: PlayerId
    name: str
    node: str
    options: Options
    match: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a player is. At most one of the three is set."""

    ticket: str = ""
    code: str = ""
    match: str = ""
    session: str = ""
    """The socket that took this place."""


class Tickets:
    """All waiting players and tables. Every race is settled inside the store."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def pair(self, ticket: Ticket, since: Millis) -> tuple[Millis, Ticket | None]:
        """Return (moment the wait began, the longest waiting other player, removed from the queue), or queue up and
        return None.
        """
        pool = keys.pool(pool_of(ticket.options))
        began, other = await self._link.call(
            "pair",
            (pool, keys.ticket(ticket.id)),
            (ticket.id, ticket.player, _dump(ticket), TICKET_TTL, since, PLACE_TTL),
        )
        return int(began), _ticket(other) if other else None

    async def vouch(self, ticket: Ticket) -> Standing:
        """Keep a ticket alive, and say how it stands."""
        return Standing((await self._link.call("vouch", (keys.ticket(ticket.id),), (TICKET_TTL,))).decode())

    async def withdraw(self, ticket: Ticket) -> bool:
        """Take a ticket out of the queue; False where its player was paired before."""
        return bool(await self._link.call("withdraw", (keys.ticket(ticket.id),), ()))

    async def waits(self, ticket_id: str) -> bool:
        """Whether this ticket's player is in the queue, her socket vouched for, or was paired just now."""
        return bool(await self._link.run("EXISTS", keys.ticket(ticket_id)))

    async def open(self, table: Table) -> bool:
        """Put up a table; False where its code is taken."""
        ttl = PLACE_TTL if table.match else CODE_TTL
        return bool(await self._link.run("SET", keys.code(table.code), _dump(table), "PX", ttl, "NX"))

    async def table(self, code: str) -> Table | None:
        """Return the table with this code."""
        data = await self._link.run("GET", keys.code(code))
        return _table(data) if data else None

    async def claim(self, code: str, player: PlayerId, match_id: MatchId, *, never_made: str = "") -> tuple[str, Any]:
        """Take the free seat: ("claimed", Table), ("match", id) of the game that is there, ("own", None) or
        ("not_found", None).
        """
        answer = await self._link.call("claim", (keys.code(code),), (player, match_id, never_made, PLACE_TTL))
        word = answer[0].decode()
        if word == "claimed":
            return word, _table(answer[1])
        return word, answer[1].decode() if word == "match" else None

    async def retake(self, table: Table, mine: Table) -> bool:
        """Put up one's own table again, as `mine`; False where somebody has joined it meanwhile."""
        swap = (_dump(table), _dump(mine), CODE_TTL)
        return bool(await self._link.call("swap", (keys.code(table.code),), swap))

    async def onward(self, code: str, players: Iterable[PlayerId], before: MatchId, match_id: MatchId) -> None:
        """Let a code (a rematch keeps the link) and its players' places go on to the match after `before`, except what
        has gone elsewhere.
        """
        names = (keys.code(code), *map(keys.player, players))
        await self._link.call("onward", names, (before, match_id, PLACE_TTL))

    async def close(self, table: Table) -> bool:
        """Take down a table; False where somebody had joined it before."""
        return bool(await self._link.call("swap", (keys.code(table.code),), (_dump(table), b"", 0)))

    async def place(self, player: PlayerId) -> Place | None:
        """Return where a player is."""
        data = await self._link.run("GET", keys.player(player))
        return Place(**json.loads(data)) if data else None

    async def move(self, player: PlayerId, place: Place, *, before: Place | None) -> bool:
        """Write where a player is, unless she moved meanwhile (False)."""
        expected = b"" if before is None else _dump(before)
        return bool(await self._link.call("swap", (keys.player(player),), (expected, _dump(place), PLACE_TTL)))

    async def put(self, player: PlayerId, place: Place) -> None:
        """Write where a player is, whatever stood there."""
        await self._link.run("SET", keys.player(player), _dump(place), "PX", PLACE_TTL)


def pool_of(options: Options) -> str:
    """Return the queue these options belong to: only players who want the same meet."""
    rules = (options.game, options.preset, options.target, options.limit, options.level)
    parts = (*rules, options.turn_seconds, options.games)
    return ":".join(map(str, parts))


def _dump(value: Any) -> bytes:
    # In ASCII, as ever: a swap compares it with what a node of another version wrote.
    return json.dumps(msgspec.to_builtins(value), separators=(",", ":")).encode()


def _ticket(data: bytes) -> Ticket:
    fields = json.loads(data)
    return Ticket(**{**fields, "options": Options(**fields["options"])})


def _table(data: bytes) -> Table:
    fields = json.loads(data)
    return Table(**{**fields, "options": Options(**fields["options"])})
