"""`python -m bench.memory`: whether a node gives back what finished matches took; thousands go by and it is watched.

Each wave opens matches, resigns them and leaves, so that every one is made, seated, stored, finished and forgotten.
"""

import argparse
import asyncio
import json
import statistics
import sys

import uvloop

from bench.cases import twoseat
from bench.load import Load, Player, open_match
from bench.processes import resident_kb

WAVE = 50
_SETTLED = 1.0
"""Seconds for the node to say farewell to a wave."""


class Finished(Player):
    """A player who gives up as soon as the game has been dealt, and leaves when it is over."""

    def __init__(self, load: Load, first: bytes) -> None:
        super().__init__(load, first)
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def heard(self, text: bytes) -> None:
        if text.endswith(b'"type":"results"}'):
            if not self.over.done():
                self.over.set_result(None)
        else:
            super().heard(text)


async def wave(load: Load) -> None:
    """Play one wave of matches to their end."""
    pairs = [await open_match(load, Finished) for _ in range(WAVE)]
    for _, (host, _) in pairs:
        host.say(b'{"type":"resign"}')
    for _, pair in pairs:
        await asyncio.gather(*(player.over for player in pair))
        for player in pair:
            player.leave()


async def run(port: int, node: int, matches: int) -> list[tuple[int, int]]:
    """Return (matches finished so far, KB in use) after each wave."""
    load, seen = Load(port, 0), []
    for finished in range(WAVE, matches + 1, WAVE):
        await wave(load)
        if finished % (matches // 20 or WAVE) < WAVE:
            await asyncio.sleep(_SETTLED)
            seen.append((finished, resident_kb(node)))
            print(f"{finished} of {matches}: {seen[-1][1]} KB   ", end="\r", file=sys.stderr, flush=True)
    return seen


def main() -> None:
    """Read the command line, play, print what the memory did."""
    parser = argparse.ArgumentParser(prog="python -m bench.memory", description=__doc__)
    parser.add_argument("--matches", type=int, default=20_000, help="matches to finish (default: 20000)")
    args = parser.parse_args()
    with twoseat("--retention-days", "0") as (port, pids):
        seen = uvloop.run(run(port, pids[0], args.matches))
    later = seen[len(seen) // 4 :]
    slope = statistics.linear_regression([n for n, _ in later], [kb * 1024 for _, kb in later]).slope
    told = {
        "matches": args.matches,
        "kb_after_a_twentieth": seen[0][1],
        "kb_at_the_end": seen[-1][1],
        "growth": round(seen[-1][1] / seen[0][1] - 1, 4),
        "bytes_a_match": round(slope, 1),
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
