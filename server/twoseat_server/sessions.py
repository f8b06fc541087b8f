"""Authenticated sockets and which match each one sits at; it knows no rules and no store."""

import asyncio
import secrets
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Protocol

from twoseat import wire
from twoseat.chair import Millis, PlayerId
from twoseat.games.game import Seat
from twoseat.match import MatchId
from twoseat.shake import Shake
from twoseat_server.frames import text_frame
from twoseat_server.limits import Bucket
from twoseat_server.store.tickets import Table, Ticket

FULL_BYTES = 16 * 1024
"""A socket with more than this unsent gets no more until it has read: the newest state is worth more than all older
ones.
"""


REACTION_RATE, REACTION_BURST = 0.5, 3
"""How often a seat may call something across the table: a second, and at once."""


class Socket(Protocol):
    """A transport as sessions need it; nothing here waits for the network except `alive`."""

    address: str

    def send(self, frame: bytes) -> None:
        """Send a whole frame as `text_frame` makes it; never blocks."""

    def unsent(self) -> int:
        """Return the bytes the other side has not read yet."""

    def close(self, code: wire.Close) -> None:
        """Close with a code after what was sent."""

    def abort(self) -> None:
        """Drop the connection now."""

    async def alive(self, seconds: float) -> bool:
        """Whether the other side answers a ping within `seconds`."""


@dataclass(frozen=True, slots=True)
class Wait:
    """A session's place in the queue or at its own table, and since when (ms of the store's clock, and of this
    machine's).
    """

    at: Ticket | Table
    since: Millis
    began: float

    @property
    def name(self) -> str:
        """The ticket's id or the table's code: what ends the wait is called by it."""
        return self.at.id if isinstance(self.at, Ticket) else self.at.code


@dataclass(eq=False, slots=True)
class Session:
    """One socket of one player."""

    socket: Socket
    player: PlayerId
    name: str
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    wait: Wait | None = None
    queued: Wait | None = None
    """The wait that led to the present match by quick match; a void one puts the session back where it was."""
    match: MatchId | None = None
    seat: Seat | None = None
    connection: int = 0
    seated: bool = False
    """Whether `seated` has been sent, so that states may follow."""
    version: int = 0
    """Newest version shown, and of which the number of rounds shown."""
    rounds: int = 0
    ended: bool = False
    shake: Shake | None = None
    """What was last shown of the time before the deal."""
    moves: Bucket = field(default_factory=lambda: Bucket(20, 20))
    reactions: Bucket = field(default_factory=lambda: Bucket(REACTION_RATE, REACTION_BURST))
    stopped: bool = False
    """Whether the clocks in what was shown last stood still, and run again now."""
    behind_since: float | None = None
    lost: bool = False
    """Whether the socket is gone: what was said on it is served still, but it takes no seat any more."""
    closed: bool = False
    moving: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while the session changes its place, so that it is never at two."""

    def send(self, message: Any) -> None:
        """Send one message to this socket alone."""
        self.socket.send(text_frame(wire.encode(message)))


class Sessions:
    """All sessions of this node."""

    def __init__(self) -> None:
        self.all: set[Session] = set()
        self._at: dict[MatchId, list[Session]] = {}

    def at(self, match_id: MatchId) -> list[Session]:
        """Return the sessions at a match, watchers too."""
        return self._at.get(match_id, [])

    def holds(self, match_id: MatchId) -> bool:
        """Whether any session is at this match."""
        return match_id in self._at

    def matches(self) -> Collection[MatchId]:
        """Return the matches that have sessions here, now and as they come and go."""
        return self._at.keys()

    def arrive(self, session: Session, match_id: MatchId, seat: Seat | None, connection: int) -> None:
        """Put a session at a match (seat None: as a watcher). Players come before watchers, however many there are."""
        session.match, session.seat, session.connection = match_id, seat, connection
        session.seated = session.ended = False
        session.version = session.rounds = 0
        here = self._at.setdefault(match_id, [])
        here.insert(len(here) if seat is None else 0, session)

    def depart(self, session: Session) -> None:
        """Take a session from its match; harmless where it is at none."""
        if session.match is None:
            return
        here = self._at.get(session.match, [])
        if session in here:
            here.remove(session)
        if not here:
            self._at.pop(session.match, None)
        session.match = session.seat = None
        session.seated = False
