"""Plays many matches at once with as little work a draw as it can, and measures: one process, on a core of its own.

It says how much of that core it used, so that a figure it limited itself is known as such. An order comes as JSON on
the command line, the answer goes as JSON to standard output.
"""

import asyncio
import gc
import json
import re
import sys
import time
from dataclasses import dataclass, field
from typing import Any, TypeVar

import uvloop

from bench.processes import cpu_seconds, resident_kb
from bench.wire import Client
from twoseat_client.connection import FRESH, QUIET

_HELLO = b'{"type":"hello","protocol":1}'
_HOST = b'{"type":"host","terms":{"turn_seconds":120}}'
"""Time enough for thousands of matches to be opened before anybody draws."""
_LEGAL = (b'"legal":[["', b'"legal":[[],["')
_NUMBER = re.compile(rb'"number":(\d+)')
_PATIENCE = 30.0


@dataclass(slots=True)
class Tally:
    """What was counted since the warm-up."""

    draws: int = 0
    games: int = 0
    pings: int = 0
    waits: list[float] = field(default_factory=list)


class Load:
    """All players: who may draw does so at once, or (`rate` a second in all) when it is time."""

    def __init__(self, port: int, rate: float, guests_port: int | None = None) -> None:
        self.ports = port, guests_port or port
        """Where hosts and where guests are served; every other match the other way round."""
        self.tally = Tally()
        self.failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._rate = rate
        self._held: list[Player | Echoed] | None = []
        """Who may draw but waits until all matches are open."""
        self._ready: asyncio.Queue[Any] = asyncio.Queue()

    def may_draw(self, player: "Player | Echoed") -> None:
        """A player owes a draw."""
        if self._held is not None:
            self._held.append(player)
        elif self._rate:
            self._ready.put_nowait(player)
        else:
            player.draw()

    def begin(self) -> None:
        """Let play begin."""
        held, self._held = self._held or [], None
        for player in held:
            self.may_draw(player)

    def stored(self, waited: float) -> None:
        """A draw came back."""
        self.tally.draws += 1
        self.tally.waits.append(waited)

    async def pace(self) -> None:
        """Let draws go at the rate asked for."""
        due = time.perf_counter()
        while True:
            player = await self._ready.get()
            due = max(due + 1 / self._rate, time.perf_counter() - 0.05)
            await asyncio.sleep(due - time.perf_counter())
            player.draw()


class Player(Client):
    """A seat at a match: asks for something, then draws whenever it may, and again after the end."""

    def __init__(self, load: Load, first: bytes) -> None:
        super().__init__("/ws")
        self._load = load
        self._first = first
        self._asked_at = 0.0
        self._number = b""
        self._drawing = b""
        """The number of the draw on its way."""
        self._owes = False
        self.seat = -1
        self.code: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.seated: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def opened(self) -> None:
        self.say(_HELLO)
        self.say(self._first)

    def heard(self, text: bytes) -> None:
        if text.startswith(b'{"version"'):
            self._state(text)
        elif text.endswith(b'"type":"seated"}'):
            self.seat = json.loads(text)["seat"]
            self._drawing = b""
            if not self.seated.done():
                self.seated.set_result(None)
        elif text.endswith(b'"type":"waiting"}') and not self.code.done():
            self.code.set_result(json.loads(text)["code"])
        elif text.endswith(b'"type":"results"}'):
            self._load.tally.games += self.seat == 0
            self.say(b'{"type":"rematch"}')
        elif text.endswith((b'"type":"error"}', b'"type":"rejected"}')) and not self._load.failed.done():
            self._load.failed.set_exception(RuntimeError(f"the server says {text.decode()}"))

    def draw(self) -> None:
        self._owes = False
        self._asked_at = time.perf_counter()
        number = self._drawing = self._number
        self.say(b'{"type":"play","id":"%d-%s","number":%s,"move":"draw"}' % (self.seat, number, number))

    def _state(self, text: bytes) -> None:
        if self._drawing and b'"last":"%d-%s"' % (self.seat, self._drawing) in text:
            self._load.stored(time.perf_counter() - self._asked_at)
            self._drawing = b""
        if _LEGAL[self.seat] in text and not self._drawing:
            self._number = _NUMBER.findall(text)[self.seat]
            if not self._owes:
                self._owes = True
                self._load.may_draw(self)


class Pinging(Player):
    """A player who pings as our clients do: after silence, and now and then for the lag she is shown."""

    def opened(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._heard_at = self._loop.time()
        self._pinged_at = self._heard_at + (QUIET - FRESH) / 1000
        super().opened()
        self._look()

    def heard(self, text: bytes) -> None:
        self._heard_at = self._loop.time()
        super().heard(text)

    def _look(self) -> None:
        now = self._loop.time()
        due = min(self._heard_at + QUIET / 1000, self._pinged_at + FRESH / 1000)
        if now >= due:
            self._load.tally.pings += 1
            self._pinged_at, due = now, now + QUIET / 1000
            self.say(b'{"type":"ping","n":1}')
        self._loop.call_at(due, self._look)


PlayerKind = TypeVar("PlayerKind", bound=Player)


class Echoed(Client):
    """A seat at a table of the raw echo: the two take turns, each one's turn being the other's answer."""

    def __init__(self, load: Load, table: int, seat: int) -> None:
        super().__init__(f"/{table}")
        self._load = load
        self._seat = seat
        self._turn = 0
        self._asked_at = 0.0
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def opened(self) -> None:
        self.ready.set_result(None)

    def draw(self) -> None:
        self._asked_at = time.perf_counter()
        self.say(b'{"type":"play","id":"%d-%07d","number":%07d,"move":"draw"}' % (self._seat, self._turn, self._turn))

    def heard(self, text: bytes) -> None:
        mine = self._turn % 2 == self._seat
        self._turn += 1
        if mine:
            self._load.stored(time.perf_counter() - self._asked_at)
        elif self._turn % 2 == self._seat:
            self._load.may_draw(self)


async def open_match(load: Load, kind: type[PlayerKind], n: int = 0) -> tuple[float, tuple[PlayerKind, PlayerKind]]:
    """Seat the `n`th pair by code, and return the seconds from asking for a table to both sitting, and the pair."""
    loop = asyncio.get_running_loop()
    hosts, guests = load.ports if n % 2 == 0 else reversed(load.ports)
    began = time.perf_counter()
    _, host = await loop.create_connection(lambda: kind(load, _HOST), "127.0.0.1", hosts)
    code = await host.code
    join = b'{"type":"join","code":"%s"}' % code.encode()
    _, guest = await loop.create_connection(lambda: kind(load, join), "127.0.0.1", guests)
    await asyncio.gather(host.seated, guest.seated)
    return time.perf_counter() - began, (host, guest)


async def opened_in(load: Load, kind: type[Player], n: int) -> float:
    """Seat the `n`th pair, and return the seconds it took."""
    return (await open_match(load, kind, n))[0]


async def open_table(load: Load, table: int) -> float:
    """Seat a pair at the raw echo, and return the seconds it took."""
    loop = asyncio.get_running_loop()
    began = time.perf_counter()
    pair = Echoed(load, table, 0), Echoed(load, table, 1)
    for player in pair:
        await loop.create_connection(lambda player=player: player, "127.0.0.1", load.ports[0])  # type: ignore[misc]
        await player.ready
    load.may_draw(pair[0])
    return time.perf_counter() - began


async def run(order: dict[str, Any]) -> dict[str, float]:
    """Play for `seconds` after a warm-up and return what was measured; `pids` are the servers, the first one ours.
    `guests_port` is where the other seat of each match is served, if not at `port`; with `pings` the players ping.
    """
    kind = Pinging if order.get("pings") else Player
    load, pids = Load(order["port"], order.get("rate", 0), order.get("guests_port")), order["pids"]
    before = resident_kb(pids[0])
    opened = []
    async with asyncio.timeout(_PATIENCE + order["matches"] / 10):
        for n in range(order["matches"]):
            opening = asyncio.ensure_future(open_table(load, n) if order.get("echo") else opened_in(load, kind, n))
            await asyncio.wait((opening, load.failed), return_when=asyncio.FIRST_COMPLETED)
            if load.failed.done():
                load.failed.result()
            opened.append(await opening)
    idle = resident_kb(pids[0])
    load.begin()
    pacing = asyncio.create_task(load.pace())
    gc.freeze()
    await asyncio.wait((load.failed,), timeout=order["warm_up"])
    load.tally = Tally()
    began, own, theirs = time.perf_counter(), time.process_time(), [cpu_seconds(pid) for pid in pids]
    await asyncio.wait((load.failed,), timeout=order["seconds"])
    took, own = time.perf_counter() - began, time.process_time() - own
    used = [cpu_seconds(pid) - spent for pid, spent in zip(pids, theirs, strict=True)]
    if load.failed.done():
        load.failed.result()
    pacing.cancel()
    tally = load.tally
    waits, opened, draws = sorted(tally.waits) or [0.0], sorted(opened), max(1, tally.draws)
    return {
        "draws": tally.draws,
        "draws_per_s": tally.draws / took,
        "games": tally.games,
        "pings_per_s": tally.pings / took,
        "open_p50_ms": opened[len(opened) // 2] * 1000,
        "p50_ms": waits[len(waits) // 2] * 1000,
        "p99_ms": waits[int(len(waits) * 0.99)] * 1000,
        "generator_share": own / took,
        "server_share": used[0] / took,
        "cpu_us_per_draw": used[0] / draws * 1e6,
        **{f"process_{n}_us_per_draw": seconds / draws * 1e6 for n, seconds in enumerate(used)},
        "store_us_per_draw": sum(used[1:]) / draws * 1e6,
        "kb_per_match_idle": (idle - before) / order["matches"],
        "kb_per_match_active": (resident_kb(pids[0]) - before) / order["matches"],
    }


if __name__ == "__main__":
    print(json.dumps(uvloop.run(run(json.loads(sys.argv[1])))))
