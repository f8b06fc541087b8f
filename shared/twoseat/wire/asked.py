"""What a client may say, one closed union: strict models, no field beyond those named; it knows no answer."""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from twoseat.games.game import Level
from twoseat.wire.codes import Reaction


class _FromClient(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


Name = Annotated[str, Field(min_length=1, max_length=80)]
Code = Annotated[str, Field(min_length=6, max_length=16)]
MatchName = Annotated[str, Field(pattern=r"^[0-9a-f]{34}$")]
MoveId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,32}$")]
Hex64 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
MoveText = Annotated[str, Field(pattern=r"^[a-z0-9_][a-z0-9_ -]{0,119}$")]


def _whole(value: object) -> object:
    if type(value) is not int:
        raise ValueError("no whole number")
    return value


_Whole = BeforeValidator(_whole)
"""A choice among numbers is compared by ==, to which `true` and 1.0 are 1."""


class Terms(_FromClient):
    """The options of a match as a player asks for them (rules: Options of a match); what she leaves out is as usual in
    that game. `timer` multiplies turn_seconds, 0 is off.
    """

    game: Literal["war", "war-online"] = "war"
    preset: Annotated[str, Field(max_length=20)] | None = None
    target: Annotated[int, Field(ge=1, le=50)] | None = None
    turn_seconds: Annotated[int, Field(ge=5, le=600)] | None = None
    timer: Annotated[Literal[0, 1, 2, 10], _Whole] = 1
    games: Annotated[Literal[1, 3, 5], _Whole] = 1
    limit: Annotated[int, Field(ge=10, le=100)] | None = None
    level: Level | None = None


class Hello(_FromClient):
    """First message of every socket. Without `token` the server makes a new player; `match` is the seat to come back
    to.
    """

    type: Literal["hello"]
    protocol: int
    token: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{43}$")] | None = None
    match: MatchName | None = None
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
    """Another game with the same people, or in mid-game a new deal; agreed when both have asked. With `match` it is
    said of that game alone: pressed twice, it asks nothing of the next one.
    """

    type: Literal["rematch"]
    match: MatchName | None = None


class React(_FromClient):
    """Call one of four things across the table, now and then."""

    type: Literal["react"]
    reaction: Annotated[Reaction, Field(strict=False)]


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
    | React
    | Sync
    | Ping,
    Field(discriminator="type"),
]
