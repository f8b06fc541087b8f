"""French playing cards as numbers 0 to 51 and as names such as `10S`; it knows no game."""

from collections.abc import Iterable

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUITS = "CDHS"
DECK = range(52)
SUIT_BITS = 2
"""The lowest bits of a card, which are its suit; those above are its rank."""
NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)
_NUMBERS = {name: number for number, name in enumerate(NAMES)}


def rank(card: int) -> int:
    """Return 0 for a two up to 12 for an ace."""
    return card >> SUIT_BITS


def name(card: int) -> str:
    """Return the card's name, rank then suit letter, as in `QH` or `10S`."""
    return NAMES[card]


def parse(names: Iterable[str]) -> bytes:
    """Return the cards with these names as bytes, top first. Raises ValueError naming the first unknown card."""
    cards = []
    for text in names:
        if text not in _NUMBERS:
            raise ValueError(f"no such card: {text!r} (write rank then suit, such as 10S or QH)")
        cards.append(_NUMBERS[text])
    return bytes(cards)
