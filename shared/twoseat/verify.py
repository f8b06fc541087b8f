"""Whether a finished game was what had been promised before its deal: named checks of a replay, or of what one was
shown; it believes nothing it is told and knows no server.

docs/fairness.md says what each check proves.
"""

from enum import StrEnum
from itertools import zip_longest
from typing import Any

from msgspec.structs import replace

from twoseat import rerun, views
from twoseat.fair import Chance
from twoseat.games import GAMES
from twoseat.games.game import SEATS, Driver, Options, Outcome, Seat, other
from twoseat.match import Match
from twoseat.replay import Replay
from twoseat.shake import deal_key, nonce_digest, seed_digest
from twoseat.values import Value

Said = tuple[str | None, str | None]
"""Digests or nonces in hex by seat, None where nothing was said."""
_DECIDED_BY_DEAL = frozenset({"war"})
"""Games where nobody ever chooses, so that the deal alone gives the whole course."""


class Share(StrEnum):
    """What a seat put into the deal."""

    IN = "in"
    WITHHELD = "withheld"
    """A commitment, but no nonce: said openly, because who also runs the server may have chosen so."""
    SILENT = "silent"
    BOT = "bot"


class Name(StrEnum):
    """What is checked."""

    PROMISE = "promise"
    """Seed digest, digests and nonces are the ones this program saw before the deal."""
    SEED = "seed"
    """The seed is the one committed to."""
    NONCES = "nonces"
    """Each nonce is the one its seat committed to, and the log tells of the same."""
    COURSE = "course"
    """Deal, starters and all that was shown follow from seed, nonces and log."""
    RESULT = "result"
    """So do the outcome and all rounds."""


class Check(Value, frozen=True):
    """One check; `round` is the first round in which something is wrong, where that is known."""

    name: Name
    ok: bool
    round: int | None = None


class Report(Value, frozen=True):
    """All checks of one game, and what each seat put into its deal."""

    match: str
    checks: tuple[Check, ...]
    shares: tuple[Share, Share]

    @property
    def verified(self) -> bool:
        """Whether all checks hold."""
        return all(check.ok for check in self.checks)


class Promise(Value, frozen=True):
    """What a program was shown until the deal, and keeps to hold the end against."""

    match: str
    seed_digest: str
    digests: Said
    nonces: Said


class Dealt(Value, frozen=True):
    """A whole game as its deal gives it: every round with faces, what lay on the table after each (a view), the end."""

    rounds: tuple[Any, ...]
    views: tuple[Any, ...]
    outcome: Outcome


def verify(replay: Replay, promise: Promise | None = None) -> Report:
    """Return the checks of a replay, `promise` among them where there is one. Raises BadReplay."""
    checks: tuple[Check, ...] = commitments(replay.seed, replay.seed_digest, replay.digests, replay.nonces)
    if promise is not None:
        now = Promise(replay.match, replay.seed_digest, replay.digests, replay.nonces)
        checks = (Check(Name.PROMISE, promise == now), *checks)
    last, course = _course(replay)
    told = (last.shake.digests, last.shake.nonces)
    same_words = told == (_written(replay.digests), _written(replay.nonces))
    checks = tuple(replace(c, ok=c.ok and same_words) if c.name is Name.NONCES else c for c in checks)
    return Report(
        replay.match, (*checks, course, _result(replay, last)), shares(replay.bots, replay.digests, replay.nonces)
    )


def commitments(seed: str, digest: str, digests: Said, nonces: Said) -> tuple[Check, Check]:
    """Return whether the seed and every nonce that was opened are those committed to."""
    try:
        seed_fits = seed_digest(bytes.fromhex(seed)) == digest
        nonces_fit = all(n is None or nonce_digest(n) == digests[seat] for seat, n in enumerate(nonces))
    except ValueError:  # no hexadecimal number at all
        seed_fits = nonces_fit = False
    return Check(Name.SEED, seed_fits), Check(Name.NONCES, nonces_fit)


def shares(bots: tuple[bool, bool], digests: Said, nonces: Said) -> tuple[Share, Share]:
    """Return what each seat put into the deal."""

    def share(seat: Seat) -> Share:
        if nonces[seat] is not None:
            return Share.IN
        if bots[seat]:
            return Share.BOT
        return Share.SILENT if digests[seat] is None else Share.WITHHELD

    return share(0), share(1)


def decided_by_deal(game: str) -> bool:
    """Whether `dealt` can tell the whole course of this game."""
    return game in _DECIDED_BY_DEAL


def dealt(options: Options, bots: tuple[bool, bool], seed: str, nonces: Said) -> Dealt:
    """Return the whole game as the deal gives it, for games that are decided by it.

    Who made a move is not known here: a person is named everywhere.
    """
    game = GAMES[options.game]
    chance = Chance(deal_key(bytes.fromhex(seed), _written(nonces)))
    solo = next((other(seat) for seat in SEATS if bots[seat]), None)
    state = game.new(options, solo, chance)
    rounds: list[Any] = []
    views_after: list[Any] = []
    while (outcome := game.outcome(state)) is None:
        seat = game.owes(state)[0]
        state = game.play(state, seat, game.legal(state, seat)[0], Driver.HUMAN, chance)
        if fresh := game.history(state, len(rounds), faces=True):
            rounds += fresh
            views_after.append(game.view(state, None))
    return Dealt(tuple(rounds), tuple(views_after), outcome)


def _course(replay: Replay) -> tuple[Match, Check]:
    """Return the match as far as the log can be followed, and whether all that was shown follows."""
    matches = rerun.fold(replay)
    game = GAMES[replay.options.game]
    shown = rerun.states(game, matches, replay.times[: len(matches)])
    for number, (ours, theirs) in enumerate(zip_longest(shown, replay.states)):
        if ours != theirs:
            before = matches[min(max(0, number - 1), len(matches) - 1)]
            return matches[-1], Check(Name.COURSE, ok=False, round=views.rounds(game, before) + 1)
    return matches[-1], Check(Name.COURSE, ok=True)


def _result(replay: Replay, last: Match) -> Check:
    game = GAMES[replay.options.game]
    ours, theirs = rerun.rounds(game, last), list(replay.rounds)
    for number, (own, told) in enumerate(zip_longest(ours, theirs), 1):
        if own != told:
            return Check(Name.RESULT, ok=False, round=number)
    return Check(Name.RESULT, ok=last.outcome == replay.outcome)


def _written(said: Said) -> tuple[str, str]:
    return said[0] or "", said[1] or ""
