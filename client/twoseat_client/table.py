"""The table as one client sees it, from the server's last words; it knows no socket, no language and no rule."""

from dataclasses import dataclass
from typing import Literal

from twoseat.wire import (
    ChairView,
    Driver,
    PlayMove,
    Results,
    Round,
    Seat,
    Seated,
    State,
    Step,
    Termination,
    Turn,
    WarOnlineView,
    WarView,
)
from twoseat_client.facts import Millis
from twoseat_client.text import Sentence, say

SEATS: tuple[Seat, Seat] = (0, 1)
ONLINE = "war-online"
Phase = Literal["waiting", "playing", "paused", "over"]


def across(seat: Seat) -> Seat:
    """Return the seat on the other side."""
    return 1 if seat == 0 else 0


def at_war(state: State) -> WarView:
    """Return a War table. Raises TypeError at any other."""
    if not isinstance(state.view, WarView):
        raise TypeError(state.view.game)
    return state.view


def online(state: State) -> WarOnlineView:
    """Return a War Online table. Raises TypeError at any other."""
    if not isinstance(state.view, WarOnlineView):
        raise TypeError(state.view.game)
    return state.view


def owing(state: State) -> tuple[Seat, ...]:
    """Return the seats that have a move to make: a game with secrets does not list the other's moves."""
    if state.phase != "playing":
        return ()
    if isinstance(state.view, WarView):
        return tuple(seat for seat in SEATS if state.legal[seat])
    if state.view.step is Step.OPENING:
        return tuple(seat for seat in SEATS if not state.view.ready[seat])
    return () if state.view.on_turn is None else (state.view.on_turn,)


@dataclass(frozen=True, slots=True)
class Table:
    """One match. `bottom` is the seat shown below: mine, or seat 0 for one who watches."""

    seated: Seated
    done: tuple[Round | Turn, ...]
    """War's finished rounds or War Online's finished turns."""
    state: State | None = None
    heard: Millis = 0
    """When `state` came; its remaining times count from here."""
    fought: Millis | None = None
    """When the last round was seen to end, None where it ended before."""
    results: Results | None = None
    watchers: int = 0
    sent: PlayMove | None = None
    """My move that is on its way."""
    recapped: int = 0
    """Number of the last round that `while you were away` has covered."""
    gap: bool = False
    """A round is missing: everything has to be sent anew."""

    @property
    def mine(self) -> Seat | None:
        """My seat, None for one who watches."""
        return self.seated.seat

    @property
    def bottom(self) -> Seat:
        """The seat shown below."""
        return 0 if self.seated.seat is None else self.seated.seat

    @property
    def top(self) -> Seat:
        """The seat shown above."""
        return across(self.bottom)

    @property
    def rounds(self) -> tuple[Round, ...]:
        """War's finished rounds."""
        return tuple(done for done in self.done if isinstance(done, Round))

    @property
    def turns(self) -> tuple[Turn, ...]:
        """War Online's finished turns."""
        return tuple(done for done in self.done if isinstance(done, Turn))

    @property
    def phase(self) -> Phase:
        """How far the match is; `waiting` before the first state."""
        return self.state.phase if self.state else "waiting"

    def name(self, seat: Seat) -> str | Sentence:
        """Return what the player of this seat is called; a bot by choice has its name in each language."""
        return say("word.bot") if self.chosen_bot(seat) else self.seated.names[seat]

    def chosen_bot(self, seat: Seat) -> bool:
        """Whether a bot plays this seat by choice."""
        return self.seated.bots[seat]

    def chair(self, seat: Seat) -> ChairView | None:
        """Return the seat as everybody sees it, None before the first state."""
        return self.state.chairs[seat] if self.state else None

    def remaining(self, seat: Seat, now: Millis) -> Millis | None:
        """Return what is left of the seat's clock, None where none runs."""
        chair = self.chair(seat)
        if chair is None or chair.due is None:
            return None
        return max(0, chair.due - (now - self.heard))

    def owes(self, seat: Seat) -> bool:
        """Whether the seat has a move to make."""
        return self.state is not None and seat in owing(self.state)

    @property
    def open_moves(self) -> tuple[str, ...]:
        """Moves I may make now: none while the bot drives, while another is on its way, or when I watch."""
        if self.state is None or self.mine is None or self.sent is not None:
            return ()
        if self.state.chairs[self.mine].driver is Driver.BOT:
            return ()
        return self.state.legal[self.mine]

    @property
    def kept_by_bot(self) -> bool:
        """Whether the bot drives my seat and I have not asked for it back."""
        chair = None if self.mine is None else self.chair(self.mine)
        if chair is None or self.phase not in {"playing", "paused"}:
            return False
        return chair.driver is Driver.BOT and not chair.back

    @property
    def decided(self) -> bool:
        """Whether the game has a result and no further one of its series follows."""
        return self.results is not None and self.results.decided and self.results.outcome.counts

    @property
    def goes_on(self) -> bool:
        """Whether the game is over and a further one of its series follows."""
        if self.results is not None:
            return self.results.series.best_of > 1 and not self.results.decided
        return self.state is not None and self.state.next_in is not None

    @property
    def void(self) -> bool:
        """Whether the game ended without ever having begun."""
        return self.results is not None and self.results.outcome.termination is Termination.VOID

    def won(self, seat: Seat) -> int:
        """Return the rounds this seat has won."""
        return at_war(self.state).won[seat] if self.state else sum(r.winner == seat for r in self.rounds)

    @property
    def games(self) -> tuple[int, int] | None:
        """Half points of the games (series and rematches), None while there is only this one."""
        series = self.results.series if self.results else self.seated.series
        if series.best_of == 1 and series.game == 1:
            return None
        return series.score
