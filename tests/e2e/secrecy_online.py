"""Reads War Online's frames against what was stored, and names every secret a socket was told that is not its own.

Until the game is over a seat may know its own objective and cards; a watcher none. Everybody may know the board, so a
territory's name says nothing where a place on the board is meant; anywhere else it is a card.
"""

import json
from collections.abc import Iterator
from typing import Any

from e2e.wiretap import Tapped
from twoseat import record
from twoseat.games import GAMES
from twoseat.games.war_online import deck
from twoseat.games.war_online.objectives import OBJECTIVES
from twoseat.match import Match, step

_CARDS = frozenset(map(deck.name, deck.DECK))
_OBJECTIVES = frozenset(objective.id for objective in OBJECTIVES)
_ON_THE_BOARD = frozenset({"source", "target", "bonus", "moved"})
"""Fields that name places."""
_COUNTS = ("hands", "pile")


def misplaced(tapped: Tapped, logs: dict[str, list[bytes]]) -> Iterator[str]:
    """Return each secret in words. `logs` is every stored match's log by match id."""
    online = {match_id: _versions(log) for match_id, log in logs.items() if _game(log) == "war-online"}
    match_id, seat, unread = "", None, None
    for text in tapped.sent:
        message = json.loads(text)
        if message["type"] == "seated":
            match_id, seat, unread = message["match"], message["seat"], message
        if message["type"] != "state" or match_id not in online:
            continue
        match = online[match_id][message["version"]]
        if match.outcome is None:
            where = f"at version {match.version} of {match_id}"
            for told in filter(None, (unread, message)):
                yield from (f"{leak} in {told['type']} {where}" for leak in _secrets(told, match, seat))
        unread = None


def _game(log: list[bytes]) -> str:
    return record.decode(GAMES, log[0]).options.game


def _versions(log: list[bytes]) -> dict[int, Match]:
    match = record.decode(GAMES, log[0])
    matches = {match.version: match}
    for entry in log[1:]:
        event, version, now = record.decode_entry(entry)
        match = matches[version] = step(GAMES[match.options.game], match, event, now)
    return matches


def _secrets(message: dict[str, Any], match: Match, seat: int | None) -> Iterator[str]:
    state = match.state
    hand = [] if state is None or seat is None else [deck.name(card) for card in state.hands[seat]]
    own = None if state is None or seat is None else state.objectives[seat]
    for path, value in _strings(message):
        if value in _OBJECTIVES and value != own:
            yield f"objective {value} at {'.'.join(path)}"
        if value in _CARDS and not _ON_THE_BOARD & set(path) and not (path[:2] == ("view", "cards") and value in hand):
            yield f"card {value} at {'.'.join(path)}"
    if message["type"] != "state":
        return
    for of, moves in enumerate(message["legal"]):
        if moves and of != seat:
            yield f"moves of seat {of}"
        traded = [move.split()[1:] for move in moves if move.startswith("trade")]
        yield from (f"cards {cards} in legal" for cards in traded if not set(cards) <= set(hand))
    if sorted(message["view"]["cards"]) != sorted(hand):
        yield "another hand"
    for name in _COUNTS:
        if not _only_numbers(message["view"][name]):
            yield f"more than a count in {name}"


def _only_numbers(value: Any) -> bool:
    return isinstance(value, int) or (isinstance(value, list) and len(value) == 2 and all(map(_only_numbers, value)))


def _strings(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item, path)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _strings(key, (*path, key))
            yield from _strings(item, (*path, key))
