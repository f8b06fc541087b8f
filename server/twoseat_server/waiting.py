"""Those who wait, in the queue or at their own table: vouched for, called, taken out; it decides no pairing.

Every race between nodes is settled inside the store. A hint that a ticket was paired may get lost: then the next
round of vouching finds it paired and looks where its player is.
"""

import contextlib
import time
from collections.abc import Callable
from typing import Literal

import structlog

from twoseat import views, wire
from twoseat.chair import PlayerId
from twoseat.games.game import Outcome, Termination
from twoseat.match import Match, MatchId
from twoseat_server.background import Background
from twoseat_server.referee import NoSuchMatch, Referee
from twoseat_server.seating import Seating
from twoseat_server.sessions import Session, Wait
from twoseat_server.store.link import StoreAway
from twoseat_server.store.tickets import Place, Standing, Table, Ticket, Tickets

VOUCH_EVERY = 2.0
ALIVE_WITHIN = 2.0

log = structlog.get_logger()


class Waiting:
    """All sessions of this node that wait."""

    def __init__(
        self,
        tickets: Tickets,
        referee: Referee,
        seating: Seating,
        background: Background,
        node: str,
    ) -> None:
        self._tickets = tickets
        self._referee = referee
        self._seating = seating
        self._background = background
        self._node = node
        self._sessions: set[Session] = set()
        """Whoever waits, and some who do no more: those who play are so many that they are not to be looked through."""
        self.again: Callable[[Session, Ticket, Wait], None] = lambda session, ticket, before: None
        """Told of each session whose wait in the queue broke and has to go on."""

    def begin(self, session: Session, wait: Wait) -> None:
        """Let a session wait, and tell it."""
        self._put(session, wait)
        if session.closed:
            self._background.start(self._gone(session))
            return
        kind: Literal["quick", "host"] = "quick" if isinstance(wait.at, Ticket) else "host"
        code = None if isinstance(wait.at, Ticket) else wait.at.code
        waited = int((time.monotonic() - wait.began) * 1000)
        session.send(wire.Waiting(kind, code, waited, views.options(wait.at.options)))

    async def end(self, session: Session) -> bool:
        """Stop waiting; False where somebody to play with came first, who waits in vain then. Raises StoreAway."""
        wait, session.wait = session.wait, None
        session.queued = None
        if wait is None:
            return True
        match wait.at:
            case Ticket() as ticket:
                return await self._tickets.withdraw(ticket)
            case Table() as table:
                # A host whose line broke may come back to her table.
                return session.closed or await self._tickets.close(table)

    async def cancel(self, session: Session) -> None:
        """Stop waiting and say `idle`; where a pairing came first, wait on for its match. Raises StoreAway."""
        wait = session.wait
        if await self.end(session):
            session.send(wire.Idle())
        elif wait is not None and isinstance(wait.at, Ticket):
            self._put(session, wait)
            session.queued = wait
            await self._vouch_ticket(session, wait.at)

    def waiting_for(self, name: str) -> tuple[Session, ...]:
        """Return the sessions that wait by the ticket of this id, or at the table with this code."""
        return tuple(session for session in self._who_waits() if session.wait and session.wait.name == name)

    def hear(self, hint: bytes) -> None:
        """Take a `called` hint from another node."""
        name, match_id = hint.decode().split()
        self.call(name, MatchId(match_id))

    def call(self, name: str, match_id: MatchId) -> None:
        """A ticket or table of this node has a match: seat whoever waits there, if her socket still lives."""
        for session in self.waiting_for(name):
            self._background.start(self._seat(session, session.wait, match_id))

    async def _seat(self, session: Session, wait: Wait | None, match_id: MatchId) -> None:
        if not await session.socket.alive(ALIVE_WITHIN):
            session.socket.abort()
        elif session.wait is wait:
            session.wait = None
            try:
                await self._seating.sit(session, match_id)
            except NoSuchMatch:
                self._put(session, wait)  # claimed, but not made yet, or never

    def ended(self, session: Session, match: Match) -> None:
        """Let a session wait on whose quick match never started."""
        queued, session.queued = session.queued, None
        if queued is not None and isinstance(queued.at, Ticket) and match.outcome == Outcome(None, Termination.VOID):
            self.again(session, queued.at, queued)

    async def vouch(self) -> None:
        """Keep the tickets of living sockets alive, and find those whose call got lost. Raises StoreAway."""
        for session in self._who_waits():
            wait = session.wait
            match wait and wait.at:
                case Ticket() as ticket:
                    await self._vouch_ticket(session, ticket)
                case Table() as table:
                    await self._vouch_table(session, table)
                case _:
                    pass

    async def unfinished(self, player: PlayerId, place: Place | None) -> Match | None:
        """Return the running match this player has a seat in, None where there is none. Raises StoreAway."""
        if place is None or not place.match:
            return None
        try:
            match = await self._referee.load(MatchId(place.match))
        except NoSuchMatch:
            return None
        return match if match.outcome is None and views.seat_of(match, player) is not None else None

    def _put(self, session: Session, wait: Wait | None) -> None:
        session.wait = wait
        self._sessions.add(session)

    def _who_waits(self) -> tuple[Session, ...]:
        self._sessions = {session for session in self._sessions if session.wait is not None and not session.closed}
        return tuple(self._sessions)

    async def _vouch_ticket(self, session: Session, ticket: Ticket) -> None:
        standing = await self._tickets.vouch(ticket)
        if standing is Standing.WAITS:
            return
        match = await self.unfinished(session.player, await self._tickets.place(session.player))
        wait = session.wait
        if wait is None or wait.at is not ticket:
            return
        if match is not None:
            self.call(ticket.id, match.id)
        elif standing is Standing.GONE:
            session.wait = None
            self.again(session, ticket, wait)

    async def _vouch_table(self, session: Session, mine: Table) -> None:
        table = await self._tickets.table(mine.code)
        if session.wait is None or session.wait.at is not mine:
            return
        if table is None:
            await self._tickets.open(mine)
        elif table.player != mine.player or table.node != self._node:
            session.wait = None  # its host waits on another node now
            self._seating.replaced(session)
        elif table.match:
            self.call(table.code, MatchId(table.match))

    async def _gone(self, session: Session) -> None:
        with contextlib.suppress(StoreAway):  # an unvouched ticket dies by itself
            await self.end(session)
