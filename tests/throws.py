"""Real throws from a match's chance, counted and weighed against the exact odds by Pearson's chi-square."""

from collections import Counter

from twoseat.fair import Chance
from twoseat.games.war_online import odds
from twoseat.games.war_online.battle import throw

KEY = b"\x05" * 32
# The values a chi-square of 1, 2 and 3 degrees of freedom exceeds once in 100,000 times.
_LIMITS = (19.51, 23.03, 25.90)


def frequencies(attack: int, defence: int, throws: int) -> float:
    """Return the chi-square of the armies the defender lost in so many throws of one kind."""
    chance = Chance(KEY)
    lost = Counter(odds.losses(*throw(chance, n, attack, defence))[1] for n in range(throws))
    exact = odds.throw_odds(attack, defence)
    expected = [throws * ways / sum(exact) for ways in exact]
    return sum((lost[n] - mean) ** 2 / mean for n, mean in enumerate(expected))


def chi_square_limit(degrees: int) -> float:
    """Return what the chi-square may be at most; the key is fixed, so that no test fails by chance."""
    return _LIMITS[degrees - 1]
