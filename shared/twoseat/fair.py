"""Chance that anyone can check: bytes, numbers and shuffles as pure functions of a key; it knows no game and no clock.

Algorithm (docs/fairness.md repeats it with test vectors):
block(label, i) = HMAC-SHA256(key, label || 0x00 || i as 4 bytes big-endian), i = 0, 1, 2, …; the blocks of one label,
concatenated, are its stream. A number below n is taken from the stream 4 bytes at a time (big-endian); a word of
floor(2**32 / n) * n or more is thrown away, so every number is equally likely. A shuffle is Fisher-Yates from the last
place down, place i swapped with a number below i + 1, all from one stream.
"""

import hashlib
import secrets
from collections.abc import Iterator, Sequence
from functools import lru_cache

from twoseat.values import Value

SEED_BYTES = 32
_WORD_BYTES = 4
_BLOCK_BYTES = 64
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))
_WORD = 1 << 32


def fresh_seed() -> bytes:
    """Return 32 secret bytes from the operating system, for one game and no other."""
    return secrets.token_bytes(SEED_BYTES)


class Chance(Value, frozen=True):
    """All randomness of one game: equal key, label and counter always give equal results."""

    hidden = frozenset({"key"})

    key: bytes

    def below(self, label: str, n: int) -> int:
        """Return a number in 0..n-1 for `label` (make the label unique with a counter, such as `starter/12`)."""
        first = int.from_bytes(self._block(label.encode() + b"\0", 0)[:_WORD_BYTES], "big")
        if first < _WORD - _WORD % n:  # nearly always: then the stream need not be set up
            return first % n
        return next(_numbers(self._words(label), (n,)))

    def shuffle(self, label: str, items: Sequence[int]) -> list[int]:
        """Return the items in an order where every permutation is equally likely."""
        cards = list(items)
        places = range(len(cards) - 1, 0, -1)
        for place, pick in zip(places, _numbers(self._words(label), [p + 1 for p in places]), strict=True):
            cards[place], cards[pick] = cards[pick], cards[place]
        return cards

    def _words(self, label: str) -> Iterator[int]:
        prefix = label.encode() + b"\0"
        for i in range(_WORD):
            block = self._block(prefix, i)
            for at in range(0, len(block), _WORD_BYTES):
                yield int.from_bytes(block[at : at + _WORD_BYTES], "big")

    def _block(self, prefix: bytes, i: int) -> bytes:
        inner, outer = _keyed(self.key)
        inner, outer = inner.copy(), outer.copy()
        inner.update(prefix + i.to_bytes(4, "big"))
        outer.update(inner.digest())
        return outer.digest()


@lru_cache(maxsize=16_384)
def _keyed(key: bytes) -> tuple["hashlib._Hash", "hashlib._Hash"]:
    """Return both hashes of HMAC-SHA256 with the key taken up, to be copied for each block (RFC 2104, for keys of up to
    64 bytes): taking it up anew, as `hmac` does, is more than half of what a block costs.
    """
    padded = key.ljust(_BLOCK_BYTES, b"\0")
    return hashlib.sha256(padded.translate(_INNER)), hashlib.sha256(padded.translate(_OUTER))


def _numbers(words: Iterator[int], bounds: Sequence[int]) -> Iterator[int]:
    for n in bounds:
        limit = _WORD - _WORD % n
        word = next(words)
        while word >= limit:
            word = next(words)
        yield word % n
