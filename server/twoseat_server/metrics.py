"""What a node counts for its host, by the names Prometheus reads; it knows nothing but numbers."""

from prometheus_client import Counter, Gauge, Histogram

SOCKETS = Gauge("twoseat_sockets", "Sockets open on this node")
FRAMES = Counter("twoseat_frames_sent", "Frames sent to clients")
SERVED = Histogram(
    "twoseat_message_seconds",
    "Time from reading a client's message to having answered it",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0),
)
COMMITS = Counter("twoseat_commits", "Changes of matches, by outcome: stored, conflict or unknown", ["outcome"])
MATCHES = Gauge("twoseat_matches", "Matches with sockets on this node")
STORE_AWAY = Gauge("twoseat_store_away", "1 while the store does not answer")
LATE = Histogram(
    "twoseat_deadline_late_seconds",
    "How late deadlines fired",
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0),
)
