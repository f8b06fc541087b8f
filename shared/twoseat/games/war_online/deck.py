"""The 44 cards of War Online, which sets can be traded and for how many armies; it knows no seat and no turn.

A card is a number: its territory's, or 42 and 43 for the two jokers, which share one name.
"""

from collections.abc import Iterable
from functools import cache
from itertools import combinations

from twoseat.games.war_online.board import ALL, NUMBER, SYMBOLS, TERRITORIES, Symbol, Territory

JOKER = "joker"
DECK = range(len(TERRITORIES) + 2)
SET = 3
MOST_HELD = 5
"""With so many a seat must trade before it may place."""
_TABLE = (4, 6, 8, 10, 12, 15)
_STEP = 5


def name(card: int) -> str:
    """Return the card's territory, or `joker`."""
    return TERRITORIES[card] if card in ALL else JOKER


def numbers(names: Iterable[str], hand: bytes) -> bytes | None:
    """Return the cards of `hand` with these names, None where they are not all in it."""
    left, found = list(hand), []
    for text in names:
        card = next((card for card in left if name(card) == text), None)
        if card is None:
            return None
        left.remove(card)
        found.append(card)
    return bytes(found)


def symbol(card: int) -> Symbol:
    """Return what the card shows."""
    return SYMBOLS[card] if card in ALL else Symbol.JOKER


def territory(card: int) -> Territory | None:
    """Return the territory a card names, None for a joker."""
    return NUMBER.get(name(card))


@cache
def is_set(cards: bytes) -> bool:
    """Whether these are three cards that can be traded: three alike or three different; a joker is either."""
    plain = {symbol(card) for card in cards} - {Symbol.JOKER}
    jokers = sum(symbol(card) is Symbol.JOKER for card in cards)
    return len(cards) == SET and (len(plain) <= 1 or len(plain) + jokers == SET)


def sets(hand: bytes) -> tuple[bytes, ...]:
    """Return every set in a hand, as the cards lie in it."""
    return tuple(cards for cards in map(bytes, combinations(hand, SET)) if is_set(cards))


def worth(trades: int) -> int:
    """Return the armies the next set is worth after so many `trades` of the whole game (rules, Online TABLE II)."""
    return _TABLE[trades] if trades < len(_TABLE) else _TABLE[-1] + _STEP * (trades + 1 - len(_TABLE))
