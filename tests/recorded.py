"""Matches with their logs as a store keeps them, from the first record to the end; for tests of what comes after."""

from typing import Any

from script import PEOPLE, Script
from twoseat import record
from twoseat.games.game import SEATS, Driver, Options
from twoseat.inputs import Input
from twoseat.match import Match
from twoseat.series import Series

WITHIN = 2_000
MATCH_ID = "2a" + "5" * 32


class Recorded(Script):
    """A script whose every accepted input is written down."""

    def __init__(self, *args: Any, match_id: str = MATCH_ID, **more: Any) -> None:
        super().__init__(*args, shake_within=WITHIN, match_id=match_id, **more)
        self.log = [record.encode(self.game, self.match)]

    def give(self, event: Input) -> Match:
        """Give step() one input now, and write it down where it changed something."""
        before = self.match
        if super().give(event) is not before:
            self.log.append(record.encode_entry(event, self.match.version, self.now))
        return self.match

    def dealt(self, *opened: int) -> "Recorded":
        """Sit down and shake hands; these seats open what they committed to (all by default)."""
        self.seated()
        people = [seat for seat in SEATS if self.chair(seat).player is not None]
        for seat in people:
            self.wait(7).commit(seat)
        for opener in opened or people:
            self.wait(5).open(SEATS[opener])
        if self.match.state is None:
            self.at(self.match.deadline).tick()
        return self

    def to_the_end(self) -> "Recorded":
        """Everybody makes every move that is owed."""
        while self.match.outcome is None:
            self.one_move()
        return self

    def one_move(self) -> None:
        """Whoever owes a move makes it, a person after a moment, a bot at its pace."""
        seat = self.game.owes(self.match.state)[0]
        if self.chair(seat).driver is Driver.BOT:
            self.at(self.chair(seat).due).bot(seat)
        else:
            self.wait(400).play(seat)


def quiet_game(options: Options | None = None, *opened: int, players: Any = PEOPLE, **more: Any) -> Recorded:
    """A whole game in which nothing went wrong."""
    return Recorded(options, players=players, **more).dealt(*opened).to_the_end()


def lively_game(**more: Any) -> Recorded:
    """A whole game with a drop and a return, a turn that ran out, a pause, a node's death, and a few wars."""
    play = Recorded(Options(target=30), **more).dealt()
    for _ in range(6):
        play.one_move()
    play.disconnect(play.owing)
    away = play.owing
    play.run_out(away)
    for _ in range(5):
        play.one_move()
    play.connect(away)
    for _ in range(4):
        play.one_move()
    idle = play.owing
    play.run_out(idle).back(idle)
    for _ in range(5):
        play.one_move()
    play.disconnect(0, node_died=True)
    play.disconnect(1)
    play.wait(90_000).connect(1)
    play.connect(0)
    return play.to_the_end()


def series_game() -> Recorded:
    """The second game of a series, which does not begin with the first one's score."""
    return quiet_game(Options(target=4, games=3), series=Series(3, (1,), (2, 2), 2))
