"""The commands `twoseat play` and `twoseat watch`: their arguments, exit codes and last words; it knows no game."""

import argparse
import os
import sys
import traceback
from pathlib import Path

Subparsers = argparse._SubParsersAction  # noqa: SLF001 argparse has no public name for its subparsers
_DESCRIPTION = """\
Play in this terminal. WHERE is a server (host:port or URL), an invite link, or the six-character code of a table.
Without a choice a menu opens; without a terminal your unfinished game goes on, or a quick match begins.
"""
_EPILOG = """\
Typed with --plain and --json: draw, turn, turn 10, return, rematch, resign, leave, cancel, retry, quit; and called
across the table: hello, well played, ouch, thanks. War Online: play, place brazil 3, undo, attack brazil algeria,
attack brazil algeria until 2, advance 2, done, move brazil bolivia 2, trade alaska joker china, end; help, board,
moves and cards tell what to type, where one is and what is open, look brazil its neighbours. Names may be short, and in
your language.
Exit codes: 0 fine, 2 wrongly asked, 69 no server, 70 a bug, 76 client and server of different versions, 130 Ctrl-C.
The server is --server, else TWOSEAT_URL, else http://127.0.0.1:8765. Your seats are remembered in TWOSEAT_HOME.
NO_COLOR, TWOSEAT_ASCII=1 (plain letters for cards) and TWOSEAT_CALM=1 (no motion) are obeyed.
"""


def add_parser(subparsers: "Subparsers[argparse.ArgumentParser]") -> None:
    """Add `play` and `watch`; each sets `run`, a function from parsed arguments to the exit code."""
    play = subparsers.add_parser(
        "play",
        help="play in this terminal",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    play.add_argument("where", nargs="?", metavar="WHERE", help="server, invite link or code")
    begin = play.add_argument_group("how to begin")
    begin.add_argument("--quick", action="store_true", help="find me somebody")
    begin.add_argument("--host", action="store_true", help="open a table for a friend")
    begin.add_argument("--bot", action="store_true", help="play the bot at once")
    begin.add_argument("--code", metavar="CODE", help="join the table with this code")
    begin.add_argument("--resume", action="store_true", help="go on with my unfinished game")
    terms = play.add_argument_group("the game")
    terms.add_argument("--game", choices=("war", "war-online"), help="cards or territories (default: war)")
    terms.add_argument("--preset", choices=("points", "classic"), help="War: rules (default: points)")
    terms.add_argument("--target", type=int, metavar="N", help="War: rounds to win, 1 to 50 (default: 50)")
    levels = ("easy", "middle", "strong")
    terms.add_argument("--level", choices=levels, help="War Online: your bot, or your table's (default: middle)")
    terms.add_argument("--limit", type=int, metavar="N", help="War Online: turns of each, 10 to 100 (default: 100)")
    terms.add_argument(
        "--turn-seconds",
        type=int,
        metavar="N",
        help="time for a draw, 5 to 120 (default: 15); War Online: for a turn, 30 to 600 (default: 120)",
    )
    terms.add_argument("--timer", type=_timer, metavar="X", help="1, 2, 10 times that, or off (friend or bot only)")
    terms.add_argument("--games", type=int, choices=(1, 3, 5), help="best of so many games (default: 1)")
    play.add_argument("--name", help="what you are called, 1 to 20 letters")
    play.add_argument("--auto", action="store_true", help="make each first legal move at once; exit after the game")
    _shared(play)
    play.set_defaults(run=lambda args: run(args, "play"))
    watch = subparsers.add_parser("watch", help="watch a game", description="Watch the game at a table.")
    watch.add_argument("where", metavar="CODE", help="the table's code or invite link")
    _shared(watch)
    watch.set_defaults(run=lambda args: run(args, "watch"))


def _shared(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--server", metavar="URL", help="the server, as http://host:port")
    parser.add_argument("--lang", choices=("en", "bg", "pt"), help="language (default: your locale's)")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--plain", action="store_true", help="sentences, one a line")
    shape.add_argument("--json", action="store_true", help="events as JSON, one a line")
    parser.add_argument("--state", type=Path, metavar="FILE", help="file for the secret tokens of your seats")


def _timer(text: str) -> int:
    if text not in {"off", "0", "1", "2", "10"}:
        raise argparse.ArgumentTypeError("one of 1, 2, 10, off")
    return 0 if text == "off" else int(text)


def run(args: argparse.Namespace, command: str) -> int:
    """Play or watch, and return the exit code; errors go to stderr in one line with the next step."""
    from twoseat_client import play
    from twoseat_client.plan import Misused, understand
    from twoseat_client.sitting import BUG, INTERRUPTED, USAGE

    try:
        return play.run(understand(args, command))
    except Misused as error:
        return _sorry(str(error), USAGE)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        raise  # no bug: the reader of the output had enough, and `twoseat` ends
    except Exception as error:  # noqa: BLE001 the last wall: a bug is said in one line, not in forty
        if os.environ.get("TWOSEAT_DEBUG"):
            traceback.print_exc()
        place = traceback.extract_tb(error.__traceback__)[-1]
        text = f"a bug, sorry ({type(error).__name__} at {Path(place.filename).name}:{place.lineno})"
        return _sorry(f"{text}; your seat is kept, try --resume. TWOSEAT_DEBUG=1 shows more for a report", BUG)


def _sorry(text: str, code: int) -> int:
    sys.stderr.write(f"twoseat: {text}\n")
    return code
