"""What client and server say to each other: one closed union a direction, and parse(); it knows no socket and no store.

The server takes nothing it does not know (strict, no extra field); clients ignore what they do not know, so that the
server may learn new words first. Times on the wire are remaining milliseconds, never a clock's reading. A message
holds no seat of the sender: the server knows which seat a socket has. The words of the core that travel (Seat, Round,
Reason …) are passed on from here, so that a client imports nothing below.
"""

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from twoseat.games.game import Driver, Outcome, Seat, Termination
from twoseat.games.war import Round, WarView
from twoseat.match import Reason
from twoseat.shake import Stage

__all__ = ["Driver", "Outcome", "Reason", "Round", "Seat", "Stage", "Termination", "WarView"]

PROTOCOL_VERSION = 1
MAX_MESSAGE_BYTES = 4096
"""The server reads no client message larger than this."""


class Close(IntEnum):
    """Every code a socket is closed with. A client tries again after 1001, 1006, 1011, 1012 and 1013; never after
    1008, 1009 and 4xxx.
    """

    BYE = 1000
    GOING_AWAY = 1001
    FLOOD = 1008
    TOO_LARGE = 1009
    FAULT = 1011
    RESTART = 1012
    BUSY = 1013
    NO_HELLO = 4401
    SILENT = 4408
    REPLACED = 4409
    OLD_CLIENT = 4426


class ErrorCode(StrEnum):
    """What was wrong with a message, where no match was asked about it."""

    MALFORMED = "malformed"
    TOO_LARGE = "too_large"
    HELLO_FIRST = "hello_first"
    OLD_CLIENT = "old_client"
    SLOW_DOWN = "slow_down"
    BAD_OPTIONS = "bad_options"
    BAD_NAME = "bad_name"
    NOT_FOUND = "not_found"
    FULL = "full"
    FINISHED = "finished"
    OWN_CODE = "own_code"
    NOT_SEATED = "not_seated"
    ALREADY_SEATED = "already_seated"
    BUSY = "busy"
    STORAGE_AWAY = "storage_away"


class _FromClient(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


Name = Annotated[str, Field(min_length=1, max_length=80)]
Code = Annotated[str, Field(min_length=6, max_length=16)]
MoveId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,32}$")]
Hex64 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
MoveText = Annotated[str, Field(pattern=r"^[a-z0-9_][a-z0-9_ -]{0,119}$")]


class Terms(_FromClient):
    """The options of a match as a player asks for them (rules: Options of a match). `timer` multiplies turn_seconds,
    0 is off.
    """

    game: Literal["war"] = "war"
    preset: Annotated[str, Field(max_length=20)] = "points"
    target: Annotated[int, Field(ge=1, le=50)] = 50
    turn_seconds: Annotated[int, Field(ge=5, le=600)] = 15
    timer: Literal[0, 1, 2, 10] = 1
    games: Literal[1, 3, 5] = 1


class Hello(_FromClient):
    """First message of every socket. Without `token` the server makes a new player; `match` is the seat to come back
    to.
    """

    type: Literal["hello"]
    protocol: int
    token: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{43}$")] | None = None
    match: Annotated[str, Field(pattern=r"^[0-9a-f]{34}$")] | None = None
    name: Name | None = None
    client: Annotated[str, Field(max_length=40)] = ""


class Quick(_FromClient):
    """Find me somebody who wants the same game; the longest wait goes first."""

    type: Literal["quick"]
    terms: Terms = Terms()


class Host(_FromClient):
    """Open a table with a code for a friend."""

    type: Literal["host"]
    terms: Terms = Terms()


class Join(_FromClient):
    """Sit down at the table with this code (any case; spaces and dashes are ignored); at a full one, watch.

    It is also how a host whose line broke waits at her own table again, and how a match offered in `welcome` is
    entered. (Who waited in the queue says `quick` again after a new `hello`.)
    """

    type: Literal["join"]
    code: Code


class Bot(_FromClient):
    """Play against the bot at once."""

    type: Literal["bot"]
    terms: Terms = Terms()


class Cancel(_FromClient):
    """Stop waiting."""

    type: Literal["cancel"]


class Watch(_FromClient):
    """Watch the match with this code."""

    type: Literal["watch"]
    code: Code


class CommitNonce(_FromClient):
    """My commitment to a nonce for this deal: 64 hex digits (docs/fairness.md); said when `fair` is at stage commit."""

    type: Literal["commit"]
    digest: Hex64


class OpenNonce(_FromClient):
    """The nonce I committed to, 64 hex digits; said when `fair` is at stage open."""

    type: Literal["open"]
    nonce: Hex64


class PlayMove(_FromClient):
    """A move: `number` is the seat's own move count before it, `id` a name for it that the client never uses twice."""

    type: Literal["play"]
    id: MoveId
    number: Annotated[int, Field(ge=0, le=100_000)]
    move: MoveText


class TakeBack(_FromClient):
    """I idled; give me my seat back from my next turn."""

    type: Literal["return"]


class LeaveMatch(_FromClient):
    """I go; the bot finishes my game."""

    type: Literal["leave"]


class ResignMatch(_FromClient):
    """I give the game up."""

    type: Literal["resign"]


class AskRematch(_FromClient):
    """Another game with the same people, or in mid-game a new deal; agreed when both have asked."""

    type: Literal["rematch"]


class Sync(_FromClient):
    """Send me everything anew; a client says it when it sees a gap."""

    type: Literal["sync"]


class Ping(_FromClient):
    """Are you there; answered by `pong` with the same number."""

    type: Literal["ping"]
    n: Annotated[int, Field(ge=0, le=2**31)]


ClientMessage = Annotated[
    Hello
    | Quick
    | Host
    | Join
    | Bot
    | Cancel
    | Watch
    | CommitNonce
    | OpenNonce
    | PlayMove
    | TakeBack
    | LeaveMatch
    | ResignMatch
    | AskRematch
    | Sync
    | Ping,
    Field(discriminator="type"),
]


class Malformed(Exception):
    """A client's message is none of the union: `code` says why, `field` where. It never carries the input itself."""

    def __init__(self, code: ErrorCode, field: str | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.field = field


_CLIENT: TypeAdapter[Any] = TypeAdapter(ClientMessage)


def parse(raw: str | bytes) -> Any:
    """Return a client's message as its model. Raises Malformed, which names the first bad field and echoes nothing."""
    if len(raw) > MAX_MESSAGE_BYTES:
        raise Malformed(ErrorCode.TOO_LARGE)
    if isinstance(raw, bytes):
        raise Malformed(ErrorCode.MALFORMED, "binary")
    try:
        return _CLIENT.validate_json(raw)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        raise Malformed(ErrorCode.MALFORMED, ".".join(map(str, first["loc"]))[:60] or None) from None
    except (ValueError, RecursionError):
        raise Malformed(ErrorCode.MALFORMED) from None


def old_client(raw: str) -> bool:
    """Whether this is a `hello` of another protocol version, whatever else it holds."""
    try:
        version = _AnyHello.model_validate_json(raw).protocol
    except (ValidationError, ValueError):
        return False
    return version != PROTOCOL_VERSION


class _AnyHello(BaseModel):
    type: Literal["hello"]
    protocol: int


@dataclass(frozen=True, slots=True)
class Resumable:
    """A match this token has a seat in; `present`: another socket sits there now."""

    match: str
    code: str
    present: bool


@dataclass(frozen=True, slots=True)
class Welcome:
    """Answer to `hello`, and again when starting something new made this socket a new player. `token` only when new:
    keep it secret.
    """

    protocol: int
    server: str
    name: str
    token: str | None = None
    resume: Resumable | None = None
    type: Literal["welcome"] = "welcome"


@dataclass(frozen=True, slots=True)
class OptionsView:
    """A match's options as agreed."""

    game: Literal["war"]
    preset: str
    target: int
    turn_seconds: int
    timer: int
    games: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """You wait: in the queue (`code` None) or at your own table. `waited` in ms."""

    kind: Literal["quick", "host"]
    code: str | None
    waited: int
    options: OptionsView
    type: Literal["waiting"] = "waiting"


@dataclass(frozen=True, slots=True)
class Idle:
    """You wait for nothing and sit nowhere: after `cancel` and `leave`."""

    type: Literal["idle"] = "idle"


@dataclass(frozen=True, slots=True)
class SeriesView:
    """The games before this one. `score` is half points of each seat, `winners` this series' results in order."""

    best_of: int
    game: int
    score: tuple[int, int]
    winners: tuple[Seat | None, ...]


@dataclass(frozen=True, slots=True)
class Seated:
    """You sit at (or, `seat` None, watch) this match; all finished rounds so far. A `state` follows."""

    match: str
    code: str
    seat: Seat | None
    names: tuple[str, str]
    bots: tuple[bool, bool]
    """Which seats are a bot's by choice."""
    options: OptionsView
    series: SeriesView
    rounds: list[Round]
    type: Literal["seated"] = "seated"


@dataclass(frozen=True, slots=True)
class ChairView:
    """One seat as everybody sees it. `due`: ms until its move runs out (a bot: is made), None where none is owed or
    the clock
    is off or stopped. `number`: its moves so far. `last`: the client's name for its last human move, which
    acknowledges it."""

    present: bool
    driver: Driver
    back: bool
    due: int | None
    number: int
    last: str
    rematch: bool


@dataclass(frozen=True, slots=True)
class State:
    """The newest state: everything but the rounds finished before, of which only those since the last `state` come
    along.

    `phase`: `waiting` for both to sit and for the deal (`view` then shows the table before it), `playing`, `paused`
    while nobody is there, `over`. `legal`: open moves by seat. `next_in`: ms until the series' next game starts by
    itself.
    """

    version: int
    phase: Literal["waiting", "playing", "paused", "over"]
    chairs: tuple[ChairView, ChairView]
    legal: tuple[tuple[str, ...], tuple[str, ...]]
    view: WarView
    rounds: list[Round]
    outcome: Outcome | None = None
    next_in: int | None = None
    type: Literal["state"] = "state"


@dataclass(frozen=True, slots=True)
class Fair:
    """What was committed to before the deal, and opened (docs/fairness.md); comes with `seated` and whenever it
    changes.

    `seed_digest` is the server's commitment, which never changes; digests and nonces are by seat, None where nothing
    was said. Stage `commit` asks each person for a `commit`, then `open` for an `open`, both within `left` ms.
    """

    match: str
    stage: Stage
    seed_digest: str
    digests: tuple[str | None, str | None]
    nonces: tuple[str | None, str | None]
    left: int | None
    type: Literal["fair"] = "fair"


@dataclass(frozen=True, slots=True)
class Results:
    """After the end: every round with faces, and the series with this game in it."""

    match: str
    outcome: Outcome
    rounds: list[Round]
    series: SeriesView
    decided: bool
    seed: str
    """What the server had committed to, hex: with the nonces of `fair` it gives the whole deal."""
    type: Literal["results"] = "results"


@dataclass(frozen=True, slots=True)
class Done:
    """This move was stored before (it was sent twice); the newest state follows."""

    id: str
    version: int
    type: Literal["done"] = "done"


@dataclass(frozen=True, slots=True)
class RejectedMessage:
    """The match refused it and is unchanged. `id` is the move's, None for another request. `by_bot`: the bot made or
    makes this move.
    """

    reason: Reason
    id: str | None
    by_bot: bool
    type: Literal["rejected"] = "rejected"


@dataclass(frozen=True, slots=True)
class Error:
    """The request was no good; `field` says which part, `detail` (English, for developers) what would be."""

    code: ErrorCode
    field: str | None = None
    detail: str | None = None
    type: Literal["error"] = "error"


@dataclass(frozen=True, slots=True)
class Degraded:
    """Storage is away (`on`) or back: clocks stand still meanwhile, and no accepted move is lost."""

    on: bool
    type: Literal["degraded"] = "degraded"


@dataclass(frozen=True, slots=True)
class Watchers:
    """How many watch this match."""

    count: int
    type: Literal["watchers"] = "watchers"


@dataclass(frozen=True, slots=True)
class Pong:
    """Answer to `ping`."""

    n: int
    type: Literal["pong"] = "pong"


ServerMessage = Annotated[
    Welcome
    | Waiting
    | Idle
    | Seated
    | State
    | Fair
    | Results
    | Done
    | RejectedMessage
    | Error
    | Degraded
    | Watchers
    | Pong,
    Field(discriminator="type"),
]

_SERVER: TypeAdapter[Any] = TypeAdapter(ServerMessage)


def encode(message: Any) -> bytes:
    """Return a server's message as JSON bytes, ready for a text frame."""
    return _SERVER.dump_json(message)


def parse_server(raw: str | bytes) -> Any | None:
    """Return a server's message, or None for one this client does not know (a newer server's)."""
    try:
        return _SERVER.validate_json(raw)
    except ValidationError:
        return None
