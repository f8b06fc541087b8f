"""Chance that anyone can check: fixed vectors, the method written a second time from docs/fairness.md, and evenness."""

import hmac
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twoseat.fair import SEED_BYTES, Chance, fresh_seed
from twoseat.games import cards

KEY = bytes(range(32))
KEYS = st.binary(min_size=32, max_size=32)
WORDS = 2**32


def stream(key: bytes, label: str) -> Iterator[int]:
    """The words of a label, straight from the document."""
    number = 0
    while True:
        block = hmac.new(key, label.encode() + bytes([0]) + number.to_bytes(4, "big"), "sha256").digest()
        for at in (0, 4, 8, 12, 16, 20, 24, 28):
            yield int.from_bytes(block[at : at + 4], "big")
        number += 1


def number_below(words: Iterator[int], n: int) -> int:
    """A number below n by the document."""
    return next(word % n for word in words if word < WORDS - WORDS % n)


def shuffled(key: bytes, label: str, items: Sequence[int]) -> list[int]:
    """A shuffle by the document."""
    words, order = stream(key, label), list(items)
    for place in range(len(order) - 1, 0, -1):
        pick = number_below(words, place + 1)
        order[place], order[pick] = order[pick], order[place]
    return order


@pytest.mark.parametrize(
    ("label", "n", "number"),
    [
        ("starter/1", 2, 1),
        ("starter/2", 2, 1),
        ("dice/0", 6, 4),
        ("dice/1", 6, 1),
        ("x", 10**9, 566881239),
        ("starter/12", 2**32, 1399898747),
        ("anything", 1, 0),
    ],
)
def test_numbers_for_a_fixed_key(label: str, n: int, number: int) -> None:
    assert Chance(KEY).below(label, n) == number


def test_a_shuffle_for_a_fixed_key() -> None:
    assert Chance(KEY).shuffle("pile", range(5)) == [4, 1, 3, 2, 0]
    deck = Chance(KEY).shuffle("deal", cards.DECK)
    assert " ".join(cards.name(card) for card in deck[:13]) == "8C QS AC JS 4C 4D 6D KH 5C JC 10S 3D 9H"


@given(KEYS, st.text(max_size=12), st.integers(1, WORDS))
def test_numbers_follow_the_document(key: bytes, label: str, n: int) -> None:
    assert Chance(key).below(label, n) == number_below(stream(key, label), n)


@given(KEYS, st.text(max_size=12), st.integers(0, 120))
def test_shuffles_follow_the_document(key: bytes, label: str, size: int) -> None:
    assert Chance(key).shuffle(label, range(size)) == shuffled(key, label, range(size))


@given(KEYS, st.lists(st.integers(), max_size=60))
def test_a_shuffle_keeps_every_item_and_leaves_the_original_alone(key: bytes, items: list[int]) -> None:
    before = list(items)
    assert sorted(Chance(key).shuffle("deal", items)) == sorted(items)
    assert items == before


def test_equal_keys_and_labels_give_equal_results_and_others_do_not() -> None:
    first, second = Chance(KEY), Chance(KEY[::-1])
    assert first.shuffle("deal", range(52)) == Chance(bytes(KEY)).shuffle("deal", range(52))
    assert first.shuffle("deal", range(52)) != second.shuffle("deal", range(52))
    assert len({first.below(f"starter/{number}", WORDS) for number in range(1000)}) == 1000


def test_words_that_would_make_some_numbers_likelier_are_thrown_away() -> None:
    n = WORDS // 2 + 1
    thrown = 0
    for number in range(200):
        words = list(islice(stream(KEY, f"throw/{number}"), 40))
        first_good = next(word for word in words if word < n)
        thrown += words.index(first_good) > 0
        assert Chance(KEY).below(f"throw/{number}", n) == first_good
    assert 60 < thrown < 140


def too_uneven(counts: Sequence[int]) -> bool:
    """Whether a chi-square test gives equal chances less than one in a million (Wilson and Hilferty's formula)."""
    mean, freedom = sum(counts) / len(counts), len(counts) - 1
    statistic = sum((count - mean) ** 2 / mean for count in counts)
    spread = 2 / (9 * freedom)
    return statistic > freedom * (1 - spread + 4.753 * math.sqrt(spread)) ** 3


@pytest.mark.parametrize("n", [2, 3, 6, 13, 52])
def test_numbers_are_even(n: int) -> None:
    chance = Chance(KEY)
    counts = Counter(chance.below(f"even/{number}", n) for number in range(300 * n))
    assert len(counts) == n
    assert not too_uneven([counts[number] for number in range(n)])


def thirds(draw: Callable[[int], int]) -> list[int]:
    """How many of 3,000 draws below 3 * 2**30 fall into each third."""
    counts = Counter(draw(number) // 2**30 for number in range(3000))
    return [counts[third] for third in range(3)]


def test_no_third_is_likelier_as_a_plain_remainder_would_make_it() -> None:
    n, chance = 3 * 2**30, Chance(KEY)
    assert not too_uneven(thirds(lambda number: chance.below(f"third/{number}", n)))
    assert too_uneven(thirds(lambda number: next(stream(KEY, f"third/{number}")) % n))


def test_every_order_of_five_is_equally_likely() -> None:
    chance = Chance(KEY)
    counts = Counter(tuple(chance.shuffle(f"five/{number}", range(5))) for number in range(12_000))
    assert not too_uneven([counts[order] for order in permutations(range(5))])


def test_every_card_is_equally_likely_in_every_place() -> None:
    deals = [Chance(number.to_bytes(32, "big")).shuffle("deal", cards.DECK) for number in range(3000)]
    for place in (0, 1, 25, 26, 50, 51):
        counts = Counter(deal[place] for deal in deals)
        assert not too_uneven([counts[card] for card in cards.DECK])


def test_a_worse_shuffle_would_be_seen() -> None:
    def swap_with_any(number: int) -> tuple[int, ...]:
        words, order = stream(KEY, f"worse/{number}"), list(range(5))
        for place in range(5):
            pick = number_below(words, 5)
            order[place], order[pick] = order[pick], order[place]
        return tuple(order)

    counts = Counter(map(swap_with_any, range(12_000)))
    assert too_uneven([counts[order] for order in permutations(range(5))])


def test_seeds_are_32_secret_bytes_and_never_the_same() -> None:
    seeds = [fresh_seed() for _ in range(100)]
    assert {len(seed) for seed in seeds} == {SEED_BYTES} == {32}
    assert len(set(seeds)) == 100
