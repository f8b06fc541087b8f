"""The match machine against an independent model, over random courses of events, with stops a millisecond early."""

from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from match_model import NOTHING, Model, Place
from relay import RELAY
from script import BOT_AND_PERSON, PEOPLE, PERSON_AND_BOT, SEED, START_WITHIN, T0
from twoseat.games import GAMES
from twoseat.games.game import SEATS, Driver, Move, Options, Seat, other
from twoseat.inputs import Commit, Connect, Disconnect, Input, Leave, Open, Play, Rematch, Resign, Return, Tick
from twoseat.match import Match, MatchId, Rejected, create, step
from twoseat.series import Series
from twoseat.shake import Stage, nonce_digest

MOVES = ("draw", "turn", "turn 10", "pass", "run", "", "fly")
SEAT: st.SearchStrategy[Seat] = st.sampled_from(SEATS)
NONCES = ("0a" * 32, "0b" * 32)
SELDOM = st.sampled_from((*(False,) * 7, True))
"""For what would end most courses too soon."""
NEWEST = st.sampled_from((*(True,) * 7, False))
SERIES = (Series(1), Series(3), Series(3, (0,)), Series(3, (0, 1)), Series(1, (), (2, 0), 1))


TERMS = st.builds(
    Options,
    preset=st.sampled_from(("points", "classic")),
    target=st.sampled_from((1, 3, 50)),
    turn_seconds=st.sampled_from((5, 15)),
    timer=st.sampled_from((1, 1, 2, 10, 0)),
    abandon_after=st.sampled_from((30, 600)),
)


class MatchMachine(RuleBasedStateMachine):
    """Every rule gives the same input to step() and to the model, and compares what each makes of it."""

    match: Match
    model: Model

    @initialize(
        game=st.sampled_from((RELAY, RELAY, GAMES["war"])),
        players=st.sampled_from((PEOPLE, PEOPLE, PERSON_AND_BOT, BOT_AND_PERSON)),
        terms=TERMS,
        series=st.sampled_from(SERIES),
        seated=st.sampled_from((True, True, True, False)),
        shake=st.sampled_from((None, None, 5_000, 60_000)),
        shaken=st.booleans(),
    )
    def deal(
        self, game: Any, players: Any, terms: Options, series: Series, shake: int | None, *, seated: bool, shaken: bool
    ) -> None:
        options = replace(terms, preset="points") if game is RELAY else terms
        self.game, self.now = game, T0
        self.names = 0
        self.match = create(
            game,
            MatchId("m"),
            "BCDFGH",
            options,
            players,
            SEED,
            T0,
            series=series,
            start_within=START_WITHIN,
            shake_within=shake,
        )
        places = [Place(person=player is not None, bot=player is None) for player, _ in players]
        self.model = Model(game, options, SEED, self.match.state, series, places, START_WITHIN, shake)
        people = [seat for seat in SEATS if seated and players[seat][0]]
        for seat in people:
            self.connects(seat)
        for word in (self.she_commits, self.she_opens):
            for seat in people:
                if shake and shaken:
                    word(seat, 0)

    def give(self, event: Input, expected: Any) -> None:
        before = self.match
        answer: Any = None
        try:
            self.match = step(self.game, before, event, self.now)
        except Rejected as rejected:
            answer = (rejected.reason, rejected.by_bot)
        else:
            if self.match is before:
                answer = NOTHING
            else:
                self.model.version += 1
        assert answer == expected

    def wait(self, ms: int) -> None:
        self.now += ms
        self.model.time_passes(ms)

    def owing(self) -> tuple[Seat, ...]:
        return () if self.match.state is None else self.game.owes(self.match.state)

    def connection(self, seat: Seat, *, newest: bool) -> int:
        return self.match.chairs[seat].connection - (not newest)

    @rule(seat=SEAT)
    def connects(self, seat: Seat) -> None:
        number = self.match.chairs[seat].connection + 1
        self.give(Connect(seat, number), self.model.connect(seat, number))

    @precondition(lambda self: self.model.someone_here())
    @rule(seat=SEAT, node_died=st.booleans())
    def disconnects(self, seat: Seat, *, node_died: bool) -> None:
        seat = seat if self.model.places[seat].here else other(seat)
        number = self.match.chairs[seat].connection
        self.give(Disconnect(seat, number, node_died), self.model.disconnect(seat, number, node_died=node_died))

    @rule(seat=SEAT, off=st.sampled_from((-1, 0, 1)), connects=st.booleans())
    def an_old_socket_stirs(self, seat: Seat, off: int, *, connects: bool) -> None:
        number = self.match.chairs[seat].connection + off
        if connects:
            self.give(Connect(seat, number), self.model.connect(seat, number))
        else:
            self.give(Disconnect(seat, number), self.model.disconnect(seat, number, node_died=False))

    @precondition(lambda self: any(place.bot and place.here for place in self.model.places))
    @rule(seat=SEAT, newest=NEWEST)
    def returns(self, seat: Seat, *, newest: bool) -> None:
        number = self.connection(seat, newest=newest)
        self.give(Return(seat, number), self.model.give_back(seat, number))

    @rule(seat=SEAT, newest=NEWEST, what=st.sampled_from((Leave, Resign, Rematch, Rematch)), really=SELDOM)
    def speaks_of_the_end(self, seat: Seat, what: Any, *, newest: bool, really: bool) -> None:
        number = self.connection(seat, newest=newest)
        if really or self.match.outcome:
            said = {Leave: self.model.leave, Resign: self.model.resign, Rematch: self.model.rematch}
            self.give(what(seat, number), said[what](seat, number))
        elif self.model.places[seat].here:
            self.give(Return(seat, number), self.model.give_back(seat, number))

    @precondition(lambda self: self.match.shake.stage is not Stage.DONE)
    @rule(words=st.lists(st.tuples(SEAT, st.booleans(), st.sampled_from((0, 0, 1))), min_size=1, max_size=4))
    def they_shake(self, words: list[tuple[Seat, bool, int]]) -> None:
        for seat, commits, nonce in words:
            if commits:
                self.she_commits(seat, nonce)
            else:
                self.she_opens(seat, nonce)

    @precondition(lambda self: self.match.shake.until is not None and self.model.someone_here())
    @rule(seat=SEAT, nonce=st.sampled_from((0, 0, 1)), older=st.sampled_from((0, 0, 0, 1)), again=st.booleans())
    def she_shakes_in_turn(self, seat: Seat, nonce: int, older: int, *, again: bool) -> None:
        seat = seat if self.model.places[seat].here else other(seat)
        word = self.she_commits if self.match.shake.stage is Stage.COMMIT else self.she_opens
        word(seat, nonce, older)
        if again:
            word(seat, 1 - nonce)

    def she_commits(self, seat: Seat, nonce: int, older: int = 0) -> None:
        number, digest = self.match.chairs[seat].connection - older, nonce_digest(NONCES[nonce])
        self.give(Commit(seat, number, digest), self.model.commit(seat, number, digest))

    def she_opens(self, seat: Seat, nonce: int, older: int = 0) -> None:
        number = self.match.chairs[seat].connection - older
        self.give(Open(seat, number, NONCES[nonce]), self.model.open(seat, number, NONCES[nonce]))

    def play(self, seat: Seat, off: int, move: str, by: Driver, connection: int, name: str) -> None:
        number = self.match.chairs[seat].number + off
        event = Play(seat, number, Move(move), by, connection, name)
        self.give(event, self.model.play(seat, number, Move(move), by, connection, name))

    @rule(times=st.integers(1, 4), which=st.integers(0, 1), pick=st.integers(0, 2), pause=st.sampled_from((0, 700)))
    def they_play_on(self, times: int, which: int, pick: int, pause: int) -> None:
        for _ in range(times):
            for seat in self.owing()[-1 - which :][:1]:
                self.wait(pause)
                self.plays_right(seat, pick)

    @rule(early=st.integers(0, 1), pick=st.integers(0, 2))
    def a_bot_plays_on(self, early: int, pick: int) -> None:
        for seat in self.owing():
            chair = self.match.chairs[seat]
            if chair.driver is Driver.BOT and self.match.pause is None and chair.due is not None:
                self.wait(max(0, chair.due - early - self.now))
                self.plays_right(seat, pick)
                return

    def plays_right(self, seat: Seat, pick: int) -> None:
        """The seat's driver makes a legal move; whether it is in time the model says."""
        chair, legal = self.match.chairs[seat], self.game.legal(self.match.state, seat)
        self.names += 1
        human = chair.driver is Driver.HUMAN
        self.play(
            seat,
            0,
            legal[pick % len(legal)],
            chair.driver,
            chair.connection if human else 0,
            f"n{self.names}" if human else "",
        )

    @rule(seat=SEAT, off=st.sampled_from((0, 0, -1, 1)), move=st.sampled_from(MOVES), newest=NEWEST)
    def she_plays_anything(self, seat: Seat, off: int, move: str, *, newest: bool) -> None:
        self.names += 1
        self.play(seat, off, move, Driver.HUMAN, self.connection(seat, newest=newest), f"n{self.names}")

    @rule(seat=SEAT, off=st.sampled_from((0, -1)))
    def she_plays_the_last_one_again(self, seat: Seat, off: int) -> None:
        chair = self.match.chairs[seat]
        self.play(seat, off, "draw", Driver.HUMAN, chair.connection, chair.last_id)

    @rule(seat=SEAT, off=st.sampled_from((0, 0, -1, 1)), move=st.sampled_from(MOVES))
    def a_bot_plays_anything(self, seat: Seat, off: int, move: str) -> None:
        self.play(seat, off, move, Driver.BOT, 0, "")

    @rule(ms=st.sampled_from((0, 1, 10, 400, 799, 3_000, 9_999)))
    def time_passes(self, ms: int) -> None:
        self.wait(ms)
        self.give(Tick(), self.model.tick())

    @precondition(lambda self: self.model.time_to_deadline is not None and self.model.time_to_deadline > 1)
    @rule(tick=st.booleans())
    def time_stops_just_before_the_deadline(self, *, tick: bool) -> None:
        assert self.model.time_to_deadline is not None
        self.wait(self.model.time_to_deadline - 1)
        if tick:
            self.give(Tick(), NOTHING)

    @precondition(lambda self: self.model.time_to_deadline is not None)
    @rule(late=st.sampled_from((0, 0, 1, 5_000)), tick=st.booleans())
    def the_deadline_comes(self, late: int, *, tick: bool) -> None:
        assert self.model.time_to_deadline is not None
        self.wait(max(0, self.model.time_to_deadline) + late)
        if tick:
            self.give(Tick(), self.model.tick())

    @invariant()
    def both_agree_on_every_seat(self) -> None:
        for chair, place in zip(self.match.chairs, self.model.places, strict=True):
            assert chair.present is place.here
            assert (chair.driver is Driver.BOT) is place.bot
            assert chair.back is place.back
            assert (chair.connection, chair.number, chair.last_id) == (
                place.connection,
                place.moves,
                place.name_of_last,
            )
            assert chair.rematch is place.offers
            if self.model.phase != "paused":
                assert chair.due == (None if place.left is None else self.now + place.left)

    @invariant()
    def both_agree_on_the_match(self) -> None:
        match, model = self.match, self.model
        assert match.version == model.version
        assert match.state == model.state
        assert match.outcome == model.outcome
        assert match.next is model.agreed
        assert match.started is (
            model.phase in ("shaking", "playing", "paused") or (model.phase == "over" and match.started)
        )
        assert (match.pause is not None) is (model.phase in ("waiting", "paused"))
        left = None if model.agreed else model.time_to_deadline
        assert match.deadline == (None if left is None else self.now + left)

    @invariant()
    def the_bots_asked_for_are_those_whose_time_has_come(self) -> None:
        playing = self.model.phase == "playing"
        due = [place.bot and place.left is not None and place.left <= 0 and playing for place in self.model.places]
        assert self.match.bots_due(self.now) == tuple(seat for seat in SEATS if due[seat])


pytestmark = pytest.mark.timeout(240)

TestMatchAgainstItsModel = MatchMachine.TestCase
TestMatchAgainstItsModel.settings = settings(
    max_examples=10 * settings().max_examples,
    phases=set(settings().phases) - {Phase.explain},
)
