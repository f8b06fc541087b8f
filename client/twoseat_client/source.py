"""Where a replay comes from: a match's id, a link, a file or standard input; it fetches and reads, and no more."""

import argparse
import os
import re
import sys
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from twoseat.replay import MAX_BYTES, BadReplay, Replay, read
from twoseat_client.address import DEFAULT_SERVER, BadAddress, Server, read_server
from twoseat_client.receipts import Receipts
from twoseat_client.text import LANGUAGES, Sentence, guess_language, say
from twoseat_client.tokens import Tokens, default_path

USAGE, UNREACHABLE = 2, 69
WITHIN = 10.0
"""Seconds a server may take."""
_ID = re.compile(r"[0-9a-f]{34}")
_LINK = re.compile(r"(https?://[^/]+)/(?:r|replay)/([0-9a-f]{34})(?:\.json)?/?(?:[?#].*)?")


class NoReplay(Exception):
    """There is none to be had; `why` says so to a person, `code` is the exit code."""

    def __init__(self, why: Sentence, code: int) -> None:
        super().__init__(why.key)
        self.why = why
        self.code = code


@dataclass(frozen=True, slots=True)
class Source:
    """What the command line named, and what this machine remembers."""

    what: str
    server: Server
    lang: str
    receipts: Receipts

    def fetch(self) -> Replay:
        """Return the replay. Raises NoReplay."""
        try:
            return read(self._data())
        except BadReplay as error:
            raise NoReplay(say("replay.error.bad", why=str(error)), USAGE) from error

    def _data(self) -> bytes:
        if _ID.fullmatch(self.what):
            return _get(self.server, self.what)
        if (link := _LINK.fullmatch(self.what)) is not None:
            return _get(_server(link[1]), link[2])
        try:
            if self.what == "-":
                return sys.stdin.buffer.read(MAX_BYTES + 1)
            with Path(self.what).open("rb") as file:
                return file.read(MAX_BYTES + 1)
        except (OSError, ValueError):
            raise NoReplay(say("replay.error.file", file=self.what[:80]), USAGE) from None


def add_source(parser: argparse.ArgumentParser) -> None:
    """Add the arguments `understand` reads."""
    parser.add_argument("what", metavar="MATCH", help="a match's id, a replay's link or file, or - for standard input")
    asked = f"the server to ask for an id (default: TWOSEAT_URL, else {DEFAULT_SERVER}); a link names its own"
    parser.add_argument("--server", metavar="URL", help=asked)
    parser.add_argument("--lang", choices=LANGUAGES, help="language (default: your locale's)")
    parser.add_argument("--state", type=Path, metavar="FILE", help="file for the secret tokens of your seats")


def understand(args: argparse.Namespace) -> Source:
    """Return what these arguments name. Raises NoReplay."""
    given = args.server or os.environ.get("TWOSEAT_URL") or DEFAULT_SERVER
    server = _server(given)
    tokens = Tokens(args.state or default_path(), server.origin)
    lang = args.lang or tokens.preference("lang") or guess_language()
    return Source(args.what, server, lang if lang in LANGUAGES else "en", Receipts(tokens.folder / "receipts"))


def _server(given: str) -> Server:
    try:
        return read_server(given)[0]
    except BadAddress:
        raise NoReplay(say("replay.error.unreachable", server=given[:80]), USAGE) from None


def _get(server: Server, match: str) -> bytes:
    handlers = [urllib.request.ProxyHandler({})] if server.local else []
    opener = urllib.request.build_opener(*handlers)
    try:
        with opener.open(f"{server.origin}/replay/{match}.json", timeout=WITHIN) as answer:
            data: bytes = answer.read(MAX_BYTES + 1)
    except urllib.error.HTTPError as error:
        with error:
            why = error.read(300).decode("utf-8", "replace").strip().partition("\n")[0]
        raise NoReplay(say("replay.error.none", why=why), UNREACHABLE) from None
    except (OSError, ValueError):
        raise NoReplay(say("replay.error.unreachable", server=server.origin), UNREACHABLE) from None
    return data
