"""Cards, sets and objectives: what can be traded for how much, and when a game is won."""

from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from dealt import oracle
from online import numbers, position
from twoseat.games.war_online import deck
from twoseat.games.war_online.board import ALL, CONTINENTS, TERRITORIES, Symbol
from twoseat.games.war_online.objectives import BY_ID, OBJECTIVES, reached

CARDS: Any = oracle("war_online_objectives.json")["objectives"]
EXCHANGE: Any = oracle("war_online_map.json")["card_exchange"]


def test_online_6_44_cards() -> None:
    names = Counter(map(deck.name, deck.DECK))
    assert names == Counter(TERRITORIES) + Counter({"joker": 2})
    assert Counter(map(deck.symbol, deck.DECK)) == {Symbol.JOKER: 2} | dict.fromkeys(list(Symbol)[:3], 14)


@pytest.mark.parametrize(
    ("names", "is_one"),
    [
        ("alaska vancouver novayork", True),  # three triangles
        ("alaska brasil china", False),  # a triangle and two circles
        ("alaska brasil mexico", True),  # one of each
        ("alaska brasil joker", True),
        ("alaska vancouver joker", True),
        ("alaska joker joker", True),
        ("alaska brasil", False),
        ("alaska vancouver novayork egito", False),
    ],
)
def test_online_6_a_set_is_three_alike_or_three_different(names: str, *, is_one: bool) -> None:
    assert deck.is_set(numbers(names)) is is_one


def test_online_6_five_cards_always_hold_a_set() -> None:
    # Which card of a symbol it is makes no difference: three of each symbol and the jokers are all kinds of hands.
    kinds = numbers("alaska vancouver novayork egito siberia brasil china congo mexico argentina joker joker")
    for hand in combinations(kinds, deck.MOST_HELD):
        assert deck.sets(bytes(hand))


def test_table_2_is_the_oracles() -> None:
    assert [deck.worth(n) for n in range(len(EXCHANGE["table"]))] == EXCHANGE["table"]
    assert [deck.worth(n + 1) - deck.worth(n) for n in range(6, 50)] == [EXCHANGE["then_plus"]] * 44


def test_online_2_the_objectives_are_the_oracles() -> None:
    theirs = {
        card["id"]: (
            set(card.get("need", ())),
            card.get("plus_any_other", 0),
            card.get("count", 0),
            card.get("min_armies", 1),
        )
        for card in CARDS
    }
    assert {o.id: (set(o.continents), o.others, o.count, o.armies) for o in OBJECTIVES} == theirs


@pytest.mark.parametrize("card", [card for card in CARDS if card["kind"] == "continents"], ids=lambda card: card["id"])
def test_online_2_continents_are_needed_whole(card: Any) -> None:
    by_id = {c.id: c for c in CONTINENTS}
    others = [c for c in CONTINENTS if c.id not in card["need"]]
    needed = [by_id[name] for name in card["need"]]
    for extra in combinations(others, card["plus_any_other"]):
        mine = {t for c in (*needed, *extra) for t in c.territories}
        assert reached(BY_ID[card["id"]], [int(t not in mine) for t in ALL], [1] * len(ALL), 0)
        for gap in mine:
            assert not reached(BY_ID[card["id"]], [int(t not in mine - {gap}) for t in ALL], [1] * len(ALL), 0)
    if card["plus_any_other"]:
        mine = {t for c in needed for t in c.territories}
        assert not reached(BY_ID[card["id"]], [int(t not in mine) for t in ALL], [1] * len(ALL), 0)


@pytest.mark.parametrize(("count", "won"), [(23, False), (24, True), (25, True)])
def test_online_2_24_territories_count_whatever_stands_on_them(count: int, *, won: bool) -> None:
    state = position(", ".join(TERRITORIES[:count]))
    assert reached(BY_ID["t24"], state.owners, state.armies, 0) is won
    assert not reached(BY_ID["t24"], state.owners, state.armies, 1)


@pytest.mark.parametrize(("strong", "weak", "won"), [(18, 0, True), (17, 1, False), (17, 24, False), (18, 20, True)])
def test_online_2_18_territories_count_with_two_armies_each(strong: int, weak: int, *, won: bool) -> None:
    two = [f"{name} 2" for name in TERRITORIES[:strong]]
    state = position(", ".join([*two, *TERRITORIES[strong : strong + weak]]))
    assert reached(BY_ID["t18x2"], state.owners, state.armies, 0) is won


def test_bug_16_36_armies_on_18_territories_are_not_two_on_each() -> None:
    state = position(", ".join(["alaska 19", *TERRITORIES[1:18]]))
    assert sum(state.armies[:18]) == 36
    assert not reached(BY_ID["t18x2"], state.owners, state.armies, 0)
