"""Shaking hands before a deal: seed and nonces are committed to, then opened, so that nobody chooses last; it knows no
game and no I/O.

The server's commitment to its seed is known first. Then each person commits to a nonce (COMMIT); only when those
commitments stand, or their time is up, are the nonces opened (OPEN). Whoever lets the time pass adds nothing, and
that is seen by all. docs/fairness.md says what this proves and what not.
"""

import hashlib
import hmac
from enum import StrEnum
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from twoseat.chair import Millis, reached
from twoseat.games.game import SEATS, Seat
from twoseat.values import Value

NONCE_BYTES = 32


class Stage(StrEnum):
    """How far the shake is."""

    WAITING = "waiting"
    COMMIT = "commit"
    OPEN = "open"
    DONE = "done"


DONE: Final = Stage.DONE
"""Looked up once, as `HUMAN` is."""


class BadNonce(Exception):
    """The nonce is not the one committed to, or nothing was committed to."""


class TooLate(Exception):
    """The stage for this has not come or is over, or something else was said in it before."""


class Shake(Value, frozen=True, array_like=True):
    """What has been said so far, hex by seat, empty where nothing was. `within`: ms for each of the two stages."""

    people: tuple[bool, bool]
    within: Millis
    stage: Stage = Stage.WAITING
    until: Millis | None = None
    digests: tuple[str, str] = ("", "")
    nonces: tuple[str, str] = ("", "")


NO_SHAKE = Shake(people=(False, False), within=0, stage=Stage.DONE)
"""A deal from the seed alone, as simulations make."""


def begin(shake: Shake, now: Millis) -> Shake:
    """Ask for commitments; nothing is asked where there is no shaking."""
    if shake.stage is not Stage.WAITING:
        return shake
    return replace(shake, stage=Stage.COMMIT, until=now + shake.within)


def commit(shake: Shake, seat: Seat, digest: str, now: Millis) -> Shake:
    """Take a person's commitment; with the last one, ask for nonces. Raises TooLate."""
    if shake.digests[seat] == digest:
        return shake
    if shake.stage is not Stage.COMMIT or shake.digests[seat] or reached(shake.until, now):
        raise TooLate
    shake = replace(shake, digests=_with(shake.digests, seat, digest))
    if all(shake.digests[s] for s in SEATS if shake.people[s]):
        return _ask_nonces(shake, now)
    return shake


def open_nonce(shake: Shake, seat: Seat, nonce: str, now: Millis) -> Shake:
    """Take a person's nonce; with the last one the shake is done. Raises TooLate, BadNonce."""
    if shake.nonces[seat] == nonce:
        return shake
    if shake.stage is not Stage.OPEN or shake.nonces[seat] or reached(shake.until, now):
        raise TooLate
    if not hmac.compare_digest(nonce_digest(nonce), shake.digests[seat]):
        raise BadNonce
    shake = replace(shake, nonces=_with(shake.nonces, seat, nonce))
    if all(shake.nonces[s] for s in SEATS if shake.digests[s]):
        return done(shake)
    return shake


def expire(shake: Shake, now: Millis) -> Shake:
    """Go on without what did not come in time."""
    if shake.stage is Stage.COMMIT and any(shake.digests):
        return _ask_nonces(shake, now)
    return done(shake)


def done(shake: Shake) -> Shake:
    """Ask for nothing more: all is said, or the game is over before it was dealt."""
    return shake if shake.stage is Stage.DONE else replace(shake, stage=Stage.DONE, until=None)


def seed_digest(seed: bytes) -> str:
    """Return the server's commitment to a seed: SHA-256 of `twoseat seed`, a zero byte and the seed, as hex."""
    return hashlib.sha256(b"twoseat seed\0" + seed).hexdigest()


def nonce_digest(nonce: str) -> str:
    """Return a person's commitment to a nonce (hex): SHA-256 of `twoseat nonce`, a zero byte and its bytes, as hex."""
    return hashlib.sha256(b"twoseat nonce\0" + bytes.fromhex(nonce)).hexdigest()


@lru_cache(maxsize=1 << 14)  # asked for with every move, and so many matches are what one core of a node plays
def deal_key(seed: bytes, nonces: tuple[str, str]) -> bytes:
    """Return the key of all chance in a game.

    It is SHA-256 of `twoseat deal`, a zero byte, the seed, and for each seat one byte 1 and its nonce, or one byte 0
    where none was opened.
    """
    parts = [b"\1" + bytes.fromhex(nonce) if nonce else b"\0" for nonce in nonces]
    return hashlib.sha256(b"twoseat deal\0" + seed + b"".join(parts)).digest()


def _ask_nonces(shake: Shake, now: Millis) -> Shake:
    return replace(shake, stage=Stage.OPEN, until=now + shake.within)


def _with(pair: tuple[str, str], seat: Seat, text: str) -> tuple[str, str]:
    return (text, pair[1]) if seat == 0 else (pair[0], text)
