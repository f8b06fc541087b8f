"""Pictures of a real match for README.md: a real server, two real browsers, one moment; it tests nothing."""

import asyncio
import contextlib
import re
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from playwright.async_api import Browser, Page, async_playwright

FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ROUNDS_BEFORE = 24
"""Rounds played before the first war that is worth a picture."""
STEP_MS = 15_000


def take(folder: Path) -> list[Path]:
    """Play until a war is won late enough, and show it as both people see it. Returns the pictures' files."""
    return asyncio.run(_take(folder))


async def _take(folder: Path) -> list[Path]:
    async with _server() as url, async_playwright() as playwright:
        program = next(filter(None, map(shutil.which, BROWSERS)), None)
        browser = await playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        ann = await _page(browser, (1280, 800), "en-GB", "light")
        bruno = await _page(browser, (390, 844), "pt-PT", "dark")
        await _meet(url, ann, bruno)
        await _until_war(ann, bruno)
        shots = [(ann, folder / "match.png"), (bruno, folder / "match-phone.png")]
        for page, file in shots:
            await page.screenshot(path=file)
        await browser.close()
    return [file for _, file in shots]


@contextlib.asynccontextmanager
async def _server() -> AsyncIterator[str]:
    with tempfile.TemporaryDirectory() as data:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "twoseat_server", "serve", "--host", "127.0.0.1", "--port", "0"),
            *("--data", data, "--log-level", "warning"),
            stdout=asyncio.subprocess.PIPE,
        )
        try:
            said = await process.stdout.readline() if process.stdout else b""
            told = re.search(r"http://\S+", said.decode())
            if told is None:
                raise LookupError("the server did not start: see what it says above")
            yield told[0]
        finally:
            process.terminate()
            await process.wait()


async def _page(browser: Browser, size: tuple[int, int], locale: str, theme: str) -> Page:
    context = await browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        locale=locale,
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce",
    )
    context.set_default_timeout(STEP_MS)
    return await context.new_page()


async def _meet(url: str, ann: Page, bruno: Page) -> None:
    for page, name in ((ann, "Ann"), (bruno, "Bruno")):
        await page.goto(url)
        await page.wait_for_selector("[data-do=host]:not(:empty)")  # the page has come to life
        await page.fill("input[name=name]", name)
    await ann.click("[data-do=host]")
    await ann.wait_for_selector("#link", state="visible")
    code = (await ann.input_value("#link")).rpartition("/")[2]
    await bruno.fill("input[name=code]", code)
    await bruno.click("[data-do=join]")
    for page in (ann, bruno):
        await page.wait_for_selector("#draw", state="visible")


async def _until_war(ann: Page, bruno: Page) -> None:
    draws = 0
    while draws < 2 * ROUNDS_BEFORE or not await ann.query_selector('.strip[data-kind="war"]'):
        for page in (ann, bruno):
            button = await page.query_selector('#draw[aria-disabled="false"]')
            if button is not None:
                await button.click()
                draws += 1
        await ann.wait_for_timeout(40)
        if await ann.query_selector("dialog[open]"):
            raise LookupError("the game ended without a late war: try again")
