"""`twoseat inspect`: for the host, what happened to a match version by version, and which nodes hold it now."""

import argparse
import asyncio
import contextlib
import json
import re
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError
from redis.exceptions import RedisError

from twoseat import record, views
from twoseat.chair import Millis
from twoseat.games import GAMES
from twoseat.ids import read_code
from twoseat.match import Match, Rejected
from twoseat_server import logs
from twoseat_server.flight import Line, story
from twoseat_server.settings import Settings, complaint
from twoseat_server.store.embedded import EmbeddedStore, EmbeddedStoreError
from twoseat_server.store.folder import reachable_socket
from twoseat_server.store.link import Link, StoreAway
from twoseat_server.store.recorder import Recorded, Recorder

USAGE, UNAVAILABLE, VERSION = 2, 69, 76
_ID = re.compile(r"[0-9a-f]{34}")
_HEAD = ("version", "seconds", "seat", "by", "what", "phase", "round", "seats", "due", "deadline")
_ROW = "{:>7} {:>9} {:>4} {:<5} {:<32} {:<7} {:>5} {:<5} {:>13} {:>8}"

_DESCRIPTION = """\
Show what happened to a match, version by version: who did what, who drove, which clocks ran, and which nodes hold it
now. No seed, no hidden card and no token is shown.
"""
_EPILOG = """\
SEATS has a letter a seat, H a person, B the bot; small while she is away. DUE and DEADLINE are seconds that were left.
Exit codes: 0 fine, 2 no such match, 69 no storage, 76 played by other rules.
"""


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `inspect`."""
    parser = subparsers.add_parser(
        "inspect",
        help="show a host what happened to a match",
        description=_DESCRIPTION,
        epilog=_EPILOG,
    )
    parser.add_argument("match", metavar="MATCH", help="its id, or the code of its table")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--redis", metavar="URL", help="the Redis or Valkey it is in")
    where.add_argument("--data", metavar="DIR", type=Path, help="the data folder of the server it is on")
    parser.add_argument("--json", action="store_true", help="one JSON object a version")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print what is known of a match and return the exit code."""
    if not _ID.fullmatch(args.match) and read_code(args.match) is None:
        return _sorry("a match is named by its id, 34 digits and letters a-f, or by its table's code of six", USAGE)
    try:
        settings = Settings(redis=args.redis) if args.redis else Settings()
    except ValidationError as error:
        return _sorry(complaint(error), USAGE)
    url = None if args.data else settings.redis
    folder = (args.data or settings.data).absolute()
    if url is None and not folder.is_dir():
        return _sorry(f"there is no folder {folder}: name the server's with --data DIR, or its --redis URL", USAGE)
    try:
        recorded = asyncio.run(_read(args.match, url, folder))
    except (StoreAway, EmbeddedStoreError, RedisError) as error:
        return _sorry(f"storage does not answer ({error}): name it with --redis URL or --data DIR", UNAVAILABLE)
    if recorded is None or not recorded.log:
        return _sorry("there is no such match here, or it was too long ago", USAGE)
    try:
        lines = [*(_json(recorded) if args.json else _text(recorded))]
    except (Rejected, LookupError, TypeError, ValueError):
        return _sorry("this match was played by other rules: inspect it with the version its server had then", VERSION)
    for line in lines:
        sys.stdout.write(line + "\n")
    return 0


async def _read(text: str, url: str | None, folder: Path) -> Recorded | None:
    async with _store(url, folder) as link:
        recorder = Recorder(link)
        match_id = await recorder.named(text)
        return None if match_id is None else await recorder.read(match_id)


@contextlib.asynccontextmanager
async def _store(url: str | None, folder: Path) -> AsyncIterator[Link]:
    """The store a running server uses; where none runs on the folder, the folder's own for a moment."""
    async with contextlib.AsyncExitStack() as stack:
        if url is None:
            url = f"unix://{reachable_socket(folder)}"
            if not await _answers(url):
                logs.configure("text", "error")  # standard output is for what was asked
                url = await stack.enter_async_context(EmbeddedStore(folder))
        link = Link(url)
        stack.push_async_callback(link.close)
        yield link


async def _answers(url: str) -> bool:
    link = Link(url)
    try:
        await link.run("PING")
    except StoreAway:
        return False
    finally:
        await link.close()
    return True


def _json(recorded: Recorded) -> Iterator[str]:
    for line in story(recorded.log):
        yield json.dumps(asdict(line), separators=(",", ":"))
    sockets = [{"node": node, "seat": seat.seat, "connection": seat.connection} for node, seat in recorded.held]
    silent = sorted({node for node, _ in (*recorded.held, *recorded.watchers)} - recorded.alive)
    yield json.dumps({"sockets": sockets, "watchers": dict(recorded.watchers), "silent": silent}, separators=(",", ":"))


def _text(recorded: Recorded) -> Iterator[str]:
    first, last = record.decode(GAMES, recorded.log[0]), record.fold(GAMES, recorded.log)
    yield from _about(first, last)
    yield ""
    yield _ROW.format(*_HEAD).rstrip()
    for line in story(recorded.log):
        yield _row(line)
    yield ""
    yield from _now(recorded, last)


def _about(first: Match, last: Match) -> Iterator[str]:
    options, shake = first.options, last.shake
    timer = "no clock" if options.timer == 0 else f"{options.turn_seconds * options.timer} s a turn"
    yield f"match {first.id}, table {first.code}"
    own = GAMES[options.game].own_options - {"preset", "turn_seconds"}
    rules = ", ".join(f"{name} {getattr(options, name)}" for name in sorted(own))
    yield f"game {options.game} {options.preset}, {rules}, {timer}, best of {options.games}"
    if first.pause is not None:
        yield f"made {datetime.fromtimestamp(first.pause.since / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC by the game clock"
    for seat, chair in enumerate(last.chairs):
        kind = "bot by choice" if chair.player is None else f"person, {chair.driver} drives"
        share = "nonce opened" if shake.nonces[seat] else "nonce withheld" if shake.digests[seat] else "no nonce"
        yield f"seat {seat}: {chair.name} ({kind}, {share})"
    if last.outcome is not None:
        winner = "nobody" if last.outcome.winner is None else f"seat {last.outcome.winner}"
        yield f"over: {last.outcome.termination}, won by {winner}; twoseat verify and twoseat replay show the cards"
    else:
        yield f"{views.state(GAMES[options.game], last, None, None, 0).phase}, version {last.version}"


def _row(line: Line) -> str:
    view = line.state["view"]
    due = " ".join("-" if left is None else _seconds(left) for left in line.due)
    cells = (
        line.version,
        _seconds(line.at),
        "" if line.seat is None else line.seat,
        line.by or "",
        line.what[:32],
        line.state["phase"],
        view.get("round", ""),
        line.drivers,
        due,
        "" if line.deadline is None else _seconds(line.deadline),
    )
    return _ROW.format(*cells).rstrip()


def _now(recorded: Recorded, last: Match) -> Iterator[str]:
    for node, held in recorded.held:
        yield f"seat {held.seat}: connection {held.connection} on {node}{_silent(recorded, node)}"
    if not recorded.held:
        yield "no node has a socket of a player"
    for node, count in recorded.watchers:
        yield f"watchers: {count} on {node}{_silent(recorded, node)}"
    armed = "is armed" if recorded.deadline is not None else "none is armed"
    if last.deadline != recorded.deadline:
        yield f"deadline: {armed} in the store, and the match has another: report this"


def _silent(recorded: Recorded, node: str) -> str:
    return "" if node in recorded.alive else " (which is silent)"


def _seconds(ms: Millis) -> str:
    return f"{ms / 1000:.3f}"


def _sorry(text: str, code: int) -> int:
    sys.stderr.write(f"twoseat: {text}\n")
    return code
