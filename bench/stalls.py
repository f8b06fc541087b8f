"""`python -m bench.stalls`: how long a node's loop is ever held up while it serves half of what it can.

Node, store and the process that writes the store's file anew share core 0; `--store-core 1` puts the latter two beside
the players instead, so that the node has a core of its own.
"""

import argparse
import json
import re
import urllib.request

from bench.cases import load, saturated, twoseat
from bench.processes import LOAD_CORE, SERVER_CORE

_BUCKET = re.compile(r'^twoseat_loop_late_seconds_bucket\{le="([^"]+)"\} (\S+)$', re.MULTILINE)
LIMIT = "0.05"


def late(port: int) -> dict[str, float]:
    """Return how many looks at the loop came at most so many seconds late, by seconds."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
        return {bound: float(count) for bound, count in _BUCKET.findall(answer.read().decode())}


def main() -> None:
    """Read the command line, measure, print one JSON object."""
    parser = argparse.ArgumentParser(prog="python -m bench.stalls", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long (default: 10)")
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--rate", type=float, help="draws a second in all (default: half of what it can)")
    cores = SERVER_CORE, LOAD_CORE
    parser.add_argument("--store-core", choices=cores, default=SERVER_CORE, help="of the store (default: the node's)")
    args = parser.parse_args()
    rate = args.rate or saturated(args.matches, 4, args.store_core)["draws_per_s"] / 2
    with twoseat(store_core=args.store_core) as (port, pids):
        before = late(port)
        played = load(port, pids, matches=args.matches, warm_up=2, seconds=args.minutes * 60, rate=rate)
        after = late(port)
    counts = {bound: after[bound] - before[bound] for bound in after}
    told = {
        "draws_per_s": played["draws_per_s"],
        "looks": counts["+Inf"],
        "later_than_50_ms": counts["+Inf"] - counts[LIMIT],
        "at_most": counts,
        "p50_ms": played["p50_ms"],
        "p99_ms": played["p99_ms"],
        "server_share": played["server_share"],
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
