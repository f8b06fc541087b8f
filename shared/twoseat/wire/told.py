"""What the server says, one closed union; times are milliseconds left. A client takes fields it does not know in its
stride.
"""

from typing import Annotated, Literal

from pydantic import Field

from twoseat.games.game import Driver, Level, Outcome, Seat
from twoseat.games.war import Round, WarView
from twoseat.games.war_online.turn_log import Turn
from twoseat.games.war_online.view import WarOnlineView
from twoseat.match import Reason
from twoseat.shake import Stage
from twoseat.values import Value
from twoseat.wire.codes import ErrorCode, Reaction

View = Annotated[WarView | WarOnlineView, Field(discriminator="game")]
"""The table of whichever game is played."""
Rounds = list[Round] | list[Turn]
"""Finished rounds of War, or turns of War Online."""


class Resumable(Value, frozen=True):
    """A match this token has a seat in; `present`: another socket sits there now."""

    match: str
    code: str
    present: bool


class Welcome(Value, frozen=True):
    """Answer to `hello`, and again when starting something new made this socket a new player. `token` only when new:
    keep it secret.
    """

    protocol: int
    server: str
    name: str
    token: str | None = None
    resume: Resumable | None = None
    type: Literal["welcome"] = "welcome"


class OptionsView(Value, frozen=True):
    """A match's options as agreed; `target` says something in War, `limit` and `level` in War Online."""

    game: Literal["war", "war-online"]
    preset: str
    target: int
    turn_seconds: int
    timer: int
    games: int
    limit: int
    level: Level


class Waiting(Value, frozen=True):
    """You wait: in the queue (`code` None) or at your own table. `waited` in ms."""

    kind: Literal["quick", "host"]
    code: str | None
    waited: int
    options: OptionsView
    type: Literal["waiting"] = "waiting"


class Idle(Value, frozen=True):
    """You wait for nothing and sit nowhere: after `cancel` and `leave`."""

    type: Literal["idle"] = "idle"


class SeriesView(Value, frozen=True):
    """The games before this one. `score` is half points of each seat, `winners` this series' results in order."""

    best_of: int
    game: int
    score: tuple[int, int]
    winners: tuple[Seat | None, ...]


class Seated(Value, frozen=True):
    """You sit at (or, `seat` None, watch) this match; all finished rounds so far. A `state` follows."""

    match: str
    code: str
    seat: Seat | None
    names: tuple[str, str]
    bots: tuple[bool, bool]
    """Which seats are a bot's by choice."""
    options: OptionsView
    series: SeriesView
    rounds: Rounds
    type: Literal["seated"] = "seated"


class ChairView(Value, frozen=True):
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


class State(Value, frozen=True):
    """The newest state: everything but the rounds finished before, of which only those since the last `state` come
    along.

    `phase`: `waiting` for both to sit and for the deal (`view` then shows the table before it), `playing`, `paused`
    while nobody is there, `over`. `legal`: open moves by seat; the other's are left out in a game that has secrets.
    `next_in`: ms until the series' next game starts by itself.
    """

    version: int
    phase: Literal["waiting", "playing", "paused", "over"]
    chairs: tuple[ChairView, ChairView]
    legal: tuple[tuple[str, ...], tuple[str, ...]]
    view: View
    rounds: Rounds
    outcome: Outcome | None = None
    next_in: int | None = None
    type: Literal["state"] = "state"


class Fair(Value, frozen=True):
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


class Results(Value, frozen=True):
    """After the end: every round with faces, and the series with this game in it."""

    match: str
    outcome: Outcome
    rounds: Rounds
    series: SeriesView
    decided: bool
    seed: str
    """What the server had committed to, hex: with the nonces of `fair` it gives the whole deal."""
    type: Literal["results"] = "results"


class Done(Value, frozen=True):
    """This move was stored before (it was sent twice); the newest state follows."""

    id: str
    version: int
    type: Literal["done"] = "done"


class RejectedMessage(Value, frozen=True):
    """The match refused it and is unchanged. `id` is the move's, None for another request. `by_bot`: the bot made or
    makes this move.
    """

    reason: Reason
    id: str | None
    by_bot: bool
    type: Literal["rejected"] = "rejected"


class Error(Value, frozen=True):
    """The request was no good; `field` says which part, `detail` (English, for developers) what would be."""

    code: ErrorCode
    field: str | None = None
    detail: str | None = None
    type: Literal["error"] = "error"


class Degraded(Value, frozen=True):
    """Storage is away (`on`) or back: clocks stand still meanwhile, and no accepted move is lost."""

    on: bool
    type: Literal["degraded"] = "degraded"


class Watchers(Value, frozen=True):
    """How many watch this match."""

    count: int
    type: Literal["watchers"] = "watchers"


class Reacted(Value, frozen=True):
    """A seat calls something across the table; your own comes back to you too."""

    seat: Seat
    reaction: Reaction
    type: Literal["reacted"] = "reacted"


class Pong(Value, frozen=True):
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
    | Reacted
    | Pong,
    Field(discriminator="type"),
]
