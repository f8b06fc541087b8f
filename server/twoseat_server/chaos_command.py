"""`twoseat chaos`: people play on real servers while these are killed and stopped; a scoreboard as JSON tells what came
of it.
"""

import argparse
import asyncio
import json
import signal
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

from twoseat_server import logs
from twoseat_server.chaos.plan import Fault, strikes
from twoseat_server.chaos.processes import NotStarted
from twoseat_server.chaos.run import Order, Run
from twoseat_server.chaos.score import Score, score
from twoseat_server.store.embedded import EmbeddedStoreError

GAMES = {"war": ("war",), "war-online": ("war-online",), "both": ("war", "war-online")}
BROKEN, USAGE, UNAVAILABLE, INTERRUPTED = 1, 2, 69, 130
_COUNTS = {
    "kills": (Fault.NODE_KILL, 10, "nodes killed with SIGKILL"),
    "stops": (Fault.NODE_STOP, 0, "nodes stopped for a while with SIGSTOP"),
    "restarts": (Fault.NODE_RESTART, 0, "nodes restarted with SIGTERM"),
    "store_kills": (Fault.STORE_KILL, 0, "times the store is killed"),
    "store_stops": (Fault.STORE_STOP, 0, "times the store is stopped for a while"),
    "store_splits": (Fault.STORE_SPLIT, 0, "times a master of a cluster is cut off from its replica, then killed"),
    "cuts": (Fault.CUT, 0, "times a node is cut off from the store for a while: silent, broken, slow, or deaf to it"),
    "answers": (Fault.ANSWER, 0, "commits whose answer never comes back from the store"),
    "lines": (Fault.LINE, 0, "lines of players that become half-open"),
}


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `chaos` to the commands."""
    parser = subparsers.add_parser(
        "chaos",
        help="kill, stop and cut off servers of a test store while people play, and judge what came of it",
        description="Start servers and a store on this machine's loopback, let people play, kill and stop processes "
        "and break lines by a seed, then wait until every match is over and judge each: one JSON object; exit code 1 "
        "for a violation.",
    )
    parser.add_argument("--nodes", type=_number(2, 16), default=3, help="servers (default: 3)")
    parser.add_argument("--matches", type=_number(1, 1000), default=20, help="tables played at (default: 20)")
    parser.add_argument("--game", choices=sorted(GAMES), default="war", help="what is played (default: war)")
    parser.add_argument(
        "--cluster",
        action="store_true",
        help="let the store be three masters with a replica each; a store that is killed or stopped is one master then",
    )
    parser.add_argument(
        "--wait-replicas", type=_number(0, 1), default=0, help="twoseat serve's flag, for --cluster (default: 0)"
    )
    parser.add_argument(
        "--min-replicas", type=_number(0, 1), default=0, help="min-replicas-to-write of the --cluster (default: 0)"
    )
    for name, (_, default, text) in _COUNTS.items():
        flag = f"--{name.replace('_', '-')}"
        parser.add_argument(flag, type=_number(0, 1000), default=default, help=f"{text} (default: {default})")
    parser.add_argument("--seconds", type=_number(1, 7200), default=30, help="over which they happen (default: 30)")
    parser.add_argument(
        "--longest-stop", type=_number(1, 60), default=10, help="seconds of a stop or a cut (default: 10)"
    )
    parser.add_argument("--think", type=_number(0, 10_000), default=300, help="ms before a move, mean (default: 300)")
    parser.add_argument("--patience", type=_number(1, 3600), default=180, help="seconds to end in (default: 180)")
    parser.add_argument("--seed", type=_number(0, 2**31), default=1, help="decides what happens when (default: 1)")
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="new or empty folder for store and logs (default: one that goes)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do what the command line says. Returns the exit code: 0, 1 for a violation, 69 where a server did not start."""
    logs.configure("text", "warning")
    if args.cluster and (args.cuts or args.answers):
        sys.stderr.write("twoseat chaos: --cuts and --answers need a store alone: leave out --cluster\n")
        return USAGE
    if (args.wait_replicas or args.min_replicas or args.store_splits) and not args.cluster:
        sys.stderr.write("twoseat chaos: there are replicas to wait for, or to split off, with --cluster only\n")
        return USAGE
    if args.data is not None and (problem := _unfit(args.data)):
        sys.stderr.write(f"twoseat chaos: the folder {args.data} {problem}: name a new or empty one with --data\n")
        return USAGE
    try:
        if args.data is not None:
            found = asyncio.run(_judged(args, args.data))
        else:
            with tempfile.TemporaryDirectory(prefix="twoseat-chaos-") as folder:
                found = asyncio.run(_judged(args, Path(folder)))
    except (NotStarted, EmbeddedStoreError, OSError) as error:
        sys.stderr.write(f"twoseat chaos: {error}\n")
        return UNAVAILABLE
    except (KeyboardInterrupt, asyncio.CancelledError):
        return INTERRUPTED
    sys.stdout.write(json.dumps(asdict(found)) + "\n")
    return exit_code(found)


def _unfit(folder: Path) -> str:
    """Make the folder and return why it will not do, empty where it will: data in it may be a running server's."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return "is not empty" if any(folder.iterdir()) else ""
    except OSError as error:
        return f"cannot be used ({error.strerror or error})"


def exit_code(found: Score) -> int:
    """Return 0 for a run in which no rule was broken, else 1."""
    return BROKEN if found.violations else 0


async def _judged(args: argparse.Namespace, folder: Path) -> Score:
    counts = {fault: getattr(args, name) for name, (fault, _, _) in _COUNTS.items()}
    planned = strikes(args.seed, args.seconds, args.nodes, counts, args.longest_stop)
    order = Order(
        args.nodes,
        args.matches,
        args.seed,
        tuple(planned),
        args.think / 1000,
        args.patience,
        GAMES[args.game],
        cluster=args.cluster,
        wait_replicas=args.wait_replicas,
        min_replicas=args.min_replicas,
    )
    began = time.monotonic()
    if (this := asyncio.current_task()) is not None:
        # Told to end, it takes its servers and its store along.
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, this.cancel)
    chaos = Run(order, folder)
    histories = await chaos.play()
    return score(chaos, histories, time.monotonic() - began)


def _number(least: int, most: int) -> "type[int]":
    def number(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 12 and least <= int(text) <= most):
            raise argparse.ArgumentTypeError(f"a whole number from {least} to {most} is needed, not {text[:20]!r}")
        return int(text)

    return number  # type: ignore[return-value]
