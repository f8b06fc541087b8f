"""`python -m bench.games`: what a move of War Online costs a node, sockets, store and all, beside a draw of War."""

import argparse
import asyncio
import json
from typing import Any

import uvloop

from bench.cases import medians, twoseat
from bench.load import Load, Player
from bench.processes import cpu_seconds
from bench.wire import Client


class Mover(Player):
    """Plays whatever it may: of each list of open moves the last but one, which is seldom the end of a turn."""

    def __init__(self, load: Load, first: bytes) -> None:
        super().__init__(load, first)
        self._move = ""

    def draw(self) -> None:
        """Make the move that was chosen."""
        number = self._number.decode()
        self._owes, self._drawing = False, self._number
        move = {"type": "play", "id": f"{self.seat}-{number}", "number": int(number), "move": self._move}
        self.say(json.dumps(move).encode())

    def _state(self, text: bytes) -> None:
        state: dict[str, Any] = json.loads(text)
        if open_moves := state["legal"][self.seat]:
            self._move = open_moves[max(0, len(open_moves) - 2)].partition("-")[0]
        super()._state(text)


async def run(port: int, node: int, terms: dict[str, Any], matches: int, seconds: float) -> dict[str, float]:
    """Return the node's CPU a move, µs, and moves a second."""
    load, loop = Load(port, 0), asyncio.get_running_loop()
    for _ in range(matches):
        first = json.dumps({"type": "host", "terms": terms}).encode()
        _, host = await loop.create_connection(lambda first=first: Mover(load, first), "127.0.0.1", port)  # type: ignore[misc]
        join = b'{"type":"join","code":"%s"}' % (await host.code).encode()
        _, guest = await loop.create_connection(lambda join=join: Mover(load, join), "127.0.0.1", port)  # type: ignore[misc]
        assert isinstance(guest, Client)
        await asyncio.gather(host.seated, guest.seated)
    load.begin()
    await asyncio.sleep(1)
    moves, spent = load.tally.draws, cpu_seconds(node)
    await asyncio.sleep(seconds)
    moves, spent = load.tally.draws - moves, cpu_seconds(node) - spent
    return {"cpu_us_per_move": spent / max(1, moves) * 1e6, "moves_per_s": moves / seconds}


def main() -> None:
    """Read the command line, measure in turns, print one JSON object."""
    parser = argparse.ArgumentParser(prog="python -m bench.games", description=__doc__)
    parser.add_argument("--matches", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    games: dict[str, dict[str, Any]] = {"war": {"turn_seconds": 120}, "war-online": {"game": "war-online"}}
    found: dict[str, list[dict[str, float]]] = {name: [] for name in games}
    for _ in range(args.rounds):
        for name, terms in games.items():
            with twoseat() as (port, pids):
                found[name].append(uvloop.run(run(port, pids[0], terms, args.matches, args.seconds)))
    told = {name: medians(runs) for name, runs in found.items()}
    ratio = told["war-online"]["cpu_us_per_move"] / told["war"]["cpu_us_per_move"]
    print(json.dumps({**told, "ratio": round(ratio, 2)}))


if __name__ == "__main__":
    main()
