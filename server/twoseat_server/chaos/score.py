"""The scoreboard of a chaos run: plain numbers from histories, verdicts and what the players noticed."""

import os
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from twoseat_server.chaos.check import check
from twoseat_server.chaos.history import History, Verdict, Violation
from twoseat_server.chaos.plan import Fault
from twoseat_server.chaos.run import Run

_SHOWN = 20
"""Violations, and people whose clock ran out, told one by one."""


@dataclass(frozen=True, slots=True)
class Score:
    """What a run came to. Times in seconds; None where nothing of the kind happened. `matches` is games, `tables` the
    pairs that played them; `breaks` are lines of players that broke and came back (`resume_…`, from the break to
    seeing the match again); `timeouts` are people whose clock ran out, `timed_out` where; `play_after_store_max_s` is
    how long after the store answered again it was until somebody saw a move; `rejoin_max_s` how long after a cut way
    was mended its node had an answer of the store again; `exit_max_s` how long a node took to end after SIGTERM.
    """

    seed: int
    nodes: int
    tables: int
    kills: int
    stops: int
    restarts: int
    store_kills: int
    store_stops: int
    store_splits: int
    cuts: int
    answers: int
    lines: int
    games: tuple[str, ...]
    seconds: float
    load: float
    matches: int
    matches_finished: int
    acked: int
    lost: int
    doubled: int
    violations: int
    broken: tuple[str, ...]
    timeouts: int
    timed_out: tuple[str, ...]
    late_p99_s: float | None
    breaks: int
    resume_p50_s: float | None
    resume_p99_s: float | None
    resume_max_s: float | None
    degraded_max_s: float | None
    play_after_store_max_s: float | None
    rejoin_max_s: float | None
    exit_max_s: float | None


def score(run: Run, histories: Iterable[History], seconds: float) -> Score:
    """Judge every match and add up."""
    histories = list(histories)
    verdicts = [check(history) for history in histories]
    violations = [violation for verdict in verdicts for violation in verdict.violations]
    struck = Counter(strike.fault for strike in run.faults.struck)
    breaks = [wait for player in run.players for wait in player.breaks]
    late = [wait / 1000 for verdict in verdicts for wait in verdict.late]
    unfinished = {violation.match for violation in violations if violation.rule.name == "UNFINISHED"}
    return Score(
        seed=run.order.seed,
        nodes=run.order.nodes,
        tables=run.order.matches,
        kills=struck[Fault.NODE_KILL],
        stops=struck[Fault.NODE_STOP],
        restarts=struck[Fault.NODE_RESTART],
        store_kills=struck[Fault.STORE_KILL],
        store_stops=struck[Fault.STORE_STOP],
        store_splits=struck[Fault.STORE_SPLIT],
        cuts=struck[Fault.CUT],
        answers=struck[Fault.ANSWER],
        lines=struck[Fault.LINE],
        games=run.order.games,
        seconds=round(seconds, 1),
        load=round(os.getloadavg()[0], 1),
        matches=len(histories),
        matches_finished=len(histories) - len(unfinished),
        acked=sum(verdict.acked for verdict in verdicts),
        lost=sum(verdict.lost for verdict in verdicts),
        doubled=sum(verdict.doubled for verdict in verdicts),
        violations=len(violations),
        broken=tuple(map(_told, violations[:_SHOWN])),
        timeouts=sum(len(verdict.timeouts) for verdict in verdicts),
        timed_out=tuple(_timed_out(histories, verdicts)[:_SHOWN]),
        late_p99_s=_share(late, 0.99),
        breaks=len(breaks),
        resume_p50_s=_share(breaks, 0.5),
        resume_p99_s=_share(breaks, 0.99),
        resume_max_s=_share(breaks, 1.0),
        degraded_max_s=_slowest(run, [player.degraded for player in run.players], after_end=False),
        play_after_store_max_s=_slowest(run, [player.shown for player in run.players], after_end=True),
        exit_max_s=_share(run.faults.exits, 1.0),
        rejoin_max_s=_share([wait for member in run.faults.members if member.way for wait in member.way.returns], 1.0),
    )


def _timed_out(histories: Sequence[History], verdicts: Sequence[Verdict]) -> list[str]:
    return [
        f"{history.match}: version {version}"
        for history, verdict in zip(histories, verdicts, strict=True)
        for version in verdict.timeouts
    ]


def _told(violation: Violation) -> str:
    return f"{violation.match}: {violation.rule}: {violation.text}"


def _slowest(run: Run, moments: Iterable[list[float]], *, after_end: bool) -> float | None:
    """Return the longest wait from an outage's beginning, or end, to the first of these moments after it."""
    found = sorted(moment for each in moments for moment in each)
    waits = []
    for outage in run.faults.outages:
        since = outage.ended if after_end else outage.began
        place = bisect_left(found, since)
        if place < len(found) and (after_end or found[place] < outage.ended):
            waits.append(found[place] - since)
    return _share(waits, 1.0)


def _share(values: Sequence[float], part: float) -> float | None:
    """Return the value that this part of all values does not exceed."""
    if not values:
        return None
    return round(sorted(values)[min(len(values) - 1, int(len(values) * part))], 3)
