"""`python -m bench.parts`: what each part of a draw costs in process, by itself and in turn with the others.

A part is done again and again for one match, then for each of many, then for each of many with all other parts between:
the same work, which costs more where something else was done before. Microseconds, the best of many runs.
"""

import argparse
import gc
import json
import math
import time
from collections.abc import Callable
from itertools import islice
from typing import NamedTuple

from bench.moves import played
from twoseat import record, views, wire
from twoseat.games import GAMES
from twoseat.inputs import Play
from twoseat.match import Match, step
from twoseat_server.frames import text_frame, whole_texts
from twoseat_server.store.line import pack

GAME = GAMES["war"]
MATCHES, RUNS = 200, 200
_MASK = b"\x5a\xa5\x3c\xc3"
_SKIPPED = 40
"""Draws of each game before the two of a round that are measured."""


class Draw(NamedTuple):
    """A match, a draw, and what each part of it leaves for the next."""

    match: Match
    play: Play
    frame: bytes
    text: str
    kept: bytes
    after: Match
    data: bytes
    entry: bytes
    since: int
    shown: wire.State


PARTS: dict[str, Callable[[Draw], object]] = {
    "read the frame": lambda draw: whole_texts(draw.frame, 16_384),
    "read the message": lambda draw: wire.parse(draw.text),
    "rules and match": lambda draw: step(GAME, draw.match, draw.play, 1),
    "write the record": lambda draw: record.encode(GAME, draw.after, draw.kept),
    "write the log entry": lambda draw: record.encode_entry(draw.play, draw.after.version, 1),
    "pack the call": lambda draw: pack((draw.after.version, draw.data, draw.after.deadline or "", draw.entry)),
    "what both see": lambda draw: views.state(GAME, draw.after, 1, None, draw.since),
    "as JSON, in a frame": lambda draw: text_frame(wire.encode(draw.shown)),
}


def drawn(match: Match, play: Play) -> Draw:
    """Return a draw with all that its parts begin with."""
    text = json.dumps({"type": "play", "id": play.id, "number": play.number, "move": play.move}, separators=(",", ":"))
    masked = bytes(byte ^ _MASK[at % 4] for at, byte in enumerate(text.encode()))
    frame = bytes((0x81, 0x80 | len(masked))) + _MASK + masked
    kept, after, since = record.lasting(match), step(GAME, match, play, 1), views.rounds(GAME, match)
    data, entry = record.encode(GAME, after, kept), record.encode_entry(play, after.version, 1)
    return Draw(match, play, frame, text, kept, after, data, entry, since, views.state(GAME, after, 1, None, since))


def alone(part: Callable[[Draw], object], draws: list[Draw]) -> float:
    """Return what one part costs where nothing else is done."""
    began = time.perf_counter()
    for draw in draws:
        part(draw)
    return (time.perf_counter() - began) / len(draws) * 1e6


def in_turn(draws: list[Draw]) -> list[float]:
    """Return what each part costs where all are done for a draw before the next draw; two readings of a clock too."""
    spent = [0.0] * len(PARTS)
    for draw in draws:
        for at, part in enumerate(PARTS.values()):
            began = time.perf_counter()
            part(draw)
            spent[at] += time.perf_counter() - began
    return [seconds / len(draws) * 1e6 for seconds in spent]


def measured(draws: list[Draw]) -> dict[str, tuple[float, float, float]]:
    """Return what each part costs on one match, on many, and in turn; runs of the three take turns."""
    best = [(math.inf, math.inf, math.inf)] * len(PARTS)
    clock = math.inf
    for _ in range(RUNS):
        clock = min(clock, alone(lambda _: time.perf_counter(), draws))
        turns = in_turn(draws)
        for at, part in enumerate(PARTS.values()):
            one, many, turn = best[at]
            best[at] = min(one, alone(part, draws[:2] * MATCHES)), min(many, alone(part, draws)), min(turn, turns[at])
    return {name: (one, many, turn - clock) for name, (one, many, turn) in zip(PARTS, best, strict=True)}


def main() -> None:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m bench.parts", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    args = parser.parse_args()
    draws = [drawn(*pair) for key in range(MATCHES) for pair in islice(played(GAME, key), _SKIPPED, _SKIPPED + 2)]
    gc.collect()
    gc.freeze()
    rows = measured(draws)
    one, many, turns = (sum(column) for column in zip(*rows.values(), strict=True))
    rows["all"] = one, many, turns
    if args.json:
        print(json.dumps({name: dict(zip(("one", "many", "in_turn"), row, strict=True)) for name, row in rows.items()}))
        return
    print(f"{'µs':22}{'one match':>12}{f'{MATCHES} matches':>14}{'in turn':>10}")
    for name, (first, second, third) in rows.items():
        print(f"{name:22}{first:12.2f}{second:14.2f}{third:10.2f}")


if __name__ == "__main__":
    main()
