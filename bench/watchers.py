"""`python -m bench.watchers`: how much two players feel of hundreds who watch them, in one run: without, with, without.

The server has core 0. The watchers are a process of their own, so that their work does not slow the clock that measures
the two players; both are on core 1.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from bench.processes import LOAD_CORE, free_port, running
from bench.wire import Client
from twoseat.shake import nonce_digest
from twoseat.wire import PROTOCOL_VERSION

NONCE = "5a" * 32
AT_A_TIME = 10
"""Watchers that come together: a server takes only so many codes at once from one address."""


class Talker(Client):
    """A socket that greets, then asks for one thing."""

    def __init__(self, **first: Any) -> None:
        super().__init__("/ws")
        self._first = first
        self.seated = asyncio.get_running_loop().create_future()

    def opened(self) -> None:
        """Greet and ask."""
        self.tell(type="hello", protocol=PROTOCOL_VERSION)
        self.tell(**self._first)

    def tell(self, **message: Any) -> None:
        """Send a message."""
        self.say(json.dumps(message).encode())

    def heard(self, text: bytes) -> None:
        """Note that one sits."""
        if not self.seated.done() and text.endswith(b'"type":"seated"}'):
            self.seated.set_result(None)


class Player(Talker):
    """One of the two: draws at its pace, game after game, and notes how long each draw took to come back."""

    def __init__(self, pace: float, waits: list[float], **first: Any) -> None:
        super().__init__(**first)
        self._pace = pace
        self._waits = waits
        self._sent: tuple[str, float] | None = None
        self._seat = 0
        self.code: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.watchers = 0

    def heard(self, text: bytes) -> None:
        """Do what a player does."""
        now = time.perf_counter()
        super().heard(text)
        message = json.loads(text)
        match message["type"]:
            case "waiting":
                self.code.set_result(message["code"])
            case "seated":
                self._seat, self._sent = message["seat"], None
            case "watchers":
                self.watchers = message["count"]
            case "fair" if message["stage"] == "commit" and message["digests"][self._seat] is None:
                self.tell(type="commit", digest=nonce_digest(NONCE))
            case "fair" if message["stage"] == "open" and message["nonces"][self._seat] is None:
                self.tell(type="open", nonce=NONCE)
            case "results":
                self.tell(type="rematch")
            case "state":
                self._state(message, now)
            case _:
                pass

    def _state(self, state: dict[str, Any], now: float) -> None:
        chair = state["chairs"][self._seat]
        if self._sent is not None and chair["last"] == self._sent[0]:
            self._waits.append(now - self._sent[1])
            self._sent = None
        if state["legal"][self._seat] and self._sent is None:
            self._sent = (f"n{chair['number']}", float("inf"))
            asyncio.get_running_loop().call_later(self._pace, self._draw, chair["number"])

    def _draw(self, number: int) -> None:
        self._sent = (f"n{number}", time.perf_counter())
        self.tell(type="play", id=self._sent[0], number=number, move="draw")


async def connected(port: int, talker: Any) -> Any:
    """Return the talker, on the line."""
    await asyncio.get_running_loop().create_connection(lambda: talker, "127.0.0.1", port)
    return talker


async def watch(port: int, code: str, count: int) -> None:
    """Be so many watchers until standard input ends."""
    for _ in range(0, count, AT_A_TIME):
        lines = (connected(port, Talker(type="watch", code=code)) for _ in range(AT_A_TIME))
        await asyncio.gather(*(talker.seated for talker in await asyncio.gather(*lines)))
    await asyncio.to_thread(sys.stdin.read)


@asynccontextmanager
async def watched(port: int, host: Player, count: int) -> AsyncIterator[None]:
    """So many watchers, all there when the block begins and gone when it is left."""
    command = [sys.executable, "-m", "bench.watchers", "--watch", await host.code, str(port), str(count)]
    process = await asyncio.create_subprocess_exec(*command, stdin=subprocess.PIPE)
    try:
        await until(lambda: host.watchers == count)
        yield
    finally:
        process.kill()
        await process.wait()
        await until(lambda: host.watchers == 0)


async def until(holds: Any) -> None:
    """Wait until it holds, and a moment longer for the dust to settle."""
    while not holds():  # noqa: ASYNC110 other processes come and go
        await asyncio.sleep(0.1)
    await asyncio.sleep(2)


async def measured(waits: list[float], seconds: float) -> dict[str, float]:
    """The players' waits over so many seconds."""
    waits.clear()
    await asyncio.sleep(seconds)
    told = sorted(wait * 1000 for wait in waits)
    shares = {"p50_ms": 0.5, "p99_ms": 0.99, "max_ms": 1.0}
    return {"draws": len(told)} | {
        name: round(told[min(len(told) - 1, int(len(told) * share))], 2) for name, share in shares.items()
    }


async def run(port: int, args: argparse.Namespace) -> dict[str, Any]:
    """Measure without, with and again without watchers; a rematch a game keeps the two drawing."""
    waits: list[float] = []
    pace = 1 / args.rate
    host = await connected(port, Player(pace, waits, type="host", terms={"turn_seconds": 120}))
    guest = await connected(port, Player(pace, waits, type="join", code=await host.code))
    await asyncio.gather(host.seated, guest.seated)
    await asyncio.sleep(3)
    without = [await measured(waits, args.seconds)]
    async with watched(port, host, args.watchers):
        crowd = await measured(waits, args.seconds)
    without.append(await measured(waits, args.seconds))
    grown = crowd["p99_ms"] - max(quiet["p99_ms"] for quiet in without)
    return {"watchers": args.watchers, "without": without, "with": crowd, "p99_grows_ms": round(grown, 2)}


def main() -> None:
    """Read the command line, measure, print one JSON object."""
    parser = argparse.ArgumentParser(prog="python -m bench.watchers", description=__doc__)
    parser.add_argument("--watchers", type=int, default=500)
    parser.add_argument("--rate", type=float, default=2.0, help="draws a second of both together (default: 2)")
    parser.add_argument("--seconds", type=float, default=90.0, help="of each of the three measurements (default: 90)")
    parser.add_argument("--watch", nargs=3, metavar=("CODE", "PORT", "COUNT"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    os.sched_setaffinity(0, {int(LOAD_CORE)})
    if args.watch:
        code, port, count = args.watch
        asyncio.run(watch(int(port), code, int(count)))
        return
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        flags = ("--host", "127.0.0.1", "--port", str(port), "--data", folder, "--log-level", "error")
        with running([sys.executable, "-m", "twoseat_server", "serve", *flags], port):
            print(json.dumps(asyncio.run(run(port, args))))


if __name__ == "__main__":
    main()
