"""What a server says at a War Online table, as Ana (seat 0) hears it: moments of real games, for tests of clients."""

from functools import cache
from typing import Any

from online import CHANCE, ONLINE, OPTIONS
from table_talk import CHAIR, MATCH, SERIES, seated, welcome
from twoseat import views, wire
from twoseat.bots import choose
from twoseat.games.game import Driver, Move, Outcome, Termination
from twoseat.games.war_online.state import Step, WarOnlineState

TERMS = views.options(OPTIONS)
SEED = "0" * 64


@cache
def course() -> tuple[WarOnlineState, ...]:
    """Every position of one game between two bots."""
    state = ONLINE.new(OPTIONS, None, CHANCE)
    states = [state]
    while state.outcome is None:
        seat = ONLINE.owes(state)[0]
        move = choose(ONLINE.name, ONLINE.view(state, seat), ONLINE.legal(state, seat))
        states.append(state := ONLINE.play(state, seat, move, Driver.HUMAN, CHANCE))
    return tuple(states)


def moment(step: Step, *, turn: int = 6, mine: bool = True) -> WarOnlineState:
    """The first position from a turn on in which Ana (or the other) is in this step."""
    return next(s for s in course() if s.turn >= turn and s.step is step and (ONLINE.owes(s) == (0,)) is mine)


def at(seat: wire.Seat | None = 0, **changes: Any) -> wire.Seated:
    """Ana's War Online table."""
    return seated(seat, options=TERMS, **changes)


def table(state: WarOnlineState, version: int = 1, *, seat: wire.Seat | None = 0, since: int = 0) -> wire.State:
    """What is told of a position, each move made on seat 0 counted there."""
    over = state.outcome is not None
    number = version
    return wire.State(
        version=version,
        phase="over" if over else "playing",
        chairs=(_chair(number), _chair(number)),
        legal=(_legal(state, 0, seat), _legal(state, 1, seat)),
        view=ONLINE.view(state, seat, over=over),
        rounds=ONLINE.history(state, since, faces=False),
        outcome=state.outcome,
    )


def _chair(number: int) -> wire.ChairView:
    return wire.ChairView(
        present=CHAIR.present, driver=CHAIR.driver, back=False, due=90_000, number=number, last="", rematch=False
    )


def _legal(state: WarOnlineState, of: wire.Seat, seat: wire.Seat | None) -> tuple[Move, ...]:
    return ONLINE.legal(state, of) if of == seat else ()


def ended() -> tuple[wire.State, wire.Results]:
    """The last state of that game and its results."""
    state = course()[-1]
    outcome = state.outcome or Outcome(None, Termination.LIMIT)
    rounds = ONLINE.history(state, 0, faces=True)
    return table(state, 9), wire.Results(MATCH, outcome, rounds, SERIES, decided=True, seed=SEED)


def at_table(state: WarOnlineState) -> tuple[Any, ...]:
    """Everything Ana hears up to a position."""
    return welcome(), at(rounds=ONLINE.history(state, 0, faces=False)), table(state, since=ONLINE.rounds(state))
