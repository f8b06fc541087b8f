"""Where people meet: the queue, tables with codes, the bot; it knows sockets only as sessions."""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import structlog

from twoseat import views, wire
from twoseat.chair import Millis, PlayerId
from twoseat.fair import fresh_seed
from twoseat.games.game import Game, Options
from twoseat.ids import SHARDS, new_code, new_match_id, new_token, player_of, shard_of
from twoseat.match import MatchId, create
from twoseat_server import names
from twoseat_server.background import Background
from twoseat_server.clock import Clock
from twoseat_server.referee import SHAKE_WITHIN, NoSuchMatch, Referee
from twoseat_server.seating import Seating
from twoseat_server.sessions import Session, Wait
from twoseat_server.store.link import StoreAway
from twoseat_server.store.tickets import Place, Table, Ticket, Tickets
from twoseat_server.waiting import VOUCH_EVERY, Waiting

QUICK_START: Millis = 4_000
"""A quick match whose players do not both sit by then is void, and the living one queues again."""
BOT_NAME = "Bot"

Players = tuple[tuple[PlayerId | None, str], tuple[PlayerId | None, str]]
"""(id, name) by seat."""
Tell = Callable[[str, bytes], Awaitable[None]]

log = structlog.get_logger()


class Refused(Exception):
    """A request the lobby cannot serve, with the wire's word for it."""

    def __init__(self, code: wire.ErrorCode, detail: str | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail


class Lobby:
    """Meeting, waiting and being called to a match."""

    def __init__(
        self,
        tickets: Tickets,
        referee: Referee,
        seating: Seating,
        waiting: Waiting,
        clock: Clock,
        games: dict[str, Game[Any]],
        background: Background,
        node: str,
        tell: Tell,
    ) -> None:
        self._tickets = tickets
        self._referee = referee
        self._seating = seating
        self._waiting = waiting
        self._clock = clock
        self._games = games
        self._background = background
        self._node = node
        self._tell = tell
        waiting.again = self._again
        self.welcome: Callable[[Session, str], None] = lambda session, token: None
        """Told of each session that became a new player, with her token."""

    async def quick(self, session: Session, options: Options, before: Wait | None = None) -> None:
        """Sit down with whoever has waited longest for the same game, or wait (`before`: go on with a wait that was
        broken).
        """
        ticket_id = secrets.token_hex(8)
        await self._begin(session, Place(ticket=ticket_id, session=session.id))
        ticket = Ticket(ticket_id, session.player, session.name, self._node, options)
        since, across = await self._tickets.pair(ticket, before.since if before else 0)
        wait = Wait(ticket, since, before.began if before else time.monotonic())
        session.queued = wait
        if across is None:
            self._waiting.begin(session, wait)
        else:
            await self._meet(session, ticket, across)

    async def host(self, session: Session, options: Options) -> None:
        """Open a table with a code and wait at it."""
        while True:
            code = new_code()
            await self._begin(session, Place(code=code, session=session.id))
            table = Table(code, session.player, session.name, self._node, options)
            if await self._tickets.open(table):
                break
        self._waiting.begin(session, Wait(table, 0, time.monotonic()))

    async def bot(self, session: Session, options: Options) -> None:
        """Sit down against the bot at once."""
        match_id = self._new_id()
        await self._begin(session, Place(match=match_id, session=session.id))
        players = ((session.player, session.name), (None, BOT_NAME))
        await self._make(match_id, await self._code(match_id, session, options), options, players, QUICK_START)
        await self._seating.sit(session, match_id)

    async def join(self, session: Session, code: str, *, watch: bool = False) -> None:
        """Take the free seat at a table, one's own again, or watch a match that is full. Raises Refused."""
        table = await self._tickets.table(code)
        if table is None:
            raise Refused(wire.ErrorCode.NOT_FOUND)
        if table.match:
            try:
                await self._enter(session, MatchId(table.match))
            except NoSuchMatch:
                log.info("table claimed but never made", match=table.match)
            else:
                return
        if watch:
            raise Refused(wire.ErrorCode.NOT_STARTED)
        if table.player == session.player and not table.match:
            await self._host_again(session, table)
        else:
            await self._claim(session, table)

    async def _host_again(self, session: Session, table: Table) -> None:
        """Wait at one's own table on a new socket; it is the one that will be called."""
        mine = replace(table, node=self._node)
        if not await self._tickets.retake(table, mine):
            found = await self._tickets.table(table.code)
            if found is None or not found.match:
                raise Refused(wire.ErrorCode.NOT_FOUND)
            await self._enter(session, MatchId(found.match))  # somebody has sat down meanwhile
            return
        if session.wait is None or session.wait.name != table.code:
            await self._free(session)
        await self._tickets.put(session.player, Place(code=table.code, session=session.id))
        for other in self._waiting.waiting_for(table.code):
            if other is not session:
                other.wait = None
                self._seating.replaced(other)
        self._waiting.begin(session, Wait(mine, 0, time.monotonic()))

    async def _claim(self, session: Session, table: Table) -> None:
        match_id = self._new_id()
        await self._begin(session, Place(match=match_id, session=session.id))
        word, found = await self._tickets.claim(table.code, session.player, match_id, never_made=table.match)
        if word == "match":
            await self._enter(session, MatchId(found))
        elif word == "claimed":
            host = found
            players = ((host.player, host.name), (session.player, names.apart(session.name, host.name)))
            await self._make(match_id, table.code, host.options, players, host.options.abandon_after * 1000)
            await self._tickets.put(host.player, Place(match=match_id))
            await self._call(host.node, table.code, match_id)
            await self._seating.sit(session, match_id)
        else:
            raise Refused(wire.ErrorCode.NOT_FOUND)

    async def _enter(self, session: Session, match_id: MatchId) -> None:
        match = await self._referee.load(match_id)
        if match.outcome is not None and views.seat_of(match, session.player) is None:
            raise Refused(wire.ErrorCode.FINISHED)
        if session.match != match_id:
            await self._free(session)
        await self._seating.sit(session, match_id)

    def _again(self, session: Session, ticket: Ticket, before: Wait) -> None:
        self._background.start(self._queue_again(session, ticket, before))

    async def _queue_again(self, session: Session, ticket: Ticket, before: Wait) -> None:
        while not session.closed and session.wait is None:
            try:
                await self.quick(session, ticket.options, before)
            except StoreAway:
                await asyncio.sleep(VOUCH_EVERY)
            except Refused as error:
                log.debug("not queued again", error=error.code)
                return
            else:
                return

    async def _meet(self, session: Session, ticket: Ticket, across: Ticket) -> None:
        match_id = self._new_id()
        players = ((across.player, across.name), (session.player, names.apart(session.name, across.name)))
        code = await self._code(match_id, session, ticket.options)
        await self._make(match_id, code, ticket.options, players, QUICK_START)
        for player in (across.player, session.player):
            await self._tickets.put(player, Place(match=match_id))
        await self._call(across.node, across.id, match_id)
        await self._seating.sit(session, match_id)

    async def _call(self, node: str, name: str, match_id: MatchId) -> None:
        if node == self._node:
            self._waiting.call(name, match_id)
        else:
            await self._tell(node, f"called {name} {match_id}".encode())

    def _new_id(self) -> MatchId:
        """Return the id of a match to be made: in a shard that storage is there for, if it is for any."""
        away = self._clock.away
        while shard_of(found := new_match_id()) in away and len(away) < SHARDS:
            pass
        return found

    async def _code(self, match_id: MatchId, session: Session, options: Options) -> str:
        """Return a code that leads to a match not made at a table."""
        while True:
            code = new_code()
            if await self._tickets.open(Table(code, session.player, session.name, self._node, options, match_id)):
                return code

    async def _make(
        self, match_id: MatchId, code: str, options: Options, players: Players, start_within: Millis
    ) -> None:
        now = await self._clock.now(match_id)
        game = self._games[options.game]
        match = create(
            game,
            match_id,
            code,
            options,
            players,
            fresh_seed(),
            now,
            start_within=start_within,
            shake_within=SHAKE_WITHIN,
        )
        await self._referee.create(match)
        log.info("match made", match=match_id, game=options.game, preset=options.preset)

    async def _free(self, session: Session) -> None:
        """Take a session from what it waits for or looks at. Raises Refused where it plays."""
        if session.match is not None and session.seat is not None:
            match = self._referee.copy(session.match) or await self._referee.load(session.match)
            if match.outcome is None:
                raise Refused(wire.ErrorCode.ALREADY_SEATED)
        await self._waiting.end(session)
        await self._seating.rise(session)

    async def _begin(self, session: Session, place: Place) -> None:
        """Make the session free for something new: as a new player, where its player is busy on another socket."""
        await self._free(session)
        while True:
            before = await self._tickets.place(session.player)
            if before is not None and before.session != session.id and await self._busy(session.player, before):
                token = new_token()
                session.player = player_of(token)
                self.welcome(session, token)
            elif await self._tickets.move(session.player, place, before=before):
                return

    async def _busy(self, player: PlayerId, place: Place) -> bool:
        if place.ticket:
            return await self._tickets.waits(place.ticket)
        if place.code:
            table = await self._tickets.table(place.code)
            return table is not None and table.player == player
        return await self._waiting.unfinished(player, place) is not None
