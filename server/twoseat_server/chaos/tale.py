"""The log of a match played again, version by version, and the rules that can be judged by it alone."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from twoseat import record
from twoseat.chair import Millis
from twoseat.games import GAMES
from twoseat.games.game import SEATS, Driver, Game, Seat
from twoseat.inputs import Connect, Input, Leave, Play, Tick
from twoseat.match import Match, Rejected, step
from twoseat_server.chaos.history import History, Rule, Spoken, Witness
from twoseat_server.store.nodes import IDLE_STAMP, STOP_FROM

BACK: Millis = STOP_FROM + IDLE_STAMP
"""How far game time may seem to go back: a node runs on by its own clock until its last sweep is too old, and a stop
that it has not seen yet began with that sweep, or with the stamp of an idle shard before it.
"""
Broken = Callable[[Rule, str], None]
Account = list[tuple[Seat | None, Spoken, dict[str, Any]]]
"""What was said and heard at a match: the witness's seat, when and where, the message."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a log, between the match before it and after it."""

    event: Input
    version: int
    now: Millis
    before: Match
    after: Match


@dataclass(frozen=True, slots=True)
class Tale:
    """The match as its log tells it."""

    game: Game[object]
    entries: tuple[Entry, ...]
    matches: dict[int, Match]
    last: Match
    written: tuple[Play, ...]
    """The moves of people in the whole log, also where it cannot be played to its end."""

    def plays(self) -> list[tuple[Entry, Play]]:
        """Return the moves of people, in order."""
        return [
            (entry, entry.event)
            for entry in self.entries
            if isinstance(entry.event, Play) and entry.event.by is Driver.HUMAN
        ]


def told(history: History, broken: Broken) -> Tale | None:
    """Return what the log tells, as far as it can be played; None where it tells nothing."""
    if not history.log:
        broken(Rule.STATE, "there is no log")
        return None
    match = record.decode(GAMES, history.log[0])
    game = GAMES[match.options.game]
    matches, entries = {match.version: match}, []
    for data in history.log[1:]:
        read = _read(data)
        if read is None:
            broken(Rule.GAP, f"after {match.version} comes what is no input")
            break
        event, version, now = read
        if version != match.version + 1:
            broken(Rule.GAP, f"version {version} comes after {match.version}")
            break
        try:
            after = step(game, match, event, now)
        except Rejected as error:
            broken(Rule.REPLAY, f"version {version}, {type(event).__name__}: {error}")
            break
        if after is match:
            broken(Rule.REPLAY, f"version {version}, {type(event).__name__}: changes nothing")
            break
        entries.append(Entry(event, version, now, match, after))
        match = matches[version] = after
    inputs = [read[0] for read in map(_read, history.log[1:]) if read is not None]
    written = tuple(event for event in inputs if isinstance(event, Play) and event.by is Driver.HUMAN)
    tale = Tale(game, tuple(entries), matches, match, written)
    if history.stored is None:
        broken(Rule.STATE, "the match is gone")
    elif record.decode(GAMES, history.stored) != match:
        stored = record.decode(GAMES, history.stored)
        broken(Rule.STATE, f"version {stored.version} is stored, the log ends with {match.version}")
    return tale


def _read(data: bytes) -> tuple[Input, int, Millis] | None:
    try:
        return record.decode_entry(data)
    except msgspec.DecodeError:
        return None


def account_of(tale: Tale, witness: Witness) -> Account:
    """Return what a witness said and heard at this match. On a new line she is there from a `hello` that names it."""
    account: Account = []
    here, seat, socket = False, None, -1
    for spoken in witness.spoken:
        message = json.loads(spoken.text)
        if spoken.socket != socket:
            here, socket = message.get("match") == tale.last.id, spoken.socket
        if spoken.heard and message["type"] == "seated":
            here, seat = message["match"] == tale.last.id, message["seat"]
        if here:
            account.append((seat, spoken, message))
    return account


def judged_times(tale: Tale, late: Millis | None, broken: Broken) -> tuple[tuple[Millis, ...], tuple[int, ...]]:
    """Judge clocks and bots; return how late each deadline was acted on, and the versions at which people had run out
    of time.
    """
    newest = tale.entries[0].now if tale.entries else 0
    waits, timeouts = [], []
    for entry in tale.entries:
        if entry.now < newest - BACK:
            broken(Rule.CLOCK, f"version {entry.version} at {entry.now}, after {newest}")
        newest = max(newest, entry.now)
        deadline = entry.before.deadline
        if isinstance(entry.event, Tick) and deadline is not None:
            waits.append(entry.now - deadline)
            if late is not None and waits[-1] > late:
                broken(Rule.LATE, f"version {entry.version}, {waits[-1]} ms")
        timeouts += [entry.version for seat in SEATS if _fell(tale, entry, seat, broken)]
    _judge_seats(tale, broken)
    return tuple(waits), tuple(timeouts)


def _fell(tale: Tale, entry: Entry, seat: Seat, broken: Broken) -> bool:
    """Judge a seat that falls to the bot: by a Tick a whole clock after its turn began, or because its person left."""
    before, after = entry.before.chairs[seat], entry.after.chairs[seat]
    if not (before.driver is Driver.HUMAN and after.driver is Driver.BOT):
        return False
    if isinstance(entry.event, Leave) and entry.event.seat == seat:
        return False
    if entry.before.pause is not None:
        return False  # nobody was there, and nobody came within `abandon_after`
    options = entry.before.options
    since = _owed_since(tale, seat, entry)
    clock = options.turn_seconds * 1000 * (options.timer or 1)
    if not isinstance(entry.event, Tick) or entry.now - since < clock - BACK:
        broken(Rule.BOT, f"version {entry.version}, seat {seat}: {entry.now - since} ms after its turn began")
    return True


def _owed_since(tale: Tale, seat: Seat, last: Entry) -> Millis:
    """Return when the seat came to owe what it owes before the `last` entry: its moves within a turn begin no turn."""
    since, turn = last.now, tale.game.turn(last.before.state)
    for entry in reversed(tale.entries[: tale.entries.index(last)]):
        state = entry.after.state
        if state is None or seat not in tale.game.owes(state) or tale.game.turn(state) != turn:
            break
        since = entry.now
    return since


def _judge_seats(tale: Tale, broken: Broken) -> None:
    """Only the newest connection moves a seat, and only a bot whose seat it is moves for it."""
    newest: dict[Seat, int] = {}
    for entry in tale.entries:
        match entry.event:
            case Connect(seat=seat, connection=connection):
                newest[seat] = connection
            case Play(by=Driver.BOT, seat=seat) if entry.before.chairs[seat].driver is not Driver.BOT:
                broken(Rule.BOT, f"version {entry.version}: moved for seat {seat}, which a person drives")
            case Play(by=Driver.HUMAN, seat=seat, connection=connection) if newest.get(seat) != connection:
                broken(Rule.REPLACED, f"version {entry.version}: connection {connection} of seat {seat}")
            case _:
                pass
