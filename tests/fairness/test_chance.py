"""A hundred thousand deals: every card is equally likely in every place, and every starter is a fair coin."""

import hashlib
from array import array
from collections import Counter
from itertools import pairwise

import pytest

from twoseat.fair import Chance
from twoseat.games import cards
from twoseat.games.war import deal
from twoseat.shake import deal_key

pytestmark = pytest.mark.xdist_group("chance")  # one worker deals them all, once

DEALS = 100_000
ROUNDS = 20
"""Starters looked at in each twentieth game."""


def chance(number: int) -> Chance:
    """The chance of one game, with both nonces, one, or none."""
    seed = hashlib.sha256(b"chi-square %d" % number).digest()
    nonces = [hashlib.sha256(b"nonce %d %d" % (number, seat)).hexdigest() for seat in (0, 1)]
    said = number % 4
    return Chance(deal_key(seed, (nonces[0] if said & 1 else "", nonces[1] if said & 2 else "")))


@pytest.fixture(scope="module")
def dealt() -> list[bytes]:
    """All decks, seat 0's before seat 1's, each from the top."""
    return [b"".join(deal(chance(number))) for number in range(DEALS)]


def chi_square(observed: list[int], expected: float) -> float:
    """Pearson's sum."""
    return sum((count - expected) ** 2 for count in observed) / expected


def plausible(chi2: float, freedom: int) -> bool:
    """Whether a fair source would show this: within five standard deviations of the mean of chi-square."""
    return bool(abs(chi2 - freedom) < 5 * (2 * freedom) ** 0.5)


def test_every_card_is_equally_likely_in_every_place(dealt: list[bytes]) -> None:
    counts = [array("l", bytes(8 * 52)) for _ in range(52)]
    for decks in dealt:
        for place, card in enumerate(decks):
            counts[place][card] += 1
    expected = DEALS / 52
    for place in range(52):
        assert plausible(chi_square(list(counts[place]), expected), 51), place
    for card in range(52):
        assert plausible(chi_square([row[card] for row in counts], expected), 51), card
    assert plausible(sum(chi_square(list(row), expected) for row in counts), 51 * 51)


def test_both_first_cards_are_any_two_cards(dealt: list[bytes]) -> None:
    pairs = Counter((decks[0], decks[26]) for decks in dealt)
    assert len(pairs) == 52 * 51
    assert plausible(chi_square(list(pairs.values()), DEALS / (52 * 51)), 52 * 51 - 1)
    ties = sum(count for (mine, theirs), count in pairs.items() if cards.rank(mine) == cards.rank(theirs))
    expected = DEALS * 3 / 51
    assert abs(ties - expected) < 5 * (expected * 48 / 51) ** 0.5


def test_no_seat_is_favoured(dealt: list[bytes]) -> None:
    """Aces fall to seat 0 as often as a fair shuffle gives them: 0 to 4 of them, hypergeometric."""
    aces = Counter(sum(cards.rank(card) == 12 for card in decks[:26]) for decks in dealt)
    shares = [n / 20825 for n in (1150, 5200, 8125, 5200, 1150)]
    chi2 = sum((aces[n] - DEALS * share) ** 2 / (DEALS * share) for n, share in enumerate(shares))
    assert plausible(chi2, 4)


def test_neighbours_in_a_deck_know_nothing_of_each_other(dealt: list[bytes]) -> None:
    above = Counter((lower - upper) % 52 for decks in dealt[::4] for upper, lower in pairwise(decks[:26]))
    counts = [above[step] for step in range(1, 52)]
    assert above[0] == 0
    assert plausible(chi_square(counts, sum(counts) / 51), 50)


def test_every_starter_is_a_fair_coin_that_knows_neither_the_last_one_nor_the_cards(dealt: list[bytes]) -> None:
    following: Counter[tuple[int, int]] = Counter()
    beside: Counter[tuple[int, bool]] = Counter()
    by_round = [0] * ROUNDS
    games = range(0, DEALS, 20)
    for number in games:
        source = chance(number)
        starters = [source.below(f"starter/{n}", 2) for n in range(1, ROUNDS + 1)]
        following.update(pairwise(starters))
        decks = dealt[number]
        if cards.rank(decks[0]) != cards.rank(decks[26]):
            beside[starters[0], decks[0] > decks[26]] += 1
        for at, starter in enumerate(starters):
            by_round[at] += starter
    pairs = list(following.values())
    assert plausible(chi_square(pairs, sum(pairs) / 4), 3)
    cells = list(beside.values())
    assert plausible(chi_square(cells, sum(cells) / 4), 3)
    for ones in by_round:
        assert plausible(chi_square([ones, len(games) - ones], len(games) / 2), 1)
