"""War Online with everything real: two pages and two terminals play whole games, and one node's death hits both."""

import asyncio
from pathlib import Path

import pytest

from e2e import online_pages, online_terminals
from e2e.nodes import ServerProcess
from e2e.wiretap import Wiretap

TURN_SECONDS = "30"


@pytest.mark.timeout(400)
async def test_two_whole_games_one_of_each_two_goes_in_mid_turn_and_the_node_is_killed_meanwhile(
    server: ServerProcess, tap: Wiretap, tmp_path: Path
) -> None:
    games = asyncio.Barrier(2)

    async def node_dies() -> None:
        """Wait for the other game to come to this; the clocks of both who have gone run out together."""
        if await games.wait() == 0:
            await server.kill()
            await server.start()
        await games.wait()

    async with asyncio.TaskGroup() as group:
        group.create_task(online_pages.play(tap, TURN_SECONDS, node_dies))
        group.create_task(online_terminals.play(tap.url, TURN_SECONDS, tmp_path, node_dies))
