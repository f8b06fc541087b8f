"""One draw-and-compare of War with its whole war chain, as a function of two decks; the heart of both presets and of
the simulator.
"""

from collections.abc import Callable

from twoseat.games import cards
from twoseat.games.game import Seat, other
from twoseat.values import Value

Decks = tuple[bytes, bytes]
"""Both seats' cards, top first."""
Pickup = Callable[[Seat, bytes, bytes], bytes]
"""(winner, laid by seat 0, laid by seat 1) -> the pot in the order it goes under the winner's deck, nearest to the
top first.
"""


def _alternating(first: bytes, second: bytes) -> bytes:
    if len(first) == 1:
        return first + second  # no war, sixteen rounds in seventeen: the simulator's time
    laid = bytearray(2 * len(first))
    laid[::2] = first
    laid[1::2] = second
    return bytes(laid)


def winner_first(winner: Seat, laid0: bytes, laid1: bytes) -> bytes:
    """Step by step as laid, in each step the winner's card before the loser's (rules, War 4)."""
    return _alternating(laid0, laid1) if winner == 0 else _alternating(laid1, laid0)


def loser_first(winner: Seat, laid0: bytes, laid1: bytes) -> bytes:
    """Step by step as laid, the loser's card first; for comparison only."""
    return winner_first(other(winner), laid0, laid1)


def winner_block(winner: Seat, laid0: bytes, laid1: bytes) -> bytes:
    """All the winner's cards as laid, then all the loser's; for comparison only."""
    return laid0 + laid1 if winner == 0 else laid1 + laid0


def seat0_first(winner: Seat, laid0: bytes, laid1: bytes) -> bytes:
    """Step by step, seat 0 first whoever won; for comparison only: such an order makes endless games."""
    return _alternating(laid0, laid1)


WAR_COSTS = 2
"""Cards a war takes from each deck: one face down, one face up (rules, War 5)."""
PICKUPS: dict[str, Pickup] = {order.__name__: order for order in (winner_first, loser_first, winner_block, seat0_first)}


class Battle(Value, frozen=True):
    """What one round did. `wars` counts wars declared, one that could not be paid included; `won` counts the cards
    taken.
    """

    decks: Decks
    winner: Seat | None
    wars: int
    won: int
    pairs: bytes
    """The up cards: seat 0's, seat 1's, again for each war paid. The last two decide."""
    short: bool


def fight(decks: Decks, pickup: Pickup = winner_first) -> Battle:
    """Play one round on two decks of at least one card each (rules, War 2, 4 and 5)."""
    deck0, deck1 = decks
    laid, wars = 1, 0
    # Ranks, without a call for each card: the simulator's time.
    while (card0 := deck0[laid - 1]) >> cards.SUIT_BITS == (card1 := deck1[laid - 1]) >> cards.SUIT_BITS:
        wars += 1
        short0, short1 = len(deck0) - laid < WAR_COSTS, len(deck1) - laid < WAR_COSTS
        if short0 and short1:
            return Battle(decks, None, wars, 0, _pairs(decks, laid), short=True)
        if short0 or short1:
            return _taken(decks, 1 if short0 else 0, laid, wars, pickup, short=True)
        laid += WAR_COSTS
    winner: Seat = 0 if card0 > card1 else 1  # ranks differ, so suits decide nothing
    return _taken(decks, winner, laid, wars, pickup, short=False)


def _taken(decks: Decks, winner: Seat, laid: int, wars: int, pickup: Pickup, *, short: bool) -> Battle:
    pot = pickup(winner, decks[0][:laid], decks[1][:laid])
    rest0, rest1 = decks[0][laid:], decks[1][laid:]
    if winner == 0:
        pot, rest1 = (pot + rest1, b"") if short else (pot, rest1)
        after = rest0 + pot, rest1
    else:
        pot, rest0 = (pot + rest0, b"") if short else (pot, rest0)
        after = rest0, rest1 + pot
    return Battle(after, winner, wars, len(pot), _pairs(decks, laid), short)


def _pairs(decks: Decks, laid: int) -> bytes:
    return _alternating(decks[0][:laid:WAR_COSTS], decks[1][:laid:WAR_COSTS])
