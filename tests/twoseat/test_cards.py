"""Cards as numbers and as names."""

import pytest

from twoseat.games import cards


def test_52_names_in_the_order_of_ranks_then_clubs_diamonds_hearts_spades() -> None:
    assert len(cards.NAMES) == len(set(cards.NAMES)) == len(cards.DECK) == 52
    assert (cards.NAMES[:5], cards.NAMES[-1]) == (("2C", "2D", "2H", "2S", "3C"), "AS")


def test_names_and_numbers_go_both_ways() -> None:
    assert cards.parse(cards.NAMES) == bytes(cards.DECK)
    assert [cards.name(card) for card in cards.DECK] == list(cards.NAMES)
    assert cards.parse([]) == b""


@pytest.mark.parametrize(("name", "rank"), [("2S", 0), ("10C", 8), ("JH", 9), ("QD", 10), ("KS", 11), ("AC", 12)])
def test_ranks(name: str, rank: int) -> None:
    (card,) = cards.parse([name])
    assert cards.rank(card) == rank


@pytest.mark.parametrize("name", ["", "1S", "10", "S10", "ah", "AH ", "Ah", "11H", "A♥"])
def test_an_unknown_card_is_named_with_the_way_to_write_it(name: str) -> None:
    with pytest.raises(ValueError, match="write rank then suit, such as 10S or QH") as caught:
        cards.parse(["KS", name])
    assert repr(name) in str(caught.value)
