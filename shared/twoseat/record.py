"""How a match and what happened to it are written down: bytes for the store and the log; it knows no store.

A match is one line of JSON (small, readable in a store's shell, open to new fields) and behind it the game's own
compact bytes.
"""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

import msgspec

from twoseat import inputs
from twoseat.chair import Chair, Millis, Pause
from twoseat.games.game import Driver, Game, Options, Outcome, Termination
from twoseat.match import Match, step
from twoseat.series import Series
from twoseat.shake import Shake, Stage

KINDS = {kind.__name__.lower(): kind for kind in inputs.Input.__args__}
"""Every input by the name it has in a log."""
_CHAIR = Chair.__struct_fields__
_SERIES = Series.__struct_fields__
_chair_values = attrgetter(*_CHAIR)
_series_values = attrgetter(*_SERIES)
_shake_values = attrgetter(*Shake.__struct_fields__)
_JSON = msgspec.json.Encoder()


def lasting(match: Match) -> bytes:
    """Return the part of the record that stays the same for as long as `match.shake` does, for encode()."""
    facts = {
        "id": match.id,
        "code": match.code,
        "options": match.options,
        "seed": match.seed.hex(),
        "series": _series_values(match.series),
        "shake": _shake_values(match.shake),
    }
    return _JSON.encode(facts)


def encode(game: Game[Any], match: Match, kept: bytes | None = None) -> bytes:
    """Return the match as bytes; `kept` is what lasting() returned for it, where that is known."""
    ended, pause = match.outcome, match.pause
    first, second = match.chairs
    changing = {
        "chairs": (_chair_values(first), _chair_values(second)),
        "version": match.version,
        "started": match.started,
        "pause": (pause.since, pause.until) if pause else None,
        "outcome": (ended.winner, ended.termination) if ended else None,
        "next_at": match.next_at,
        "next": match.next,
    }
    body = b"" if match.state is None else game.encode(match.state)
    return b"".join(((kept or lasting(match))[:-1], b",", _JSON.encode(changing)[1:], b"\n", body))


def decode(games: dict[str, Game[Any]], data: bytes) -> Match:
    """Return the match that `encode` wrote."""
    line, _, body = data.partition(b"\n")
    head = msgspec.json.decode(line)
    options = Options(**head["options"])
    series = dict(zip(_SERIES, head["series"], strict=True))
    ended, pause = head["outcome"], head["pause"]
    return Match(
        id=head["id"],
        code=head["code"],
        options=options,
        seed=bytes.fromhex(head["seed"]),
        state=games[options.game].decode(body) if body else None,
        chairs=(_chair(head["chairs"][0]), _chair(head["chairs"][1])),
        series=Series(**{**series, "winners": tuple(series["winners"]), "before": tuple(series["before"])}),
        shake=_shake(head["shake"]),
        version=head["version"],
        started=head["started"],
        pause=Pause(*pause) if pause else None,
        outcome=Outcome(ended[0], Termination(ended[1])) if ended else None,
        next_at=head["next_at"],
        next=head["next"],
    )


def _chair(values: list[Any]) -> Chair:
    fields = dict(zip(_CHAIR, values, strict=True))
    return Chair(**{**fields, "driver": Driver(fields["driver"]), "last_by": Driver(fields["last_by"])})


def _shake(values: list[Any]) -> Shake:
    people, within, stage, until, digests, nonces = values
    return Shake(tuple(people), within, Stage(stage), until, tuple(digests), tuple(nonces))


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
    entry: dict[str, Any] = {"in": type(event).__name__.lower(), "now": now, "v": version}
    for name in event.__struct_fields__:
        entry[name] = getattr(event, name)
    return _JSON.encode(entry)


def decode_entry(data: bytes) -> tuple[inputs.Input, int, Millis]:
    """Return (input, version, now) of a log entry."""
    entry = msgspec.json.decode(data)
    kind, now, version = KINDS[entry.pop("in")], entry.pop("now"), entry.pop("v")
    if "by" in entry:
        entry["by"] = Driver(entry["by"])
    return kind(**entry), version, now
