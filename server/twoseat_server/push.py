"""Shows each new version of a match to everybody at it: newest first, encoded once where all see the same; it decides
nothing.
"""

import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import structlog

from twoseat import views, wire
from twoseat.chair import Millis
from twoseat.games.game import Game, Seat
from twoseat.match import Match, MatchId
from twoseat_server.clock import Clock
from twoseat_server.frames import text_frame
from twoseat_server.referee import Referee
from twoseat_server.sessions import FULL_BYTES, Session, Sessions, Socket

STALLED_AFTER = 8.0
"""Seconds a socket may leave what it was sent unread."""

log = structlog.get_logger()


class _Version:
    """One version of a match as frames. Each is made for the first socket that is to see it and serves all others."""

    __slots__ = ("_frames", "_game", "_now", "match", "rounds")

    def __init__(self, game: Game[Any], match: Match, now: Millis | None) -> None:
        self.match = match
        self.rounds = views.rounds(game, match)
        self._game = game
        self._now = now
        self._frames: dict[Hashable, bytes] = {}

    def state(self, seat: Seat | None, since: int) -> bytes:
        """Return the state for a seat, with the rounds from index `since` on."""
        key = (None if self._game.shared_view else seat, since)
        frame = self._frames.get(key)
        if frame is None:
            shown = views.state(self._game, self.match, self._now, *key)
            frame = self._frames[key] = text_frame(wire.encode(shown))
        return frame

    def fair(self) -> bytes:
        """Return what was said before the deal."""
        return self._once(wire.Fair, lambda: views.fair(self.match, self._now))

    def results(self) -> bytes:
        """Return everything about the finished game."""
        return self._once(wire.Results, lambda: views.results(self._game, self.match))

    def _once(self, key: Hashable, message: Callable[[], Any]) -> bytes:
        if key not in self._frames:
            self._frames[key] = text_frame(wire.encode(message()))
        return self._frames[key]


class Push:
    """The outgoing side of all sessions."""

    def __init__(self, sessions: Sessions, referee: Referee, clock: Clock) -> None:
        self._sessions = sessions
        self._referee = referee
        self._clock = clock
        self.lost_seat: Callable[[Session], None] = lambda session: None
        """Told of a session that the match takes for gone although its socket lives (its node was thought dead)."""
        self.replaced: Callable[[Session], None] = lambda session: None
        self.ended: Callable[[Session, Match], None] = lambda session, match: None
        referee.show = self.show
        referee.keeps = sessions.holds

    def show(self, matches: Sequence[Match]) -> None:
        """Send each of these versions to each session that has not seen it; what all see alike is encoded once."""
        frames: list[tuple[Socket, bytes]] = []
        for match in matches:
            try:
                frames += self._frames(match)
            except Exception:  # the others are shown all the same
                log.exception("version not shown", match=match.id, version=match.version)
        for socket, frame in frames:
            socket.send(frame)

    def _frames(self, match: Match) -> list[tuple[Socket, bytes]]:
        version, frames = self._version(match), []
        for session in tuple(self._sessions.at(match.id)):
            fresh = session.version < match.version or (session.stopped and session.version == match.version)
            if session.seated and fresh:
                session.stopped = False
                frames += self._shown_to(session, version)
        return frames

    def _version(self, match: Match) -> _Version:
        return _Version(self._referee.game(match), match, self._clock.shown(match.id))

    def _shown_to(self, session: Session, version: _Version) -> list[tuple[Socket, bytes]]:
        """Return what a session is to be sent so that it has seen this version, which it counts as having from now."""
        match, socket = version.match, session.socket
        if session.seat is not None:
            chair = match.chairs[session.seat]
            if chair.connection > session.connection:
                self.replaced(session)
                return []
            if not chair.present:
                self.lost_seat(session)
        if socket.unsent() > FULL_BYTES:
            if session.behind_since is None:
                session.behind_since = time.monotonic()
            return []
        frames = [(socket, version.state(session.seat, session.rounds))]
        session.version = match.version
        session.rounds = version.rounds
        if session.shake is not match.shake and session.shake != match.shake:
            session.shake = match.shake
            frames.append((socket, version.fair()))
        if match.outcome is not None and not session.ended:
            session.ended = True
            frames.append((socket, version.results()))
            self.ended(session, match)
        return frames

    def _show_to(self, session: Session, version: _Version) -> None:
        for socket, frame in self._shown_to(session, version):
            socket.send(frame)

    def introduce(self, session: Session, match: Match) -> None:
        """Send a session everything about the match it has come to, by the newest version known here: what was read
        from the store may be older by now, and nobody would show it the newer one.
        """
        known = self._referee.copy(match.id)
        if known is not None and known.version > match.version:
            match = known
        game = self._referee.game(match)
        session.seated = True
        session.send(views.seated(game, match, session.seat))
        session.version = 0
        session.rounds = views.rounds(game, match)
        session.shake = None
        session.ended = False
        self._show_to(session, self._version(match))

    def tell(self, match_id: MatchId, message: Any) -> None:
        """Send everybody at a match something that is no state: how many watch, what a seat called."""
        frame = text_frame(wire.encode(message))
        for session in self._sessions.at(match_id):
            if session.seated:
                session.socket.send(frame)

    def storage(self, matches: Iterable[MatchId], *, away: bool) -> None:
        """Tell everybody at these matches that storage is away, or back, with clocks stopped or running again."""
        frame = text_frame(wire.encode(wire.Degraded(away)))
        for match_id in matches:
            copy = self._referee.copy(match_id)
            for session in tuple(self._sessions.at(match_id)):
                session.socket.send(frame)
                # What was shown last had its clocks stopped. The copy here may be older, left by a late hint: then what
                # is read next is shown.
                session.stopped = not away
            if copy is not None and not away:
                self.show([copy])

    def sweep(self) -> None:
        """Bring sockets that were behind up to date, and drop those that do not read at all."""
        now = time.monotonic()
        behind = [(who, who.behind_since) for who in self._sessions.all if who.behind_since is not None]
        for session, since in behind:
            if session.socket.unsent() <= FULL_BYTES // 2:
                session.behind_since = None
                copy = self._referee.copy(session.match) if session.match else None
                if copy is not None and session.version < copy.version:
                    self._show_to(session, self._version(copy))
            elif now - since > STALLED_AFTER:
                session.socket.abort()
