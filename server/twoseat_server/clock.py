"""The game clock of every shard and the alarm of every match this node holds; it knows no rules, and what fires is
the referee's.

Game time is the store's clock (of a cluster, the clock of the shard's master) less all recorded stops. Between sweeps
it runs on by this machine's monotonic clock; when the last sweep of a shard is too old to trust, now() waits for the
next one, so that no outage and no sleep of this process costs a seat time. Where one master of several does not answer,
only its shards stand still.
"""

import asyncio
import heapq
import time
from collections.abc import Callable, Collection

import structlog

from twoseat.chair import Millis
from twoseat.ids import SHARDS, shard_of
from twoseat.match import MatchId
from twoseat_server import metrics
from twoseat_server.store.link import Away, StoreAway
from twoseat_server.store.nodes import STOP_FROM, Nodes, Part

SWEEP_EVERY = 0.1
AWAY_AFTER = 1.0
"""Seconds without a sweep after which players are told that storage is away."""
_STRAY = 64
"""Alarms of no match that may stand beside as many as there are matches before they are cleared away."""
_MS = 1000

log = structlog.get_logger()


class Clock:
    """Sweeps the store, knows game time, and fires alarms."""

    def __init__(self, nodes: Nodes, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._nodes = nodes
        self._monotonic = monotonic
        self._offsets: list[Millis] = [0] * SHARDS
        self._swept_at = [float("-inf")] * SHARDS
        self._swept = asyncio.Event()
        self._alarms: list[tuple[Millis, Millis, MatchId]] = []
        """When to look, by this machine's clock, and the deadline that was the reason: shards differ in their stops."""
        self._halted: dict[int, list[tuple[Millis, MatchId]]] = {}
        """Alarms of shards whose time is not known just now."""
        self._armed: dict[MatchId, Millis] = {}
        self._seen_alive = [monotonic()] * SHARDS
        self.away: dict[int, Away] = {}
        """The shards whose clocks stand still, and why."""
        self.fire: Callable[[MatchId], None] = lambda match_id: None
        self.deadline_of: Callable[[MatchId], Millis | None] = lambda match_id: None
        self.changed: Callable[[Collection[int], bool], None] = lambda shards, away: None
        """Told of shards that storage is away for from now on, or no more."""

    async def now(self, match_id: MatchId) -> Millis:
        """Return game time for this match; waits for a sweep where the last is too old to trust."""
        shard = shard_of(match_id)
        while not self._fresh(shard):
            self._swept.clear()
            await self._swept.wait()
        return self._read(shard)

    def shown(self, match_id: MatchId) -> Millis | None:
        """Return game time to show remaining times by, None while it cannot be known (clocks are shown stopped)."""
        shard, now = shard_of(match_id), self._monotonic()
        if (now - self._swept_at[shard]) * _MS >= STOP_FROM:
            return None
        return int(now * _MS) + self._offsets[shard]

    def arm(self, match_id: MatchId, deadline: Millis) -> None:
        """See to it that `match_id` fires at its deadline. One alarm a match: an earlier one looks again when it goes
        off.
        """
        if deadline < self._armed.get(match_id, deadline + 1):
            self._armed[match_id] = deadline
            self._push(deadline, match_id)

    def disarm(self, match_id: MatchId) -> None:
        """Drop the alarm of a match that is here no more, so that what alarms take follows the matches that are."""
        self._armed.pop(match_id, None)
        if len(self._alarms) > 2 * len(self._armed) + _STRAY:
            self._alarms = [alarm for alarm in self._alarms if self._armed.get(alarm[2]) == alarm[1]]
            heapq.heapify(self._alarms)

    async def run(self) -> None:
        """Sweep and fire until cancelled. A part that is slow to answer holds up no other."""
        under_way: dict[Part, asyncio.Task[None]] = {}
        async with asyncio.TaskGroup() as group:
            while True:
                under_way = {part: task for part, task in under_way.items() if not task.done()}
                for part in self._nodes.parts():
                    if part not in under_way:
                        under_way[part] = group.create_task(self._sweep(part))
                sweep_at = self._monotonic() + SWEEP_EVERY
                while (left := sweep_at - self._monotonic()) > 0:  # noqa: ASYNC110 the awaited thing is time itself
                    await asyncio.sleep(min(left, self._fire_due()))

    async def sweep(self) -> None:
        """Read the store's clocks once, and fire what no other node has fired in time."""
        await asyncio.gather(*(self._sweep(part) for part in self._nodes.parts()))

    async def _sweep(self, part: Part) -> None:
        asked = self._monotonic()
        try:
            swept = await self._nodes.sweep(part)
        except StoreAway as error:
            self._absent(part, error)
            return
        answered = self._monotonic()
        if answered - asked > AWAY_AFTER:
            self._absent(part, StoreAway(Away.UNREACHABLE, "slow"))
            return
        middle = int((asked + answered) / 2 * _MS)
        for shard, stamp in swept.times.items():
            self._offsets[shard] = stamp - swept.stops[shard] - middle
            self._swept_at[shard] = asked  # the stamp may be as old as this: trusted no longer than other nodes do
            self._seen_alive[shard] = answered
            for alarm in self._halted.pop(shard, ()):
                self._push(*alarm)
        self._swept.set()
        if swept.away is not None:
            self._absent([shard for shard in part if shard not in swept.times], swept.away)
        if back := swept.times.keys() & self.away.keys():
            log.warning("storage is back", shards=len(back))
            self.away = {shard: why for shard, why in self.away.items() if shard not in back}
            self.changed(back, False)
        for match_id in swept.due:
            self.fire(match_id)

    def _absent(self, shards: Collection[int], error: StoreAway) -> None:
        now, why = self._monotonic(), error.why
        known = {shard for shard in shards if now - self._seen_alive[shard] > AWAY_AFTER}
        if all(self.away.get(shard) is why for shard in known):
            return
        log.error("storage is away: games stand still until it answers", why=why, said=error.text, shards=len(known))
        new = known - self.away.keys()
        self.away.update(dict.fromkeys(known, why))
        if new:
            self.changed(new, True)

    def _fire_due(self) -> float:
        """Fire due alarms and return the seconds until the next."""
        now = int(self._monotonic() * _MS)
        while self._alarms and self._alarms[0][0] <= now:
            _, deadline, match_id = heapq.heappop(self._alarms)
            shard = shard_of(match_id)
            if self._fresh(shard) and deadline <= self._read(shard):
                self._ring(match_id, deadline)
            else:
                self._push(deadline, match_id)
        return min(SWEEP_EVERY, (self._alarms[0][0] - now) / _MS) if self._alarms else SWEEP_EVERY

    def _push(self, deadline: Millis, match_id: MatchId) -> None:
        shard = shard_of(match_id)
        if self._fresh(shard):
            heapq.heappush(self._alarms, (deadline - self._offsets[shard], deadline, match_id))
        else:
            self._halted.setdefault(shard, []).append((deadline, match_id))

    def _ring(self, match_id: MatchId, alarm: Millis) -> None:
        if self._armed.get(match_id) != alarm:
            return
        del self._armed[match_id]
        deadline = self.deadline_of(match_id)
        if deadline is None:
            return
        if deadline <= alarm:
            metrics.LATE.observe((self._read(shard_of(match_id)) - deadline) / _MS)
            self.fire(match_id)
        else:
            self.arm(match_id, deadline)

    def _fresh(self, shard: int) -> bool:
        return (self._monotonic() - self._swept_at[shard]) * _MS < STOP_FROM

    def _read(self, shard: int) -> Millis:
        return int(self._monotonic() * _MS) + self._offsets[shard]
