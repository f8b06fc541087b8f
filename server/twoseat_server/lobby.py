"""Where people meet: the queue, tables with codes, the bot, rematches' links; it knows sockets only as sessions.

Every race between nodes is settled inside the store. A hint that a ticket was paired may get lost: then the next
round of vouching finds the ticket gone and looks where its player is.
"""

import contextlib
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any, Literal

import structlog

from twoseat import views, wire
from twoseat.chair import Millis, PlayerId
from twoseat.fair import fresh_seed
from twoseat.games.game import Game, Options, Outcome, Termination
from twoseat.ids import new_code, new_match_id, new_token, player_of
from twoseat.match import Match, MatchId, create
from twoseat_server import names
from twoseat_server.background import Background
from twoseat_server.clock import Clock
from twoseat_server.referee import SHAKE_WITHIN, NoSuchMatch, Referee
from twoseat_server.seating import Seating
from twoseat_server.sessions import Session, Sessions, Wait
from twoseat_server.store.tickets import PLACE_TTL, Place, Table, Ticket, Tickets

QUICK_START: Millis = 4_000
"""A quick match whose players do not both sit by then is void, and the living one queues again."""
VOUCH_EVERY = 2.0
ALIVE_WITHIN = 2.0
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
        sessions: Sessions,
        clock: Clock,
        games: dict[str, Game[Any]],
        background: Background,
        node: str,
        tell: Tell,
    ) -> None:
        self._tickets = tickets
        self._referee = referee
        self._seating = seating
        self._sessions = sessions
        self._clock = clock
        self._games = games
        self._background = background
        self._node = node
        self._tell = tell
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
        wait = Wait(ticket, None, since, before.began if before else time.monotonic())
        session.queued = wait
        if across is None:
            self._wait(session, wait, "quick", None, options)
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
        self._wait(session, Wait(None, table, 0, time.monotonic()), "host", code, options)

    async def bot(self, session: Session, options: Options) -> None:
        """Sit down against the bot at once."""
        match_id = new_match_id()
        await self._begin(session, Place(match=match_id, session=session.id))
        players = ((session.player, session.name), (None, BOT_NAME))
        await self._make(match_id, new_code(), options, players, QUICK_START)
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
            raise Refused(wire.ErrorCode.NOT_FOUND)
        if table.player == session.player:
            await self.cancel(session, quietly=True)
            self._wait(session, Wait(None, table, 0, time.monotonic()), "host", code, table.options)
            return
        await self._claim(session, table)

    async def _claim(self, session: Session, table: Table) -> None:
        match_id = new_match_id()
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
        await self.cancel(session, quietly=True)
        await self._seating.sit(session, match_id)

    async def cancel(self, session: Session, *, quietly: bool = False) -> None:
        """Stop waiting; a pairing that came first wins. Says `idle` unless `quietly`."""
        wait, session.wait = session.wait, None
        session.queued = None
        if wait is not None and wait.ticket is not None:
            await self._tickets.withdraw(wait.ticket)
        elif wait is not None and wait.table is not None and not session.closed:
            await self._tickets.close(wait.table)
        if not quietly:
            session.send(wire.Idle())

    async def called(self, name: str, match_id: MatchId) -> None:
        """A ticket or table of this node has a match: seat whoever waits there, if her socket still lives."""
        for session in tuple(self._sessions.all):
            wait = session.wait
            if wait is None or name not in (wait.ticket and wait.ticket.id, wait.table and wait.table.code):
                continue
            if not await session.socket.alive(ALIVE_WITHIN):
                session.socket.abort()
                continue
            if session.wait is wait:
                session.wait = None
                with contextlib.suppress(NoSuchMatch):
                    await self._seating.sit(session, match_id)

    def ended(self, session: Session, match: Match) -> None:
        """Queue a session again whose quick match never started."""
        queued, session.queued = session.queued, None
        if queued is not None and queued.ticket is not None and match.outcome == Outcome(None, Termination.VOID):
            self._background.start(self.quick(session, queued.ticket.options, queued))

    async def vouch(self) -> None:
        """Keep the tickets of living sockets alive, and find those whose call got lost. Raises StoreAway."""
        for session in tuple(self._sessions.all):
            wait = session.wait
            if wait is None:
                continue
            if wait.table is not None:
                table = await self._tickets.table(wait.table.code)
                if table is None:
                    await self._tickets.open(wait.table)
                elif table.match:
                    await self.called(table.code, MatchId(table.match))
            elif wait.ticket is not None and not await self._tickets.vouch(wait.ticket):
                place = await self._tickets.place(session.player)
                if place is not None and place.match:
                    await self.called(wait.ticket.id, MatchId(place.match))
                elif session.wait is wait:
                    session.wait = None
                    await self.quick(session, wait.ticket.options, wait)

    def hear(self, hint: bytes) -> None:
        """Take a `called` hint from another node."""
        name, match_id = hint.decode().split()
        self._background.start(self.called(name, MatchId(match_id)))

    async def _meet(self, session: Session, ticket: Ticket, across: Ticket) -> None:
        match_id, code = new_match_id(), new_code()
        players = ((across.player, across.name), (session.player, names.apart(session.name, across.name)))
        await self._make(match_id, code, ticket.options, players, QUICK_START)
        for player in (across.player, session.player):
            await self._tickets.put(player, Place(match=match_id))
        await self._call(across.node, across.id, match_id)
        await self._seating.sit(session, match_id)

    async def _call(self, node: str, name: str, match_id: MatchId) -> None:
        if node == self._node:
            self._background.start(self.called(name, match_id))
        else:
            await self._tell(node, f"called {name} {match_id}".encode())

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
        host = match.chairs[0]
        table = Table(code, host.player or PlayerId(""), host.name, self._node, options, match_id)
        await self._tickets.seat(table, PLACE_TTL)
        log.info("match made", match=match_id, game=options.game, preset=options.preset)

    async def _begin(self, session: Session, place: Place) -> None:
        """Make the session free for something new: as a new player, where its player is busy on another socket."""
        if session.wait is not None:
            await self.cancel(session, quietly=True)
        if session.match is not None:
            copy = self._referee.copy(session.match)
            if session.seat is not None and copy is not None and copy.outcome is None:
                raise Refused(wire.ErrorCode.ALREADY_SEATED)
            await self._seating.rise(session)
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
        return await self.unfinished(player, place) is not None

    async def unfinished(self, player: PlayerId, place: Place | None) -> Match | None:
        """Return the running match this player has a seat in, None where there is none."""
        if place is None or not place.match:
            return None
        try:
            match = await self._referee.load(MatchId(place.match))
        except NoSuchMatch:
            return None
        return match if match.outcome is None and views.seat_of(match, player) is not None else None

    def _wait(
        self, session: Session, wait: Wait, kind: Literal["quick", "host"], code: str | None, options: Options
    ) -> None:
        if session.closed:
            self._background.start(self._gone(session, wait))
            return
        session.wait = wait
        waited = int((time.monotonic() - wait.began) * 1000)
        session.send(wire.Waiting(kind, code, waited, views.options(options)))

    async def _gone(self, session: Session, wait: Wait) -> None:
        session.wait = wait
        await self.cancel(session, quietly=True)
