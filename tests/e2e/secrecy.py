"""Reads what went over the wire against what was stored, and names everything a client should not have seen yet.

In War a card may be on the wire once the round it decided is over: the newest round's up cards during play, all
deciding cards after the end. War Online's secrets are in secrecy_online.py. A seed may never be there before its game
is over, a token only in the `welcome` that gives it to its own socket.
"""

import json
import re
from collections.abc import Iterable, Iterator

from e2e.secrecy_online import misplaced
from e2e.wiretap import Tapped
from twoseat import record
from twoseat.games import GAMES, cards
from twoseat.match import Match, step

_CARD = re.compile(r'"((?:10|[2-9JQKA])[CDHS])"')
_OVER = "over"
Known = dict[int, set[str]]
"""By version: the cards everybody may know, and _OVER once the game is."""


def leaks(sockets: Iterable[Tapped], logs: dict[str, list[bytes]]) -> Iterator[str]:
    """Return each leak in words. `logs` is every stored match's log by match id."""
    known = {match_id: dict(_known(log)) for match_id, log in logs.items()}
    seeds = {record.decode(GAMES, log[0]).seed.hex(): match_id for match_id, log in logs.items()}
    sockets = list(sockets)
    tokens = {token for tapped in sockets for token in _tokens(tapped)}
    for n, tapped in enumerate(sockets):
        foreign = tokens - set(_tokens(tapped))
        for text in tapped.sent:
            kind = json.loads(text)["type"]
            yield from (f"socket {n}: a foreign token in {kind}" for token in foreign if token in text)
        yield from (f"socket {n}: {leak}" for leak in _early_seeds(tapped, known, seeds))
        yield from (f"socket {n}: {leak}" for leak in _early_cards(tapped, known))
        yield from (f"socket {n}: {leak}" for leak in misplaced(tapped, logs))


def _early_seeds(tapped: Tapped, known: dict[str, Known], seeds: dict[str, str]) -> Iterator[str]:
    """A seed is shown in `results` of its own game, when that is over, and nowhere else."""
    version = 0
    for text in tapped.sent:
        message = json.loads(text)
        version = message["version"] if message["type"] == "state" else version
        for seed, match_id in seeds.items():
            if seed not in text:
                continue
            own = message["type"] == "results" and message["match"] == match_id
            if not own or _OVER not in known[match_id][version]:
                yield f"a seed in {message['type']} at version {version} of {match_id}"


def _early_cards(tapped: Tapped, known: dict[str, Known]) -> Iterator[str]:
    """A `seated` is as new as the `state` behind it; `results` as the one before; other messages carry no card."""
    match_id, version, unread = "", 0, ""
    for text in tapped.sent:
        message = json.loads(text)
        kind = message["type"]
        shown = set(_CARD.findall(text))
        if kind == "seated":
            match_id, unread = message["match"], text
            continue
        if kind == "state":
            version = message["version"]
            shown |= set(_CARD.findall(unread))
            unread = ""
        free = known[match_id][version] if kind in ("state", "results") else set()
        yield from (f"{card} in {kind} at version {version} of {match_id}" for card in sorted(shown - free))


def _known(log: list[bytes]) -> Iterator[tuple[int, set[str]]]:
    match = record.decode(GAMES, log[0])
    yield match.version, set()
    for entry in log[1:]:
        event, version, now = record.decode_entry(entry)
        match = step(GAMES[match.options.game], match, event, now)
        assert match.version == version, "the log does not fold"
        yield version, _free(match)


def _free(match: Match) -> set[str]:
    free = {_OVER} if match.outcome is not None else set()
    if match.state is None:
        return free
    if match.options.game != "war":
        return free
    rounds = GAMES["war"].history(match.state, 0, faces=match.outcome is not None)
    free |= {cards.name(card) for card in match.state.pairs}
    return free | {card for line in rounds for card in line.cards or ()}


def _tokens(tapped: Tapped) -> Iterator[str]:
    for text in (*tapped.sent, *tapped.said):
        token = json.loads(text).get("token")
        if token:
            yield token
