"""What happened in one match, as its players and its store tell it: facts only, judged elsewhere."""

from dataclasses import dataclass, field
from enum import StrEnum

from twoseat.chair import Millis
from twoseat.match import MatchId


@dataclass(frozen=True, slots=True)
class Spoken:
    """One message on one socket. `at`: seconds of a clock that all witnesses share; `heard`: the server said it."""

    at: float
    socket: int
    text: str
    heard: bool


@dataclass(slots=True)
class Witness:
    """All that one client said and heard, in its order, over as many sockets as it took."""

    spoken: list[Spoken] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class History:
    """One match. `over`: every fault is mended and time enough has passed, so it must have ended. `late`: how late a
    deadline may be acted on, game ms; None: that is not judged here. `outages`: when the store did not serve this
    match, on the clock of the witnesses.
    """

    match: MatchId
    log: tuple[bytes, ...]
    stored: bytes | None
    witnesses: tuple[Witness, ...]
    over: bool = True
    late: Millis | None = None
    outages: tuple[tuple[float, float], ...] = ()


class Rule(StrEnum):
    """What must never happen."""

    LOST = "an acknowledged move is not in the log"
    DOUBLED = "a move is in the log twice"
    REJECTED = "a rejected move is in the log"
    INVENTED = "a move in the log was never said, or not so"
    ORDER = "a move said after another was acknowledged is stored before it"
    GAP = "the versions of the log are not contiguous"
    REPLAY = "the log cannot be played again"
    STATE = "the stored match is not what its log tells"
    BACKWARD = "somebody saw an older version after a newer one"
    VIEW = "somebody saw what the log does not tell at that version"
    ROUNDS = "somebody missed a finished round, or heard one twice"
    SECRET = "a seed was told before its game was over"  # noqa: S105 a rule's name
    REPLACED = "a move said at a replaced socket is in the log"
    OUSTED = "a socket was replaced although its player had opened no newer one"
    BOT = "a bot moved for a person whose clock had not run out"
    CLOCK = "game time went back, or faster than time less all outages"
    LATE = "a deadline was acted on too late"
    UNFINISHED = "the match never ended"


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken rule of one match, with what shows it."""

    match: MatchId
    rule: Rule
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a history comes to. `late`: how late each deadline was acted on, game ms; `timeouts`: the
    versions at which a seat fell to the bot because its clock ran out.
    """

    violations: tuple[Violation, ...]
    acked: int
    lost: int
    doubled: int
    timeouts: tuple[int, ...]
    late: tuple[Millis, ...]
