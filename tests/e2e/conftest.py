"""A real server behind a wiretap; every test's frames and logs are checked for leaks when it ends."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from e2e.nodes import ServerProcess, serving
from e2e.secrecy import leaks
from e2e.wiretap import Wiretap, tapping
from twoseat import record
from twoseat.games import GAMES
from twoseat.match import MatchId
from twoseat_server.store.link import Link
from twoseat_server.store.matches import Matches


@pytest.fixture
def flags() -> tuple[str, ...]:
    """Flags of the server; a test module may have its own."""
    return ("--moves-per-second", "500")


@pytest.fixture
async def server(tmp_path: Path, flags: tuple[str, ...]) -> AsyncIterator[ServerProcess]:
    """A server process on an empty folder."""
    async with serving(tmp_path / "server", *flags) as process:
        yield process


@pytest.fixture
async def tap(server: ServerProcess) -> AsyncIterator[Wiretap]:
    """The way to the server; nothing that should not have been seen may have gone along it."""
    async with tapping(lambda: server.port) as tap:
        yield tap
        logs = await stored_logs(server)
    assert logs, "no match was played"
    assert list(leaks(tap.sockets, logs)) == []
    await assert_logs_fold(server, logs)


async def stored_logs(server: ServerProcess) -> dict[str, list[bytes]]:
    """Return every stored match's log by match id."""
    link = Link(server.store)
    try:
        keys = await link.run("KEYS", "*:log:*")
        return {key.decode().rsplit(":", 1)[1]: await link.run("LRANGE", key, 0, -1) for key in keys}
    finally:
        await link.close()


async def assert_logs_fold(server: ServerProcess, logs: dict[str, list[bytes]]) -> None:
    """Folding a match's log gives exactly the stored match, at whatever version it is read."""
    link = Link(server.store)
    try:
        matches = Matches(link, GAMES, "test", 0)
        for match_id in map(MatchId, logs):
            stored = await matches.load(match_id)
            assert stored is not None
            log = await matches.log(match_id)
            assert record.fold(GAMES, log[: stored.version]) == stored
    finally:
        await link.close()
