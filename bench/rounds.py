"""Cases measured in turns, so that a slow minute of the machine hits all alike, and how two of them compare."""

import sys
from collections.abc import Callable, Mapping, Sequence

from bench.cases import Figures, medians

Found = dict[str, list[Figures]]
"""What each case came to, round by round; nothing where it failed."""


def measure(plan: Mapping[str, Callable[[], Figures]], rounds: int, found: Found) -> None:
    """Run every case once a round and put what it comes to into `found`, where the cases behind it may see it."""
    for number in range(rounds):
        for name, case in plan.items():
            print(f"round {number + 1} of {rounds}: {name}   ", end="\r", file=sys.stderr, flush=True)
            runs = found.setdefault(name, [])
            try:
                runs.append(case())
            except (RuntimeError, OSError) as error:
                print(f"{name} failed and is left out of this round: {error}", file=sys.stderr)
                runs.append({})


def ratio(ours: Sequence[Figures], theirs: Sequence[Figures]) -> float | None:
    """Return our CPU a draw over theirs, the median of the rounds' own; None where there is no round with both."""
    pairs = [(one, other) for one, other in zip(ours, theirs, strict=False) if one and other]
    return medians([{"ratio": one["cpu_us_per_draw"] / other["cpu_us_per_draw"]} for one, other in pairs]).get("ratio")
