"""The pictures of README.md: one moment of a real match as both see it, and a war in motion; it tests nothing."""

from playwright.async_api import Browser, Page

from twoseat_docs import film
from twoseat_docs.people import arrive, chromium, draw, host, join, person, server

ROUNDS_BEFORE = 24
"""Rounds played before the first war that is worth a picture."""


async def take() -> dict[str, bytes]:
    """Play until wars are late enough, and show them. Returns the pictures by the names of their files."""
    async with server() as url, chromium() as browser:
        return await _match(browser, url) | {"war.webp": await film.take(browser, url)}


async def _match(browser: Browser, url: str) -> dict[str, bytes]:
    ann = await person(browser, (1280, 800))
    bruno = await person(browser, (390, 844), "pt-PT", dark=True)
    await arrive(ann, url, "Ann")
    code = await host(ann)
    await arrive(bruno, url, "Bruno")
    await join(bruno, code)
    while await _rounds(ann) < ROUNDS_BEFORE or not await ann.query_selector('.strip[data-kind="war"]'):
        await draw(ann, bruno)
        if await ann.query_selector("dialog[open]"):
            raise LookupError("the game ended without a late war: try again")
    shots = {"match.png": await ann.screenshot(), "match-phone.png": await bruno.screenshot()}
    for page in (ann, bruno):
        await page.context.close()
    return shots


async def _rounds(page: Page) -> int:
    return await page.locator("#side-rounds .rounds li").count()
