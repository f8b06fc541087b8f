"""A real server and people with real browsers at it, for pictures; it tests nothing and knows no picture."""

import asyncio
import contextlib
import re
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator

from playwright.async_api import Browser, Page, async_playwright

FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
STEP_MS = 40_000


@contextlib.asynccontextmanager
async def server() -> AsyncIterator[str]:
    """Run a server on an empty folder, and yield its address. Raises LookupError where it does not start."""
    with tempfile.TemporaryDirectory() as data:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "twoseat_server", "serve", "--host", "127.0.0.1", "--port", "0"),
            *("--data", data, "--log-level", "warning", "--max-matches", "1000", "--moves-per-second", "100"),
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


@contextlib.asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """Run the browser that is installed."""
    async with async_playwright() as playwright:
        program = next(filter(None, map(shutil.which, BROWSERS)), None)
        browser = await playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        try:
            yield browser
        finally:
            await browser.close()


async def person(
    browser: Browser, size: tuple[int, int], locale: str = "en-GB", *, dark: bool = False, moving: bool = False
) -> Page:
    """Return the page of somebody with a browser of her own."""
    context = await browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        locale=locale,
        color_scheme="dark" if dark else "light",
        reduced_motion="no-preference" if moving else "reduce",
    )
    context.set_default_timeout(STEP_MS)
    return await context.new_page()


async def arrive(page: Page, url: str, name: str) -> None:
    """Open the start page and say one's name."""
    await page.goto(url)
    await page.wait_for_selector("#start [type=submit][aria-disabled=false]")
    await page.fill("input[name=name]", name)


async def host(page: Page, **terms: str) -> str:
    """Open a table from the start page, with terms such as `turn`; returns its code."""
    if terms:
        await page.click("details.options summary")
    for name, value in terms.items():
        field = page.locator(f"#start [name={name}]")
        await (field.select_option(value) if name in ("timer", "games") else field.fill(value))
    await page.click("#start [data-do=host]")
    await page.wait_for_function("() => document.querySelector('#link').value")
    return (await page.input_value("#link")).rpartition("/")[2]


async def join(page: Page, code: str) -> None:
    """Sit down at a table, and wait until the cards are dealt."""
    await page.fill("input[name=code]", code)
    await page.click("[data-do=join]")
    await page.wait_for_selector("#table:not([hidden]) .seat[data-turn]")


async def draw(*pages: Page) -> Page | None:
    """Make the draw that is due at one of the pages, if one is; returns the page."""
    for page in pages:
        button = await page.query_selector('#draw[data-kind="draw"][aria-disabled="false"]')
        if button is not None:
            await button.click()
            await page.wait_for_selector('#draw:not([data-kind="sent"])')
            return page
    await asyncio.sleep(0.03)
    return None
