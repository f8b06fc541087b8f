"""Several games in a row between the same two seats, and who leads; it knows outcomes and nothing of how a game is
played.
"""

from twoseat.games.game import Outcome, Seat
from twoseat.values import Value

WIN, DRAW = 2, 1
"""Scores are counted in half points, so that a drawn game is half a point each and sums stay whole."""


class Series(Value, frozen=True):
    """The games before the present one. `winners` are this series' games in order; `before` is the score it started
    with.
    """

    best_of: int = 1
    winners: tuple[Seat | None, ...] = ()
    before: tuple[int, int] = (0, 0)
    games_before: int = 0

    @property
    def games(self) -> int:
        """Games finished, those before this series included."""
        return self.games_before + len(self.winners)

    @property
    def score(self) -> tuple[int, int]:
        """Both seats' half points, those before this series included (a rematch goes on with the same score)."""
        own = self._own()
        return (self.before[0] + own[0], self.before[1] + own[1])

    @property
    def decided(self) -> bool:
        """Whether a seat has more than half of what can be won, or all games are played (rules, Series 3)."""
        return len(self.winners) >= self.best_of or max(self._own()) > self.best_of

    def after(self, outcome: Outcome) -> "Series":
        """Return the series with this game's result added; an outcome that is no result adds nothing."""
        if not outcome.counts:
            return self
        return Series(self.best_of, (*self.winners, outcome.winner), self.before, self.games_before)

    def onward(self) -> "Series":
        """Return the series the next game belongs to: this one, or after a decided one a new one, score kept."""
        if not self.decided:
            return self
        return Series(self.best_of, (), self.score, self.games)

    def _own(self) -> tuple[int, int]:
        halves = [0, 0]
        for winner in self.winners:
            if winner is None:
                halves[0] += DRAW
                halves[1] += DRAW
            else:
                halves[winner] += WIN
        return (halves[0], halves[1])
