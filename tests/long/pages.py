"""Whole games at pages: one held down from end to end, and one through twenty kills in which no page is loaded again.

Not part of the test run; start it with `python -m pytest tests/long/pages.py -s`, which prints what was seen.
"""

import asyncio
import signal
import time
from pathlib import Path
from statistics import mean

import pytest
from playwright.async_api import Page

from e2e.nodes import serving
from e2e.pages import chromium, hold_space, person, quick, rounds
from page.hands import held_down
from twoseat_server.chaos.processes import NodeProcess, shared_port
from twoseat_server.store.embedded import EmbeddedStore

pytestmark = pytest.mark.timeout(1800)
KILLS = 20
ROUNDS = "#side-rounds .rounds li"


async def one_more_round(*pages: Page) -> None:
    """Return once both have seen another round, drawn by whoever may draw."""
    before = [await page.locator(ROUNDS).count() for page in pages]
    while not all([await page.locator(ROUNDS).count() > seen for page, seen in zip(pages, before, strict=True)]):
        for page in pages:
            await page.keyboard.press("Space")
        await asyncio.sleep(0.1)


async def test_twenty_kills_and_no_page_is_loaded_again(tmp_path: Path) -> None:
    async with EmbeddedStore(tmp_path / "store") as store, chromium() as browser:
        with shared_port() as port:
            nodes = [NodeProcess(name, store, port, tmp_path) for name in ("a", "b")]
            await asyncio.gather(*(node.start() for node in nodes))
            try:
                await watched(nodes, *[await (await person(browser)).new_page() for _ in range(2)], port=port)
            finally:
                for node in nodes:
                    await node.end(signal.SIGKILL)


async def test_16_a_whole_game_held_down_takes_less_than_a_second_a_round(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, chromium() as browser:
        context = await person(browser, reduced_motion="no-preference")
        context.set_default_timeout(180_000)
        taken = await held_down(await context.new_page(), server.url, target="50")
    print(f"{len(taken) + 1} rounds, {mean(taken):.2f} s each on average")
    assert mean(taken) < 1


async def watched(nodes: list[NodeProcess], ann: Page, bob: Page, *, port: int) -> None:
    """Let both play on while the nodes are killed in turn."""
    for page in (ann, bob):
        await quick(page, f"http://127.0.0.1:{port}", target=50, turn=30)
    for page in (ann, bob):
        await page.wait_for_selector("#table:not([hidden])")
        await page.evaluate("window.stayed = true")
        await page.locator("#draw").focus()
    await one_more_round(ann, bob)
    for kill in range(KILLS):
        node = nodes[kill % len(nodes)]
        began = time.monotonic()
        await node.end(signal.SIGKILL)
        await one_more_round(ann, bob)
        print(f"kill {kill + 1:2} of node {node.name}: both see another round {time.monotonic() - began:.1f} s later")
        await node.start()
    for page in (ann, bob):
        await hold_space(page)
    hers, his = await rounds(ann), await rounds(bob)
    assert len(hers) == len(his) > KILLS
    assert [await page.evaluate("window.stayed") for page in (ann, bob)] == [True, True]
    drawn = await ann.locator("#results").inner_text()
    print(f"the game ended after {len(hers)} rounds: {drawn.splitlines()[0]}")
