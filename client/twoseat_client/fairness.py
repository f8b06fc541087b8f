"""Holds the server to its word: remembers what was promised before a deal and every round that was shown, and deals the
game again when it is over; pure.

It is the one part of a client that knows rules, and it knows them only to check (docs/fairness.md).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from msgspec import structs, to_builtins

from twoseat import wire
from twoseat.games.game import Options
from twoseat.verify import Check, Dealt, Name, Promise, Report, Share, commitments, dealt, decided_by_deal, shares
from twoseat_client.events import Event, event
from twoseat_client.text import Sentence, say

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Memory:
    """What one client was told of one match."""

    seated: wire.Seated | None = None
    promise: Promise | None = None
    """As it stands; once something was said, it can no longer be taken back."""
    stage: wire.Stage | None = None
    early: bool = False
    """Whether the promise was known before the deal."""
    dealt: bool = False
    broken: bool = False
    """Something that had been said was taken back or came too late."""
    rounds: tuple[wire.Round | wire.Turn, ...] = ()
    pairs: tuple[tuple[int, Pairs], ...] = ()
    """Up cards seen in play, by the number of their round."""
    report: Report | None = None

    @property
    def receipt(self) -> Promise | None:
        """The promise, where it was known before the deal and the deal is made."""
        return self.promise if self.early and self.dealt and self.stage is wire.Stage.DONE else None


Heard = tuple[Memory, tuple[Event, ...]]


def heard(memory: Memory, item: Any) -> Heard:
    """Return the memory after a message, and `fair` events: when the deal is made, and when the game is over."""
    match item:
        case wire.Seated():
            return _seated(memory, item), ()
        case wire.Fair() if memory.seated is not None and item.match == memory.seated.match:
            return _fair(memory, memory.seated, item)
        case wire.State() if memory.seated is not None:
            return _state(memory, item), ()
        case wire.Results() if memory.seated is not None and item.match == memory.seated.match:
            return _results(memory, memory.seated, item)
        case _:
            return memory, ()


def recalled(memory: Memory, promise: Promise | None) -> Memory:
    """Return the memory with a promise that an earlier run of this program saw before the deal."""
    if promise is None or memory.promise is not None or memory.seated is None or promise.match != memory.seated.match:
        return memory
    return replace(memory, promise=promise, stage=wire.Stage.DONE, early=True)


def _seated(memory: Memory, seated: wire.Seated) -> Memory:
    if memory.seated is None or memory.seated.match != seated.match:
        memory = Memory()
    return _shown(replace(memory, seated=seated), seated.rounds)


def _fair(memory: Memory, seated: wire.Seated, fair: wire.Fair) -> Heard:
    known, now = memory.promise, Promise(fair.match, fair.seed_digest, fair.digests, fair.nonces)
    broken = memory.broken or (known is not None and _taken_back(known, memory.stage, now))
    early = memory.early or (known is None and fair.stage is not wire.Stage.DONE)
    fresh = memory.dealt and early and fair.stage is wire.Stage.DONE and memory.stage is not wire.Stage.DONE
    memory = replace(memory, promise=known if broken and known else now, stage=fair.stage, early=early, broken=broken)
    if not fresh:
        return memory, ()
    put_in = shares(seated.bots, fair.digests, fair.nonces)
    data = {"seed_digest": fair.seed_digest, "digests": list(fair.digests), "nonces": list(fair.nonces)}
    says = tuple(_missing(seated, put_in))
    return memory, (event("fair", *says, stage="dealt", match=fair.match, shares=list(put_in), **data),)


def _taken_back(known: Promise, stage: wire.Stage | None, now: Promise) -> bool:
    """Whether what was said has changed, or something was added after its time."""
    if known.seed_digest != now.seed_digest:
        return True
    closed = {wire.Stage.OPEN, wire.Stage.DONE}
    for before, after, late in (
        (known.digests, now.digests, stage in closed),
        (known.nonces, now.nonces, stage is wire.Stage.DONE),
    ):
        if any(new != old and (late or old is not None) for old, new in zip(before, after, strict=True)):
            return True
    return False


def _missing(seated: wire.Seated, put_in: tuple[Share, Share]) -> Iterator[Sentence]:
    """Return what a player should know of a deal that does not hold both shares."""
    for seat in (0, 1):
        if put_in[seat] in {Share.IN, Share.BOT}:
            continue
        if seat == seated.seat:
            yield say("verify.say.mine_missing")
        else:
            withheld = put_in[seat] is Share.WITHHELD
            yield say("verify.say.withheld" if withheld else "verify.say.silent", name=seated.names[seat])


def _state(memory: Memory, state: wire.State) -> Memory:
    memory = _shown(memory, state.rounds)
    memory = replace(memory, dealt=memory.dealt or state.phase in {"playing", "paused"})
    if not state.rounds or not memory.rounds or not isinstance(state.view, wire.WarView) or not state.view.pairs:
        return memory
    return replace(memory, pairs=(*memory.pairs, (memory.rounds[-1].n, state.view.pairs)))


def _faceless(line: wire.Round | wire.Turn) -> wire.Round | wire.Turn:
    """Return what of a round stays as it was shown: not the faces, nor battles, which may be forgotten."""
    return (
        structs.replace(line, cards=None)
        if isinstance(line, wire.Round)
        else structs.replace(line, card=None, battles=())
    )


def _shown(memory: Memory, rounds: wire.Rounds) -> Memory:
    known, broken = memory.rounds, memory.broken
    for line in rounds:
        faceless = _faceless(line)
        if line.n == len(known) + 1:
            known = (*known, faceless)
        elif line.n < 1 or (line.n <= len(known) and known[line.n - 1] != faceless):
            broken = True
    return replace(memory, rounds=known, dealt=memory.dealt or bool(known), broken=broken)


def _results(memory: Memory, seated: wire.Seated, results: wire.Results) -> Heard:
    if memory.report is not None or memory.promise is None or not memory.dealt:
        return memory, ()
    promise = memory.promise
    checks: tuple[Check, ...] = (
        Check(Name.PROMISE, not memory.broken),
        *commitments(results.seed, promise.seed_digest, promise.digests, promise.nonces),
    )
    whole = decided_by_deal(seated.options.game)
    if whole and all(check.ok for check in checks):
        options = Options(game=seated.options.game, preset=seated.options.preset, target=seated.options.target)
        game = dealt(options, seated.bots, results.seed, promise.nonces)
        checks = (*checks, _course(memory, game), _outcome(results, game))
    report = Report(seated.match, checks, shares(seated.bots, promise.digests, promise.nonces))
    return replace(memory, report=report), (_told(memory, report, whole=whole),)


def _course(memory: Memory, game: Dealt) -> Check:
    for told in memory.rounds:
        if not _same(told, game, cards=False):
            return Check(Name.COURSE, ok=False, round=told.n)
    for number, pairs in memory.pairs:
        if number > len(game.views) or game.views[number - 1].pairs != pairs:
            return Check(Name.COURSE, ok=False, round=number)
    return Check(Name.COURSE, ok=True)


def _outcome(results: wire.Results, game: Dealt) -> Check:
    rounds: Sequence[wire.Round | wire.Turn] = results.rounds
    for number, told in enumerate(rounds, 1):
        if told.n != number or not _same(told, game, cards=True):
            return Check(Name.RESULT, ok=False, round=number)
    given_up = results.outcome.termination in {wire.Termination.RESIGNED, wire.Termination.REDEALT}
    whole = len(results.rounds) == len(game.rounds) and results.outcome == game.outcome
    return Check(Name.RESULT, ok=whole or given_up)


def _same(told: wire.Round | wire.Turn, game: Dealt, *, cards: bool) -> bool:
    if told.n > len(game.rounds):
        return False
    line = structs.replace(game.rounds[told.n - 1], by=told.by)
    return bool((line if cards else structs.replace(line, cards=None)) == told)


def _told(memory: Memory, report: Report, *, whole: bool) -> Event:
    says: tuple[Sentence, ...] = ()
    if not report.verified:
        says = (say("verify.say.bad"), *(failure(check) for check in report.checks if not check.ok))
    elif not whole:
        says = (say("verify.say.part", match=report.match),)
    elif memory.early and memory.rounds:
        says = (say("verify.say.ok", count=len(memory.rounds)),)
    elif memory.rounds:
        says = (say("verify.say.late", count=len(memory.rounds)),)
    checks = [to_builtins(check) for check in report.checks]
    data = {"verified": report.verified, "early": memory.early, "checks": checks, "shares": list(report.shares)}
    return event("fair", *says, stage="over", match=report.match, **data)


def failure(check: Check) -> Sentence:
    """Return in words which check failed, and where that is known from which round on."""
    sentence = say(f"verify.{check.name}.bad")
    return sentence if check.round is None else say("verify.from_round", n=check.round, why=sentence)
