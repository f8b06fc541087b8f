"""Wall clocks that jump, in real processes: the store's and the nodes', by five seconds and by an hour, forth and back.

A library of a few lines is preloaded into them (shifted.c), so this needs Linux and a C compiler. Not part of the test
run; start it with `python -m pytest tests/long/clocks.py -s`, which prints what came of it.
"""

import asyncio
import mmap
import random
import struct
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from twoseat_server.chaos.plan import Strike
from twoseat_server.chaos.run import Order, Run
from twoseat_server.chaos.score import score
from twoseat_server.store.link import Link

pytestmark = pytest.mark.timeout(1800)
JUMPS = (5, -5, 3_600, -3_600, -5, 3_600, 5, -3_600)
"""Seconds; whose clock it is that jumps, a seed decides."""
SEED = 1


@pytest.fixture
def shifts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> mmap.mmap:
    """How much the clocks of all processes started from now on are off: two numbers, the store's and the nodes'."""
    library, numbers = tmp_path / "shifted.so", tmp_path / "shifts"
    source = Path(__file__).with_name("shifted.c")
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    numbers.write_bytes(struct.pack("2q", 0, 0))
    monkeypatch.setenv("LD_PRELOAD", str(library))
    monkeypatch.setenv("TWOSEAT_SHIFTS", str(numbers))
    with numbers.open("r+b") as file:
        return mmap.mmap(file.fileno(), 16)


async def jump(shifts: mmap.mmap) -> list[tuple[str, int]]:
    """Let one clock after the other jump, with some time to play between."""
    chance = random.Random(SEED)
    jumped, off = [], [0, 0]
    for seconds in (*JUMPS, *JUMPS):
        await asyncio.sleep(chance.uniform(2, 4))
        whose = chance.randrange(2)
        off[whose] += seconds
        shifts[:] = struct.pack("2q", *off)
        jumped.append((("store", "nodes")[whose], seconds))
    await asyncio.sleep(5)
    return jumped


async def test_no_jump_of_a_wall_clock_costs_anybody_a_move_or_a_seat(
    tmp_path: Path, shifts: mmap.mmap, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run(Order(3, 10, SEED, (), 0.3, 120.0, ("war", "war-online")), tmp_path)
    jumped = []

    async def strike_all(strikes: Sequence[Strike]) -> None:
        jumped.extend(await jump(shifts))
        link = Link(run._store)
        told = int((await link.run("TIME"))[0])
        await link.close()
        off, _ = struct.unpack("2q", shifts[:])
        assert told - time.time() == pytest.approx(off, abs=3), "the store believes its clock"

    monkeypatch.setattr(run.faults, "strike_all", strike_all)
    found = score(run, await run.play(), 0.0)
    print("\n", ", ".join(f"{whose} {seconds:+}" for whose, seconds in jumped))
    print(found)
    assert found.violations == found.timeouts == found.breaks == 0
    assert found.acked > 100
    lines = (tmp_path / "n0.log").read_text().splitlines()
    assert len({line[:13] for line in lines}) > 1, "the clock of the log has jumped by an hour"
