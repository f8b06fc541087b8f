"""The parts of a draw, the server's own, one straight after another up to a rung: no seats, rates, locks or clocks.

Two sockets take turns, as at the raw echo, and each of their messages is a draw. What comes after the last rung asked
for is bytes of the usual size.
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

    def __init__(self, rung: int, link: Link | None) -> None:
        self.connections: list[Connection] = []
        self._rung = rung
        self._link = link
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
        self._draw = said(self._seat, self._match.chairs[self._seat].number)

    def received(self, message: str | bytes) -> None:
        """Take a draw as far as the store; the answer takes it on."""
        if self._link is None:
            self._show(_FRAME)
            return
        self._version += 1
        data, entry = _RECORD, _ENTRY
        if self._rung >= PARSE:
            asked = wire.parse(self._draw)
            if self._rung >= STEP:
                self._now += _PACE
                seat = self._seat
                play = Play(seat, asked.number, Move(asked.move), connection=seat + 1, id=asked.id)
                match = self._match = step(_GAME, self._match, play, self._now)
                if self._rung >= RECORD:
                    entry = record.encode_entry(play, match.version, self._now)
                    data = record.encode(_GAME, match, self._kept)
        deadline = self._match.deadline
        changing = self._version, data, "" if deadline is None else deadline, entry
        self._link.tell_again(self._call, changing, self._stored)

    def lost(self) -> None:
        """Both go when the measuring is over."""

    def _stored(self, answer: Any) -> None:
        if answer != 1:
            sys.exit(f"a draw was not stored: {answer!r}")
        match = self._match
        if self._rung >= VIEW:
            shown = views.state(_GAME, match, self._now, None, self._rounds)
            self._rounds = views.rounds(_GAME, match)
            self._show(text_frame(wire.encode(shown)))
        else:
            self._show(_FRAME)
        if match.outcome is not None:
            self._begin()
        elif self._rung >= STEP:
            self._await()

    def _show(self, frame: bytes) -> None:
        for connection in self.connections:
            connection.send(frame)
