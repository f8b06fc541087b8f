"""War Online in real Chromium pages: a whole game, in which one goes in the middle of an attack and a node dies."""

import asyncio

import pytest
from playwright.async_api import Page

from e2e.nodes import ServerProcess
from e2e.pages import chromium, person
from e2e.wiretap import Wiretap
from page.hands import invitation
from page.online_hands import to_the_end
from twoseat_docs.campaign import act

TURN_SECONDS = "30"
TO_THE_END = 150.0
CLOCK_MS = 90_000
"""Milliseconds within which a turn's 30 seconds have run out, however slow the machine is."""


async def meet(ann: Page, bob: Page, url: str) -> None:
    """Ann opens a table for a short game; Bob comes by the link."""
    await ann.goto(url)
    await ann.wait_for_selector("#start button[type=submit][aria-disabled=false]")
    await ann.check("[name=preset][value=objectives]", force=True)
    await ann.click("details.options summary")
    await ann.fill("[name=limit]", "10")
    await ann.fill("[name=turn]", TURN_SECONDS)
    await ann.click("#start [data-do=host]")
    await bob.goto(await invitation(ann))


async def until_attacking(page: Page, *others: Page) -> None:
    """Play on everywhere, without attacks, until this page may attack."""
    async with asyncio.timeout(TO_THE_END):
        while (
            not await page.locator(".seat.me[data-turn]").count()
            or not await page.locator(".steps li:nth-of-type(2)[aria-current=step]").count()
        ):
            for one in (page, *others):
                await act(one, bold=False, ends=one is not page)
            await asyncio.sleep(0.05)


async def battles(page: Page) -> list[list[str]]:
    """The battles in the results, but for who fought them."""
    await page.wait_for_selector("#results[open] .online tbody tr", state="attached")
    rows: list[list[str]] = await page.eval_on_selector_all(
        "#results .online tbody tr",
        "rows => rows.map(row => [0, 2, 3, 4, 5, 6, 7].map(n => row.cells[n].textContent))",
    )
    return rows


@pytest.mark.timeout(400)
async def test_a_whole_game_one_goes_in_mid_attack_the_bot_ends_her_turn_and_she_comes_back(
    server: ServerProcess, tap: Wiretap
) -> None:
    async with chromium() as browser:
        ann, hers = await (await person(browser)).new_page(), await person(browser)
        bob = await hers.new_page()
        await meet(ann, bob, tap.url)
        for page in (ann, bob):
            await page.wait_for_selector("#board:not([hidden])")
        await until_attacking(bob, ann)
        while not await bob.locator(".land[data-lit=to]").count():
            await act(bob, ends=False)
        address = bob.url
        await bob.close()
        await server.kill()
        await server.start()
        await ann.wait_for_selector("#table[data-net=open] .seat.them .badge:visible", timeout=CLOCK_MS)
        await ann.wait_for_selector(".seat.me[data-turn]")
        bob = await hers.new_page()
        await bob.goto(address)
        await bob.wait_for_selector("#board .recap:not([hidden])")
        await to_the_end(ann, bob, within=TO_THE_END)
        hers_told, his_told = await battles(ann), await battles(bob)
        objectives = [await page.locator(".objectives dd span").all_text_contents() for page in (ann, bob)]
    assert len(hers_told) > 5
    assert hers_told == his_told
    assert objectives[0] == objectives[1][::-1]
    results = [tapped.messages("results") for tapped in tap.sockets]
    rounds = [message["rounds"] for found in results for message in found]
    assert rounds[0] == rounds[-1]
    seat = next(tapped.messages("seated")[0]["seat"] for tapped in tap.sockets[1:] if tapped.messages("seated"))
    by = [turn["by"] for turn in rounds[0] if turn["seat"] == seat]
    assert (by[0], by[1], by[-1]) == ("human", "bot", "human")
