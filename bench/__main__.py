"""`python -m bench`: what a draw costs here, beside the raw limits and, with `--peers DIR`, beside other servers.

The server has core 0, the load core 1. Rounds interleave the cases, so that a slow minute of the machine hits all
alike: only ratios within one run mean anything.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bench import cases
from bench.cases import Figures, medians
from bench.rounds import Found, measure, ratio

MATCHES, RATE = 200, 700
_BUSY = 0.9
_ROWS = {
    "cpu_us_per_draw": "CPU µs a draw",
    "store_us_per_draw": "the store's, beside it",
    "draws_per_s": "draws a second",
    "p50_ms": "latency p50 ms",
    "p99_ms": "latency p99 ms",
    "open_p50_ms": "create to both seated ms",
    "kb_per_match_idle": "KB a match, idle",
    "kb_per_match_active": "KB a match, active",
    "server_share": "server's share of its core",
    "generator_share": "generator's share of its core",
}


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="interleaved rounds; medians are shown (default: 5)")
    parser.add_argument("--seconds", type=float, default=4.0, help="length of one measurement (default: 4)")
    parser.add_argument("--peers", type=Path, help="folder with servers/coly and servers/bgio, npm packages installed")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    args = parser.parse_args()
    found = measured(args.rounds, args.seconds, args.peers)
    print(json.dumps(summary(found), indent=1) if args.json else table(found))


def measured(rounds: int, seconds: float, peers: Path | None) -> Found:
    """Run every case once a round; the load at half of saturation follows from the round's own saturation."""
    found: Found = defaultdict(list)
    plan: dict[str, Callable[[], Figures]] = {
        "twoseat": partial(cases.saturated, MATCHES, seconds),
        "raw echo": partial(cases.echo, MATCHES, seconds),
    }
    if peers is not None:
        plan["Colyseus"] = partial(cases.peer, peers, "coly", seconds)
        plan["boardgame.io"] = partial(cases.peer, peers, "bgio", seconds)
        plan[f"Colyseus {RATE}/s"] = partial(cases.peer, peers, "coly", seconds, RATE)
    plan[f"twoseat {RATE}/s"] = partial(cases.paced, MATCHES, seconds, RATE)
    plan["twoseat at half"] = lambda: cases.paced(MATCHES, seconds, saturation(found) / 2)
    plan["redis pipeline"] = cases.pipeline
    plan["cold start"] = cases.cold_start
    measure(plan, rounds, found)
    return found


def saturation(found: Found) -> float:
    """Return the draws a second of this round. Raises RuntimeError where they could not be measured."""
    if not found["twoseat"][-1]:
        raise RuntimeError("its saturation is not known")
    return found["twoseat"][-1]["draws_per_s"]


def summary(found: Found) -> dict[str, float | None]:
    """Return the figures that are held against goals; ratios are medians of each round's own."""
    ours, raw, paced = (medians(found[name]) for name in ("twoseat", "raw echo", f"twoseat {RATE}/s"))
    return {
        "cpu_us_per_draw": ours.get("cpu_us_per_draw"),
        "store_us_per_draw": ours.get("store_us_per_draw"),
        "raw_us_per_turn": raw.get("cpu_us_per_draw"),
        "ratio_raw": ratio(found["twoseat"], found["raw echo"]),
        "ratio_colyseus": ratio(found["twoseat"], found["Colyseus"]),
        "ratio_boardgameio": ratio(found["twoseat"], found["boardgame.io"]),
        "draws_per_s": ours.get("draws_per_s"),
        "p50_ms": paced.get("p50_ms"),
        "p99_ms": paced.get("p99_ms"),
        "half_p50_ms": medians(found["twoseat at half"]).get("p50_ms"),
        "half_p99_ms": medians(found["twoseat at half"]).get("p99_ms"),
        "colyseus_p50_ms": medians(found[f"Colyseus {RATE}/s"]).get("p50_ms"),
        "colyseus_p99_ms": medians(found[f"Colyseus {RATE}/s"]).get("p99_ms"),
        "kb_per_match_idle": ours.get("kb_per_match_idle"),
        "kb_per_match_active": ours.get("kb_per_match_active"),
        "open_p50_ms": ours.get("open_p50_ms"),
        "pipeline_us_per_draw": medians(found["redis pipeline"]).get("cpu_us_per_draw"),
        "cold_start_s": medians(found["cold start"]).get("seated_s"),
        "rounds": sum(bool(one and other) for one, other in zip(found["twoseat"], found["raw echo"], strict=True)),
        "generator_share": ours.get("generator_share"),
    }


def table(found: Found) -> str:
    """Return all medians as a table, and what is to be known of them."""
    shown = {name: medians(runs) for name, runs in found.items() if any(runs)}
    columns = [name for name in shown if name not in ("redis pipeline", "cold start")]
    lines = [f"{'':32}" + "".join(f"{name:>17}" for name in columns)]
    for key, label in _ROWS.items():
        cells = (f"{shown[name][key]:17.2f}" if key in shown[name] else f"{'':17}" for name in columns)
        lines.append(f"{label:32}" + "".join(cells))
    ratios = {other: ratio(found["twoseat"], found[other]) for other in ("raw echo", "Colyseus", "boardgame.io")}
    lines += [f"twoseat costs {times:.2f} times {other}" for other, times in ratios.items() if times is not None]
    if plain := shown.get("redis pipeline"):
        lines.append(f"a plain redis-py pipeline: {plain['cpu_us_per_draw']:.0f} µs a draw of CPU")
    if cold := shown.get("cold start"):
        lines.append(f"cold start: {cold['listening_s']:.2f} s to listening, {cold['seated_s']:.2f} s to two seated")
    lines += [
        f"The generator was the bottleneck of {name!r}: {shown[name]['generator_share']:.0%} of its core."
        for name in columns
        if shown[name]["generator_share"] > _BUSY
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
