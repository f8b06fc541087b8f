"""`twoseat replay`: a finished game again, on a screen to walk through, or told line by line; it knows no game."""

import argparse
import sys
import time
from collections.abc import Callable

from twoseat.replay import BadReplay
from twoseat_client.lines import JsonLines, PlainLines
from twoseat_client.plan import Front, front_of
from twoseat_client.playback import Playback, playback
from twoseat_client.source import USAGE, NoReplay, add_source, understand
from twoseat_client.text import Words, guess_language

INTERRUPTED = 130
_DESCRIPTION = """\
See a finished game again. On a terminal: Space plays and stops, arrow keys step by rounds, comma and full stop by
draws, plus and minus change the speed. Elsewhere every sentence is printed, at once or (--speed) in the game's time.
"""


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `replay`; it sets `run`, a function from parsed arguments to the exit code."""
    parser = subparsers.add_parser(
        "replay",
        help="see a finished game again",
        description=_DESCRIPTION,
        epilog="Exit codes: 0 fine, 2 no replay, 69 no server, 130 Ctrl-C.",
    )
    add_source(parser)
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--plain", action="store_true", help="sentences, one a line")
    shape.add_argument("--json", action="store_true", help="events as JSON, one a line")
    parser.add_argument("--speed", type=_speed, metavar="X", help="1 is the game's own time, 10 ten times faster")
    parser.set_defaults(run=run)


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 0.1 <= speed <= 100:
        raise argparse.ArgumentTypeError("a number from 0.1 to 100")
    return speed


def run(args: argparse.Namespace) -> int:
    """Show a replay and return the exit code."""
    lang = args.lang or guess_language()
    try:
        source = understand(args)
        lang = source.lang
        game = playback(source.fetch())
        return _shown(args, game, Words(lang))
    except BadReplay as error:
        sys.stderr.write(f"twoseat: {Words(lang)('replay.error.bad', why=str(error))}\n")
        return USAGE
    except NoReplay as error:
        sys.stderr.write(f"twoseat: {Words(lang).tell(error.why)}\n")
        return error.code
    except KeyboardInterrupt:
        return INTERRUPTED


def _shown(args: argparse.Namespace, game: Playback, words: Words) -> int:
    shape = front_of(args)
    if shape is Front.SCREEN:
        from twoseat_client.replay_screen import run_screen

        return run_screen(game, words, args.speed or 1.0)
    lines = JsonLines(sys.stdout) if shape is Front.JSON else PlainLines(words, sys.stdout)
    tell(game, lines.show, (lambda ms: time.sleep(ms / 1000 / args.speed)) if args.speed else lambda ms: None)
    return 0


def tell(game: Playback, show: Callable[..., None], pause: Callable[[int], None]) -> None:
    """Show every frame in turn; `pause` is called with the game's milliseconds between two."""
    while True:
        show(game.frame.model, game.frame.events)
        if game.over:
            return
        pause(game.wait)
        game = game.step(1)
