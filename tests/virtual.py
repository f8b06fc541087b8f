"""Game time that a test moves, referees of several nodes at one real store that live by it, and matches for them."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from stores import Join, Peer, dealt, seated
from twoseat import record
from twoseat.chair import Millis
from twoseat.games import GAMES
from twoseat.games.game import Move, Options, Seat
from twoseat.inputs import Play
from twoseat.match import Match, MatchId
from twoseat_server.background import Background
from twoseat_server.clock import Clock
from twoseat_server.referee import Referee
from twoseat_server.store.link import Link
from twoseat_server.store.nodes import Nodes, Part, Sweep

EPOCH: Millis = 1_000_000


class Time:
    """`ms` is game time, and every node's monotonic clock too; it moves only when a test sets it."""

    def __init__(self) -> None:
        self.ms = EPOCH

    def monotonic(self) -> float:
        """Return seconds."""
        return self.ms / 1000


class TimedNodes(Nodes):
    """Sweeps the real store, so that an outage is one, and reads the test's time instead of the store's."""

    def __init__(self, link: Link, time: Time) -> None:
        super().__init__(link)
        self._time = time

    async def sweep(self, part: Part) -> Sweep:
        """Return the test's time, with no stops and nothing due."""
        await super().sweep(part)
        return Sweep(dict.fromkeys(part, self._time.ms), dict.fromkeys(part, 0), ())


@dataclass(slots=True)
class Bench:
    """One node's referee, which keeps a copy of every match it has seen, as if it had sockets of each."""

    peer: Peer
    clock: Clock
    referee: Referee
    background: Background
    shown: list[Match]
    fired: list[MatchId]

    async def swept(self) -> None:
        """Look at the clock, as the node does ten times a second."""
        await self.clock.sweep()


def bench(peer: Peer, time: Time) -> Bench:
    """A referee at this node's store."""
    clock, background = Clock(TimedNodes(peer.link, time), time.monotonic), Background()
    referee = Referee(peer.matches, clock, GAMES, background)
    shown: list[Match] = []
    referee.show = shown.extend
    referee.keeps = lambda match_id: True
    return Bench(peer, clock, referee, background, shown, [])


@contextlib.asynccontextmanager
async def benches(join: Join, names: Sequence[str] = "ab", *urls: str) -> AsyncIterator[tuple[Time, list[Bench]]]:
    """Benches of these nodes, all by one time; what is under way has ended when the block does."""
    time = Time()
    peers = [join(name, url) for name, url in zip(names, urls, strict=True)] if urls else [join(name) for name in names]
    found = [bench(peer, time) for peer in peers]
    await asyncio.gather(*(one.swept() for one in found))
    try:
        yield time, found
    finally:
        for one in found:
            await one.background.stop(within=5)


def starter(match: Match) -> Seat:
    return GAMES["war"].owes(match.state)[0]


def draw(match: Match, *, move_id: str = "m") -> Play:
    """The move the match waits for."""
    seat = starter(match)
    chair = match.chairs[seat]
    return Play(seat, chair.number, Move("draw"), connection=chair.connection, id=move_id)


async def begun(at: Peer, now: int, options: Options | None = None, *, bot: bool = False) -> Match:
    """A match whose first draw is owed."""
    return await seated(at, dealt(now, options, bot=bot), now)


async def folded(at: Peer, match: Match) -> Match:
    """What the log makes of the match: each stored input once, in order."""
    return record.fold(GAMES, await at.matches.log(match.id))


def fail_for(match: Match, patch: pytest.MonkeyPatch, where: object, name: str) -> None:
    """Have a function that is given a match fail for this one alone."""
    real = getattr(where, name)

    def fails(*given: Any, **named: Any) -> Any:
        if any(isinstance(one, Match) and one.id == match.id for one in given):
            raise RuntimeError("as planned")
        return real(*given, **named)

    patch.setattr(where, name, fails)
