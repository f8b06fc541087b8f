"""`python -m bench.scale`: what a draw costs as a server grows, at one total rate: few matches, many, and two nodes.

Rounds interleave the three. With two nodes the players of every match are mixed: one here, the other there. These
players say nothing unless they draw, so the server pings them; with `--pings` many are measured once more who ping as
our clients do.
"""

import argparse
import json
from collections.abc import Callable
from functools import partial

from bench.cases import Figures, load, medians, paced, two_nodes, twoseat
from bench.rounds import Found, measure


def mixed(matches: int, seconds: float, rate: float) -> Figures:
    """So many draws a second in all, at two nodes."""
    with two_nodes() as (first, second, pids):
        return load(first, pids, guests_port=second, matches=matches, warm_up=2, seconds=seconds, rate=rate)


def pinging(matches: int, seconds: float, rate: float) -> Figures:
    """So many draws a second in all, by players who ping; long enough before, so that they do so evenly."""
    with twoseat() as (port, pids):
        return load(port, pids, matches=matches, warm_up=6, seconds=seconds, rate=rate, pings=True)


def measured(few: int, many: int, rounds: int, seconds: float, rate: float, *, pings: bool) -> dict[str, Figures]:
    """Return the medians of each case."""
    plan: dict[str, Callable[[], Figures]] = {
        "few": partial(paced, few, seconds, rate),
        "mixed": partial(mixed, few, seconds, rate),
        "many": partial(paced, many, seconds, rate),
        **({"pinging": partial(pinging, many, seconds, rate)} if pings else {}),
    }
    found: Found = {}
    measure(plan, rounds, found)
    return {name: medians(runs) for name, runs in found.items()}


def main() -> None:
    """Read the command line, measure, print one JSON object."""
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=__doc__)
    parser.add_argument("--few", type=int, default=100, help="open matches (default: 100)")
    parser.add_argument("--many", type=int, default=5000, help="open matches, two files each (default: 5000)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=10.0, help="of each measurement (default: 10)")
    parser.add_argument("--rate", type=float, default=700.0, help="draws a second in all (default: 700)")
    parser.add_argument("--pings", action="store_true", help="measure many who ping as our clients do, too")
    args = parser.parse_args()
    found = measured(args.few, args.many, args.rounds, args.seconds, args.rate, pings=args.pings)
    few, many, nodes = found["few"], found["many"], found["mixed"]
    told = {
        "cpu_us_per_draw": {name: figures["cpu_us_per_draw"] for name, figures in found.items() if name != "mixed"},
        "many_grows": many["cpu_us_per_draw"] / few["cpu_us_per_draw"] - 1,
        **({"pings_per_s": found["pinging"]["pings_per_s"]} if args.pings else {}),
        "each_of_two_nodes_us": [nodes["process_0_us_per_draw"], nodes["process_1_us_per_draw"]],
        "each_of_two_nodes_grows": [nodes[f"process_{n}_us_per_draw"] / few["cpu_us_per_draw"] - 1 for n in range(2)],
        "p99_ms": {name: figures["p99_ms"] for name, figures in found.items()},
        "kb_per_match": {name: figures["kb_per_match_active"] for name, figures in found.items()},
        "rounds": args.rounds,
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
