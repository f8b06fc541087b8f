"""Brings a session to a match and away from it, so that presence in the match follows its socket; it knows no
message.
"""

import asyncio

import structlog

from twoseat import views, wire
from twoseat.games.game import Seat
from twoseat.inputs import Connect, Disconnect, Leave
from twoseat.match import Match, MatchId, Reason, Rejected
from twoseat_server.background import Background
from twoseat_server.push import Push
from twoseat_server.referee import NoSuchMatch, Referee
from twoseat_server.sessions import Session, Sessions
from twoseat_server.store.audience import Audience
from twoseat_server.store.link import StoreAway
from twoseat_server.store.matches import Holding, Matches
from twoseat_server.store.tickets import Place, Tickets

ALIVE_WITHIN = 5.0
"""Seconds in which a socket that was taken for gone must answer to have its seat again."""
COUNT_EVERY = 1.0
"""Seconds between two counts of a match's watchers."""

log = structlog.get_logger()


class Seating:
    """Who sits where, from a socket's coming to its going. Everything here waits while the store is away."""

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
        self._counted: dict[MatchId, bool] = {}
        """Matches whose watchers were counted within the last second, and whether any came or went since."""
        push.lost_seat = lambda session: self._background.start(self._sit_again(session))
        push.replaced = self.replaced
        referee.opened = lambda match, following: self._background.start(self._lead(match, following))

    async def sit(self, session: Session, match_id: MatchId) -> None:
        """Bring a session to its player's seat, or to watch where it has none. Raises NoSuchMatch.

        Where somebody sits there it must answer first: this node may have stood still since it was said that she comes,
        and she may sit elsewhere by now.
        """
        async with session.moving:
            match = await self._loaded(match_id)
            seat = views.seat_of(match, session.player)
            taken = seat is not None and match.chairs[seat].present and session.match != match_id
            if taken and not await session.socket.alive(ALIVE_WITHIN):
                session.socket.abort()
                return
            if session.lost:
                return
            if seat is not None:
                place = Place(match=match_id, session=session.id)
                await self._referee.patiently(match_id, lambda: self._tickets.put(session.player, place))
            await self._sit(session, match)
            self.count_watchers(match_id)

    async def rise(self, session: Session, *, leave: bool = False) -> None:
        """Take a session from its match, if it is at one: its seat is away, or (`leave`) the bot's for good."""
        async with session.moving:
            await self._rise(session, leave=leave)

    async def reclaim(self, session: Session, match_id: MatchId, connection: int) -> bool:
        """Sit down again where the match takes this session for gone although it lives; False where a newer one sits
        there, or where this one is somewhere else by now. `connection` is the one that was taken for gone.

        A socket that does not answer is dropped instead. This node may have stood still, and its player has long come
        back elsewhere: the seat must not be taken from her there.
        """
        if not await session.socket.alive(ALIVE_WITHIN):
            session.socket.abort()
            return False
        async with session.moving:
            if session.match != match_id or session.seat is None:
                return False
            if session.connection != connection:
                return True
            seat = session.seat
            match = await self._loaded(match_id)
            if session.match != match_id or match.chairs[seat].connection != session.connection:
                return False  # replaced, now or while the store was asked
            await self._sit(session, match)
            self.count_watchers(match_id)
        return session.match == match_id

    def replaced(self, session: Session) -> None:
        """A newer socket sits, or waits, there: this one is told and closed, and does not fight."""
        log.info("replaced", match=session.match, seat=session.seat, version=session.version)
        self._depart(session)
        session.send(wire.RejectedMessage(Reason.REPLACED, None, by_bot=False))
        session.socket.close(wire.Close.REPLACED)

    def count_watchers(self, match_id: MatchId) -> None:
        """Have everybody at a match told how many watch: now, and then once a second however many come and go."""
        if match_id in self._counted:
            self._counted[match_id] = True
        else:
            self._counted[match_id] = False
            self._background.start(self._count(match_id))

    async def _count(self, match_id: MatchId) -> None:
        try:
            self._push.tell(match_id, wire.Watchers(await self._audience.count(match_id)))
        except StoreAway as error:
            log.debug("watchers not counted", match=match_id, why=error.why)
        finally:
            asyncio.get_running_loop().call_later(COUNT_EVERY, self._count_again, match_id)

    def _count_again(self, match_id: MatchId) -> None:
        if self._counted.pop(match_id):
            self.count_watchers(match_id)

    async def _loaded(self, match_id: MatchId) -> Match:
        return await self._referee.patiently(match_id, lambda: self._referee.load(match_id))

    async def _sit(self, session: Session, match: Match) -> None:
        match = self._referee.copy(match.id) or match  # newer versions may have come since it was read
        seat = views.seat_of(match, session.player)
        if session.match == match.id and session.seat == seat and _there(match, session):
            self._push.introduce(session, match)
            return
        await self._rise(session)
        try:
            await (self._watch(session, match.id) if seat is None else self._take(session, match, seat))
        except BaseException:
            self._depart(session)
            raise

    async def _watch(self, session: Session, match_id: MatchId) -> None:
        self._sessions.arrive(session, match_id, None, 0)
        await self._count_in(match_id)
        self._push.introduce(session, await self._loaded(match_id))

    async def _take(self, session: Session, match: Match, seat: Seat) -> None:
        match_id = match.id
        connection = await self._referee.patiently(match_id, lambda: self._matches.next_connection(match_id))
        if connection is None:
            raise NoSuchMatch(match_id)
        if session.lost:  # it is to take the seat from no other socket of hers
            return
        self._sessions.arrive(session, match_id, seat, connection)
        self._referee.learn(match)  # the Connect steps from it
        holding = Holding(self._node, seat, connection, held=True)
        try:
            match = await self._referee.apply(match_id, Connect(seat, connection), holding)
        except Rejected:
            self.replaced(session)
            return
        log.info("seated", match=match_id, seat=seat, version=match.version, connection=connection)
        if session.match == match_id:
            self._push.introduce(session, match)

    async def _rise(self, session: Session, *, leave: bool = False) -> None:
        match_id, seat, connection = session.match, session.seat, session.connection
        if match_id is None:
            return
        self._sessions.depart(session)
        copy = self._referee.copy(match_id)
        try:
            if seat is None:
                await self._count_in(match_id)
            elif copy is None or not copy.next:  # else all go on to the next game, and she is missed by nobody here
                going = Leave(seat, connection) if leave else Disconnect(seat, connection)
                await self._referee.apply(match_id, going, Holding(self._node, seat, connection, held=False))
        except (NoSuchMatch, Rejected) as error:
            log.debug("gone before", match=match_id, seat=seat, error=type(error).__name__)
        finally:
            self._let_go(match_id, seat, connection)

    def _depart(self, session: Session) -> None:
        match_id, seat, connection = session.match, session.seat, session.connection
        self._sessions.depart(session)
        if match_id is not None:
            self._let_go(match_id, seat, connection)

    def _let_go(self, match_id: MatchId, seat: Seat | None, connection: int) -> None:
        """Keep nothing of a match for a session that is there no more."""
        if not self._sessions.holds(match_id):
            self._referee.forget(match_id)
        if seat is not None:
            # The commit of a Disconnect lets go too; one that changed nothing (a newer socket sits there) does not.
            self._background.start(self._release(match_id, Holding(self._node, seat, connection, held=False)))

    async def _release(self, match_id: MatchId, holding: Holding) -> None:
        await self._referee.patiently(match_id, lambda: self._matches.release(match_id, holding))

    async def _count_in(self, match_id: MatchId) -> None:
        here = sum(session.seat is None for session in self._sessions.at(match_id))
        await self._referee.patiently(match_id, lambda: self._audience.join(match_id, here))

    async def _sit_again(self, session: Session) -> None:
        if session.match is not None:
            await self.reclaim(session, session.match, session.connection)

    async def _lead(self, match: Match, following: Match) -> None:
        """Seat everybody at a match in the game after it, and let its link and its absent players find that one."""
        ask = self._referee.patiently
        players = [chair.player for chair in match.chairs if chair.player is not None]
        await ask(match.id, lambda: self._tickets.onward(match.code, players, match.id, following.id))
        here = tuple(self._sessions.at(match.id))
        seated = [session for session in here if session.seat is not None]
        await asyncio.gather(*(self._move_on(session, match.id, following) for session in seated))
        for watcher in here[len(seated) :]:  # one by one: hundreds at once would hold up the two who play
            await self._move_on(watcher, match.id, following)
        # Where nobody watches, as at most tables, there is nothing to tell: a new game begins so for every client.
        if await ask(match.id, lambda: self._audience.count(following.id)):
            self.count_watchers(following.id)

    async def _move_on(self, session: Session, old: MatchId, following: Match) -> None:
        async with session.moving:
            if session.match == old and not session.lost:
                try:
                    await self._sit(session, following)
                except NoSuchMatch:
                    log.debug("left behind", match=following.id, seat=session.seat)


def _there(match: Match, session: Session) -> bool:
    """Whether the match knows that this session is at it."""
    if session.seat is None:
        return True
    chair = match.chairs[session.seat]
    return chair.present and chair.connection == session.connection
