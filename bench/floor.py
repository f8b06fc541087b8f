"""`python -m bench.floor`: below what a stored draw cannot go here, rung by rung, and where the rest of it goes.

The raw echo, our transport alone, the line to the store as well, then one part of a draw more at a time with nothing
around them (`bench.rungs`), and the whole server. Every rung has its server on core 0 and its players on core 1.
"""

import argparse
import json
from collections.abc import Callable
from functools import partial

from bench import cases
from bench.cases import Figures, medians
from bench.rounds import Found, measure, ratio
from bench.rungs import RUNGS

MATCHES = 200
ECHO, WHOLE = "raw echo", "the whole server"
SHOWN = {
    "transport": "our transport",
    "store": "+ line and store",
    "parse": "+ read the message",
    "step": "+ rules and match",
    "record": "+ record, log entry",
    "view": "+ what both see",
}
KEPT = "cpu_us_per_draw", "store_us_per_draw", "draws_per_s", "generator_share"


def measured(rounds: int, seconds: float) -> Found:
    """Return each rung's figures, lowest first."""
    plan: dict[str, Callable[[], Figures]] = {ECHO: partial(cases.echo, MATCHES, seconds)}
    plan |= {SHOWN[rung]: partial(cases.bare, rung, MATCHES, seconds) for rung in RUNGS}
    plan[WHOLE] = partial(cases.saturated, MATCHES, seconds)
    found: Found = {}
    measure(plan, rounds, found)
    return found


def ladder(found: Found) -> dict[str, Figures]:
    """Return the medians of each rung that could be measured, and of the rounds' own ratios to the raw echo."""
    rungs = {}
    for name, runs in found.items():
        figures, times = medians(runs), ratio(runs, found[ECHO])
        if times is not None:
            rungs[name] = {key: figures[key] for key in KEPT} | {"ratio_raw": times}
    return rungs


def table(rungs: dict[str, Figures]) -> str:
    """Return the ladder as a table."""
    lines, below = [f"{'':22}{'µs a draw':>10}{'more':>8}{'of the echo':>13}"], None
    for name, figures in rungs.items():
        spent = figures["cpu_us_per_draw"]
        more = "" if below is None else f"{spent - below:+.1f}"
        lines.append(f"{name:22}{spent:10.1f}{more:>8}{figures['ratio_raw']:13.2f}")
        below = spent
    return "\n".join(lines)


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m bench.floor", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="interleaved rounds; medians are shown (default: 5)")
    parser.add_argument("--seconds", type=float, default=4.0, help="length of one measurement (default: 4)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    args = parser.parse_args()
    rungs = ladder(measured(args.rounds, args.seconds))
    print(json.dumps({"rounds": args.rounds, "rungs": rungs}, indent=1) if args.json else table(rungs))


if __name__ == "__main__":
    main()
