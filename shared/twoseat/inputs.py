"""Everything that can happen to a match, one closed union; the vocabulary of step() and of the stored log."""

from dataclasses import dataclass

from twoseat.games.game import Driver, Move, Seat


@dataclass(frozen=True, slots=True)
class Connect:
    """A socket of this seat's player; `connection` is a number higher than any the match gave before."""

    seat: Seat
    connection: int


@dataclass(frozen=True, slots=True)
class Disconnect:
    """The socket is gone. `node_died`: with its server, so the seat keeps at least 10 s (law 5)."""

    seat: Seat
    connection: int
    node_died: bool = False


@dataclass(frozen=True, slots=True)
class Commit:
    """Her commitment to a nonce (shake.nonce_digest), hex."""

    seat: Seat
    connection: int
    digest: str


@dataclass(frozen=True, slots=True)
class Open:
    """The nonce she committed to, hex."""

    seat: Seat
    connection: int
    nonce: str


@dataclass(frozen=True, slots=True)
class Play:
    """A move. `number` is the seat's own move count before it, `id` the client's name for it (a bot's has neither id
    nor connection).
    """

    seat: Seat
    number: int
    move: Move
    by: Driver = Driver.HUMAN
    connection: int = 0
    id: str = ""


@dataclass(frozen=True, slots=True)
class Return:
    """She who idled wants her seat back."""

    seat: Seat
    connection: int


@dataclass(frozen=True, slots=True)
class Leave:
    """She goes for good; the bot finishes her game."""

    seat: Seat
    connection: int


@dataclass(frozen=True, slots=True)
class Resign:
    """She gives the game up."""

    seat: Seat
    connection: int


@dataclass(frozen=True, slots=True)
class Rematch:
    """She offers another game: after the end, or in mid-game a new deal. Both offers, or one against a bot by choice,
    agree.
    """

    seat: Seat
    connection: int


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed."""


Input = Connect | Disconnect | Commit | Open | Play | Return | Leave | Resign | Rematch | Tick
