"""Two people meet and play one round: the real core and the real views, driven by a script; it opens no socket.

What the documents show is what this made, so an example can be neither wrong nor out of date.
"""

from dataclasses import dataclass, field
from functools import cache
from typing import Any

from twoseat import __version__, views, wire
from twoseat.chair import Millis, PlayerId
from twoseat.fair import SEED_BYTES
from twoseat.games import GAMES, cards
from twoseat.games.game import SEATS, Move, Options, Seat
from twoseat.inputs import Commit, Connect, Input, Open, Play
from twoseat.match import Match, MatchId, create, step
from twoseat.shake import NONCE_BYTES, Shake, nonce_digest
from twoseat_server.lobby import QUICK_START
from twoseat_server.referee import SHAKE_WITHIN

NAMES = ("Ann", "Bob")
CODE = "K7RP2M"
MATCH = MatchId("11" + "0123456789abcdef" * 2)
TOKENS = ("example-token-of-ann-".ljust(43, "x"), "example-token-of-bob-".ljust(43, "x"))
NONCES = ("a1" * NONCE_BYTES, "b0" * NONCE_BYTES)
"""What each program would draw at random."""
STARTED: Millis = 1_000
"""Ann's clock when Bob comes."""
_GAME = GAMES["war"]


@dataclass(frozen=True, slots=True)
class Line:
    """A message on one person's socket, `sent` by her or received; `at` is ms since the story began."""

    at: Millis
    seat: Seat
    sent: bool
    message: Any


@dataclass(slots=True)
class Story:
    """A match being played and all that was said so far."""

    options: Options
    seed: bytes
    now: Millis = 0
    lines: list[Line] = field(default_factory=list)
    match: Match = field(init=False)
    _shown: dict[Seat, tuple[int, Shake | None]] = field(default_factory=dict)
    """Rounds and shake each person's socket was shown; nobody is in it before she sits."""

    def __post_init__(self) -> None:
        people = ((PlayerId("a"), NAMES[0]), (PlayerId("b"), NAMES[1]))
        self.match = create(
            _GAME,
            MATCH,
            CODE,
            self.options,
            people,
            self.seed,
            STARTED,
            start_within=QUICK_START,
            shake_within=SHAKE_WITHIN,
        )

    def say(self, seat: Seat, message: Any) -> None:
        """A person sends a message that the wire takes."""
        self.lines.append(Line(self.now, seat, True, wire.parse(as_text(message))))

    def hear(self, seat: Seat, message: Any) -> None:
        """A person receives a message that a client understands."""
        self.lines.append(Line(self.now, seat, False, wire.parse_server(wire.encode(message))))

    def give(self, event: Input) -> None:
        """Change the match and show the new version to whoever sits."""
        self.match = step(_GAME, self.match, event, self.now)
        for seat in tuple(self._shown):
            self._show(seat)

    def sit(self, seat: Seat) -> None:
        """A person's socket comes to the match."""
        self.give(Connect(seat, seat + 1))
        self.hear(seat, views.seated(_GAME, self.match, seat))
        self._shown[seat] = (views.rounds(_GAME, self.match), None)
        self._show(seat)

    def shake_hands(self) -> None:
        """Both programs commit to a nonce, then both open it; people notice nothing."""
        for seat in SEATS:
            digest = nonce_digest(NONCES[seat])
            self.say(seat, wire.CommitNonce(type="commit", digest=digest))
            self.give(Commit(seat, seat + 1, digest))
        for seat in SEATS:
            self.say(seat, wire.OpenNonce(type="open", nonce=NONCES[seat]))
            self.give(Open(seat, seat + 1, NONCES[seat]))

    def draw(self, seat: Seat, move_id: str) -> None:
        """A person draws."""
        number = self.match.chairs[seat].number
        self.say(seat, wire.PlayMove(type="play", id=move_id, number=number, move="draw"))
        self.give(Play(seat, number, Move("draw"), connection=seat + 1, id=move_id))

    def _show(self, seat: Seat) -> None:
        rounds, shake = self._shown[seat]
        self.hear(seat, views.state(_GAME, self.match, self.now, None, rounds))
        if shake != self.match.shake:
            self.hear(seat, views.fair(self.match, self.now))
        self._shown[seat] = (views.rounds(_GAME, self.match), self.match.shake)
        if results := views.results(_GAME, self.match):
            self.hear(seat, results)


def meeting(seed: bytes, options: Options) -> Story:
    """Ann waits in the queue, Bob comes, both sit, and the cards are dealt."""
    story = Story(options, seed)
    terms = wire.Terms(target=options.target)
    for seat, came in zip(SEATS, (0, STARTED), strict=True):
        story.now = came
        story.say(seat, wire.Hello(type="hello", protocol=wire.PROTOCOL_VERSION, name=NAMES[seat]))
        story.hear(seat, wire.Welcome(wire.PROTOCOL_VERSION, __version__, NAMES[seat], TOKENS[seat]))
        story.say(seat, wire.Quick(type="quick", terms=terms))
        if seat == 0:
            story.hear(0, wire.Waiting("quick", None, 0, views.options(options)))
    story.sit(0)
    story.sit(1)
    story.shake_hands()
    return story


@cache
def seed_of_a_war() -> bytes:
    """Return the first simple seed whose first round begins with seat 0 and is a war: it shows most in fewest words."""
    for number in range(256):
        seed = bytes([number]) * SEED_BYTES
        state = meeting(seed, Options()).match.state
        first, second = (cards.rank(deck[0]) for deck in state.decks)
        if state.starter == 0 and first == second:
            return seed
    raise LookupError("no such seed")


def one_round(options: Options | None = None) -> Story:
    """They meet and both draw once; the cards are equal, so there is a war."""
    story = meeting(seed_of_a_war(), options or Options())
    for at, seat, move_id in ((2_400, SEATS[0], "a1"), (3_100, SEATS[1], "b1")):
        story.now = at
        story.draw(seat, move_id)
    return story


def as_text(message: Any) -> str:
    """Return a client's message as a client would write it: nothing in it that need not be."""
    return str(message.model_dump_json(exclude_defaults=True))
