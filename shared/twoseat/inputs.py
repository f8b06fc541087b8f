"""Everything that can happen to a match, one closed union; the vocabulary of step() and of the stored log."""

from twoseat.games.game import Driver, Move, Seat
from twoseat.values import Value


class _Input(Value, frozen=True, tag_field="in", tag=str.lower):
    """Written down with its name, under `in`."""


class Connect(_Input, frozen=True):
    """A socket of this seat's player; `connection` is a number higher than any the match gave before."""

    seat: Seat
    connection: int


class Disconnect(_Input, frozen=True):
    """The socket is gone. `node_died`: with its server, so the seat keeps at least 10 s (law 5)."""

    seat: Seat
    connection: int
    node_died: bool = False


class Commit(_Input, frozen=True):
    """Her commitment to a nonce (shake.nonce_digest), hex."""

    seat: Seat
    connection: int
    digest: str


class Open(_Input, frozen=True):
    """The nonce she committed to, hex."""

    seat: Seat
    connection: int
    nonce: str


class Play(_Input, frozen=True):
    """A move. `number` is the seat's own move count before it, `id` the client's name for it (a bot's has neither id
    nor connection).
    """

    seat: Seat
    number: int
    move: Move
    by: Driver = Driver.HUMAN
    connection: int = 0
    id: str = ""


class Return(_Input, frozen=True):
    """She who idled wants her seat back."""

    seat: Seat
    connection: int


class Leave(_Input, frozen=True):
    """She goes for good; the bot finishes her game."""

    seat: Seat
    connection: int


class Resign(_Input, frozen=True):
    """She gives the game up."""

    seat: Seat
    connection: int


class Rematch(_Input, frozen=True):
    """She offers another game: after the end, or in mid-game a new deal. Both offers, or one against a bot by choice,
    agree.
    """

    seat: Seat
    connection: int


class Tick(_Input, frozen=True):
    """Time has passed."""


Input = Connect | Disconnect | Commit | Open | Play | Return | Leave | Resign | Rematch | Tick
