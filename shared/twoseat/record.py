"""How a match and what happened to it are written down: bytes for the store and the log; it knows no store.

A match is one line of JSON (small, readable in a store's shell, open to new fields) and behind it the game's own
compact bytes.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import astuple

from twoseat import inputs
from twoseat.chair import Chair, Millis, Pause
from twoseat.games.game import Game, Options, Outcome, Seat, Termination
from twoseat.match import Match, MatchId, step
from twoseat.series import Series
from twoseat.shake import Shake
from twoseat.values import Value

KINDS = {kind.__name__.lower(): kind for kind in inputs.Input.__args__}
"""Every input by the name it has in a log."""


class _Lasting(Value, frozen=True):
    """What a record's line says for as long as the shake is the same."""

    hidden = frozenset({"seed"})

    id: MatchId
    code: str
    options: Options
    seed: str
    series: tuple[int, tuple[Seat | None, ...], tuple[int, int], int]
    shake: Shake


class _Changing(Value, frozen=True):
    """What it says anew with every version."""

    chairs: tuple[Chair, Chair]
    version: int
    started: bool
    pause: Pause | None
    outcome: tuple[Seat | None, Termination] | None
    next_at: Millis | None
    next: bool


class _Stamp(Value, frozen=True):
    """When the input of a log entry came, and the version it made."""

    v: int
    now: Millis


_write = msgspec.json.Encoder().encode
_read_lasting, _read_changing = msgspec.json.Decoder(_Lasting).decode, msgspec.json.Decoder(_Changing).decode
_read_input, _read_stamp = msgspec.json.Decoder(inputs.Input).decode, msgspec.json.Decoder(_Stamp).decode


def lasting(match: Match) -> bytes:
    """Return the part of the record that stays the same for as long as `match.shake` does, for encode()."""
    return _write(_Lasting(match.id, match.code, match.options, match.seed.hex(), astuple(match.series), match.shake))


def encode(game: Game[Any], match: Match, kept: bytes | None = None) -> bytes:
    """Return the match as bytes; `kept` is what lasting() returned for it, where that is known."""
    ended = match.outcome
    outcome = None if ended is None else (ended.winner, ended.termination)
    changing = _Changing(match.chairs, match.version, match.started, match.pause, outcome, match.next_at, match.next)
    body = b"" if match.state is None else game.encode(match.state)
    return b"%b,%b\n%b" % ((kept or lasting(match))[:-1], _write(changing)[1:], body)


def decode(games: dict[str, Game[Any]], data: bytes) -> Match:
    """Return the match that `encode` wrote."""
    line, _, body = data.partition(b"\n")
    kept, changing = _read_lasting(line), _read_changing(line)
    return Match(
        id=kept.id,
        code=kept.code,
        options=kept.options,
        seed=bytes.fromhex(kept.seed),
        state=games[kept.options.game].decode(body) if body else None,
        chairs=changing.chairs,
        series=Series(*kept.series),
        shake=kept.shake,
        version=changing.version,
        started=changing.started,
        pause=changing.pause,
        outcome=Outcome(*changing.outcome) if changing.outcome else None,
        next_at=changing.next_at,
        next=changing.next,
    )


def fold(games: dict[str, Game[Any]], log: Sequence[bytes]) -> Match:
    """Return the match its log tells of: the first entry is the new match's record, each other one an input."""
    match = decode(games, log[0])
    game = games[match.options.game]
    for data in log[1:]:
        event, _, now = decode_entry(data)
        match = step(game, match, event, now)
    return match


def encode_entry(event: inputs.Input, version: int, now: Millis) -> bytes:
    """Return one entry of a match's log: the input, when it came and the version it made."""
    return b'{"v":%d,"now":%d,%b' % (version, now, _write(event)[1:])


def decode_entry(data: bytes) -> tuple[inputs.Input, int, Millis]:
    """Return (input, version, now) of a log entry."""
    stamp = _read_stamp(data)
    return _read_input(data), stamp.v, stamp.now
