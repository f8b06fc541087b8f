"""Two people meet and play one round: the real core and the real views, driven by a script; it opens no socket.

What the documents show is what this made, so an example can be neither wrong nor out of date.
"""

from dataclasses import dataclass, field
from typing import Any

from twoseat import wire
from twoseat.chair import Millis, PlayerId
from twoseat.fair import Chance
from twoseat.games import GAMES
from twoseat.games.game import Move, Options, Seat
from twoseat.games.war import War
from twoseat.inputs import Connect, Input, Play
from twoseat.match import Match, MatchId, create, step
from twoseat_server import views

NAMES = ("Ann", "Bob")
CODE = "K7RP2M"
MATCH = MatchId("11" + "0123456789abcdef" * 2)
TOKENS = ("example-token-of-ann-".ljust(43, "x"), "example-token-of-bob-".ljust(43, "x"))
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

    options: Options = field(default_factory=Options)
    seed: bytes = b""
    now: Millis = 0
    lines: list[Line] = field(default_factory=list)
    match: Match = field(init=False)
    _shown: dict[Seat, int] = field(default_factory=dict)
    """Rounds each person's socket was shown; nobody is in it before she sits."""

    def __post_init__(self) -> None:
        self.seed = self.seed or _seed_of_a_war()
        people = ((PlayerId("a"), NAMES[0]), (PlayerId("b"), NAMES[1]))
        self.match = create(_GAME, MATCH, CODE, self.options, people, self.seed, STARTED, start_within=4_000)

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
        self._shown[seat] = _GAME.rounds(self.match.state)
        self._show(seat)

    def draw(self, seat: Seat, move_id: str) -> None:
        """A person draws."""
        number = self.match.chairs[seat].number
        self.say(seat, wire.PlayMove(type="play", id=move_id, number=number, move="draw"))
        self.give(Play(seat, number, Move("draw"), connection=seat + 1, id=move_id))

    def _show(self, seat: Seat) -> None:
        self.hear(seat, views.state(_GAME, self.match, self.now, None, self._shown[seat]))
        self._shown[seat] = _GAME.rounds(self.match.state)
        if results := views.results(_GAME, self.match):
            self.hear(seat, results)


def meeting(options: Options | None = None) -> Story:
    """Ann waits in the queue, Bob comes, both sit."""
    story = Story(options or Options())
    terms = wire.Terms(target=story.options.target)
    agreed = views.options(story.options)
    for seat, came in ((0, 0), (1, STARTED)):
        story.now = came
        story.say(_seat(seat), wire.Hello(type="hello", protocol=wire.PROTOCOL_VERSION, name=NAMES[seat]))
        story.hear(_seat(seat), wire.Welcome(wire.PROTOCOL_VERSION, "0.1.0", NAMES[seat], TOKENS[seat]))
        story.say(_seat(seat), wire.Quick(type="quick", terms=terms))
        if seat == 0:
            story.hear(0, wire.Waiting("quick", None, 0, agreed))
    story.sit(0)
    story.sit(1)
    return story


def one_round(options: Options | None = None) -> Story:
    """They meet and both draw once; the cards are equal, so there is a war."""
    story = meeting(options)
    for at, seat, move_id in ((2_400, 0, "a1"), (3_100, 1, "b1")):
        story.now = at
        story.draw(_seat(seat), move_id)
    return story


def as_text(message: Any) -> str:
    """Return a client's message as a client would write it: nothing in it that need not be."""
    return str(message.model_dump_json(exclude_defaults=True))


def _seat(number: int) -> Seat:
    return 1 if number else 0


def _seed_of_a_war() -> bytes:
    """The first simple seed whose first round begins with seat 0 and is a war: it shows most in fewest words."""
    game = War()
    for number in range(256):
        seed = bytes([number]) * 32
        state = game.new(Options(), None, Chance(seed))
        if state.starter == 0 and state.decks[0][0] >> 2 == state.decks[1][0] >> 2:
            return seed
    raise LookupError("no such seed")
