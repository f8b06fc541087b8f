"""What every test may rely on: no other test's logging."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog


@pytest.fixture(autouse=True)
def logging_of_its_own(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Take back what a command run inside a test did to logging: its handler writes to a stream that is closed."""
    before, handlers = structlog.get_config(), list(logging.getLogger().handlers)
    configure = structlog.configure

    def uncached(**how: Any) -> None:
        configure(**how | {"cache_logger_on_first_use": False})

    monkeypatch.setattr(structlog, "configure", uncached)
    yield
    if structlog.get_config() != before:
        structlog.reset_defaults()
        logging.getLogger().handlers = handlers
