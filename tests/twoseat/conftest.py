"""How hard hypothesis tries: the same cases every time by default, many fresh ones with TWOSEAT_HYPOTHESIS=thorough."""

import os

from hypothesis import settings

settings.register_profile("default", max_examples=60, stateful_step_count=40, deadline=None, derandomize=True)
settings.register_profile("thorough", max_examples=2000, stateful_step_count=80, deadline=None)
settings.load_profile(os.environ.get("TWOSEAT_HYPOTHESIS", "default"))
