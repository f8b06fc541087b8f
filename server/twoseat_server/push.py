"""Shows each new version of a match to everybody at it: newest first, encoded once where all see the same; it decides
nothing.
"""

import time
from collections.abc import Callable, Hashable, Iterable
from typing import Any

from twoseat import views, wire
from twoseat.match import Match, MatchId
from twoseat_server.clock import Clock
from twoseat_server.frames import text_frame
from twoseat_server.referee import Referee
from twoseat_server.sessions import FULL_BYTES, Session, Sessions

STALLED_AFTER = 8.0
"""Seconds a socket may leave what it was sent unread."""

Frames = dict[Hashable, bytes]
"""Frames of one version, ready for the next socket that is to see the same."""


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

    def show(self, match: Match) -> None:
        """Send this version to each session that has not seen it; what all see alike is encoded once for all."""
        frames: Frames = {}
        version = match.version
        for session in tuple(self._sessions.at(match.id)):
            fresh = session.version < version or (session.stopped and session.version == version)
            if session.seated and fresh:
                session.stopped = False
                self._show_to(session, match, frames)

    def _show_to(self, session: Session, match: Match, frames: Frames) -> None:
        if session.seat is not None:
            chair = match.chairs[session.seat]
            if chair.connection > session.connection:
                self.replaced(session)
                return
            if not chair.present:
                self.lost_seat(session)
        if session.socket.unsent() > FULL_BYTES:
            if session.behind_since is None:
                session.behind_since = time.monotonic()
            return
        game = self._referee.game(match)
        shown = self._clock.shown(match.id)
        key = (None if game.shared_view else session.seat, session.rounds)
        session.socket.send(_once(frames, key, lambda: views.state(game, match, shown, *key)))
        session.version = match.version
        session.rounds = views.rounds(game, match)
        if session.shake is not match.shake and session.shake != match.shake:
            session.shake = match.shake
            session.socket.send(_once(frames, wire.Fair, lambda: views.fair(match, shown)))
        if match.outcome is not None and not session.ended:
            session.ended = True
            session.socket.send(_once(frames, wire.Results, lambda: views.results(game, match)))
            self.ended(session, match)

    def introduce(self, session: Session, match: Match) -> None:
        """Send a session everything about the match it has come to."""
        game = self._referee.game(match)
        session.seated = True
        session.send(views.seated(game, match, session.seat))
        session.version = 0
        session.rounds = views.rounds(game, match)
        session.shake = None
        session.ended = False
        self._show_to(session, match, {})

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
                self.show(copy)

    def sweep(self) -> None:
        """Bring sockets that were behind up to date, and drop those that do not read at all."""
        now = time.monotonic()
        behind = [(who, who.behind_since) for who in self._sessions.all if who.behind_since is not None]
        for session, since in behind:
            if session.socket.unsent() <= FULL_BYTES // 2:
                session.behind_since = None
                copy = self._referee.copy(session.match) if session.match else None
                if copy is not None and session.version < copy.version:
                    self._show_to(session, copy, {})
            elif now - since > STALLED_AFTER:
                session.socket.abort()


def _once(frames: Frames, key: Hashable, message: Callable[[], Any]) -> bytes:
    """Return the frame under this key, made where it is not there yet."""
    frame = frames.get(key)
    if frame is None:
        frame = frames[key] = text_frame(wire.encode(message()))
    return frame
