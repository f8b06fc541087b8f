"""A finished match played again from its log, by the same step that played it first; it knows no store and no clock."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import fields, replace

from twoseat import record, views, wire
from twoseat.chair import Millis, Pause, PlayerId
from twoseat.games import GAMES
from twoseat.games.game import SEATS, BadOptions, Game
from twoseat.inputs import Connect, Input
from twoseat.match import Match, MatchId, Rejected, create, step
from twoseat.replay import FORMAT, RULES, BadReplay, Entry, Replay, changes
from twoseat.shake import NO_SHAKE, seed_digest

_TOLD = {field.name for field in fields(Entry)} - {"at", "event"}


class Unfinished(Exception):
    """The match is not over: there is no replay of it, because that would show its seed."""


def export(log: Sequence[bytes]) -> Replay:
    """Return the replay of the match this stored log tells of, up to its end. Raises Unfinished."""
    first = record.decode(GAMES, log[0])
    since, until = (first.pause.since, first.pause.until) if first.pause else (0, 0)
    game = GAMES[first.options.game]
    match = _again(first)
    entries, matches = [], [match]
    for data in log[1:]:
        event, _, now = record.decode_entry(data)
        entry = _entry(event, now - since)
        match = step(game, match, _input(match, entry), entry.at)
        entries.append(entry)
        matches.append(match)
        if match.outcome is not None:
            break
    if match.outcome is None:
        raise Unfinished
    digests, nonces = match.shake.digests, match.shake.nonces
    return Replay(
        twoseat_replay=FORMAT,
        rules=RULES,
        match=first.id,
        options=first.options,
        names=(first.chairs[0].name, first.chairs[1].name),
        bots=(first.chairs[0].player is None, first.chairs[1].player is None),
        series=first.series,
        seed=first.seed.hex(),
        seed_digest=seed_digest(first.seed),
        digests=(digests[0] or None, digests[1] or None),
        nonces=(nonces[0] or None, nonces[1] or None),
        start_within=until - since,
        shake_within=None if first.shake == NO_SHAKE else first.shake.within,
        log=tuple(entries),
        outcome=match.outcome,
        rounds=tuple(rounds(game, match)),
        states=tuple(states(game, matches, [0, *(entry.at for entry in entries)])),
    )


def fold(replay: Replay) -> list[Match]:
    """Return the match before the log and after each entry, up to the first entry that cannot have happened.

    Raises BadReplay where it cannot even begin.
    """
    match = begin(replay)
    game = GAMES[replay.options.game]
    matches = [match]
    for entry in replay.log:
        try:
            after = step(game, match, _input(match, entry), entry.at)
        except (Rejected, LookupError, TypeError, ValueError):
            break
        if after is match or match.outcome is not None:
            break
        matches.append(match := after)
    return matches


def begin(replay: Replay) -> Match:
    """Return the match as it was made. Raises BadReplay."""
    game = GAMES.get(replay.options.game)
    if game is None:
        raise BadReplay("this replay is of a game this program does not know: use a newer one")
    first, second = ((None if replay.bots[seat] else _player(seat), replay.names[seat]) for seat in SEATS)
    try:
        return create(
            game,
            MatchId(replay.match),
            "",
            replay.options,
            (first, second),
            bytes.fromhex(replay.seed),
            0,
            series=replay.series,
            start_within=replay.start_within,
            shake_within=replay.shake_within,
        )
    except BadOptions as error:
        raise BadReplay(f"this replay is damaged at options: {error}") from None


def states(game: Game[Any], matches: Iterable[Match], times: Sequence[Millis]) -> Iterator[dict[str, Any]]:
    """Return what is new for a watcher in each of a match's versions."""
    before: dict[str, Any] = {}
    shown = 0
    for match, now in zip(matches, times, strict=True):
        state: dict[str, Any] = json.loads(wire.encode(views.state(game, match, now, None, shown)))
        shown = views.rounds(game, match)
        yield changes(before, state)
        before = state


def rounds(game: Game[Any], match: Match) -> list[dict[str, Any]]:
    """Return all rounds with faces as JSON values."""
    history = [] if match.state is None else game.history(match.state, 0, faces=True)
    done: list[dict[str, Any]] = msgspec.json.decode(msgspec.json.encode(history))
    return done


def _again(first: Match) -> Match:
    """Return the new match without anything that tells who plays it, at time 0."""
    chairs = tuple(replace(chair, player=chair.player and _player(seat)) for seat, chair in enumerate(first.chairs))
    pause = first.pause and Pause(0, first.pause.until - first.pause.since)
    return replace(first, code="", chairs=(chairs[0], chairs[1]), pause=pause)


def _player(seat: int) -> PlayerId:
    return PlayerId(str(seat))


def _entry(event: Input, at: Millis) -> Entry:
    told = {part.name: getattr(event, part.name) for part in fields(event) if part.name in _TOLD}
    return Entry(at, type(event).__name__.lower(), **told)


def _input(match: Match, entry: Entry) -> Input:
    """Return the input an entry tells of; what is the match's to know (connection, move number) is taken from there.

    Raises LookupError or ValueError where it tells of none.
    """
    kind: Any = record.KINDS[entry.event]
    told: dict[str, Any] = {}
    for part in fields(kind):
        if part.name in _TOLD:
            told[part.name] = getattr(entry, part.name)
            if told[part.name] is None:
                raise ValueError(part.name)
        elif part.name == "connection":
            told["connection"] = match.chairs[told["seat"]].connection + (kind is Connect)
        elif part.name == "number":
            told["number"] = match.chairs[told["seat"]].number
    event: Input = kind(**told)
    return event
