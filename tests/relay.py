"""Relay, a game only the tests know: a seat moves many times a turn, and holds a secret the other must not see.

Seat 0 has the odd turns, seat 1 the even ones. `run` adds a lap and keeps the turn, `pass` hands it on. After turn six
more laps win; a seat's secret number decides nothing and is shown to that seat alone.
"""

import json

from msgspec.structs import replace

from twoseat.fair import Chance
from twoseat.games.game import BOT_PACE, BadOptions, Driver, IllegalMove, Move, Options, Outcome, Seat, Termination
from twoseat.values import Value

PASS, RUN = Move("pass"), Move("run")
TURNS = 6
LAPS = 5


class RelayState(Value, frozen=True):
    """One game of Relay; `laps` by seat, `log` who ended each turn and by whom."""

    turn: int
    laps: tuple[int, int]
    secrets: tuple[int, int]
    log: tuple[tuple[Seat, Driver], ...] = ()


class RelayView(Value, frozen=True):
    """What one seat sees: its own secret, a watcher none; both once the match is over."""

    turn: int
    laps: tuple[int, int]
    secrets: tuple[int | None, int | None]


class Relay:
    """The rules of Relay behind the Game protocol."""

    name = "relay"
    usual = Options("relay")
    own_options = frozenset({"preset", "target", "turn_seconds"})
    shared_view = False

    def check(self, options: Options) -> None:
        """Raise BadOptions for a preset, of which Relay has none."""
        if options.preset != "points":
            raise BadOptions("relay has no presets")

    def new(self, options: Options, solo: Seat | None, chance: Chance) -> RelayState:
        """Deal each seat a secret from 0 to 99."""
        return RelayState(1, (0, 0), (chance.below("secret/0", 100), chance.below("secret/1", 100)))

    def owes(self, state: RelayState) -> tuple[Seat, ...]:
        """Whoever has the turn."""
        if state.turn > TURNS:
            return ()
        return (0,) if state.turn % 2 else (1,)

    def turn(self, state: RelayState) -> int:
        """Turns go up by passing only."""
        return state.turn

    def pace(self, state: RelayState) -> int:
        """A runner has no time to lose."""
        return BOT_PACE

    def legal(self, state: RelayState, seat: Seat) -> tuple[Move, ...]:
        """`pass` always; `run` while the seat has laps left."""
        if seat not in self.owes(state):
            return ()
        return (PASS, RUN) if state.laps[seat] < LAPS else (PASS,)

    def play(self, state: RelayState, seat: Seat, move: Move, by: Driver, chance: Chance) -> RelayState:
        """Run a lap, or pass the turn on."""
        if move not in self.legal(state, seat):
            raise IllegalMove(f"{move!r} is not open to seat {seat}")
        if move == RUN:
            laps = (state.laps[0] + (seat == 0), state.laps[1] + (seat == 1))
            return replace(state, laps=laps)
        return replace(state, turn=state.turn + 1, log=(*state.log, (seat, by)))

    def outcome(self, state: RelayState) -> Outcome | None:
        """More laps win."""
        if state.turn <= TURNS:
            return None
        first, second = state.laps
        return Outcome(None if first == second else 0 if first > second else 1, Termination.POINTS)

    def before_deal(self, options: Options, solo: Seat | None) -> RelayView:
        """Nobody has a secret yet."""
        return RelayView(1, (0, 0), (None, None))

    def view(self, state: RelayState, seat: Seat | None, *, over: bool = False) -> RelayView:
        """The public numbers and the secrets that are one's own."""
        mine, hers = state.secrets
        return RelayView(
            state.turn, state.laps, (mine if over or seat == 0 else None, hers if over or seat == 1 else None)
        )

    def rounds(self, state: RelayState) -> int:
        """Ended turns."""
        return len(state.log)

    def history(self, state: RelayState, since: int, *, faces: bool) -> list[tuple[Seat, Driver]]:
        """Who ended each turn."""
        return list(state.log[since:])

    def encode(self, state: RelayState) -> bytes:
        """JSON is compact enough here."""
        return json.dumps([state.turn, state.laps, state.secrets, state.log]).encode()

    def decode(self, data: bytes) -> RelayState:
        """Return the state that `encode` wrote."""
        turn, laps, secrets, log = json.loads(data)
        return RelayState(turn, (laps[0], laps[1]), (secrets[0], secrets[1]), tuple((s, Driver(by)) for s, by in log))


RELAY = Relay()
