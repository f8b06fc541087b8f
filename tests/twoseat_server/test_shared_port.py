"""Several nodes on one port of one machine: whoever loses one finds another by the same address."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import pytest
from websockets.exceptions import InvalidMessage

from caller import Caller, Callers, calling, play_out
from twoseat import wire
from twoseat_server.chaos.processes import NodeProcess, shared_port

COMERS = 16
"""So many that not all would be given to one of two nodes by chance."""
_RESET = OSError, EOFError, InvalidMessage
"""What becomes of a connection that a node has not accepted yet when it leaves the port."""


@pytest.fixture
async def nodes(url: str, tmp_path: Path) -> AsyncIterator[tuple[dict[str, NodeProcess], Callers]]:
    """Three nodes and people at the port they share."""
    async with AsyncExitStack() as stack:
        port = stack.enter_context(shared_port())
        named = {name: NodeProcess(name, url, port, tmp_path) for name in "abc"}
        for node in named.values():
            stack.push_async_callback(node.end, signal.SIGKILL)
        await asyncio.gather(*(node.start() for node in named.values()))
        yield named, await stack.enter_async_context(calling(port))


async def node_of(nodes: dict[str, NodeProcess], caller: Caller) -> str:
    """The node that holds this seated caller, as its log tells."""
    assert caller.seated is not None
    words = f"match={caller.seated.match} seat={caller.seat} "
    while True:
        for name, node in nodes.items():
            if any("seated " in line and words in line for line in node.log.read_text().splitlines()):
                return name
        await asyncio.sleep(0.01)


async def comes(call: Callers) -> Caller:
    """Somebody new, who tries again where her connection was reset. Raises where a node says it will not have her."""
    while True:
        with suppress(*_RESET):
            return await call()


async def test_who_loses_one_node_finds_another_by_the_same_address(
    nodes: tuple[dict[str, NodeProcess], Callers],
) -> None:
    named, call = nodes
    host, guest = await call.pair(target=1)
    await named.pop(await node_of(named, host)).end(signal.SIGKILL)
    assert await host.closed() == 1006
    both = [await call(caller.token, match=caller.seated.match) for caller in (host, guest) if caller.seated]
    mine, yours = await play_out(*both)
    assert mine == yours
    frozen = [await call() for _ in range(COMERS)]
    for caller in frozen:
        caller.freeze()  # who does not read holds up a node that ends
    leaving = next(iter(named.values()))
    ending = asyncio.create_task(leaving.end(signal.SIGTERM))
    while b"stopping" not in leaving.log.read_bytes():  # noqa: ASYNC110 another process is waited for
        await asyncio.sleep(0.01)
    later = [await comes(call) for _ in range(COMERS)]
    assert await ending == 0
    for caller in later:
        await caller.say("bot", terms={"target": 1})
        await caller.hear(wire.Seated)
