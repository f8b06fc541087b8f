"""What the server does for each message of a client: one line a word of the wire; it knows sockets only as sessions."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, assert_never

import structlog

from twoseat import wire
from twoseat.games.game import BadOptions, Game, Move, Seat, agreed
from twoseat.ids import new_token, player_of, read_code
from twoseat.inputs import Commit, Input, Open, Play, Rematch, Resign, Return
from twoseat.match import Match, MatchId, Reason, Rejected
from twoseat_server import __version__, names
from twoseat_server.limits import Bucket, Buckets
from twoseat_server.lobby import Lobby, Refused
from twoseat_server.origins import of_this_machine
from twoseat_server.push import Push
from twoseat_server.referee import NoSuchMatch, Referee
from twoseat_server.seating import Seating
from twoseat_server.sessions import Session, Sessions, Socket
from twoseat_server.store.audience import Audience
from twoseat_server.store.link import StoreAway
from twoseat_server.store.tickets import Tickets
from twoseat_server.waiting import Waiting

CODE_TRIES_PER_MINUTE = 20
ARRIVALS_PER_SECOND, ARRIVALS_AT_ONCE = 50, 3_000
"""Sockets of one address that are greeted, which costs the store several questions each. At once, because a whole house
behind one address loses its lines at once and comes back.
"""

_ASKED: dict[type, type[Return | Resign | Rematch]] = {
    wire.TakeBack: Return,
    wire.ResignMatch: Resign,
    wire.AskRematch: Rematch,
}

log = structlog.get_logger()


class Dialogue:
    """Serves one message at a time for each session."""

    def __init__(
        self,
        sessions: Sessions,
        tickets: Tickets,
        referee: Referee,
        seating: Seating,
        lobby: Lobby,
        waiting: Waiting,
        push: Push,
        audience: Audience,
        games: dict[str, Game[Any]],
        *,
        matches_per_minute: int,
        moves_per_second: int,
    ) -> None:
        self._sessions = sessions
        self._tickets = tickets
        self._referee = referee
        self._seating = seating
        self._lobby = lobby
        self._waiting = waiting
        self._push = push
        self._audience = audience
        self._games = games
        self._moves_per_second = moves_per_second
        self._codes = Buckets(CODE_TRIES_PER_MINUTE / 60, CODE_TRIES_PER_MINUTE)
        self._arrivals = Buckets(ARRIVALS_PER_SECOND, ARRIVALS_AT_ONCE)
        self._starts = Buckets(matches_per_minute / 60, matches_per_minute)
        lobby.welcome = self._welcome_anew

    async def greet(self, socket: Socket, hello: wire.Hello) -> Session:
        """Open a session for a socket's first message: a known player by her token, or a new one. It ends by
        farewell(). Raises StoreAway, and Refused where too many came from her address.
        """
        if not (of_this_machine(socket.address) or self._arrivals.take(socket.address)):
            raise Refused(wire.ErrorCode.SLOW_DOWN)
        token = hello.token or new_token()
        name, complaint = _named(hello.name)
        session = Session(socket, player_of(token), name)
        session.moves = Bucket(self._moves_per_second, self._moves_per_second)
        resume = None
        if hello.token is not None:
            place = await self._tickets.place(session.player)
            match = await self._waiting.unfinished(session.player, place)
            if match is not None:
                seat = 0 if match.chairs[0].player == session.player else 1
                resume = wire.Resumable(match.id, match.code, match.chairs[seat].present)
                session.name = match.chairs[seat].name
        self._sessions.all.add(session)
        new = token if hello.token is None else None
        session.send(wire.Welcome(wire.PROTOCOL_VERSION, __version__, session.name, new, resume))
        if complaint is not None:
            session.send(complaint)
        return session

    async def resume(self, session: Session, match: str | None) -> None:
        """Bring a session back to the match its `hello` named."""
        if match is not None:
            await self._answered(session, self._seating.sit(session, MatchId(match)))

    def _welcome_anew(self, session: Session, token: str) -> None:
        session.send(wire.Welcome(wire.PROTOCOL_VERSION, __version__, session.name, token))

    async def farewell(self, session: Session) -> None:
        """The socket is gone: nobody waits there any more, and the seat is away."""
        session.closed = True
        self._sessions.all.discard(session)
        await self._answered(session, self._waiting.end(session))
        await self._answered(session, self._seating.rise(session))

    async def serve(self, session: Session, message: Any) -> bool:
        """Do what a message asks, and answer what cannot be done; True for an accepted move."""
        if isinstance(message, wire.PlayMove):
            return await self._play(session, message)
        await self._answered(session, self._do(session, message))
        return False

    def play_at_once(self, session: Session, message: wire.PlayMove, done: Callable[[bool], None]) -> bool:
        """Have a move sent to the store at once where nothing else is to be waited for; else False: then `serve` is to
        do it. `done` hears soon whether the move is stored; where it is not, `serve` is to go on with it.
        """
        match_id, seat = session.match, session.seat
        if match_id is None or seat is None or session.moving.locked() or not session.moves.take():
            return False
        play = Play(seat, message.number, Move(message.move), connection=session.connection, id=message.id)
        self._referee.apply_at_once(match_id, play, done)
        return True

    async def _do(self, session: Session, message: Any) -> None:
        match message:
            case wire.Quick() | wire.Host() | wire.Bot():
                await self._start(session, message)
            case wire.Join() | wire.Watch():
                await self._join(session, message)
            case wire.Cancel():
                await self._waiting.cancel(session)
            case wire.LeaveMatch():
                await self._seating.rise(session, leave=True)
                await self._waiting.cancel(session)
            case wire.AskRematch(match=named) if named not in (None, await self._at(session)):
                log.debug("rematch of a game gone by", match=session.match, seat=session.seat)
            case wire.TakeBack() | wire.ResignMatch() | wire.AskRematch():
                await self._apply(session, _ASKED[type(message)])
            case wire.React():
                await self._react(session, message)
            case wire.CommitNonce() | wire.OpenNonce():
                await self._shake(session, message)
            case wire.Sync():
                await self._sync(session)
            case wire.Hello():
                raise Refused(wire.ErrorCode.MALFORMED, "hello comes once, first")
            case _:
                assert_never(message)

    async def _start(self, session: Session, message: wire.Quick | wire.Host | wire.Bot) -> None:
        if not self._starts.take(session.socket.address):
            raise Refused(wire.ErrorCode.BUSY)
        options = agreed(self._games[message.terms.game], message.terms.model_dump(exclude_none=True))
        match message:
            case wire.Quick():
                if options.timer != 1:
                    raise BadOptions("timer can be changed at a private table and against the bot, not in the queue")
                await self._lobby.quick(session, options)
            case wire.Host():
                await self._lobby.host(session, options)
            case wire.Bot():
                await self._lobby.bot(session, options)

    async def _play(self, session: Session, message: wire.PlayMove) -> bool:
        if (pace := session.moves.wait()) > 0:
            await asyncio.sleep(pace)
        known = 0

        def play(seat: Seat, connection: int) -> Input:
            nonlocal known
            known = session.version
            return Play(seat, message.number, Move(message.move), connection=connection, id=message.id)

        match = await self._apply(session, play, message.id)
        if match is None:
            return False
        if match.version <= known:
            session.send(wire.Done(message.id, match.version))
            self._push.introduce(session, match)
            return False
        return True

    async def _react(self, session: Session, message: wire.React) -> None:
        if session.match is None or session.seat is None:
            raise Refused(wire.ErrorCode.NOT_SEATED)
        if not session.reactions.take():
            raise Refused(wire.ErrorCode.SLOW_DOWN)
        await self._audience.tell(session.match, f"reacted {session.match} {session.seat} {message.reaction}")

    async def _shake(self, session: Session, message: wire.CommitNonce | wire.OpenNonce) -> None:
        def said(seat: Seat, connection: int) -> Input:
            if isinstance(message, wire.CommitNonce):
                return Commit(seat, connection, message.digest)
            return Open(seat, connection, message.nonce)

        await self._apply(session, said)

    async def _sync(self, session: Session) -> None:
        async with session.moving:
            if session.match is not None:
                self._push.introduce(session, await self._referee.load(session.match))

    async def _apply(
        self, session: Session, said: Callable[[Seat, int], Input], move_id: str | None = None
    ) -> Match | None:
        """Put what a session's player said to her match; None where it was refused, which she has been told."""
        match_id = await self._at(session)
        seat, connection = session.seat, session.connection
        if match_id is None or seat is None:
            session.send(wire.Error(wire.ErrorCode.NOT_SEATED))
            return None
        event = said(seat, connection)
        try:
            return await self._referee.apply(match_id, event)
        except NoSuchMatch:
            session.send(wire.Error(wire.ErrorCode.NOT_FOUND))
        except Rejected as error:
            if error.reason is not Reason.REPLACED:
                self._refuse(session, event, error, move_id)
            elif await self._seating.reclaim(session, match_id, connection):
                return await self._apply(session, said, move_id)
            elif session.match == match_id:
                self._seating.replaced(session)
            else:
                self._refuse(session, event, Rejected(Reason.STALE), move_id)  # she has gone on to another match
        return None

    async def _at(self, session: Session) -> MatchId | None:
        """Where she is once she has been brought there: what she says meanwhile is said there."""
        if session.moving.locked():
            async with session.moving:
                pass
        return session.match

    def _refuse(self, session: Session, event: Input, error: Rejected, move_id: str | None) -> None:
        log.info("rejected", match=session.match, seat=session.seat, version=session.version, reason=error.reason)
        if isinstance(event, Commit | Open) and error.reason is Reason.STALE:
            return  # a slow line is nobody's fault and nobody's news: `fair` has said that the deal went on without her
        session.send(wire.RejectedMessage(error.reason, move_id, error.by_bot))

    async def _join(self, session: Session, message: wire.Join | wire.Watch) -> None:
        address = session.socket.address
        code = read_code(message.code)
        if not self._codes.take(address):
            raise Refused(wire.ErrorCode.SLOW_DOWN)
        if code is None:
            raise Refused(wire.ErrorCode.NOT_FOUND)
        await self._lobby.join(session, code, watch=isinstance(message, wire.Watch))
        self._codes.give_back(address)

    async def _answered(self, session: Session, work: Awaitable[object]) -> None:
        try:
            await work
        except Refused as error:
            session.send(wire.Error(error.code, detail=error.detail))
        except BadOptions as error:
            session.send(wire.Error(wire.ErrorCode.BAD_OPTIONS, detail=str(error)))
        except NoSuchMatch:
            session.send(wire.Error(wire.ErrorCode.NOT_FOUND))
        except StoreAway as error:
            log.warning("request not served", why=error.why)
            session.send(wire.Error(wire.ErrorCode.STORAGE_AWAY))


def _named(asked: str | None) -> tuple[str, wire.Error | None]:
    """Return the name to go by, and what was wrong with the one asked for."""
    try:
        return names.clean(asked), None
    except names.BadName as problem:
        return names.DEFAULT, wire.Error(wire.ErrorCode.BAD_NAME, "name", str(problem))
