"""What is measured, one function a case: start a server, play, return figures by name; it prints nothing."""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import redis

from bench.processes import LOAD_CORE, SERVER_CORE, children, free_port, pin, running
from twoseat_server.store.embedded import server_binary

Figures = dict[str, float]
_UNLIMITED = "1000000"
_WRITES = 20_000
_PATIENCE = 300
"""Seconds for opening all matches and closing them, beside what is measured."""


@contextmanager
def twoseat(*flags: str, store_core: str = SERVER_CORE) -> Iterator[tuple[int, list[int]]]:
    """Run a node on the server's core with its embedded store, there too or on another; give its port and the
    processes, the node first.
    """
    with tempfile.TemporaryDirectory(prefix="twoseat-bench-") as folder, _node("--data", folder, *flags) as (port, pid):
        stores = children(pid)
        for store in stores:
            pin(store, store_core)
        yield port, [pid, *stores]


@contextmanager
def _node(*flags: str) -> Iterator[tuple[int, int]]:
    port = free_port()
    limits = ("--max-matches", _UNLIMITED, "--moves-per-second", _UNLIMITED, "--log-level", "warning")
    command = (sys.executable, "-m", "twoseat_server", "serve", "--host", "127.0.0.1", "--port", str(port))
    with running((*command, *limits, *flags), port) as pid:
        yield port, pid


@contextmanager
def two_nodes() -> Iterator[tuple[int, int, list[int]]]:
    """Run two nodes at one store on the server's core; give their ports and the processes, the store last."""
    with (
        _store() as (store, pid),
        _node("--redis", f"redis://127.0.0.1:{store}", "--node", "a") as (first, one),
        _node("--redis", f"redis://127.0.0.1:{store}", "--node", "b") as (second, two),
    ):
        yield first, second, [one, two, pid]


@contextmanager
def _store() -> Iterator[tuple[int, int]]:
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="twoseat-bench-") as folder:
        flags = ("--port", str(port), "--dir", folder, "--appendonly", "yes", "--save", "")
        with running((str(server_binary()), *flags), port) as pid:
            yield port, pid


def load(port: int, pids: list[int], **order: Any) -> Figures:
    """Play from the other core. Raises RuntimeError with what the generator says where it fails."""
    text = json.dumps({"port": port, "pids": pids, **order})
    command = ["taskset", "-c", LOAD_CORE, sys.executable, "-m", "bench.load", text]
    patience = _PATIENCE + order["seconds"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=patience, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    figures: Figures = json.loads(done.stdout)
    return figures


def saturated(matches: int, seconds: float, store_core: str = SERVER_CORE) -> Figures:
    """As many draws as the node can."""
    with twoseat(store_core=store_core) as (port, pids):
        return load(port, pids, matches=matches, warm_up=3, seconds=seconds)


def paced(matches: int, seconds: float, rate: float) -> Figures:
    """So many draws a second in all."""
    with twoseat() as (port, pids):
        return load(port, pids, matches=matches, warm_up=2, seconds=seconds, rate=rate)


def echo(matches: int, seconds: float) -> Figures:
    """The same turns on websockets' own server, without any game or store."""
    port = free_port()
    with running((sys.executable, "-m", "bench.echo", str(port)), port) as pid:
        return load(port, [pid], matches=matches, warm_up=1, seconds=seconds, echo=True)


def bare(rung: str, matches: int, seconds: float) -> Figures:
    """The same turns on our transport, with nothing but the parts of a draw up to this one of `bench.rungs`."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="twoseat-bench-") as folder:
        command = (sys.executable, "-m", "bench.bare", str(port), rung, folder)
        with running(command, port) as pid:
            return load(port, [pid, *children(pid)], matches=matches, warm_up=3, seconds=seconds, echo=True)


def cold_start() -> Figures:
    """Seconds from starting the program to two people sitting."""
    began = time.monotonic()
    with twoseat() as (port, pids):
        listening = time.monotonic() - began
        load(port, pids, matches=1, warm_up=0, seconds=0)
        return {"listening_s": listening, "seated_s": time.monotonic() - began}


def pipeline(batch: int = 50) -> Figures:
    """A plain redis-py pipeline: one hash and one list written for each draw, CPU of this side and seconds."""
    with _store() as (port, _), redis.Redis(port=port) as client:
        state, entry = b"s" * 900, b"e" * 120
        began = time.process_time()
        for _ in range(_WRITES // batch):
            pipe = client.pipeline(transaction=False)
            for match in range(batch):
                pipe.hset(f"match:{match}", mapping={"v": 1, "d": state})
                pipe.rpush(f"log:{match}", entry)
            pipe.execute()
        return {"cpu_us_per_draw": (time.process_time() - began) / _WRITES * 1e6}


def peer(folder: Path, name: str, seconds: float, rate: float = 0, matches: int = 200) -> Figures:
    """Another server under its own client: `coly` (each draw shown at once) or `bgio` (in memory)."""
    program, drive, mode = {
        "coly": ("server.mjs", "drive.mjs", ("immediate",)),
        "bgio": ("server.cjs", "drive.cjs", ()),
    }[name]
    port, cwd = free_port(), folder / "servers" / name
    order = {"matches": matches, "dur": seconds, "warm": 2, "rate": rate, "lean": True}
    with running(("node", program, str(port), *mode), port, cwd=cwd) as pid:
        time.sleep(0.5)
        server = next(iter(children(pid)), pid)  # the `node` of a Python package starts the real one
        command = ["taskset", "-c", LOAD_CORE, "node", drive, str(port), str(server), json.dumps(order)]
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    told = json.loads(done.stdout)
    return {
        "draws_per_s": told["tps"],
        "cpu_us_per_draw": told["srv_cpu_us_per_turn"],
        "p50_ms": told["p50_ms"],
        "p99_ms": told["p99_ms"],
        "open_p50_ms": told["create_join_ms_p50"],
        "kb_per_match_idle": told["kb_per_match_idle"],
        "kb_per_match_active": told["kb_per_match_active"],
        "generator_share": told["gen_util"],
        "server_share": told["srv_util"],
    }


def medians(runs: Sequence[Figures]) -> Figures:
    """Return the median of each figure over the runs that came to something."""
    done = [run for run in runs if run]
    return {name: statistics.median(run[name] for run in done) for name in done[0]} if done else {}
