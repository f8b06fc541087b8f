"""How hard hypothesis tries, by TWOSEAT_HYPOTHESIS: `default` (always the same cases), `thorough` (many fresh ones), or
`mutation` (few, and none made smaller, because a mutant only has to fall).
"""

import os

import pytest
from hypothesis import Phase, settings

PROFILE = os.environ.get("TWOSEAT_HYPOTHESIS", "default")
settings.register_profile("default", max_examples=60, stateful_step_count=60, deadline=None, derandomize=True)
settings.register_profile("thorough", max_examples=2000, stateful_step_count=100, deadline=None)
settings.register_profile(
    "mutation",
    settings.get_profile("default"),
    max_examples=25,
    phases=(Phase.explicit, Phase.generate),
    database=None,
)
settings.load_profile(PROFILE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A thorough run takes the time it takes."""
    if PROFILE == "thorough":
        for item in items:
            item.add_marker(pytest.mark.timeout(0))
