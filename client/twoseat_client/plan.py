"""What the command line asks for, understood: which server, which request, which kind of screen; it opens nothing."""

import argparse
import os
import re
import sys
from dataclasses import dataclass, replace
from enum import StrEnum

from pydantic import BaseModel, ValidationError

from twoseat import wire
from twoseat_client.address import DEFAULT_SERVER, BadAddress, Server, read_code, read_server
from twoseat_client.text import LANGUAGES, Words, guess_language
from twoseat_client.tokens import Tokens, default_path


class Front(StrEnum):
    """How a client shows itself."""

    SCREEN = "screen"
    PLAIN = "plain"
    JSON = "json"


class Misused(Exception):
    """The command line makes no sense; the message names the next step."""


@dataclass(frozen=True, slots=True)
class Plan:
    """All choices made. `begin` None: resume a seat if one is free, else quick match (a screen asks)."""

    server: Server
    tokens: Tokens
    front: Front
    lang: str
    terms: wire.Terms
    name: str | None = None
    begin: BaseModel | None = None
    code: str | None = None
    """A table to join, where this machine may have a seat already."""
    resume: bool = False
    auto: bool = False

    @property
    def queue(self) -> wire.Quick:
        """A quick match: whoever waits for a person wants the first who comes, whatever the bot's level."""
        return wire.Quick(type="quick", terms=self.terms.model_copy(update={"level": None}))


def understand(args: argparse.Namespace, command: str) -> Plan:
    """Return the plan for parsed arguments of `play` or `watch`. Raises Misused."""
    server, code = _where(args)
    tokens = Tokens(args.state or default_path(), server.origin)
    front = front_of(args)
    lang = args.lang or tokens.preference("lang") or guess_language()
    plan = Plan(server, tokens, front, lang if lang in LANGUAGES else "en", wire.Terms())
    if command == "watch":
        if code is None:
            raise Misused("name the table to watch: twoseat watch CODE")
        return replace(plan, begin=wire.Watch(type="watch", code=code))
    if args.name is not None and not args.name.strip():
        raise Misused("--name is empty: give 1 to 20 letters, or leave it out to go by the name you had")
    terms = _terms(args)
    plan = replace(plan, terms=terms, name=_name(args, tokens, plan.lang), auto=args.auto, resume=args.resume)
    chosen = [word for word in ("quick", "host", "bot", "resume") if getattr(args, word)]
    if len(chosen) + (code is not None) > 1:
        raise Misused(f"choose one: {', '.join('--' + word for word in chosen)}{' or a code' if code else ''}")
    requests: dict[str, BaseModel] = {
        "quick": plan.queue,
        "host": wire.Host(type="host", terms=terms),
        "bot": wire.Bot(type="bot", terms=terms),
    }
    if code is not None:
        return replace(plan, code=code, begin=wire.Join(type="join", code=code))
    return replace(plan, begin=requests.get(chosen[0])) if chosen else plan


def _name(args: argparse.Namespace, tokens: Tokens, lang: str) -> str | None:
    """Return the name to go by. A remembered one that hello cannot bear, as no UTF-8, is none."""
    name = args.name or tokens.preference("name")
    try:
        return wire.Hello(type="hello", protocol=wire.PROTOCOL_VERSION, name=name).name
    except ValidationError:
        if args.name:
            raise Misused(Words(lang)("error.bad_name")) from None
        return None


def _where(args: argparse.Namespace) -> tuple[Server, str | None]:
    """Return server and code from the place (URL, link or code), --server and --code."""
    given = args.server or os.environ.get("TWOSEAT_URL") or DEFAULT_SERVER
    try:
        server, code = read_server(given)
        place = args.where
        if place is not None and read_code(place) is not None:
            code = read_code(place)
        elif place is not None and re.fullmatch(r"[\w-]+", place) and place.lower() != "localhost":
            # Most likely a code that was cut short; a host of one word would be asked in vain, and for long.
            raise Misused(
                f"{place[:40]} is no code: a code is six letters and digits, such as K7RP2M. "
                f"A server of that name is written as http://{place[:40].lower()}"
            )
        elif place is not None:
            server, code = read_server(place)
    except BadAddress as error:
        raise Misused(f"this is no server and no code: {error}") from error
    typed = getattr(args, "code", None)
    if typed is not None:
        code = read_code(typed)
        if code is None:
            raise Misused("a code is six letters and digits, such as K7RP2M")
    return server, code


def front_of(args: argparse.Namespace) -> Front:
    """Return how to show things: as asked, else a screen where everything is a terminal, else sentences."""
    if args.json:
        return Front.JSON
    # The screen is drawn on stderr and reads stdin; what is piped anywhere wants lines.
    terminal = all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))
    dumb = os.environ.get("TERM", "dumb") == "dumb"
    return Front.PLAIN if args.plain or getattr(args, "auto", False) or dumb or not terminal else Front.SCREEN


def _fitting(args: argparse.Namespace) -> None:
    """Raise Misused where a flag says something about another game than the one asked for."""
    online = args.game == "war-online"
    for flag in ("preset", "target") if online else ("level", "limit"):
        if getattr(args, flag) is not None:
            raise Misused(
                f"--{flag} belongs to --game {'war' if online else 'war-online'}: name that game, or leave it out"
            )
    if args.preset == "classic" and args.target is not None:
        raise Misused("--target belongs to --preset points: classic goes on until all the cards are won")


def _terms(args: argparse.Namespace) -> wire.Terms:
    _fitting(args)
    given = {
        "game": args.game,
        "level": args.level,
        "limit": args.limit,
        "preset": args.preset,
        "target": args.target,
        "turn_seconds": args.turn_seconds,
        "timer": args.timer,
        "games": args.games,
    }
    try:
        return wire.Terms.model_validate({key: value for key, value in given.items() if value is not None})
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        flag = "--" + str(first["loc"][0]).replace("_", "-")
        raise Misused(f"{flag}: {first['msg'].lower()}") from None
