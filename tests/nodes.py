"""Nodes in the test's own process, on real sockets."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from caller import Callers, calling
from twoseat_server.app import Node
from twoseat_server.settings import Settings


@asynccontextmanager
async def run_node(settings: Settings, url: str) -> AsyncIterator[tuple[Node, Callers]]:
    """A running node and callers of it."""
    node = Node(settings, url)
    async with node.running() as server, calling(server.sockets[0].getsockname()[1]) as callers:
        yield node, callers
