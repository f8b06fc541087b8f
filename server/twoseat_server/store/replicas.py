"""Answers that are passed on once replicas have what was written; it knows no connection.

WAIT counts the replicas that have all that its own connection wrote before. One goes behind all calls of a write; until
it is answered their answers are kept. Where too few replicas have it in time, what the calls did is there, but may be
lost with its master: whoever sent them hears that the outcome is unknown, and looks.
"""

from collections.abc import Sequence
from typing import Any

from redis import exceptions

from twoseat_server.store.line import Call, command

_WITHIN = 500
"""Milliseconds the replicas have: less than an answer may take."""


def confirmed(calls: Sequence[Call], replicas: int) -> list[Call]:
    """Return calls to send in place of these: the same, and a WAIT for so many replicas behind them."""
    wait = _Wait(replicas)
    return [*(wait.kept(call) for call in calls), wait]


class _Wait:
    """A WAIT, and the answers that wait for it."""

    def __init__(self, replicas: int) -> None:
        self.packed = command(("WAIT", replicas, _WITHIN))
        self._replicas = replicas
        self._kept: list[_Kept] = []

    def kept(self, call: Call) -> "_Kept":
        """Return a call whose answer is kept until this one is answered."""
        self._kept.append(_Kept(call))
        return self._kept[-1]

    def answered(self, answer: Any) -> None:
        """Let the answers go, or the outage in their place."""
        failure: Exception | None = None
        if isinstance(answer, Exception):
            failure = answer
        elif answer < self._replicas:
            failure = exceptions.ResponseError(f"NOREPLICAS {answer} of {self._replicas} have it")
        for kept in self._kept:
            kept.let_go(failure)


class _Kept:
    """A call whose answer is kept."""

    def __init__(self, call: Call) -> None:
        self.packed = call.packed
        self._call = call
        self._answer: Any = None

    def answered(self, answer: Any) -> None:
        self._answer = answer

    def let_go(self, failure: Exception | None) -> None:
        """Pass the answer on. One that says that nothing was done needs no replica."""
        refused = isinstance(self._answer, exceptions.ResponseError)
        self._call.answered(self._answer if failure is None or refused else failure)
