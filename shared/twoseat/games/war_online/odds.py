"""Exact odds of War Online's dice: one throw, losses to expect, luck, and whole attacks; it knows no board and no seat.

Attacker and defender throw one to three dice each; highest meets highest, and a tie is the defender's.
"""

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod

from twoseat.values import Value

MOST_DICE = 3
SIDES = 6


def attack_dice(armies: int) -> int:
    """Return how many dice an attacking territory throws: the army that stays behind throws none."""
    return min(MOST_DICE, armies - 1)


def defence_dice(armies: int) -> int:
    """Return how many dice a defending territory throws."""
    return min(MOST_DICE, armies)


def losses(attack: tuple[int, ...], defence: tuple[int, ...]) -> tuple[int, int]:
    """Return the armies attacker and defender lose by these dice, each side's highest first."""
    pairs = list(zip(attack, defence, strict=False))
    defender = sum(a > d for a, d in pairs)
    return len(pairs) - defender, defender


@cache
def throw_odds(attack: int, defence: int) -> tuple[int, ...]:
    """Return in how many of the 6 ** (attack + defence) equally likely throws the defender loses 0, 1, … armies."""
    counts: Counter[int] = Counter()
    for dice, ways in _throws(attack):
        for against, ways_against in _throws(defence):
            counts[losses(dice, against)[1]] += ways * ways_against
    return tuple(counts[n] for n in range(min(attack, defence) + 1))


@cache
def _throws(dice: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Every throw of so many dice, highest first, and the number of ways it comes up."""
    throws = combinations_with_replacement(range(SIDES, 0, -1), dice)
    return tuple((t, factorial(dice) // prod(map(factorial, Counter(t).values()))) for t in throws)


LUCK_UNIT = 46_656
"""Luck is counted in so many parts of an army, the throws of all six dice: a whole number whatever the dice."""


@cache
def expected_lead(attack: int, defence: int) -> int:
    """Return what one throw costs the defender more than the attacker on average, in units of luck."""
    odds = throw_odds(attack, defence)
    most = len(odds) - 1
    return sum(ways * (2 * lost - most) for lost, ways in enumerate(odds)) * LUCK_UNIT // _throws_of(attack + defence)


def luck(attack: int, defence: int, lost: tuple[int, int]) -> int:
    """Return how much better a throw went for the attacker than it does on average, in units of luck."""
    return (lost[1] - lost[0]) * LUCK_UNIT - expected_lead(attack, defence)


def _throws_of(dice: int) -> int:
    return int(SIDES**dice)


class Prospect(Value, frozen=True):
    """What an attack carried on to its end promises: `conquest` is its probability, `left` the mean number of armies
    the attacker then has of those it came with (0 where it cannot conquer), `killed` the mean loss of the defender.
    """

    conquest: float
    left: float
    killed: float


MOST_ARMIES = 200
"""Larger armies are scaled down, both sides alike, which changes no figure that anyone is shown."""
_prospects: dict[tuple[int, int], Prospect] = {}


def prospect(attackers: int, defenders: int) -> Prospect:
    """Return the prospect of `attackers` armies, the one that stays behind included, against `defenders`."""
    known = _prospects.get((attackers, defenders))
    if known is not None:
        return known
    if attackers < 2:
        return Prospect(0.0, 0.0, 0.0)
    scale = max(attackers, defenders) / MOST_ARMIES
    if scale > 1:
        scaled = prospect(max(2, round(attackers / scale)), max(1, round(defenders / scale)))
        return Prospect(scaled.conquest, scaled.left * scale, scaled.killed * scale)
    # From the smallest armies up, so that no recursion grows deep.
    for d in range(1, defenders + 1):
        for a in range(2, attackers + 1):
            if (a, d) not in _prospects:
                _prospects[a, d] = _fought_on(a, d)
    return _prospects[attackers, defenders]


def _fought_on(attackers: int, defenders: int) -> Prospect:
    dice, against = attack_dice(attackers), defence_dice(defenders)
    odds = throw_odds(dice, against)
    conquest = left = killed = 0.0
    for lost, ways in enumerate(odds):
        a, d = attackers - (len(odds) - 1 - lost), defenders - lost
        chance = ways / _throws_of(dice + against)
        after = Prospect(1.0, a, 0.0) if d == 0 else prospect(a, d)
        conquest += chance * after.conquest
        left += chance * after.conquest * after.left
        killed += chance * (lost + after.killed)
    return Prospect(conquest, left / conquest, killed)
