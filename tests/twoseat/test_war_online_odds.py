"""The odds of the dice against the oracle and against real throws from a match's chance."""

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from dealt import oracle
from throws import chi_square_limit, frequencies
from twoseat.games.war_online import odds

ODDS: Any = oracle("dice_odds.json")
KINDS = list(product((1, 2, 3), repeat=2))
SINGLE = {(row["attack_dice"], row["defence_dice"]): row for row in ODDS["single_throw"]}


@pytest.mark.parametrize("kind", KINDS)
def test_one_throw_has_the_oracles_odds(kind: tuple[int, int]) -> None:
    row = SINGLE[kind]
    assert odds.throw_odds(*kind) == tuple(outcome["count"] for outcome in reversed(row["outcomes"]))
    assert sum(odds.throw_odds(*kind)) == row["total"]
    lead = Fraction(row["mean_defender_loss"]) - Fraction(row["mean_attacker_loss"])
    assert Fraction(odds.expected_lead(*kind), odds.LUCK_UNIT) == lead


@pytest.mark.parametrize("kind", KINDS)
def test_one_throw_has_the_odds_of_all_throws_counted_one_by_one(kind: tuple[int, int]) -> None:
    counts: Counter[int] = Counter()
    for dice in product(range(1, 7), repeat=sum(kind)):
        attack, defence = sorted(dice[: kind[0]], reverse=True), sorted(dice[kind[0] :], reverse=True)
        counts[sum(a > d for a, d in zip(attack, defence, strict=False))] += 1
    assert odds.throw_odds(*kind) == tuple(counts[lost] for lost in range(min(kind) + 1))


def test_conquest_has_the_oracles_probability_and_armies_left() -> None:
    for row in ODDS["conquest"]:
        prospect = odds.prospect(row["attacker_armies"], row["defender_armies"])
        assert abs(prospect.conquest - row["p_conquest"]) < 1e-9
        assert abs(prospect.left - row["mean_attackers_left_if_won"]) < 1e-6
        if row["exact"]:
            assert abs(prospect.conquest - float(Fraction(row["exact"]))) < 1e-12


def test_a_lone_army_conquers_nothing() -> None:
    assert odds.prospect(1, 1) == odds.Prospect(0.0, 0.0, 0.0)


@pytest.mark.parametrize(("attackers", "defenders"), [(2, 1), (3, 2), (8, 5), (30, 20), (60, 40)])
def test_an_attack_to_the_end_costs_what_its_throws_cost(attackers: int, defenders: int) -> None:
    """Luck is zero on average, so that over a whole attack expected leads and real losses come to the same."""
    lead: dict[tuple[int, int], Fraction] = {}
    for d in range(1, defenders + 1):
        for a in range(2, attackers + 1):
            dice, against = odds.attack_dice(a), odds.defence_dice(d)
            counts = odds.throw_odds(dice, against)
            lead[a, d] = Fraction(odds.expected_lead(dice, against), odds.LUCK_UNIT)
            for lost, ways in enumerate(counts):
                rest = a - (len(counts) - 1 - lost), d - lost
                lead[a, d] += Fraction(ways, sum(counts)) * lead.get(rest, Fraction(0))
    prospect = odds.prospect(attackers, defenders)
    attacker_left = prospect.conquest * prospect.left + (1 - prospect.conquest) * 1
    assert abs(float(lead[attackers, defenders]) - (prospect.killed - (attackers - attacker_left))) < 1e-9


def test_large_armies_are_scaled_down_together() -> None:
    assert odds.prospect(600, 300).conquest == odds.prospect(200, 100).conquest
    assert odds.prospect(600, 300).left == 3 * odds.prospect(200, 100).left


@pytest.mark.parametrize("kind", KINDS)
def test_thrown_dice_come_as_often_as_the_odds_say(kind: tuple[int, int]) -> None:
    assert frequencies(*kind, throws=10_000) < chi_square_limit(min(kind))
