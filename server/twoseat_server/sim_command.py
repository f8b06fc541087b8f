"""`twoseat sim`: games without players, one given deal or many at random; it knows files and screens, no rules."""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from msgspec import to_builtins

from twoseat import sim
from twoseat.games import cards
from twoseat.games.battle import PICKUPS, Decks
from twoseat.games.war import MAX_TARGET, POINTS, PRESETS
from twoseat_server import sim_war_online_command

GAMES, SEED = 2000, 1
MAX_FILE_BYTES = 65_536
WORTH_A_BAR = 1.0
"""Seconds a run takes before it shows how far it is."""
BAR_WIDTH = 30
USAGE = 2
Game = TypeVar("Game")
FORM = 'write [["AS","10H"],["KD","2C"]], top cards first, or an object with that as "decks"'


class DecksError(Exception):
    """The file holds no two decks; the text says what to write instead."""


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `sim` to the commands."""
    parser = subparsers.add_parser(
        "sim",
        help="play without players: one deal of War from a file, or thousands at random, or bots at War Online",
        description="Play without players. War: with --decks one given deal, printed as one JSON object; without it "
        "many random deals, added up. War Online: bots against each other, added up as one JSON object.",
    )
    parser.add_argument("--preset", choices=PRESETS, help=f"rules to play by (default: the case's own, else {POINTS})")
    parser.add_argument(
        "--target", type=_from_1_to(MAX_TARGET), default=MAX_TARGET, help="points that win (default: 50)"
    )
    parser.add_argument(
        "--pickup", choices=PICKUPS, help="order in which won cards go under the deck (default: winner_first)"
    )
    parser.add_argument(
        "--decks",
        metavar="FILE",
        help="JSON: two lists of cards, or an object with them as decks; - reads standard input",
    )
    parser.add_argument("--games", type=_from_1_to(10_000_000), help=f"random deals to play (default: {GAMES})")
    parser.add_argument("--seed", type=int, help=f"a number; the same one deals the same cards (default: {SEED})")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    sim_war_online_command.add_arguments(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do what the command line says. Returns the exit code: 0, or 2 for decks that cannot be played."""
    if args.game == sim_war_online_command.GAME:
        return sim_war_online_command.run(args, _watched)
    if args.decks is None:
        return _many(args)
    if args.games is not None or args.seed is not None:
        return _refuse("--decks plays one given deal: leave out --games and --seed")
    try:
        case = _read(args.decks)
        decks = _decks(case)
        preset = args.preset or _named(case, "preset", PRESETS) or POINTS
        pickup = args.pickup or _named(case, "pickup", PICKUPS) or "winner_first"
    except DecksError as error:
        return _refuse(str(error))
    sys.stdout.write(json.dumps(to_builtins(sim.course(decks, preset, args.target, PICKUPS[pickup]))) + "\n")
    return 0


def _many(args: argparse.Namespace) -> int:
    preset, games = args.preset or POINTS, args.games or GAMES
    seed = SEED if args.seed is None else args.seed
    played = sim.courses(preset, games, seed, args.target, PICKUPS[args.pickup or "winner_first"])
    tally = sim.tally(_watched(played, games))
    text = json.dumps(to_builtins(tally)) if args.json else _table(tally, f"War, {preset}, seed {seed}")
    sys.stdout.write(text + "\n")
    return 0


def _read(file: str) -> Any:
    try:
        if file == "-":
            data = sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
        else:
            with Path(file).open("rb") as opened:
                data = opened.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise DecksError(f"cannot read {file}: {error.strerror}; name a JSON file, or - for standard input") from None
    if len(data) > MAX_FILE_BYTES:
        raise DecksError(f"{file} is larger than {MAX_FILE_BYTES} bytes; {FORM}")
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise DecksError(f"{file} is not JSON; {FORM}") from None


def _decks(case: Any) -> Decks:
    decks = case.get("decks") if isinstance(case, dict) else case
    match decks:
        case [[_, *_] as first, [_, *_] as second] if all(isinstance(name, str) for name in (*first, *second)):
            try:
                parsed = cards.parse(first), cards.parse(second)
            except ValueError as error:
                raise DecksError(str(error)) from None
        case _:
            raise DecksError(f"two decks of at least one card each are needed; {FORM}")
    seen: set[int] = set()
    for card in (*parsed[0], *parsed[1]):
        if card in seen:
            raise DecksError(f"{cards.name(card)} is there twice; there is one deck of 52, so name each card once")
        seen.add(card)
    return parsed


def _named(case: Any, key: str, known: Iterable[str]) -> str | None:
    name = case.get(key) if isinstance(case, dict) else None
    if name is not None and name not in tuple(known):
        raise DecksError(f"no such {key} in the file; it is one of {', '.join(known)}")
    return name


def _refuse(text: str) -> int:
    sys.stderr.write(f"twoseat sim: {text}\n")
    return USAGE


def _table(tally: sim.Tally, title: str) -> str:
    rows = [
        ("games", f"{tally.games:,}", ""),
        ("rounds a game", f"{tally.mean_rounds:,.1f}", ""),
        ("wars a game", f"{tally.wars_per_game:,.2f}", ""),
        ("deepest war", f"{tally.deepest_war}", ""),
        ("won by seat 0", f"{tally.seat0_wins:,}", f"{tally.seat0_wins / tally.games:.1%}"),
        *((f"ended by {end}", f"{share * tally.games:,.0f}", f"{share:.1%}") for end, share in tally.ends.items()),
    ]
    return "\n".join((title, *(f"  {name:<20}{number:>12}{share:>9}".rstrip() for name, number, share in rows)))


def _watched(played: Iterator[Game], games: int) -> Iterator[Game]:
    return _with_bar(played, games) if sys.stderr.isatty() else played


def _with_bar(played: Iterator[Game], games: int) -> Iterator[Game]:
    began = shown = time.monotonic()
    for number, game in enumerate(played, 1):
        yield game
        now = time.monotonic()
        if now - began > WORTH_A_BAR and now - shown > 0.1:
            shown = now
            bar = "#" * (BAR_WIDTH * number // games)
            sys.stderr.write(f"\r[{bar:<{BAR_WIDTH}}] {number:,} of {games:,}")
            sys.stderr.flush()
    if shown != began:
        sys.stderr.write(f"\r{'':<{BAR_WIDTH + 30}}\r")


def _from_1_to(most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= most and len(text) < 10:
            return int(text)
        raise argparse.ArgumentTypeError(f"a whole number from 1 to {most:,} is needed, not {text[:20]!r}")

    return number
