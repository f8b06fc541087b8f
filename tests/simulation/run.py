"""One simulated run: people play in bad weather, then it clears, everything ends, and the histories are judged."""

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from simulation.loop import PROCESS, NothingLeft, Unexpected
from simulation.people import Crowd
from simulation.wires import Wire
from simulation.world import InOrder, SimulatedListener, SimulatedNews, World
from twoseat.games.game import agreed
from twoseat_server import app, dialogue, drain
from twoseat_server.chaos.check import check
from twoseat_server.chaos.history import History, Violation
from twoseat_server.chaos.player import witnesses_of
from twoseat_server.clock import Clock
from twoseat_server.gateway import Gateway
from twoseat_server.limits import Bucket, Buckets

STORMY = 30.0
"""Virtual seconds of bad weather."""
PATIENCE = {"war": 90.0, "war-online": 900.0}
"""Virtual seconds in which everything must have ended once it is clear: a bot's turn of War Online has many moves."""
ABANDONED = 20
"""Seconds after which the bots finish a match where nobody is."""
FAULT_RATE = 0.01
Plant = Callable[[pytest.MonkeyPatch, World], None]


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a run."""

    histories: tuple[History, ...]
    violations: tuple[Violation, ...]
    failures: tuple[str, ...]
    """What the server or a player's program did not expect."""
    trace: str
    acked: int
    events: int


def simulate(seed: int, plant: Plant | None = None, *, calm: bool = False, game: str = "war") -> Result:
    """Return what comes of this seed at tables of this game, with a mistake planted in server or store; `calm`: without
    bad weather.
    """
    with pytest.MonkeyPatch.context() as patch, capture_logs() as logged:
        world = World(seed)
        _move_in(patch, world)
        if plant is not None:
            plant(patch, world)
        crowd = Crowd(world, game)
        story = Story(world, crowd, PATIENCE[game], calm=calm)
        failures: list[str] = []
        try:
            world.loop.run_until_complete(story.told())
        except NothingLeft:
            failures.append("everybody waits for ever")
        except Unexpected:
            pass  # told below
        finally:
            failures += crowd.failures() + world.loop.failures + story.stuck
            logs = world.logs()
            world.loop.failures = []
            world.loop.finish()
    failures += [
        str(line) for line in logged if line["log_level"] == "error" and "storage is away" not in line["event"]
    ]
    histories = tuple(
        History(
            match,  # type: ignore[arg-type]
            log,
            stored,
            witnesses_of(match, crowd.players),
            late=300 if calm else None,
            outages=tuple(world.away),
        )
        for match, (log, stored) in logs.items()
    )
    verdicts = [check(history) for history in histories]
    violations = tuple(violation for verdict in verdicts for violation in verdict.violations)
    acked = sum(verdict.acked for verdict in verdicts)
    return Result(histories, violations, tuple(failures), world.traced.hexdigest(), acked, story.events)


class Story:
    """What happens in a run, and when."""

    def __init__(self, world: World, crowd: Crowd, patience: float, *, calm: bool) -> None:
        self.events = 0
        self.stuck: list[str] = []
        """Who has not come to an end, and what she heard last."""
        self._world = world
        self._crowd = crowd
        self._chance = world.chance
        self._patience = patience
        self._calm = calm

    async def told(self) -> None:
        world, crowd = self._world, self._crowd
        for _ in range(world.count):
            world.start_node()
        await asyncio.sleep(1.0)
        crowd.sit_down(self._chance.randint(1, 3))
        clear = world.loop.time() + STORMY
        if self._calm:
            await asyncio.sleep(STORMY)
        else:
            world.rate = FAULT_RATE
            while world.loop.time() < clear:
                await asyncio.sleep(self._chance.uniform(0.3, 4))
                self.events += 1
                await self._chance.choice(self.kinds())()
        await self._cleared()
        crowd.last_round()
        ends = world.loop.time() + self._patience
        while not (crowd.all_done() and world.all_over()):
            if world.loop.time() > ends:
                self.stuck = crowd.stuck()
                return
            await asyncio.sleep(1.0)

    def kinds(self) -> list[Callable[[], Any]]:
        """Return what may happen next."""
        return [
            *(self._kill, self._kill, self._pause, self._partition, self._store_dies, self._store_stops, self._jump),
            *(self._line_breaks, self._line_breaks, self._half_open, self._restart, self.tab, self._gone),
        ]

    async def _cleared(self) -> None:
        world = self._world
        world.rate = 0.0
        world.cut.clear()
        world.loop.paused.clear()
        while len(world.running) < world.count:
            world.start_node()
            await asyncio.sleep(2.0)

    def _node(self) -> str | None:
        names = [name for name in self._world.running if name not in self._world.loop.paused]
        return self._chance.choice(names) if names else None

    async def _kill(self) -> None:
        if (name := self._node()) is not None:
            self._world.kill_node(name)
            self._world.loop.later("world", self._chance.uniform(0.5, 4), self._world.start_node)

    async def _restart(self) -> None:
        if (name := self._node()) is not None:
            self._world.stop_node(name)
            self._world.start_node()

    async def _pause(self) -> None:
        if (name := self._node()) is not None:
            self._world.trace("pause", name)
            self._world.loop.paused.add(name)
            self._world.loop.later("world", self._chance.uniform(1, 12), self._world.loop.paused.discard, name)

    async def _partition(self) -> None:
        if (name := self._node()) is not None:
            self._world.cut_off(name)
            self._world.loop.later("world", self._chance.uniform(0.3, 10), self._world.cut.discard, name)

    async def _store_dies(self) -> None:
        await self._outage(stopped=False)

    async def _store_stops(self) -> None:
        await self._outage(stopped=True)

    async def _outage(self, *, stopped: bool) -> None:
        self._world.store_goes(stopped=stopped)
        await asyncio.sleep(self._chance.choice([0.3, 0.8, 2, 7]))
        self._world.store_comes()

    async def _jump(self) -> None:
        self._world.trace("jump")
        self._world.offset += self._chance.choice([-3_600_000, -5_000, 5_000, 3_600_000])

    async def _line_breaks(self) -> None:
        if self._crowd.ends:
            self._crowd.ends[self._chance.choice(list(self._crowd.ends))].abort()

    async def _half_open(self) -> None:
        if self._crowd.ends:
            self._crowd.ends[self._chance.choice(list(self._crowd.ends))].go_deaf()

    async def tab(self) -> None:
        """Let somebody open her match a second time."""
        self._crowd.second_tab()

    async def _gone(self) -> None:
        if self._chance.random() < 0.3:
            self._crowd.gone_for_good()


def _move_in(patch: pytest.MonkeyPatch, world: World) -> None:
    """Let the server live in this world: its links, hints, sockets, clocks and chance."""
    chance = world.chance
    patch.setattr(app, "Link", lambda url, replicas: Wire(world, PROCESS.get()))
    news = type("News", (SimulatedNews,), {"world": world})
    patch.setattr(app, "News", news)
    patch.setattr(app, "Pages", lambda ready, public_url, replay: None)
    patch.setattr(Gateway, "listen", _listen)
    patch.setattr(drain, "_CHANCE", chance)
    patch.setattr(asyncio, "to_thread", _at_once)
    patch.setattr(time, "monotonic", world.loop.time)
    for timed in (Clock, Bucket, Buckets):
        patch.setattr(timed.__init__, "__defaults__", (world.loop.time,))
    patch.setattr(secrets, "token_bytes", chance.randbytes)
    patch.setattr(secrets, "token_hex", lambda count: chance.randbytes(count).hex())
    patch.setattr(secrets, "token_urlsafe", lambda count: chance.randbytes(count).hex()[:43])
    patch.setattr(secrets, "randbelow", chance.randrange)
    patch.setattr(secrets, "choice", chance.choice)
    patch.setattr(dialogue, "agreed", lambda game, asked: replace(agreed(game, asked), abandon_after=ABANDONED))
    patch.setattr("twoseat_server.sessions.Sessions.__init__", _in_order)


async def _listen(gateway: Any) -> SimulatedListener:
    listener = gateway.listener = SimulatedListener()
    return listener


async def _at_once(work: Callable[..., Any], *args: Any) -> Any:
    """Think without a thread, which would not know virtual time."""
    return work(*args)


def _in_order(sessions: Any) -> None:
    sessions.all, sessions._at = InOrder(), {}
