"""Brings a session to a match and away from it, so that presence in the match follows its socket; it knows no
message.
"""

import structlog

from twoseat import views, wire
from twoseat.inputs import Connect, Disconnect, Leave
from twoseat.match import Match, MatchId, Reason, Rejected
from twoseat_server.background import Background
from twoseat_server.push import Push
from twoseat_server.referee import NoSuchMatch, Referee
from twoseat_server.sessions import Session, Sessions
from twoseat_server.store.audience import Audience
from twoseat_server.store.matches import Holding, Matches
from twoseat_server.store.tickets import Place, Tickets

log = structlog.get_logger()


class Seating:
    """Who sits where, from a socket's coming to its going."""

    def __init__(
        self,
        sessions: Sessions,
        referee: Referee,
        push: Push,
        matches: Matches,
        tickets: Tickets,
        audience: Audience,
        background: Background,
        node: str,
    ) -> None:
        self._sessions = sessions
        self._referee = referee
        self._push = push
        self._matches = matches
        self._tickets = tickets
        self._audience = audience
        self._background = background
        self._node = node
        push.lost_seat = lambda session: self._background.start(self._again(session))
        push.replaced = self._replaced
        referee.opened = self._follow

    async def sit(self, session: Session, match_id: MatchId) -> None:
        """Bring a session to its player's seat, or to watch where it has none. Raises NoSuchMatch, StoreAway."""
        async with session.moving:
            await self._sit(session, match_id)

    async def rise(self, session: Session, *, leave: bool = False) -> None:
        """Take a session from its match, if it is at one: its seat is away, or (`leave`) the bot's for good."""
        async with session.moving:
            await self._rise(session, leave=leave)

    async def _sit(self, session: Session, match_id: MatchId) -> None:
        match = await self._referee.load(match_id)
        await self._rise(session)
        if session.closed:
            return
        seat = views.seat_of(match, session.player)
        if seat is None:
            self._sessions.arrive(session, match_id, None, 0)
            await self._audience.join(match_id, self._watching(match_id))
            self._push.introduce(session, await self._referee.load(match_id))
            return
        connection = await self._matches.next_connection(match_id)
        self._sessions.arrive(session, match_id, seat, connection)
        try:
            match = await self._referee.apply(match_id, Connect(seat, connection), self._holding(session, held=True))
        except Rejected:
            self._replaced(session)
            return
        await self._tickets.put(session.player, Place(match=match_id, session=session.id))
        log.info("seated", match=match_id, seat=seat, version=match.version, connection=connection)
        if session.match == match_id:
            self._push.introduce(session, self._referee.copy(match_id) or match)

    async def _rise(self, session: Session, *, leave: bool = False) -> None:
        match_id, seat, connection = session.match, session.seat, session.connection
        if match_id is None:
            return
        holding = self._holding(session, held=False)
        self._sessions.depart(session)
        try:
            if seat is None:
                await self._audience.join(match_id, self._watching(match_id))
            else:
                going = Leave(seat, connection) if leave else Disconnect(seat, connection)
                await self._referee.apply(match_id, going, holding)
        except (NoSuchMatch, Rejected) as error:
            log.debug("gone before", match=match_id, seat=seat, error=type(error).__name__)
        finally:
            if not self._sessions.holds(match_id):
                self._referee.forget(match_id)

    def _holding(self, session: Session, *, held: bool) -> Holding | None:
        if session.seat is None:
            return None
        return Holding(self._node, session.seat, session.connection, held)

    def _watching(self, match_id: MatchId) -> int:
        return sum(session.seat is None for session in self._sessions.at(match_id))

    def _replaced(self, session: Session) -> None:
        """A newer socket sits there: this one is told and closed, and does not fight."""
        log.info("replaced", match=session.match, seat=session.seat, connection=session.connection)
        self._sessions.depart(session)
        session.send(wire.RejectedMessage(Reason.REPLACED, None, by_bot=False))
        session.socket.close(wire.Close.REPLACED)

    async def _again(self, session: Session) -> None:
        await self._move_on(session, session.match, session.match)

    async def _move_on(self, session: Session, old: MatchId | None, new: MatchId | None) -> None:
        async with session.moving:
            if new is not None and session.match == old and not session.closed:
                await self._sit(session, new)

    def _follow(self, match: Match, following: Match) -> None:
        for session in tuple(self._sessions.at(match.id)):
            self._background.start(self._move_on(session, match.id, following.id))
