"""Stores that live as long as the test run, each test with an empty one: the embedded Valkey, Redis, a cluster."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from caller import Callers
from nodes import run_node
from stores import Join, Peer, emptied, peer, redis_server
from twoseat_server.chaos.cluster import Cluster
from twoseat_server.settings import Settings
from twoseat_server.store.embedded import EmbeddedStore


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def valkey_url(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    async with EmbeddedStore(tmp_path_factory.mktemp("valkey")) as url:
        yield url


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with redis_server(tmp_path_factory.mktemp("redis")) as url:
        yield url


@pytest.fixture
async def url(valkey_url: str) -> str:
    """An empty store."""
    return await emptied(valkey_url)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def cluster_url(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    async with Cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster.urls


@pytest.fixture(params=["valkey", "redis", "cluster"])
async def any_url(request: pytest.FixtureRequest, valkey_url: str, redis_url: str, cluster_url: str) -> str:
    """An empty store of each kind in turn: the contract holds on all three."""
    return await emptied({"valkey": valkey_url, "redis": redis_url, "cluster": cluster_url}[request.param])


async def _peers(url: str) -> AsyncIterator[Join]:
    joined: list[Peer] = []

    def join(name: str = "a", at: str = url) -> Peer:
        joined.append(peer(at, name))
        return joined[-1]

    yield join
    for one in joined:
        await one.link.close()


@pytest.fixture
async def join(url: str) -> AsyncIterator[Join]:
    """Give a node's name and get its view of the store."""
    async for peers in _peers(url):
        yield peers


@pytest.fixture
async def join_any(any_url: str) -> AsyncIterator[Join]:
    """The same at each kind of store."""
    async for peers in _peers(any_url):
        yield peers


@pytest.fixture
def settings() -> Settings:
    """How the node of a test is run; a module may have its own."""
    return Settings(host="127.0.0.1", port=0, max_matches=100_000, moves_per_second=1_000)


@pytest.fixture
async def call(settings: Settings, url: str) -> AsyncIterator[Callers]:
    """Call a node on an empty store."""
    async with run_node(settings, url) as (_, callers):
        yield callers
