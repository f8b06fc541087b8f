"""Real Chromium pages at a real server, each person in a browser of her own."""

import contextlib
import os
import shutil
from collections.abc import AsyncIterator
from typing import Any

from playwright.async_api import Browser, BrowserContext, Page, async_playwright

_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_QUIET = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
WITHIN_MS = 40_000


@contextlib.asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """Run Debian's Chromium, where it is there the build without a window, which costs a third; as root it has no
    sandbox to give.
    """
    program = next(filter(None, map(shutil.which, _NAMES)), None)
    assert program is not None, "install chromium-headless-shell: ./dev test does"
    sandbox = ("--no-sandbox",) if os.geteuid() == 0 else ()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=[*_QUIET, *sandbox])
        try:
            yield browser
        finally:
            await browser.close()


async def person(browser: Browser, **options: Any) -> BrowserContext:
    """A browser of one's own, in English and without motion unless `options` say otherwise."""
    context = await browser.new_context(**{"locale": "en-GB", "reduced_motion": "reduce", **options})
    context.set_default_timeout(WITHIN_MS)
    return context


async def quick(page: Page, url: str, *, target: int, turn: int = 15) -> None:
    """Open the page, choose the terms and press the big button."""
    await page.goto(url)
    await page.click("details.options summary")
    await page.fill("input[name=target]", str(target))
    await page.fill("input[name=turn]", str(turn))
    await page.click("#start button[type=submit]")


async def hold_space(page: Page) -> None:
    """Keep drawing."""
    await page.locator("#draw").focus()
    await page.keyboard.down("Space")


async def rounds(page: Page) -> list[list[str]]:
    """Wait for the results and return their rows: number, my card, their card, winner, war, counts."""
    await page.wait_for_selector("#results[open] tbody tr")
    rows: list[list[str]] = await page.eval_on_selector_all(
        "#results tbody tr", "rows => rows.map(row => [...row.cells].slice(0, 6).map(cell => cell.textContent.trim()))"
    )
    return rows
