"""A whole game of War Online between two real Chromium pages: one goes in the middle of an attack, and it ends by an
objective.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from playwright.async_api import Page

from e2e.pages import chromium, person
from e2e.purpose import Lands, conquering, seen, waiting
from e2e.wiretap import Wiretap
from page.hands import choose, invitation
from twoseat.games.war_online.objectives import OBJECTIVES, Objective
from twoseat_client.text import Words
from twoseat_docs.campaign import Wish, act

Break = Callable[[], Awaitable[object]]
"""Returns when the node has died and come back."""
Plan = Callable[[Lands], Wish]
TO_THE_END = 150.0
CLOCK_MS = 90_000
"""Milliseconds within which a turn's 30 seconds have run out, however slow the machine is."""
_LOOK = 0.03
"""Seconds between two looks at a page."""


async def play(tap: Wiretap, turn_seconds: str, node_dies: Break) -> None:
    """Play the game, and see that both were told the same, and how it ended."""
    async with chromium() as browser:
        ann, hers = await (await person(browser)).new_page(), await person(browser)
        bob = await hers.new_page()
        code = await _meet(ann, bob, tap.url, turn_seconds)
        objective = await _objective(ann)
        await _goes_in_mid_attack(bob, ann)
        address = bob.url
        await bob.close()
        await node_dies()
        await ann.wait_for_selector("#table[data-net=open] .seat.them .badge:visible", timeout=CLOCK_MS)
        await ann.wait_for_selector(".seat.me[data-turn]")
        bob = await hers.new_page()
        await bob.goto(address)
        await bob.wait_for_selector("#board .recap:not([hidden])")
        await _until(bob, ".seat.me[data-turn]", ann)
        await _until(ann, ".seat.me[data-turn]", bob)
        await _to_the_end({ann: partial(conquering, objective=objective), bob: waiting})
        hers_told, his_told = await _battles(ann), await _battles(bob)
        aims = [await page.locator(".objectives dd").all_text_contents() for page in (ann, bob)]
    assert len(hers_told) > 5
    assert hers_told == his_told
    reached = f"{_words(objective)} ✓ {Words('en')('page.online.reached')}"
    assert aims[0][0] == aims[1][1] == reached
    assert aims[0][1] == aims[1][0] != reached
    sat = [told for tapped in tap.sockets for told in tapped.messages("seated")[:1] if told["code"] == code]
    assert len(sat) >= 4, "both came, and came back"
    results = [
        told for tapped in tap.sockets for told in tapped.messages("results") if told["match"] == sat[0]["match"]
    ]
    assert results[0] == results[-1]
    assert results[0]["outcome"] == {"winner": sat[0]["seat"], "termination": "objective"}
    by = [turn["by"] for turn in results[0]["rounds"] if turn["seat"] == sat[1]["seat"]]
    assert (by[0], by[1], by[-1]) == ("human", "bot", "human")


async def _meet(ann: Page, bob: Page, url: str, turn_seconds: str) -> str:
    """Ann opens a table, Bob comes by the link; returns the code."""
    await ann.goto(url)
    await ann.wait_for_selector("#start button[type=submit][aria-disabled=false]")
    await choose(ann, "[name=preset][value=objectives]")
    await ann.click("details.options summary")
    await ann.fill("[name=turn]", turn_seconds)
    await ann.click("#start [data-do=host]")
    link = await invitation(ann)
    await bob.goto(link)
    for page in (ann, bob):
        await page.wait_for_selector("#board:not([hidden]) .opening:not([hidden])")
    return link[-6:]


def _words(objective: Objective) -> str:
    return Words("en")(f"word.objective.{objective.id}")


async def _objective(page: Page) -> Objective:
    """Return the objective that stands on the screen before the first round."""
    text = await page.inner_text(".opening .objective p")
    return next(objective for objective in OBJECTIVES if _words(objective) == text)


async def _goes_in_mid_attack(page: Page, other: Page) -> None:
    """Play on until the first throw of an attack lies here."""
    await _until(page, ".steps li:nth-of-type(2)[aria-current=step]", other, ends=False)
    async with asyncio.timeout(TO_THE_END):
        while not await page.locator(".land[data-lit=to]").count():
            await act(page, ends=False)
            await asyncio.sleep(_LOOK)
    await page.click(".console [data-do=attackOnce]")
    await page.wait_for_selector("#dice:not([hidden])")


async def _until(page: Page, selector: str, other: Page, *, ends: bool = True) -> None:
    """Play on at both, attacking nobody, until something is there on this page in a turn of its own."""
    async with asyncio.timeout(TO_THE_END):
        while not (await page.locator(".seat.me[data-turn]").count() and await page.locator(selector).count()):
            await act(page, wish=waiting(await seen(page)), ends=ends)
            await act(other, wish=waiting(await seen(other)))
            await asyncio.sleep(_LOOK)


async def _to_the_end(plans: dict[Page, Plan]) -> None:
    """Play on at every page by its plan until each shows the results."""
    over: set[Page] = set()
    async with asyncio.timeout(TO_THE_END):
        while len(over) < len(plans):
            for page, plan in plans.items():
                if page not in over and await act(page, wish=plan(await seen(page))) == "over":
                    over.add(page)
            await asyncio.sleep(_LOOK)


async def _battles(page: Page) -> list[list[str]]:
    """The battles in the results, but for who fought them."""
    await page.wait_for_selector("#results[open] .online tbody tr", state="attached")
    rows: list[list[str]] = await page.eval_on_selector_all(
        "#results .online tbody tr",
        "rows => rows.map(row => [0, 2, 3, 4, 5, 6, 7].map(n => row.cells[n].textContent))",
    )
    return rows
