"""The rules about what is seen: a monotone part of the log, exactly its views, every round once, no seed too soon."""

import json
from typing import Any

from twoseat import views, wire
from twoseat.games.game import Seat
from twoseat_server.chaos.history import Rule
from twoseat_server.chaos.tale import Account, Broken, Tale

Told = dict[str, Any]


def judged_sights(tale: Tale, account: Account, number: int, broken: Broken) -> None:
    """Judge all that one witness heard at this match."""
    sight = _Sight(tale, f"witness {number}", broken)
    seed = tale.last.seed.hex()
    for seat, spoken, message in account:
        if not spoken.heard:
            continue
        if seed in spoken.text and message["type"] != "results":
            broken(Rule.SECRET, f"witness {number}: in {message['type']}")
        match message["type"]:
            case "seated":
                sight.seated(message)
            case "state":
                sight.state(seat, message)
            case "fair":
                sight.fair(message)
            case "results":
                sight.results(message)
            case _:
                pass


class _Sight:
    """What one witness has seen so far."""

    def __init__(self, tale: Tale, who: str, broken: Broken) -> None:
        self._tale = tale
        self._who = who
        self._broken = broken
        self._version = 0
        self._rounds = 0
        self._seated: Told | None = None
        """A `seated` whose version the `state` behind it will tell."""

    def seated(self, message: Told) -> None:
        self._seated = message
        self._rounds = len(message["rounds"])

    def state(self, seat: Seat | None, message: Told) -> None:
        version = message["version"]
        if version < self._version:
            self._broken(Rule.BACKWARD, f"{self._who}: {version} after {self._version}")
        self._version = max(version, self._version)
        match = self._tale.matches.get(version)
        if match is None:
            self._broken(Rule.VIEW, f"{self._who}: version {version}, which was never stored")
            return
        if self._seated is not None:
            self._compare(version, self._seated, views.seated(self._tale.game, match, seat))
            self._seated = None
        expected = views.state(self._tale.game, match, None, seat, self._rounds)
        self._rounds += len(message["rounds"])
        if self._rounds != views.rounds(self._tale.game, match):
            self._broken(Rule.ROUNDS, f"{self._who}: knows {self._rounds} at version {version}")
            self._rounds = views.rounds(self._tale.game, match)
            return
        self._compare(version, _timeless(message), expected)

    def fair(self, message: Told) -> None:
        if (match := self._tale.matches.get(self._version)) is not None:
            self._compare(self._version, {**message, "left": None}, views.fair(match, None))

    def results(self, message: Told) -> None:
        match = self._tale.matches.get(self._version)
        expected = None if match is None else views.results(self._tale.game, match)
        if expected is None:
            self._broken(Rule.SECRET, f"{self._who}: results at version {self._version}, before the end")
        else:
            self._compare(self._version, message, expected)

    def _compare(self, version: int, seen: Told, expected: Any) -> None:
        wanted = json.loads(wire.encode(expected))
        if seen != wanted:
            parts = sorted(name for name in seen.keys() | wanted.keys() if seen.get(name) != wanted.get(name))
            self._broken(Rule.VIEW, f"{self._who}: {seen['type']} at version {version} differs in {', '.join(parts)}")


def _timeless(state: Told) -> Told:
    """Return a state without the times left, which depend on when it was sent."""
    return {**state, "chairs": [{**chair, "due": None} for chair in state["chairs"]], "next_in": None}
