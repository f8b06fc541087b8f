"""Judges the history of a match: a pure function that knows the rules of stored matches, and no socket, store or clock.

What was acknowledged, seen and stored is compared with the log played again from its first entry. Some rules are
stated a second time from the log's times alone, so that a fault in step() cannot excuse itself.
"""

from twoseat_server.chaos.history import History, Rule, Verdict, Violation
from twoseat_server.chaos.moves import judge_places, judged_moves
from twoseat_server.chaos.sights import judged_sights
from twoseat_server.chaos.tale import account_of, judged_times, told


def check(history: History) -> Verdict:
    """Return the verdict on one match."""
    found: list[Violation] = []

    def broken(rule: Rule, text: str) -> None:
        found.append(Violation(history.match, rule, text))

    tale = told(history, broken)
    if tale is None:
        return Verdict(tuple(found), 0, 0, 0, (), ())
    late, timeouts = judged_times(tale, history.late, broken)
    accounts = [account_of(tale, witness) for witness in history.witnesses]
    acked = judged_moves(tale, accounts, history.outages, broken)
    judge_places(accounts, history.witnesses, broken)
    for number, account in enumerate(accounts):
        judged_sights(tale, account, number, broken)
    if history.over and tale.last.outcome is None:
        broken(Rule.UNFINISHED, f"stands at version {tale.last.version}")
    rules = [violation.rule for violation in found]
    return Verdict(tuple(found), acked, rules.count(Rule.LOST), rules.count(Rule.DOUBLED), timeouts, late)
