"""The game clock of every shard and the alarm of every match this node holds; it knows no rules, and what fires is
the referee's.

Game time is the store's clock less all recorded stops. Between sweeps it runs on by this machine's monotonic clock;
when the last sweep is too old to trust, now() waits for the next one, so that no outage and no sleep of this process
costs a seat time.
"""

import asyncio
import heapq
import time
from collections.abc import Callable

import structlog

from twoseat.chair import Millis
from twoseat.ids import shard_of
from twoseat.match import MatchId
from twoseat_server import metrics
from twoseat_server.store.link import Away, StoreAway
from twoseat_server.store.nodes import STOP_FROM, Nodes

SWEEP_EVERY = 0.1
AWAY_AFTER = 1.0
"""Seconds without a sweep after which players are told that storage is away."""
_MS = 1000

log = structlog.get_logger()


class Clock:
    """Sweeps the store, knows game time, and fires alarms."""

    def __init__(self, nodes: Nodes, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._nodes = nodes
        self._monotonic = monotonic
        self._offsets: tuple[Millis, ...] = ()
        self._swept_at = float("-inf")
        self._swept = asyncio.Event()
        self._alarms: list[tuple[Millis, MatchId]] = []
        self._armed: dict[MatchId, Millis] = {}
        self._seen_alive = monotonic()
        self.away: Away | None = None
        self.fire: Callable[[MatchId], None] = lambda match_id: None
        self.deadline_of: Callable[[MatchId], Millis | None] = lambda match_id: None
        self.changed: Callable[[Away | None], None] = lambda away: None

    async def now(self, match_id: MatchId) -> Millis:
        """Return game time for this match; waits for a sweep where the last is too old to trust."""
        while not self._fresh():
            self._swept.clear()
            await self._swept.wait()
        return self._read(shard_of(match_id))

    def shown(self, match_id: MatchId) -> Millis | None:
        """Return game time to show remaining times by, None while it cannot be known (clocks are shown stopped)."""
        return self._read(shard_of(match_id)) if self._fresh() else None

    def arm(self, match_id: MatchId, deadline: Millis) -> None:
        """See to it that `match_id` fires at its deadline. One alarm a match: an earlier one looks again when it goes
        off.
        """
        if deadline < self._armed.get(match_id, deadline + 1):
            self._armed[match_id] = deadline
            heapq.heappush(self._alarms, (deadline, match_id))

    async def run(self) -> None:
        """Sweep and fire until cancelled."""
        while True:
            await self.sweep()
            sweep_at = self._monotonic() + SWEEP_EVERY
            while (left := sweep_at - self._monotonic()) > 0:  # noqa: ASYNC110 the awaited thing is time itself
                await asyncio.sleep(min(left, self._fire_due()))

    async def sweep(self) -> None:
        """Read the store's clock once, and fire what no other node has fired in time."""
        asked = self._monotonic()
        try:
            swept = await self._nodes.sweep()
        except StoreAway as error:
            self._absent(error.why)
            return
        answered = self._monotonic()
        if answered - asked > AWAY_AFTER:
            self._absent(Away.UNREACHABLE)
            return
        middle = int((asked + answered) / 2 * _MS)
        self._offsets = tuple(swept.time - stopped - middle for stopped in swept.stops)
        self._swept_at = asked  # the store's stamp may be as old as this: trusted no longer than other nodes do
        self._seen_alive = answered
        self._swept.set()
        if self.away is not None:
            log.warning("storage is back")
            self.away = None
            self.changed(None)
        for match_id in swept.due:
            self.fire(match_id)

    def _absent(self, why: Away) -> None:
        if why is self.away or self._monotonic() - self._seen_alive <= AWAY_AFTER:
            return
        log.error("storage is away: games stand still until it answers", why=why)
        first, self.away = self.away is None, why
        if first:
            self.changed(why)

    def _fire_due(self) -> float:
        """Fire due alarms and return the seconds until the next."""
        if not self._fresh():
            return SWEEP_EVERY
        while self._alarms:
            deadline, match_id = self._alarms[0]
            left = deadline - self._read(shard_of(match_id))
            if left > 0:
                return left / _MS
            heapq.heappop(self._alarms)
            self._ring(match_id, deadline)
        return SWEEP_EVERY

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

    def _fresh(self) -> bool:
        return (self._monotonic() - self._swept_at) * _MS < STOP_FROM

    def _read(self, shard: int) -> Millis:
        return int(self._monotonic() * _MS) + self._offsets[shard]
