"""The match machine: step() turns a match and one input into the next match, or raises Rejected and changes nothing.

It schedules nothing, reads no clock and does no I/O: `now` comes in, `deadline` is a question the shell asks. The ten
laws it keeps are listed in ARCHITECTURE.md and tested by name in tests/twoseat/test_match_laws*.py.
"""

from enum import StrEnum
from typing import Any, NewType, assert_never

from msgspec.structs import replace

from twoseat.chair import KEPT_AFTER_OUTAGE, Chair, Millis, Pause, PlayerId, clocked, gone, reached, resumed, timed_out
from twoseat.fair import Chance
from twoseat.games.game import BOT, HUMAN, SEATS, Game, IllegalMove, Options, Outcome, Seat, Termination, other
from twoseat.inputs import Commit, Connect, Disconnect, Input, Leave, Open, Play, Rematch, Resign, Return, Tick
from twoseat.series import Series
from twoseat.shake import DONE, NO_SHAKE, BadNonce, Shake, TooLate, begin, commit, deal_key, done, expire, open_nonce
from twoseat.values import Value

MatchId = NewType("MatchId", str)

NEXT_GAME_AFTER: Millis = 10_000
"""A series' next game starts by itself this long after the last one."""


class Reason(StrEnum):
    """Why an input was rejected; the wire carries these words."""

    STALE = "stale"
    NOT_YOUR_TURN = "not_your_turn"
    ILLEGAL = "illegal"
    OVER = "over"
    REPLACED = "replaced"


class Rejected(Exception):
    """The input is refused and the match is exactly as it was. `by_bot`: the bot has made, or is making, this move."""

    def __init__(self, reason: Reason, *, by_bot: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.by_bot = by_bot


class Match(Value, frozen=True):
    """Two seats playing one game. Everything there is to know, and nothing derived from it."""

    hidden = frozenset({"seed", "state"})

    id: MatchId
    code: str
    options: Options
    seed: bytes
    state: Any
    """The game's; None until the deal."""
    chairs: tuple[Chair, Chair]
    series: Series
    shake: Shake = NO_SHAKE
    version: int = 1
    started: bool = False
    pause: Pause | None = None
    outcome: Outcome | None = None
    next_at: Millis | None = None
    """When the next game of an undecided series starts by itself."""
    next: bool = False
    """The next game has been agreed; the shell seats the same people in it."""

    @property
    def deadline(self) -> Millis | None:
        """The moment at which the next Tick changes something, or a bot's move is due; None: nothing is awaited."""
        if self.outcome is not None:
            return None if self.next else self.next_at
        if self.pause is not None:
            return self.pause.until
        if self.shake.until is not None:
            return self.shake.until
        first, second = self.chairs[0].due, self.chairs[1].due
        if first is None or second is None:
            return second if first is None else first
        return min(first, second)

    @property
    def solo(self) -> Seat | None:
        """The only person's seat where the other is a bot by choice."""
        return next((other(seat) for seat in SEATS if self.chairs[seat].player is None), None)

    @property
    def chance(self) -> Chance:
        """All randomness of this game; secret until it is over."""
        return Chance(deal_key(self.seed, self.shake.nonces))

    def bots_due(self, now: Millis) -> tuple[Seat, ...]:
        """The seats whose bot has to move now."""
        if self.outcome is not None or self.pause is not None:
            return ()
        chairs = self.chairs
        return tuple(s for s in SEATS if chairs[s].driver is BOT and reached(chairs[s].due, now))


def create(
    game: Game[Any],
    match_id: MatchId,
    code: str,
    options: Options,
    players: tuple[tuple[PlayerId | None, str], tuple[PlayerId | None, str]],
    seed: bytes,
    now: Millis,
    *,
    series: Series | None = None,
    start_within: Millis,
    shake_within: Millis | None = None,
) -> Match:
    """Return a match that starts when everybody is seated at once; if that takes over `start_within` ms it is void.

    People then have `shake_within` ms to commit to a nonce, and again to open it, before the deal; None deals now, from
    the seed alone. Players are (id, name) by seat, id None for a bot by choice. Raises BadOptions where the options do
    not fit the game.
    """
    game.check(options)
    chairs = tuple(Chair(player, name, driver=HUMAN if player else BOT) for player, name in players)
    people = (players[0][0] is not None, players[1][0] is not None)
    match = Match(
        id=match_id,
        code=code,
        options=options,
        seed=seed,
        state=None,
        chairs=(chairs[0], chairs[1]),
        series=series or Series(options.games),
        shake=NO_SHAKE if shake_within is None else Shake(people, shake_within),
        pause=Pause(now, now + start_within),
    )
    return _deal(game, match) if shake_within is None else match


def step(game: Game[Any], match: Match, event: Input, now: Millis) -> Match:
    """Return the match after `event` at game time `now`: the same object where nothing changes. Raises Rejected."""
    changed = _apply(game, match, event, now)
    if changed is match:
        return match
    return _settle(game, changed, now, match.version + 1)


def _apply(game: Game[Any], match: Match, event: Input, now: Millis) -> Match:
    match event:
        case Play():  # first, for it is by far the most frequent
            return _play(game, match, event, now)
        case Tick():
            return _tick(match, now)
        case Commit() | Open():
            return _shaken(match, event, now)
        case Connect():
            return _connect(match, event, now)
        case Disconnect():
            return _disconnect(match, event, now)
        case Return():
            chair = _current(match, event.seat, event.connection)
            if match.outcome is not None or chair.driver is HUMAN or chair.back:
                return match
            return _with(match, event.seat, replace(chair, back=True))
        case Leave():
            return _leave(match, event, now)
        case Resign():
            _current(match, event.seat, event.connection)
            _running(match)
            return replace(match, outcome=Outcome(other(event.seat), Termination.RESIGNED))
        case Rematch():
            return _rematch(match, event)
        case _:
            assert_never(event)


def _tick(match: Match, now: Millis) -> Match:
    if not reached(match.deadline, now):
        return match
    if match.outcome is not None:
        return replace(match, next=True)
    if match.pause is not None:
        return _pause_over(match, now)
    if match.shake.until is not None:
        return replace(match, shake=expire(match.shake, now))
    late = tuple(timed_out(chair, now) for chair in match.chairs)
    if late == match.chairs:
        return match
    return replace(match, chairs=(late[0], late[1]))


def _pause_over(match: Match, now: Millis) -> Match:
    if match.started:
        chairs = tuple(replace(chair, driver=BOT, due=None) for chair in match.chairs)
        return replace(match, pause=None, chairs=(chairs[0], chairs[1]))
    if match.series.games and _anyone(match.chairs):
        return _start(match, now)
    return replace(match, outcome=Outcome(None, Termination.VOID))


def _start(match: Match, now: Millis) -> Match:
    return replace(match, pause=None, started=True, shake=begin(match.shake, now))


def _shaken(match: Match, event: Commit | Open, now: Millis) -> Match:
    _current(match, event.seat, event.connection)
    _running(match)
    try:
        if isinstance(event, Commit):
            shake = commit(match.shake, event.seat, event.digest, now)
        else:
            shake = open_nonce(match.shake, event.seat, event.nonce, now)
    except TooLate as error:
        raise Rejected(Reason.STALE) from error
    except BadNonce as error:
        raise Rejected(Reason.ILLEGAL) from error
    return match if shake is match.shake else replace(match, shake=shake)


def _deal(game: Game[Any], match: Match) -> Match:
    return replace(match, state=game.new(match.options, match.solo, match.chance))


def _connect(match: Match, event: Connect, now: Millis) -> Match:
    chair = match.chairs[event.seat]
    if event.connection == chair.connection:
        return match
    if event.connection < chair.connection or chair.player is None:
        raise Rejected(Reason.REPLACED)
    back = chair.driver is BOT
    match = _with(match, event.seat, replace(chair, present=True, connection=event.connection, back=back))
    if match.outcome is not None or match.pause is None:
        return match
    if match.started:
        chairs = tuple(resumed(chair, match.pause, now) for chair in match.chairs)
        return replace(match, pause=None, chairs=(chairs[0], chairs[1]))
    if all(chair.present or chair.player is None for chair in match.chairs):
        return _start(match, now)
    return match


def _disconnect(match: Match, event: Disconnect, now: Millis) -> Match:
    chair = match.chairs[event.seat]
    if event.connection != chair.connection or not chair.present:
        return match
    left = gone(chair)
    if event.node_died and left.due is not None and left.driver is HUMAN:
        left = replace(left, due=max(left.due, now + KEPT_AFTER_OUTAGE))
    return _paused_if_empty(_with(match, event.seat, left), now)


def _leave(match: Match, event: Leave, now: Millis) -> Match:
    chair = _current(match, event.seat, event.connection)
    left = gone(chair)
    if match.outcome is None:
        if not match.started:
            return replace(_with(match, event.seat, left), outcome=Outcome(None, Termination.VOID))
        left = replace(left, driver=BOT, due=None)
    return _paused_if_empty(_with(match, event.seat, left), now)


def _play(game: Game[Any], match: Match, event: Play, now: Millis) -> Match:
    chair = match.chairs[event.seat]
    if event.by is HUMAN:
        _current(match, event.seat, event.connection)
        if event.id and event.id == chair.last_id:
            return match
    _running(match)
    if event.number != chair.number:
        raise Rejected(Reason.STALE, by_bot=chair.last_by is BOT)
    if event.by is not chair.driver:
        raise Rejected(Reason.STALE, by_bot=chair.driver is BOT)
    if match.pause is not None or match.state is None or event.seat not in game.owes(match.state):
        raise Rejected(Reason.NOT_YOUR_TURN)
    if reached(chair.due, now) is (event.by is HUMAN):
        raise Rejected(Reason.STALE, by_bot=True)
    try:
        state = game.play(match.state, event.seat, event.move, event.by, match.chance)
    except IllegalMove as error:
        raise Rejected(Reason.ILLEGAL) from error
    last_id = event.id if event.by is HUMAN else chair.last_id
    due = chair.due if event.by is HUMAN else None
    chair = replace(chair, number=chair.number + 1, last_id=last_id, last_by=event.by, due=due)
    return replace(match, chairs=_seated(match.chairs, event.seat, chair), state=state, outcome=game.outcome(state))


def _rematch(match: Match, event: Rematch) -> Match:
    chair = _current(match, event.seat, event.connection)
    if match.outcome is not None and match.outcome.termination is Termination.VOID:
        raise Rejected(Reason.OVER)
    if match.next or chair.rematch:
        return match
    match = _with(match, event.seat, replace(chair, rematch=True))
    across = match.chairs[other(event.seat)]
    if across.player is not None and not across.rematch:
        return match
    return replace(match, next=True, outcome=match.outcome or Outcome(None, Termination.REDEALT))


def _settle(game: Game[Any], match: Match, now: Millis, version: int) -> Match:
    """Arm and disarm the clocks so that they follow from who owes a move; the last thing of every change."""
    if match.outcome is not None:
        chairs = tuple(replace(chair, due=None, back=False) for chair in match.chairs)
        awaited = match.outcome.counts and not match.series.after(match.outcome).decided
        next_at = (match.next_at or now + NEXT_GAME_AFTER) if awaited else None
        shake = done(match.shake)
        chairs_over = (chairs[0], chairs[1])
        return replace(match, chairs=chairs_over, pause=None, next_at=next_at, shake=shake, version=version)
    if match.pause is None and match.shake.stage is DONE and match.state is None:
        match = _paused_if_empty(_deal(game, match), now)
    if match.pause is not None or match.shake.stage is not DONE:
        return replace(match, version=version)
    owes, turn, pace = game.owes(match.state), game.turn(match.state), game.pace(match.state)
    first = clocked(match.options, match.chairs[0], turn if 0 in owes else None, now, pace)
    second = clocked(match.options, match.chairs[1], turn if 1 in owes else None, now, pace)
    return replace(match, chairs=(first, second), version=version)


def _paused_if_empty(match: Match, now: Millis) -> Match:
    shaking = match.shake.stage is not DONE
    if match.outcome is not None or match.pause is not None or shaking or _anyone(match.chairs):
        return match
    return replace(match, pause=Pause(now, now + match.options.abandon_after * 1000))


def _current(match: Match, seat: Seat, connection: int) -> Chair:
    chair = match.chairs[seat]
    if connection != chair.connection or not chair.present:
        raise Rejected(Reason.REPLACED)
    return chair


def _running(match: Match) -> None:
    if match.outcome is not None:
        raise Rejected(Reason.OVER)


def _anyone(chairs: tuple[Chair, Chair]) -> bool:
    return any(chair.present for chair in chairs)


def _with(match: Match, seat: Seat, chair: Chair) -> Match:
    return replace(match, chairs=_seated(match.chairs, seat, chair))


def _seated(chairs: tuple[Chair, Chair], seat: Seat, chair: Chair) -> tuple[Chair, Chair]:
    return (chair, chairs[1]) if seat == 0 else (chairs[0], chair)
