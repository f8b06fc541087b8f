"""A thousand seeds of the simulation, a quarter of them of War Online too, and the planted mistakes that take a longer
search. About forty minutes.

Not part of the test run; start it with `python -m pytest tests/long/simulation.py`. TWOSEAT_SEEDS=0-99 tries others.
"""

import os

import pytest

from simulation.plants import PLANTS, SLOW_PLANTS
from simulation.run import Plant, simulate

FIRST, LAST = map(int, os.environ.get("TWOSEAT_SEEDS", "0-999").split("-"))


@pytest.mark.parametrize("seed", range(FIRST, LAST + 1))
def test_whatever_the_weather_every_match_ends_and_no_rule_is_broken(seed: int) -> None:
    result = simulate(seed)
    assert result.violations == ()
    assert result.failures == ()


@pytest.mark.parametrize("seed", range(FIRST, (FIRST * 3 + LAST) // 4 + 1))
def test_so_it_is_at_tables_of_war_online(seed: int) -> None:
    result = simulate(seed, game="war-online")
    assert result.violations == ()
    assert result.failures == ()


@pytest.mark.parametrize("plant", [*PLANTS, *SLOW_PLANTS], ids=lambda plant: plant.__name__)
def test_a_planted_mistake_is_found(plant: Plant) -> None:
    assert any(simulate(seed, plant).violations for seed in range(40))
