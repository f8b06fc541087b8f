"""`twoseat verify`: says of each promise whether it was kept, for people or as JSON; it checks nothing itself."""

import argparse
import json
import sys

from msgspec import to_builtins

from twoseat.replay import BadReplay, Replay
from twoseat.verify import Check, Name, Report, verify
from twoseat_client.fairness import failure
from twoseat_client.source import USAGE, NoReplay, Source, add_source, understand
from twoseat_client.text import Sentence, Words, guess_language, say

BROKEN = 1
"""Exit code of a game that is not what was promised."""
_DESCRIPTION = """\
Check a finished game: the seed and the players' shares are those committed to before the deal, and the deal and every
round follow from them. Where this machine was at the game, what it was promised then is compared too.
"""


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `verify`; it sets `run`, a function from parsed arguments to the exit code."""
    parser = subparsers.add_parser(
        "verify",
        help="check that a finished game was dealt as promised",
        description=_DESCRIPTION,
        epilog="Exit codes: 0 verified, 1 not what was promised, 2 no replay, 69 no server.",
    )
    add_source(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Check a replay, say each check in words, and return the exit code."""
    lang = args.lang or guess_language()
    try:
        source = understand(args)
        lang = source.lang
        replay = source.fetch()
        report = _checked(source, replay)
    except NoReplay as error:
        sys.stderr.write(f"twoseat: {Words(lang).tell(error.why)}\n")
        return error.code
    if args.json:
        sys.stdout.write(json.dumps(_told(replay, report)) + "\n")
    else:
        words = Words(lang)
        for sentence in spoken(replay, report):
            sys.stdout.write(words.tell(sentence) + "\n")
    return 0 if report.verified else BROKEN


def _checked(source: Source, replay: Replay) -> Report:
    try:
        return verify(replay, source.receipts.find(replay.match))
    except BadReplay as error:
        raise NoReplay(say("replay.error.bad", why=str(error)), USAGE) from error


def _told(replay: Replay, report: Report) -> dict[str, object]:
    return {
        "match": report.match,
        "names": list(replay.names),
        "verified": report.verified,
        "checks": [to_builtins(check) for check in report.checks],
        "shares": list(report.shares),
    }


def spoken(replay: Replay, report: Report) -> tuple[Sentence, ...]:
    """Return the report in sentences: what each seat put in, each check, the verdict last."""
    seats = [(say("word.bot") if bot else name) for bot, name in zip(replay.bots, replay.names, strict=True)]
    put_in = [say(f"verify.share.{share}", name=seat) for seat, share in zip(seats, report.shares, strict=True)]
    unseen = [] if any(check.name is Name.PROMISE for check in report.checks) else [say("verify.promise.none")]
    checks = [_check(check, replay) for check in report.checks]
    verdict = say("verify.verdict.ok" if report.verified else "verify.verdict.bad")
    return (*put_in, *unseen, *checks, verdict)


def _check(check: Check, replay: Replay) -> Sentence:
    if not check.ok:
        return failure(check)
    if check.name is Name.COURSE:
        return say("verify.course.ok", count=len(replay.rounds))
    return say(f"verify.{check.name}.ok")
