"""What client and server say to each other: one closed union a direction, and parse(); it knows no socket and no store.

The server takes nothing it does not know (strict, no extra field); clients ignore what they do not know, so that the
server may learn new words first. Times on the wire are remaining milliseconds, never a clock's reading. A message
holds no seat of the sender: the server knows which seat a socket has. The words of the core that travel (Seat, Round,
Reason …) are passed on from here, so that a client imports nothing below.
"""

from typing import Any, Literal, get_args

import msgspec
from pydantic import BaseModel, TypeAdapter, ValidationError

from twoseat.games.game import Driver, Outcome, Seat, Termination
from twoseat.games.war import Round, WarView
from twoseat.games.war_online.board import CONTINENTS, NEIGHBOURS, TERRITORIES
from twoseat.games.war_online.state import Event as Moved
from twoseat.games.war_online.state import Step
from twoseat.games.war_online.turn_log import BattleLine, Turn
from twoseat.games.war_online.view import AdvanceView, ArmiesView, WarOnlineView
from twoseat.match import Reason
from twoseat.shake import Stage
from twoseat.wire.asked import (
    AskRematch,
    Bot,
    Cancel,
    ClientMessage,
    CommitNonce,
    Hello,
    Host,
    Join,
    LeaveMatch,
    OpenNonce,
    Ping,
    PlayMove,
    Quick,
    React,
    ResignMatch,
    Sync,
    TakeBack,
    Terms,
    Watch,
)
from twoseat.wire.codes import Close, ErrorCode, Reaction
from twoseat.wire.told import (
    ChairView,
    Degraded,
    Done,
    Error,
    Fair,
    Idle,
    OptionsView,
    Pong,
    Reacted,
    RejectedMessage,
    Results,
    Resumable,
    Rounds,
    Seated,
    SeriesView,
    ServerMessage,
    State,
    View,
    Waiting,
    Watchers,
    Welcome,
)

__all__ = [
    "CONTINENTS",
    "MAX_MESSAGE_BYTES",
    "NEIGHBOURS",
    "PROTOCOL_VERSION",
    "TERRITORIES",
    "AdvanceView",
    "ArmiesView",
    "AskRematch",
    "BattleLine",
    "Bot",
    "Cancel",
    "ChairView",
    "ClientMessage",
    "Close",
    "CommitNonce",
    "Degraded",
    "Done",
    "Driver",
    "Error",
    "ErrorCode",
    "Fair",
    "Hello",
    "Host",
    "Idle",
    "Join",
    "LeaveMatch",
    "Malformed",
    "Moved",
    "OpenNonce",
    "OptionsView",
    "Outcome",
    "Ping",
    "PlayMove",
    "Pong",
    "Quick",
    "React",
    "Reacted",
    "Reaction",
    "Reason",
    "RejectedMessage",
    "ResignMatch",
    "Results",
    "Resumable",
    "Round",
    "Rounds",
    "Seat",
    "Seated",
    "SeriesView",
    "ServerMessage",
    "Stage",
    "State",
    "Step",
    "Sync",
    "TakeBack",
    "Termination",
    "Terms",
    "Turn",
    "View",
    "Waiting",
    "WarOnlineView",
    "WarView",
    "Watch",
    "Watchers",
    "Welcome",
    "encode",
    "foreign",
    "old_client",
    "parse",
    "parse_server",
]

PROTOCOL_VERSION = 1
MAX_MESSAGE_BYTES = 4096
"""The server reads no client message larger than this."""
_UTF8_BYTES = 4
"""Of a character at most."""
_CLIENT: TypeAdapter[Any] = TypeAdapter(ClientMessage)
_SERVER: TypeAdapter[Any] = TypeAdapter(ServerMessage)
_read = _CLIENT.validator.validate_json
_JSON = msgspec.json.Encoder()


class Malformed(Exception):
    """A client's message is none of the union: `code` says why, `field` where. It never carries the input itself."""

    def __init__(self, code: ErrorCode, field: str | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.field = field


def parse(raw: str | bytes) -> Any:
    """Return a client's message as its model. Raises Malformed, which names the first bad field and echoes nothing,
    not even the name of a field too many.
    """
    if len(raw) * _UTF8_BYTES > MAX_MESSAGE_BYTES:
        head = raw[: MAX_MESSAGE_BYTES + 1]
        if len(head if isinstance(head, bytes) else head.encode(errors="replace")) > MAX_MESSAGE_BYTES:
            raise Malformed(ErrorCode.TOO_LARGE)
    if isinstance(raw, bytes):
        raise Malformed(ErrorCode.MALFORMED, "binary")
    try:
        return _read(raw)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = first["loc"][:-1] if first["type"] == "extra_forbidden" else first["loc"]
        raise Malformed(ErrorCode.MALFORMED, ".".join(map(str, place)) or None) from None
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


class _AnyTold(BaseModel):
    type: str


_TOLD = frozenset(get_args(kind.__annotations__["type"])[0] for kind in get_args(get_args(ServerMessage)[0]))


def encode(message: Any) -> bytes:
    """Return a server's message as JSON bytes, ready for a text frame."""
    return _JSON.encode(message)


def parse_server(raw: str | bytes) -> Any | None:
    """Return a server's message, or None for one this client does not know (a newer server's)."""
    try:
        return _SERVER.validate_json(raw)
    except ValidationError:
        return None


def foreign(raw: str | bytes) -> bool:
    """Whether this is a server's message of a kind that is known here in a shape that is not: from a server of another
    version, whose words must not be passed over.
    """
    try:
        known = _AnyTold.model_validate_json(raw).type in _TOLD
    except ValueError:
        return False
    return known and parse_server(raw) is None
