"""A second opinion on the match machine, for its stateful test: the ten laws once more, event by event.

It shares nothing with the machine but the game's own rules. Where the machine keeps absolute moments and settles all
clocks after every change, the model keeps the time *left* on each watch, lets it run down as time passes, and says for
each event what becomes of each watch.
"""

from dataclasses import dataclass, field
from typing import Any

from twoseat.fair import Chance
from twoseat.games.game import Driver, Game, IllegalMove, Move, Options, Outcome, Seat, Termination
from twoseat.match import Reason
from twoseat.series import Series
from twoseat.shake import deal_key, nonce_digest

PACE, KEPT, BETWEEN_GAMES = 800, 10_000, 10_000
NOTHING = "nothing"
"""The input changes nothing."""
SEATS: tuple[Seat, Seat] = (0, 1)


@dataclass
class Place:
    """One seat: who is there, who plays, and how much time is left."""

    person: bool
    here: bool = False
    bot: bool = False
    back: bool = False
    connection: int = 0
    moves: int = 0
    name_of_last: str = ""
    bot_moved_last: bool = False
    left: int | None = None
    offers: bool = False


@dataclass
class Model:
    """The whole match as the laws have it. Each input returns None (a change), NOTHING, or (reason, by_bot)."""

    game: Game[Any]
    options: Options
    seed: bytes
    state: Any
    series: Series
    places: list[Place]
    start_within: int
    shake_within: int | None = None
    phase: str = "waiting"
    version: int = 1
    left: int | None = None
    """Time left to the start, for a stage of the shake, to the bots' taking over, or to the next game."""
    digests: list[str] = field(default_factory=lambda: ["", ""])
    nonces: list[str] = field(default_factory=lambda: ["", ""])
    opening: bool = False
    """The shake has come to the nonces."""
    outcome: Outcome | None = None
    agreed: bool = False
    owing: tuple[Seat, ...] = field(default=())

    def __post_init__(self) -> None:
        self.left = self.start_within

    def time_passes(self, ms: int) -> None:
        if self.left is not None:
            self.left -= ms
        if self.phase == "playing":
            for place in self.places:
                if place.left is not None:
                    place.left -= ms

    @property
    def time_to_deadline(self) -> int | None:
        if self.phase != "playing":
            return self.left
        return min((place.left for place in self.places if place.left is not None), default=None)

    def someone_here(self) -> bool:
        return any(place.here for place in self.places)

    def full(self, place: Place) -> int | None:
        """What a fresh watch shows."""
        if place.bot:
            return PACE
        if self.options.timer:
            return 1000 * self.options.turn_seconds * self.options.timer
        return None if place.here else max(1000 * self.options.turn_seconds, KEPT)

    def turn_begins(self, seat: Seat) -> None:
        place = self.places[seat]
        if place.back:
            place.bot = place.back = False
        place.left = self.full(place)

    def turn_is_over(self, seat: Seat) -> None:
        place = self.places[seat]
        if place.back:
            place.bot = place.back = False
        place.left = None

    @property
    def chance(self) -> Chance:
        return Chance(deal_key(self.seed, (self.nonces[0], self.nonces[1])))

    def starts(self) -> None:
        if self.shake_within is None:
            self.first_turn()
        else:
            self.phase, self.left = "shaking", self.shake_within

    def deals(self) -> None:
        people = [place.person for place in self.places]
        solo: Seat | None = None if all(people) else 0 if people[0] else 1
        self.state = self.game.new(self.options, solo, self.chance)
        if self.someone_here():
            self.first_turn()
        else:
            self.stands_still()

    def first_turn(self) -> None:
        self.phase, self.left = "playing", None
        self.owing = self.game.owes(self.state)
        for seat in SEATS:
            if seat in self.owing:
                self.turn_begins(seat)
            else:
                self.turn_is_over(seat)

    def stands_still(self) -> None:
        self.phase, self.left = "paused", 1000 * self.options.abandon_after

    def is_over(self, outcome: Outcome) -> None:
        self.phase, self.outcome, self.left, self.owing = "over", outcome, None, ()
        for place in self.places:
            place.left, place.back = None, False
        real = outcome.termination not in (Termination.VOID, Termination.REDEALT)
        if real and not self.series.after(outcome).decided:
            self.left = BETWEEN_GAMES

    def refused(self, seat: Seat, connection: int) -> bool:
        return connection != self.places[seat].connection or not self.places[seat].here

    def connect(self, seat: Seat, connection: int) -> Any:
        place = self.places[seat]
        if connection == place.connection:
            return NOTHING
        if connection < place.connection or not place.person:
            return Reason.REPLACED, False
        place.here, place.connection = True, connection
        if self.phase == "waiting":
            if all(one.here or not one.person for one in self.places):
                self.starts()
        elif self.phase == "paused" and not self.owing:
            place.back = place.bot
            self.first_turn()
        elif self.phase != "over":
            if self.phase == "paused":
                self.phase, self.left = "playing", None
                for one in self.places:
                    if one.left is not None:
                        one.left = PACE if one.bot else max(one.left, KEPT)
            self.wants_seat(seat)
            if not place.bot and not self.options.timer:
                place.left = None
        return None

    def commit(self, seat: Seat, connection: int, digest: str) -> Any:
        if (no := self.cannot_shake(seat, connection)) or digest == self.digests[seat]:
            return no or NOTHING
        if not self.may_shake() or self.opening or self.digests[seat]:
            return Reason.STALE, False
        self.digests[seat] = digest
        if all(self.digests[each] or not self.places[each].person for each in SEATS):
            self.opening, self.left = True, self.shake_within
        return None

    def open(self, seat: Seat, connection: int, nonce: str) -> Any:
        if (no := self.cannot_shake(seat, connection)) or nonce == self.nonces[seat]:
            return no or NOTHING
        if not self.may_shake() or not self.opening or self.nonces[seat]:
            return Reason.STALE, False
        if self.digests[seat] != nonce_digest(nonce):
            return Reason.ILLEGAL, False
        self.nonces[seat] = nonce
        if all(self.nonces[each] or not self.digests[each] for each in SEATS):
            self.deals()
        return None

    def may_shake(self) -> bool:
        return self.phase == "shaking" and self.left is not None and self.left > 0

    def cannot_shake(self, seat: Seat, connection: int) -> Any:
        if self.refused(seat, connection):
            return Reason.REPLACED, False
        return (Reason.OVER, False) if self.phase == "over" else None

    def wants_seat(self, seat: Seat) -> None:
        place = self.places[seat]
        if place.bot and (seat in self.owing or self.phase == "shaking"):
            place.back = True
        else:
            place.bot = False

    def goes(self, seat: Seat) -> None:
        place = self.places[seat]
        place.here = place.back = place.offers = False
        if self.phase == "playing" and not place.bot and not self.options.timer and seat in self.owing:
            place.left = self.full(place)

    def disconnect(self, seat: Seat, connection: int, *, node_died: bool) -> Any:
        place = self.places[seat]
        if self.refused(seat, connection):
            return NOTHING
        self.goes(seat)
        if self.phase == "playing":
            if node_died and not place.bot and place.left is not None:
                place.left = max(place.left, KEPT)
            if not self.someone_here():
                self.stands_still()
        return None

    def leave(self, seat: Seat, connection: int) -> Any:
        if self.refused(seat, connection):
            return Reason.REPLACED, False
        self.goes(seat)
        if self.phase == "waiting":
            self.is_over(Outcome(None, Termination.VOID))
        elif self.phase != "over":
            self.places[seat].bot = True
            self.places[seat].left = PACE if seat in self.owing else None
            if self.phase == "playing" and not self.someone_here():
                self.stands_still()
        return None

    def give_back(self, seat: Seat, connection: int) -> Any:
        place = self.places[seat]
        if self.refused(seat, connection):
            return Reason.REPLACED, False
        if self.phase == "over" or not place.bot or place.back:
            return NOTHING
        self.wants_seat(seat)
        return None

    def resign(self, seat: Seat, connection: int) -> Any:
        if self.refused(seat, connection):
            return Reason.REPLACED, False
        if self.phase == "over":
            return Reason.OVER, False
        self.is_over(Outcome(SEATS[1 - seat], Termination.RESIGNED))
        return None

    def rematch(self, seat: Seat, connection: int) -> Any:
        if self.refused(seat, connection):
            return Reason.REPLACED, False
        if self.outcome is not None and self.outcome.termination is Termination.VOID:
            return Reason.OVER, False
        if self.agreed or self.places[seat].offers:
            return NOTHING
        self.places[seat].offers = True
        if all(place.offers or not place.person for place in self.places):
            if self.phase != "over":
                self.is_over(Outcome(None, Termination.REDEALT))
            self.agreed = True
        return None

    def tick(self) -> Any:
        if self.agreed or self.time_to_deadline is None or self.time_to_deadline > 0:
            return NOTHING
        if self.phase == "over":
            self.agreed = True
            return None
        if self.phase == "waiting":
            if self.series.games and self.someone_here():
                self.starts()
            else:
                self.is_over(Outcome(None, Termination.VOID))
            return None
        if self.phase == "shaking":
            if any(self.digests) and not self.opening:
                self.opening, self.left = True, self.shake_within
            else:
                self.deals()
            return None
        if self.phase == "paused":
            self.phase, self.left = "playing", None
            self.owing = self.game.owes(self.state)
            for seat in SEATS:
                self.places[seat].bot = True
                self.places[seat].left = PACE if seat in self.owing else None
            return None
        late = [place for place in self.places if not place.bot and place.left is not None and place.left <= 0]
        for place in late:
            place.bot, place.left = True, PACE
        return None if late else NOTHING

    def play(self, seat: Seat, number: int, move: Move, by: Driver, connection: int, name: str) -> Any:
        place = self.places[seat]
        human = by is Driver.HUMAN
        if human and self.refused(seat, connection):
            return Reason.REPLACED, False
        if human and name == place.name_of_last and place.name_of_last:
            return NOTHING
        if self.phase == "over":
            return Reason.OVER, False
        if number != place.moves:
            return Reason.STALE, place.bot_moved_last
        if human is place.bot:
            return Reason.STALE, place.bot
        if self.phase != "playing" or seat not in self.owing:
            return Reason.NOT_YOUR_TURN, False
        run_out = place.left is not None and place.left <= 0
        if human is run_out:
            return Reason.STALE, True
        try:
            state = self.game.play(self.state, seat, move, by, self.chance)
        except IllegalMove:
            return Reason.ILLEGAL, False
        self.moved(seat, state, name if human else place.name_of_last, human=human)
        return None

    def moved(self, seat: Seat, state: Any, name: str, *, human: bool) -> None:
        place, before = self.places[seat], self.game.turn(self.state)
        place.moves, place.name_of_last, place.bot_moved_last = place.moves + 1, name, not human
        owed, self.state = self.owing, state
        outcome = self.game.outcome(state)
        if outcome is not None:
            self.is_over(outcome)
            return
        self.owing = self.game.owes(state)
        for each in SEATS:
            if each not in self.owing:
                self.turn_is_over(each)
            elif self.game.turn(state) != before or each not in owed:
                self.turn_begins(each)
            elif each == seat and not human:
                place.left = PACE
