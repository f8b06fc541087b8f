"""A match and its clock, driven by short words, for tests that tell a story in exact game times."""

from typing import Any

import pytest

from twoseat.chair import Chair, PlayerId
from twoseat.games import GAMES
from twoseat.games.game import BOT_PACE, Driver, Game, Move, Options, Seat
from twoseat.inputs import Commit, Connect, Disconnect, Input, Leave, Open, Play, Rematch, Resign, Return, Tick
from twoseat.match import Match, MatchId, Reason, Rejected, create, step
from twoseat.series import Series
from twoseat.shake import nonce_digest

T0 = 1_000_000
START_WITHIN = 30_000
TURN = 15_000
PEOPLE = ((PlayerId("p0"), "Ann"), (PlayerId("p1"), "Bob"))
PERSON_AND_BOT = ((PlayerId("p0"), "Ann"), (None, "Bot"))
BOT_AND_PERSON = ((None, "Bot"), (PlayerId("p1"), "Bob"))
SEED = b"\x07" * 32
NONCES = ("a1" * 32, "b2" * 32)
"""What each seat's program says before a deal that is shaken on."""


class Script:
    """`now` moves only by `wait` and `at`; every word is one input, given to step() at `now`."""

    def __init__(
        self,
        options: Options | None = None,
        *,
        game: Game[Any] | None = None,
        players: Any = PEOPLE,
        series: Series | None = None,
        seed: bytes = SEED,
        shake_within: int | None = None,
        match_id: str = "m",
    ) -> None:
        self.game = game or GAMES["war"]
        self.now = T0
        self.match: Match = create(
            self.game,
            MatchId(match_id),
            "BCDFGH",
            options or Options(),
            players,
            seed,
            T0,
            series=series,
            start_within=START_WITHIN,
            shake_within=shake_within,
        )
        self.connections = 0
        self.moves = 0

    def seated(self) -> "Script":
        """Connect every person, which starts the match."""
        for seat in (0, 1):
            if self.match.chairs[seat].player is not None:
                self.connect(seat)
        return self

    def give(self, event: Input) -> Match:
        """Give step() one input now and keep the match it returns."""
        self.match = step(self.game, self.match, event, self.now)
        return self.match

    def refused(self, event: Input) -> Rejected:
        """Give step() an input that must be rejected, and see that the match stayed the very same."""
        before = self.match
        with pytest.raises(Rejected) as caught:
            step(self.game, self.match, event, self.now)
        assert self.match is before
        return caught.value

    def reason(self, event: Input) -> Reason:
        """Why this input is rejected now."""
        return self.refused(event).reason

    def wait(self, ms: int) -> "Script":
        """Let game time pass."""
        self.now += ms
        return self

    def at(self, moment: int | None) -> "Script":
        """Let game time pass until a moment."""
        assert moment is not None
        assert moment >= self.now
        self.now = moment
        return self

    def chair(self, seat: Seat) -> Chair:
        """What the match knows of a seat."""
        return self.match.chairs[seat]

    def due(self) -> tuple[int | None, int | None]:
        """Both seats' due, as time left from now."""
        left = [None if chair.due is None else chair.due - self.now for chair in self.match.chairs]
        return (left[0], left[1])

    @property
    def drivers(self) -> str:
        """Both seats' drivers, as in `HB`."""
        return "".join(chair.driver.name[0] for chair in self.match.chairs)

    @property
    def owing(self) -> Seat:
        """The one seat that owes a move."""
        (seat,) = self.game.owes(self.match.state)
        return seat

    def connect(self, seat: Seat) -> Match:
        """A new socket of this seat."""
        self.connections += 1
        return self.give(Connect(seat, self.connections))

    def disconnect(self, seat: Seat, *, node_died: bool = False) -> Match:
        """The seat's socket is gone."""
        return self.give(Disconnect(seat, self.chair(seat).connection, node_died))

    def commit(self, seat: Seat, nonce: str = "") -> Match:
        """Her program commits to a nonce, its own unless named."""
        digest = nonce_digest(nonce or NONCES[seat])
        return self.give(Commit(seat, self.chair(seat).connection, digest))

    def open(self, seat: Seat, nonce: str = "") -> Match:
        """Her program opens its nonce."""
        return self.give(Open(seat, self.chair(seat).connection, nonce or NONCES[seat]))

    def play(self, seat: Seat, move: str | None = None) -> Match:
        """A person's move on the seat: the first legal one unless named."""
        return self.give(self.human_move(seat, move))

    def human_move(self, seat: Seat, move: str | None = None) -> Play:
        """The move a person on this seat would send now."""
        self.moves += 1
        chair = self.chair(seat)
        return Play(seat, chair.number, self._move(seat, move), Driver.HUMAN, chair.connection, f"m{self.moves}")

    def bot(self, seat: Seat, move: str | None = None) -> Match:
        """The bot's move on the seat."""
        return self.give(self.bot_move(seat, move))

    def bot_move(self, seat: Seat, move: str | None = None) -> Play:
        """The move the bot on this seat would make now."""
        return Play(seat, self.chair(seat).number, self._move(seat, move), Driver.BOT)

    def _move(self, seat: Seat, move: str | None) -> Move:
        return Move(move) if move else (*self.game.legal(self.match.state, seat), Move("draw"))[0]

    def leave(self, seat: Seat) -> Match:
        """She goes for good."""
        return self.give(Leave(seat, self.chair(seat).connection))

    def back(self, seat: Seat) -> Match:
        """She who idled wants her seat back."""
        return self.give(Return(seat, self.chair(seat).connection))

    def resign(self, seat: Seat) -> Match:
        """She gives the game up."""
        return self.give(Resign(seat, self.chair(seat).connection))

    def rematch(self, seat: Seat) -> Match:
        """She offers another game."""
        return self.give(Rematch(seat, self.chair(seat).connection))

    def tick(self) -> Match:
        """Time has passed."""
        return self.give(Tick())

    def run_out(self, seat: Seat) -> "Script":
        """Wait until the seat's clock has run out, and tick."""
        self.at(self.chair(seat).due).tick()
        assert self.chair(seat).driver is Driver.BOT
        return self

    def bots_play(self) -> "Script":
        """Wait for the next bot's move and make it."""
        self.wait(BOT_PACE)
        for seat in self.match.bots_due(self.now):
            self.bot(seat)
        return self
