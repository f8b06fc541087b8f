"""The real server in a virtual world whose weather a seed decides: nodes die and stand still, the store goes, lines
break, clocks jump. Then it clears, every match ends, and no rule was broken; planted mistakes are found.
"""

import pytest

from simulation import plants
from simulation.plants import PLANTS
from simulation.run import Plant, simulate

SEEDS = range(8)
_TRIED = 12
"""Seeds in which a planted mistake must have shown."""


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_the_weather_every_match_ends_and_no_rule_is_broken(seed: int) -> None:
    result = simulate(seed)
    assert result.violations == ()
    assert result.failures == ()
    assert result.events > 0
    assert result.histories


@pytest.mark.parametrize("seed", [0, 3])
def test_so_it_is_at_tables_of_war_online(seed: int) -> None:
    result = simulate(seed, game="war-online")
    assert (result.violations, result.failures) == ((), ())
    assert result.acked > 20


def test_in_calm_weather_no_deadline_is_late() -> None:
    result = simulate(4, calm=True)
    assert (result.violations, result.failures) == ((), ())
    assert result.acked > 20


def test_the_same_seed_is_the_same_story() -> None:
    first, again, other = (simulate(seed).trace for seed in (1, 1, 2))
    assert first == again != other


def found(plant: Plant) -> bool:
    """Whether a mistake shows in the judge's verdict within a few seeds."""
    return any(simulate(seed, plant).violations for seed in range(_TRIED))


@pytest.mark.parametrize("plant", PLANTS, ids=[plant.__name__ for plant in PLANTS])
def test_a_planted_mistake_is_found(plant: Plant) -> None:
    assert found(plant)


def test_a_store_that_compares_no_version_is_found() -> None:
    assert found(plants.the_store_compares_no_version)
