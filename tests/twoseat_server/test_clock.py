"""The game clock of a node by a test's time: trusted for a second after a sweep, alarms never early, away said once."""

import asyncio

import pytest

from twoseat.ids import new_match_id, shard_of
from twoseat.match import MatchId
from twoseat_server.clock import Clock
from twoseat_server.store.link import Away, Link, StoreAway
from twoseat_server.store.nodes import Nodes, Part, Sweep
from virtual import EPOCH, Time


class Told(Nodes):
    """Answers a sweep as a test says, after the time it says."""

    def __init__(self, time: Time) -> None:
        super().__init__(Link("unix:///none"))
        self._time = time
        self.stop = 0
        self.takes = 0
        self.away: Away | None = None
        self.due: tuple[MatchId, ...] = ()
        self.split: tuple[Part, ...] = ()

    def parts(self) -> tuple[Part, ...]:
        """Return the shards of two masters, or all as one store has them."""
        return self.split or super().parts()

    async def sweep(self, part: Part) -> Sweep:
        """Return the test's time as the store's."""
        stamp = self._time.ms
        self._time.ms += self.takes
        if self.away and part == self.parts()[0]:
            raise StoreAway(self.away)
        return Sweep(dict.fromkeys(part, stamp), dict.fromkeys(part, self.stop), self.due)


class Bell:
    """A clock, and what it has done."""

    def __init__(self) -> None:
        self.time = Time()
        self.nodes = Told(self.time)
        self.clock = Clock(self.nodes, self.time.monotonic)
        self.fired: list[MatchId] = []
        self.said: list[tuple[int, bool]] = []
        """How many shards storage was said to be away for, or back."""
        self.deadlines: dict[MatchId, int] = {}
        self.clock.fire = self.fired.append
        self.clock.changed = lambda shards, away: self.said.append((len(shards), away))
        self.clock.deadline_of = self.deadlines.get

    def arm(self, match_id: MatchId, deadline: int) -> None:
        """Let a match have this deadline."""
        self.deadlines[match_id] = deadline
        self.clock.arm(match_id, deadline)

    async def at(self, ms: int) -> list[MatchId]:
        """Move to this game time and return what fires on the way."""
        self.time.ms = EPOCH + ms
        await self.clock.sweep()
        self.clock._fire_due()
        fired, self.fired[:] = list(self.fired), []
        return fired


@pytest.fixture
async def bell() -> Bell:
    bell = Bell()
    await bell.clock.sweep()
    return bell


FIRST, SECOND = new_match_id(), new_match_id()
OTHER = next(made for made in iter(new_match_id, None) if shard_of(made) != shard_of(FIRST))
"""A match in another shard than the first."""


async def test_game_time_is_the_stores_less_its_stops_and_runs_on_between_sweeps(bell: Bell) -> None:
    bell.nodes.stop = 300
    await bell.clock.sweep()
    assert await bell.clock.now(FIRST) == EPOCH - 300
    bell.time.ms += 999
    assert await bell.clock.now(FIRST) == EPOCH + 699
    assert bell.clock.shown(FIRST) == EPOCH + 699


async def test_a_clock_not_swept_for_a_second_is_not_read_until_it_is(bell: Bell) -> None:
    bell.time.ms += 1_000
    assert bell.clock.shown(FIRST) is None
    reading = asyncio.create_task(bell.clock.now(FIRST))
    await asyncio.sleep(0)
    assert not reading.done()
    bell.nodes.stop = 1_000
    await bell.clock.sweep()
    assert await reading == EPOCH


async def test_a_slow_answer_is_trusted_from_when_it_was_asked_for(bell: Bell) -> None:
    bell.nodes.takes = 600
    await bell.clock.sweep()
    bell.time.ms += 399
    assert bell.clock.shown(FIRST) is not None
    bell.time.ms += 1
    assert bell.clock.shown(FIRST) is None


async def test_an_alarm_rings_at_its_time_and_not_before(bell: Bell) -> None:
    bell.arm(FIRST, EPOCH + 500)
    bell.arm(SECOND, EPOCH + 300)
    assert await bell.at(299) == []
    assert await bell.at(300) == [SECOND]
    assert await bell.at(499) == []
    assert await bell.at(700) == [FIRST]
    assert await bell.at(900) == []


async def test_a_deadline_that_moved_is_looked_at_again(bell: Bell) -> None:
    bell.arm(FIRST, EPOCH + 300)
    bell.arm(FIRST, EPOCH + 600)
    assert await bell.at(400) == []
    assert await bell.at(600) == [FIRST]
    bell.arm(FIRST, EPOCH + 900)
    bell.arm(FIRST, EPOCH + 700)
    assert await bell.at(700) == [FIRST]
    assert await bell.at(900) == []


async def test_a_match_that_is_forgotten_rings_no_more(bell: Bell) -> None:
    bell.arm(FIRST, EPOCH + 300)
    del bell.deadlines[FIRST]
    assert await bell.at(300) == []
    bell.arm(FIRST, EPOCH + 500)
    assert await bell.at(500) == [FIRST]


async def test_alarms_of_matches_that_are_gone_take_no_room(bell: Bell) -> None:
    bell.arm(FIRST, EPOCH + 500)
    for _ in range(1_000):
        gone = new_match_id()
        bell.clock.arm(gone, EPOCH + 600_000)
        bell.clock.disarm(gone)
    assert len(bell.clock._alarms) <= 100
    bell.clock.arm(SECOND, EPOCH + 400)
    bell.clock.disarm(SECOND)
    assert await bell.at(600) == [FIRST]


async def test_nothing_rings_while_the_time_cannot_be_known(bell: Bell) -> None:
    bell.arm(FIRST, EPOCH + 500)
    bell.nodes.away = Away.UNREACHABLE
    assert await bell.at(5_000) == []
    bell.nodes.away, bell.nodes.stop = None, 4_900
    assert await bell.at(5_100) == [], "the game clock has stood still"
    assert await bell.at(5_400) == [FIRST]


async def test_what_no_node_fired_in_time_fires_here(bell: Bell) -> None:
    bell.nodes.due = (FIRST, SECOND)
    assert await bell.at(100) == [FIRST, SECOND]


async def test_storage_is_away_after_a_second_and_said_once_each_way(bell: Bell) -> None:
    bell.nodes.away = Away.LOADING
    for ms in (200, 900, 1_000):
        await bell.at(ms)
    assert bell.said == []
    for ms in (1_001, 1_100, 60_000):
        await bell.at(ms)
    assert bell.said == [(64, True)]
    assert set(bell.clock.away.values()) == {Away.LOADING}
    bell.nodes.away = Away.READONLY
    await bell.at(60_100)
    assert bell.said == [(64, True)]
    assert set(bell.clock.away.values()) == {Away.READONLY}
    bell.nodes.away = None
    await bell.at(60_200)
    await bell.at(60_300)
    assert bell.said == [(64, True), (64, False)]
    assert bell.clock.away == {}


async def test_what_one_master_of_two_does_not_answer_stands_still_alone(bell: Bell) -> None:
    away, here = shard_of(FIRST), shard_of(OTHER)
    bell.nodes.split = ((away,), (here,))
    bell.arm(FIRST, EPOCH + 1_500)
    bell.arm(OTHER, EPOCH + 1_600)
    bell.nodes.away = Away.CLUSTER_DOWN
    for ms in (500, 1_000, 1_200):
        assert await bell.at(ms) == []
    assert (bell.said, bell.clock.away) == ([(1, True)], {away: Away.CLUSTER_DOWN})
    assert bell.clock.shown(FIRST) is None
    assert bell.clock.shown(OTHER) == EPOCH + 1_200
    assert await bell.at(1_700) == [OTHER]
    bell.nodes.away = None
    assert await bell.at(1_800) == [FIRST]
    assert (bell.said, bell.clock.away) == ([(1, True), (1, False)], {})


async def test_shards_whose_stops_differ_ring_each_at_its_time(bell: Bell) -> None:
    bell.nodes.split = ((shard_of(FIRST),), (shard_of(OTHER),))
    bell.nodes.stop = 10_000
    await bell.clock._sweep((shard_of(FIRST),))
    bell.arm(FIRST, EPOCH - 9_500)
    bell.arm(OTHER, EPOCH + 300)
    bell.time.ms = EPOCH + 300
    bell.clock._fire_due()
    assert bell.fired == [OTHER]
    bell.time.ms = EPOCH + 500
    bell.clock._fire_due()
    assert bell.fired == [OTHER, FIRST]


async def test_a_store_that_takes_longer_than_a_second_is_away_too(bell: Bell) -> None:
    bell.nodes.takes = 1_100
    await bell.clock.sweep()
    assert bell.said == [(64, True)]
    assert set(bell.clock.away.values()) == {Away.UNREACHABLE}
