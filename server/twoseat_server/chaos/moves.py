"""The rules about moves: each acknowledged one is stored once, each rejected one never, in the order people saw."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from twoseat.games.game import Seat
from twoseat.match import Reason
from twoseat_server.chaos.history import Rule, Spoken, Witness
from twoseat_server.chaos.tale import BACK, Account, Broken, Entry, Tale
from twoseat_server.store.nodes import STOP_FROM


@dataclass(slots=True)
class _Move:
    """One move as its client knows it: every saying of it, and when it first heard what became of it."""

    seat: Seat
    number: int
    move: str
    said: list[Spoken] = field(default_factory=list)
    acked: float | None = None
    acked_at: int = 0
    """The version that acknowledged it."""
    rejected_at: int | None = None
    """The newest version known when it was rejected."""


_AT_ONCE = 3.0
"""Seconds within which two sockets count as opened at once: what they say may arrive in either order."""
Outages = Sequence[tuple[float, float]]
_Moves = dict[tuple[Seat, str], _Move]


def judged_moves(tale: Tale, accounts: Sequence[Account], outages: Outages, broken: Broken) -> int:
    """Judge the moves of people and return how many were acknowledged."""
    moves: _Moves = {}
    for account in accounts:
        _hear(account, moves)
    stored = {(play.seat, play.id): entry for entry, play in tale.plays()}
    for (seat, name), times in Counter((play.seat, play.id) for play in tale.written).items():
        if times > 1:
            broken(Rule.DOUBLED, f"seat {seat}, {name}: {times} times")
    for entry, play in tale.plays():
        said = moves.get((play.seat, play.id))
        if said is None or (said.number, said.move) != (play.number, play.move):
            broken(Rule.INVENTED, f"version {entry.version}: seat {play.seat}, {play.id}")
    for (seat, name), move in moves.items():
        at = stored.get((seat, name))
        if move.acked is not None and (at is None or at.version > move.acked_at):
            broken(Rule.LOST, f"seat {seat}, {name}: acknowledged by version {move.acked_at}")
        if move.rejected_at is not None and at is not None and not _moved_on(tale, seat, at.version, move.rejected_at):
            broken(Rule.REJECTED, f"seat {seat}, {name}: stored as version {at.version}")
    _judge_order(moves, stored, outages, broken)
    _judge_tabs(accounts, moves, stored, broken)
    return sum(move.acked is not None for move in moves.values())


def _hear(account: Account, moves: _Moves) -> None:
    """Take down what a witness said at this match, and what became of it."""
    known = 0
    for seat, spoken, message in account:
        if message["type"] == "state":
            known = max(known, message["version"])
        if seat is None:
            continue
        if message["type"] == "play":
            move = _Move(seat, message["number"], message["move"])
            moves.setdefault((seat, message["id"]), move).said.append(spoken)
        elif message["type"] == "state":
            _ack(moves.get((seat, message["chairs"][seat]["last"])), spoken.at, message["version"])
        elif message["type"] == "done":
            _ack(moves.get((seat, message["id"])), spoken.at, message["version"])
        elif message["type"] == "rejected" and (refused := moves.get((seat, message["id"]))) is not None:
            refused.rejected_at = known


def _moved_on(tale: Tale, seat: Seat, stored: int, known: int) -> bool:
    """Whether the seat had moved again since, at another socket: a chair remembers one name, and an older move that is
    sent again is stale, made or not.
    """
    return any(play.seat == seat and stored < entry.version <= known for entry, play in tale.plays())


def _ack(move: _Move | None, at: float, version: int) -> None:
    if move is not None and move.acked is None:
        move.acked, move.acked_at = at, version


def _judge_order(moves: _Moves, stored: dict[tuple[Seat, str], Entry], outages: Outages, broken: Broken) -> None:
    """What was said after something was acknowledged comes after it, and game time is no faster than time: it stands
    still through each outage, but for the second after which one counts.
    """
    kept = [(stored[name].version, stored[name].now, move) for name, move in moves.items() if name in stored]
    kept.sort(key=lambda each: each[0])
    first_ack = float("inf")
    for version, _, move in reversed(kept):
        if move.said and move.said[0].at > first_ack:
            broken(Rule.ORDER, f"version {version}: said after a later version was acknowledged")
        first_ack = min(first_ack, float("inf") if move.acked is None else move.acked)
    for (_, began, earlier), (version, now, later) in pairwise(kept):
        if later.acked is None or not earlier.said:
            continue
        span = (earlier.said[0].at, later.acked)
        stood = sum(max(0.0, min(span[1], end) - max(span[0], start) - STOP_FROM / 1000) for start, end in outages)
        if now - began > (span[1] - span[0] - stood) * 1000 + BACK:
            broken(Rule.CLOCK, f"version {version}: {now - began} ms of game time since the move before")


def _judge_tabs(
    accounts: Sequence[Account],
    moves: _Moves,
    stored: dict[tuple[Seat, str], Entry],
    broken: Broken,
) -> None:
    """What was said only where a newer socket of the seat had been seated before is in no log."""
    seated = [
        (spoken.at, seat, spoken.socket)
        for account in accounts
        for seat, spoken, message in account
        if message["type"] == "seated"
    ]
    for (seat, name), move in moves.items():
        if (seat, name) in stored and all(_replaced(seated, seat, spoken) for spoken in move.said):
            broken(Rule.REPLACED, f"version {stored[seat, name].version}: {name} of seat {seat}")


def judge_places(accounts: Sequence[Account], witnesses: Sequence[Witness], broken: Broken) -> None:
    """Only a newer socket of the same player replaces one, not an older one that a node remembers. Of two that were
    opened at about the same time either may be the newer; and the newer may break before it hears of this match.
    """
    opened: dict[Seat, dict[int, float]] = {0: {}, 1: {}}
    sat = [{seat for seat, _, _ in account} for account in accounts]
    tokens = [_tokens(witness) for witness in witnesses]
    for whose, sockets in opened.items():
        hers = {token for here, known in zip(sat, tokens, strict=True) if whose in here for token in known}
        for here, known, witness in zip(sat, tokens, witnesses, strict=True):
            if whose in here or known & hers:
                sockets.update({spoken.socket: spoken.at for spoken in reversed(witness.spoken)})
    for account in accounts:
        for seat, spoken, message in account:
            if seat is None or message["type"] != "rejected" or message["reason"] != Reason.REPLACED:
                continue
            others = [at for socket, at in opened[seat].items() if socket != spoken.socket]
            if max(others, default=0.0) < opened[seat][spoken.socket] - _AT_ONCE:
                broken(Rule.OUSTED, f"seat {seat}, socket {spoken.socket}")


def _tokens(witness: Witness) -> set[str]:
    """Return the tokens by which a server knew this client."""
    messages = (json.loads(spoken.text) for spoken in witness.spoken)
    return {
        message["token"] for message in messages if message["type"] in {"hello", "welcome"} and message.get("token")
    }


def _replaced(seated: list[tuple[float, Seat | None, int]], seat: Seat, spoken: Spoken) -> bool:
    """Whether this was said where its player sat once, after she sat down elsewhere; and she never came back there."""
    sockets = [socket for at, whose, socket in sorted(seated) if whose == seat and at < spoken.at]
    again = any(at >= spoken.at and socket == spoken.socket for at, _, socket in seated)
    return spoken.socket in sockets and sockets[-1] != spoken.socket and not again
