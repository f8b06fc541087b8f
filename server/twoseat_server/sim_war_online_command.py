"""`twoseat sim --game war-online`: bots against each other, added up as one JSON object; it knows no rules."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator

from msgspec import to_builtins

from twoseat.sim_war_online import PLAYERS, Named, Played, games, tally

GAME = "war-online"
GAMES, SEED = 100, 1
LEVELS: tuple[Named, Named] = ("strong", "middle")
USAGE = 2

Watch = Callable[[Iterator[Played], int], Iterator[Played]]
"""Passes finished games on, so many in all, and shows how far a long run is."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what only this game asks for."""
    parser.add_argument("--game", choices=("war", GAME), default="war", help="the game to play (default: war)")
    parser.add_argument(
        "--level",
        type=_levels,
        metavar="A,B",
        help=f"{GAME}: two of {', '.join(PLAYERS)}, who play each other (default: {','.join(LEVELS)})",
    )


def run(args: argparse.Namespace, watch: Watch) -> int:
    """Do what the command line says. Returns the exit code: 0, or 2 where it asks for what only War has."""
    if args.decks or args.preset or args.pickup:
        sys.stderr.write(f"twoseat sim: {GAME} takes --games, --seed and --level; leave the rest out\n")
        return USAGE
    levels, number = args.level or LEVELS, args.games or GAMES
    played = games(levels, number, SEED if args.seed is None else args.seed)
    sys.stdout.write(json.dumps(to_builtins(tally(levels, watch(played, number)))) + "\n")
    return 0


def _levels(text: str) -> tuple[Named, Named]:
    match text.count(","), [level for name in text.split(",") for level in PLAYERS if level == name]:
        case 1, [first, second]:
            return first, second
        case _:
            raise argparse.ArgumentTypeError(f"write two of {', '.join(PLAYERS)} with a comma between them")
