"""The parts of a draw, the server's own, with nothing around them, up to a rung: no seats, rates, locks or clocks.

Two sockets take turns, as at the raw echo, and each of their messages is a draw. The draws of a turn of the loop are
done together, as in the server. What comes after the last rung asked for is bytes of the usual size.
"""

import sys
from functools import cache
from typing import Any

from msgspec.structs import replace

from twoseat import record, views, wire
from twoseat.fair import fresh_seed
from twoseat.games import GAMES
from twoseat.games.game import SEATS, Move, agreed
from twoseat.ids import new_code, new_match_id, new_token, player_of, shard_of
from twoseat.inputs import Connect, Play
from twoseat.match import Match, create, step
from twoseat_server.batch import Batch
from twoseat_server.frames import text_frame
from twoseat_server.store import keys
from twoseat_server.store.link import Link
from twoseat_server.store.matches import RUNNING_TTL
from twoseat_server.store.scripts import beginning
from twoseat_server.transport import Connection

RUNGS = ("transport", "store", "parse", "step", "record", "view")
"""The socket alone; the commit and its answer; and of the draw itself, how it is read, decided, written down, shown."""
TRANSPORT, STORE, PARSE, STEP, RECORD, VIEW = range(len(RUNGS))

_GAME = GAMES["war"]
_OPTIONS = agreed(_GAME, {"turn_seconds": 120})
_NODE = "bare-5a5a5a5a"
_BEGAN, _PACE = 1_800_000_000_000, 1_000
"""Game time, ms, at the start of a match, and what a draw adds to it."""
_RECORD, _ENTRY, _FRAME = b"r" * 1_040, b"e" * 115, text_frame(b"x" * 545)
"""As long as they are on average."""


@cache
def said(seat: int, number: int) -> str:
    """Return a seat's draw as a client says it: the raw echo's players count in a way that is no JSON."""
    return f'{{"type":"play","id":"{seat}-{number}","number":{number},"move":"draw"}}'


def dealt() -> Match:
    """Return a new match of two people, dealt, and nothing of it stored: its first draw makes version 1."""
    people = (player_of(new_token()), "Ann"), (player_of(new_token()), "Bob")
    code, seed = new_code(), fresh_seed()
    match = create(_GAME, new_match_id(), code, _OPTIONS, people, seed, _BEGAN, start_within=1_000)
    for seat in SEATS:
        match = step(_GAME, match, Connect(seat, seat + 1), _BEGAN)
    return replace(match, version=0)


class Table:
    """Two sockets and the match between them, which is another one when it is over."""

    def __init__(self, rung: int, link: Link | None, asked: "Batch[Table]", answered: "Batch[Table]") -> None:
        self.connections: list[Connection] = []
        self._rung = rung
        self._link = link
        self._asked = asked
        self._answered = answered
        self._begin()

    def _begin(self) -> None:
        match = self._match = dealt()
        self._version = self._rounds = 0
        self._now = _BEGAN
        self._kept = record.lasting(match)
        shard = shard_of(match.id)
        names = keys.match(match.id), keys.log(match.id), keys.due(shard), keys.audience(match.id)
        first = match.id, _NODE, "", RUNNING_TTL, ""
        self._call = beginning("commit", (*names, keys.held(shard, _NODE)), first, more=4)
        self._await()

    def _await(self) -> None:
        self._seat = _GAME.owes(self._match.state)[0]
        number = self._match.chairs[self._seat].number
        self._draw = said(self._seat, number)
        self._play = Play(self._seat, number, Move("draw"), connection=self._seat + 1)

    def received(self, message: str | bytes) -> None:
        """Take a draw, which is gone on with together with all others of this turn of the loop."""
        if self._link is None:
            self.show(_FRAME)
            return
        if self._rung >= PARSE:
            asked = wire.parse(self._draw)
            seat = self._seat
            self._play = Play(seat, asked.number, Move(asked.move), connection=seat + 1, id=asked.id)
        self._asked.add(self)

    def lost(self) -> None:
        """Both go when the measuring is over."""

    def step(self) -> None:
        """Let the rules decide."""
        self._version += 1
        if self._rung >= STEP:
            self._now += _PACE
            self._match = step(_GAME, self._match, self._play, self._now)

    def store(self) -> None:
        """Write it down and send it to the store."""
        match, data, entry = self._match, _RECORD, _ENTRY
        if self._rung >= RECORD:
            entry = record.encode_entry(self._play, match.version, self._now)
            data = record.encode(_GAME, match, self._kept)
        deadline = match.deadline
        assert self._link is not None
        self._link.tell_again(
            self._call, (self._version, data, "" if deadline is None else deadline, entry), self._stored
        )

    def _stored(self, answer: Any) -> None:
        if answer != 1:
            sys.exit(f"a draw was not stored: {answer!r}")
        self._answered.add(self)

    def shown(self) -> bytes:
        """Return the frame that both are to see."""
        if self._rung < VIEW:
            return _FRAME
        state = views.state(_GAME, self._match, self._now, None, self._rounds)
        self._rounds = views.rounds(_GAME, self._match)
        return text_frame(wire.encode(state))

    def show(self, frame: bytes) -> None:
        """Send it to both."""
        for connection in self.connections:
            connection.send(frame)

    def go_on(self) -> None:
        """Wait for the next draw, of another match where this one is over."""
        if self._match.outcome is not None:
            self._begin()
        elif self._rung >= STEP:
            self._await()


def take(tables: list[Table]) -> None:
    """Take the draws of one turn of the loop to the store, step by step as the server does, each step for all."""
    for table in tables:
        table.step()
    for table in tables:
        table.store()


def tell(tables: list[Table]) -> None:
    """Show what the store has answered to in one turn of the loop."""
    frames = [table.shown() for table in tables]
    for table, frame in zip(tables, frames, strict=True):
        table.show(frame)
        table.go_on()
