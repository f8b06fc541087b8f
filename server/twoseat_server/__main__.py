"""The command `twoseat`: which word starts what. A command's module is imported only when it is asked for."""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from twoseat_server import __version__

_MODULES = {
    "serve": "twoseat_server.serve_command",
    "play": "twoseat_client.cli",
    "watch": "twoseat_client.cli",
    "replay": "twoseat_client.replay_command",
    "verify": "twoseat_client.verify_command",
    "inspect": "twoseat_server.inspect_command",
    "sim": "twoseat_server.sim_command",
    "chaos": "twoseat_server.chaos_command",
}
"""The module that adds each command with its add_parser(subparsers); a parsed command has its `run`."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 ok, 2 usage, 69 unreachable, 70 bug, 76 version.

    Whoever reads the output may stop early, as `head` does: that is no error of any command.
    """
    words = sys.argv[1:] if argv is None else list(argv)
    parser = argparse.ArgumentParser(prog="twoseat", description="Real-time games for two people over the internet.")
    parser.add_argument("--version", action="version", version=f"twoseat {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    asked = [_MODULES[word] for word in words[:1] if word in _MODULES]
    for module in dict.fromkeys(asked or _MODULES.values()):
        importlib.import_module(module).add_parser(commands)
    code = 0
    try:
        try:
            args = parser.parse_args(words)
            code = args.run(args)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _say_no_more()
    return code


def _say_no_more() -> None:
    """Let output go where nobody reads any more, so that the interpreter does not flush it into a closed pipe."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    sys.exit(main())
