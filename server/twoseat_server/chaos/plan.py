"""Which faults strike when: a pure function of a seed, so that a run can be had again."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from twoseat.fair import Chance

_FINE = 1_000_000


class Fault(StrEnum):
    """What is done to the processes, and to the lines between them."""

    NODE_KILL = "node_kill"
    NODE_STOP = "node_stop"
    NODE_RESTART = "node_restart"
    STORE_KILL = "store_kill"
    STORE_STOP = "store_stop"
    STORE_SPLIT = "store_split"
    CUT = "cut"
    ANSWER = "answer"
    LINE = "line"


@dataclass(frozen=True, slots=True)
class Strike:
    """One fault. `at`: seconds after play began; `node`: whom it strikes; `lasts`: seconds a process stands still, or a
    node is cut off; `drawn`: from 0 to 1, decides whatever else there is to decide.
    """

    at: float
    fault: Fault
    node: int
    lasts: float
    drawn: float


def strikes(seed: int, seconds: float, nodes: int, counts: Mapping[Fault, int], longest_stop: float) -> list[Strike]:
    """Return as many faults of each kind as asked for, spread over `seconds` in an order that the seed decides."""
    chance = chance_of(seed)
    kinds = [fault for fault, count in counts.items() for _ in range(count)]
    every = seconds / max(1, len(kinds))
    return [
        Strike(
            at=(place + fraction(chance, f"at/{place}")) * every,
            fault=kinds[kind],
            node=chance.below(f"node/{place}", nodes),
            lasts=longest_stop * (1 + 3 * fraction(chance, f"lasts/{place}")) / 4,
            drawn=fraction(chance, f"drawn/{place}"),
        )
        for place, kind in enumerate(chance.shuffle("kinds", range(len(kinds))))
    ]


def chance_of(seed: int) -> Chance:
    """Return the chance that a run's seed gives."""
    return Chance(seed.to_bytes(32, "big", signed=True))


def fraction(chance: Chance, label: str) -> float:
    """Return a number from 0 to 1."""
    return chance.below(label, _FINE) / _FINE
