"""Test vectors for docs/fairness.md: deals computed by the code, for people who write their own check of it."""

import hashlib
import hmac
import json
from itertools import product
from typing import Any

from twoseat import sim
from twoseat.fair import SEED_BYTES, Chance
from twoseat.games import cards
from twoseat.games.battle import Decks
from twoseat.games.war import PRESETS, deal
from twoseat.games.war_online import WarOnline, board, deck
from twoseat.games.war_online.battle import throw
from twoseat.shake import NONCE_BYTES, deal_key, nonce_digest, seed_digest

_STARTERS = 12
_WIDE = 3_000_000_000
"""A bound at which nearly a third of all words is thrown away."""
_DICE = (1, 2, 3)
_SAID = ((True, True), (True, False), (False, True), (False, False))


def vectors() -> list[dict[str, Any]]:
    """Return deals with both nonces, with one, and with none, each twice."""
    return [_vector(number, *_SAID[number % len(_SAID)]) for number in range(2 * len(_SAID))]


def as_file() -> str:
    """Return all vectors as JSON."""
    return json.dumps(vectors(), indent=1) + "\n"


def as_block() -> str:
    """Return the first vector for the page."""
    lines = (f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in vectors()[0].items())
    return "```json\n{\n" + ",\n".join(lines) + "\n}\n```\n"


def _vector(number: int, first: bool, second: bool) -> dict[str, Any]:
    seed = _bytes(f"seed {number}", SEED_BYTES)
    nonces = tuple(_bytes(f"nonce {number} {seat}", NONCE_BYTES).hex() for seat in (0, 1))
    opened = (nonces[0] if first else "", nonces[1] if second else "")
    key = deal_key(seed, opened)
    chance = Chance(key)
    decks = deal(chance)
    return {
        "seed": seed.hex(),
        "seed_digest": seed_digest(seed),
        "nonces": [nonce or None for nonce in opened],
        "nonce_digests": [nonce_digest(nonce) if nonce else None for nonce in opened],
        "key": key.hex(),
        "stream": hmac.digest(key, b"deal\0\0\0\0\0", hashlib.sha256).hex(),
        "decks": [" ".join(map(cards.name, deck)) for deck in decks],
        "starters": [chance.below(f"starter/{n}", 2) for n in range(1, _STARTERS + 1)],
        "below": {"label": "wide/1", "n": _WIDE, "number": chance.below("wide/1", _WIDE)},
        "courses": {preset: _course(decks, preset) for preset in PRESETS},
        "war_online": _war_online(chance),
    }


def _course(decks: Decks, preset: str) -> dict[str, Any]:
    course = sim.course(decks, preset)
    return {
        "winners": "".join("-" if winner is None else str(winner) for winner in course.winners),
        "wars": "".join(map(str, course.wars_in_round)),
        "winner": course.result,
        "termination": course.reason,
        "counts": list(course.counts),
    }


def _war_online(chance: Chance) -> dict[str, Any]:
    dealt = WarOnline().new(WarOnline.usual, None, chance)
    return {
        "territories": {
            str(holder): " ".join(board.TERRITORIES[t] for t in board.ALL if dealt.owners[t] == number)
            for number, holder in enumerate((0, 1, "neutral"))
        },
        "objectives": list(dealt.objectives),
        "first": dealt.first,
        "pile": " ".join(map(deck.name, dealt.pile)),
        "throws": [throw(chance, n, *dice) for n, dice in enumerate(product(_DICE, repeat=2))],
    }


def _bytes(text: str, count: int) -> bytes:
    return hashlib.sha256(f"twoseat vector {text}".encode()).digest()[:count]
