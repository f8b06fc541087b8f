"""A real server behind a wiretap; every test's frames and logs are checked for leaks when it ends.

With TWOSEAT_TEST_STORE=cluster in the environment its store is a cluster of three masters, else the embedded one.
"""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from e2e.nodes import ServerProcess, serving
from e2e.secrecy import leaks
from e2e.wiretap import Wiretap, tapping
from stores import emptied
from twoseat import record
from twoseat.games import GAMES
from twoseat.match import MatchId
from twoseat_server.chaos.cluster import Cluster
from twoseat_server.store.link import Link
from twoseat_server.store.matches import Matches

pytest.register_assert_rewrite("e2e.online_pages", "e2e.online_terminals")


@pytest.fixture
def flags() -> tuple[str, ...]:
    """Flags of the server; a test module may have its own."""
    return ("--moves-per-second", "500")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def masters(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Cluster]:
    """A cluster of three masters; what is acknowledged is written, so that one killed starts again with all of it."""
    disk = ("--appendonly", "yes", "--appendfsync", "no")
    async with Cluster(tmp_path_factory.mktemp("masters"), *disk) as cluster:
        yield cluster


@pytest.fixture
def cluster(request: pytest.FixtureRequest) -> Cluster | None:
    """The cluster to play on, if it is to be one."""
    wanted = os.environ.get("TWOSEAT_TEST_STORE") == "cluster"
    found: Cluster | None = request.getfixturevalue("masters") if wanted else None
    return found


@pytest.fixture
async def server(tmp_path: Path, flags: tuple[str, ...], cluster: Cluster | None) -> AsyncIterator[ServerProcess]:
    """A server process on an empty store."""
    if cluster is not None:
        await emptied(cluster.urls)
    async with serving(tmp_path / "server", *flags, cluster=cluster) as process:
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
        keys = [key for found in await link.everywhere("KEYS", "*:log:*") for key in found]
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
