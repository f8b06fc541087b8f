"""Chaos on purpose: real processes that are killed and stopped while people play, and a checker of what came of it."""
