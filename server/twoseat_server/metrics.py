"""What a node counts for its host, by the names Prometheus reads; it knows nothing but numbers.

What is counted with every move is counted in plain numbers, in the loop's thread alone: the library's own counters,
made for threads, take a lock and ten calls each time.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate

from prometheus_client import REGISTRY, Gauge
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector


class Tally(Collector):
    """A counter, one for each of `values` where it has a label."""

    def __init__(self, name: str, text: str, label: str = "", values: Sequence[str] = ("",)) -> None:
        self._name, self._text = name, text
        self._labels = [label] if label else []
        self._counts = dict.fromkeys(values, 0)
        REGISTRY.register(self)

    def inc(self, value: str = "") -> None:
        """Count one more."""
        self._counts[value] += 1

    def collect(self) -> Iterator[CounterMetricFamily]:
        """Tell the counts."""
        family = CounterMetricFamily(self._name, self._text, labels=self._labels)
        for value, count in self._counts.items():
            family.add_metric([value] if self._labels else [], count)
        yield family


class Times(Collector):
    """How often something took how long, in seconds up to each of `bounds`."""

    def __init__(self, name: str, text: str, bounds: Sequence[float]) -> None:
        self._name, self._text, self._bounds = name, text, bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0
        REGISTRY.register(self)

    def observe(self, seconds: float) -> None:
        """Count one more."""
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self._sum += seconds

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """Tell the counts."""
        names = [*map(str, self._bounds), "+Inf"]
        buckets = list(zip(names, map(float, accumulate(self._counts)), strict=True))
        yield HistogramMetricFamily(self._name, self._text, buckets, self._sum)


SOCKETS = Gauge("twoseat_sockets", "Sockets open on this node")
FRAMES = Tally("twoseat_frames_sent", "Frames sent to clients")
SERVED = Times(
    "twoseat_message_seconds",
    "Time from reading a client's message to having answered it",
    (0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0),
)
COMMITS = Tally("twoseat_commits", "Changes of matches, by outcome", "outcome", ("stored", "conflict", "unknown"))
MATCHES = Gauge("twoseat_matches", "Matches with sockets on this node")
STORE_AWAY = Gauge(
    "twoseat_store_away", "The share of the store (shards, lobby) that does not answer; 1 if it takes no news"
)
LATE = Times(
    "twoseat_deadline_late_seconds",
    "How late deadlines fired",
    (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0),
)
LOOP_LATE = Times(
    "twoseat_loop_late_seconds",
    "How late this node came to what it had to do, looked at forty times a second: what holds up one holds up all",
    (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0),
)
