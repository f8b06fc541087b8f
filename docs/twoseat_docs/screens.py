"""Every screen of the page from one evening's play, in every size, theme and language, into a folder to look at."""

import contextlib
import itertools
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import Browser, Frame, Page

from twoseat_docs import campaign
from twoseat_docs.people import arrive, chromium, draw, host, join, person, server

SIZES = ((360, 640), (768, 1024), (1280, 800))
THEMES = ("light", "dark")
LANGUAGES = ("en", "bg", "pt")
OWN_LANGUAGE = {"war", "lost"}
"""Screens in the language they came up in: it was said already, or there is no line to fetch another by."""
ROUNDS_BEFORE = 20
"""Rounds played before the first moment that is worth a picture."""
TURN_SECONDS = "30"
_FREEZE = """() => {
  const later = window.setTimeout;
  window.setTimeout = (deed, ms) => later(() => { if (!window.frozen) deed(); }, ms);
  document.addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
    if (!window.freezing || document.querySelectorAll('.cover .card + .card').length < 2) return;
    [window.frozen, window.freezing] = [true, false];
    requestAnimationFrame(() => document.getAnimations().forEach((one) => one.pause()));
  }).observe(document.body, { subtree: true, childList: true, attributes: true }));
}"""
"""Holds a war still at its height, when it is asked to."""


@dataclass(frozen=True, slots=True)
class Camera:
    """Takes a screen in every size and theme, and in every language its page can be switched to; names the files so."""

    folder: Path
    every: bool

    async def take(self, page: Page, screen: str) -> None:
        """Take a screen as it stands; the page is as before afterwards."""
        size = page.viewport_size
        speaks = await page.get_attribute("html", "lang") or "en"
        languages = LANGUAGES if screen not in OWN_LANGUAGE else (speaks,)
        for (width, height), theme, lang in itertools.product(SIZES, THEMES, languages):
            if not self.every and (lang == "bg") == (theme == "light"):
                continue
            await page.set_viewport_size({"width": width, "height": height})
            await page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
            await _speak(page, lang)
            await page.screenshot(path=self.folder / f"{screen}-{width}-{theme}-{lang}.png")
        if size is not None:
            await page.set_viewport_size(size)
        await page.emulate_media(color_scheme="light")
        await _speak(page, speaks)


async def _speak(page: Page, lang: str) -> None:
    for frame in page.frames:
        choice = await frame.query_selector(f"#prefs [name=lang][value={lang}]")
        if choice is not None and await frame.get_attribute("html", "lang") != lang:
            await choice.evaluate("choice => choice.click()")
            await frame.wait_for_function("lang => document.documentElement.lang === lang", arg=lang)
    await page.wait_for_timeout(60)


async def _settings(*frames: Page | Frame | None) -> None:
    """Open the settings once and close them: from then on a language can be chosen though they are out of sight."""
    for frame in frames:
        if frame is not None:
            await frame.evaluate("() => document.querySelector('header [data-do=settings]').click()")
            await frame.wait_for_selector("#settings[open]")
            await frame.evaluate("() => document.querySelector('#settings').close()")


Scene = AsyncGenerator[tuple[str, Page]]


async def take(folder: Path, *, every: bool = True) -> AsyncIterator[str]:
    """Play, and take each screen into a folder that is there; yields their names. `every` is all of 18 looks, else
    nine that differ most.
    """
    camera = Camera(folder, every)
    async with server() as url, chromium() as browser:
        for scene in (_arriving, _playing, _war, _ending, _demo, campaign.scene):
            async with contextlib.aclosing(scene(browser, url)) as screens:
                async for screen, page in screens:
                    await camera.take(page, screen)
                    yield screen


async def _arriving(browser: Browser, url: str) -> Scene:
    ann = await person(browser, SIZES[2])
    await arrive(ann, url, "Ann")
    await _settings(ann)
    yield "arrive", ann
    await ann.click("details.options summary")
    yield "arrive-options", ann
    await ann.fill("[name=code]", "ABC")
    await ann.click("[data-do=join]")
    await ann.wait_for_selector("#arrive .alert:not([hidden])")
    yield "arrive-no-such-code", ann
    await ann.click("[data-do=settings]")
    yield "settings", ann
    await ann.keyboard.press("Escape")
    await ann.click("header [data-do=help]")
    yield "how-to", ann
    await ann.keyboard.press("Escape")
    await ann.click("#start [type=submit]")
    await ann.wait_for_selector("#wait:not([hidden])")
    yield "wait", ann
    await ann.wait_for_selector(".offer[data-now]")
    yield "wait-bot-offered", ann
    await ann.click("#wait [data-do=cancel]")
    await ann.wait_for_selector("#arrive:not([hidden])")
    await host(ann)
    yield "wait-host", ann
    await ann.click("#wait [data-do=qr]")
    await ann.wait_for_function("() => document.querySelector('.qr').complete")
    yield "wait-qr", ann
    await ann.context.close()


async def _playing(browser: Browser, url: str) -> Scene:
    ann, bruno = [await person(browser, SIZES[2]) for _ in range(2)]
    await arrive(ann, url, "Ann")
    code = await host(ann, turn=TURN_SECONDS)
    await arrive(bruno, url, "Bruno")
    await join(bruno, code)
    await _settings(ann, bruno)
    yield "first", ann
    await _until(ann, bruno, ".strip[data-kind=war]")
    yield "war-won-or-lost", ann
    await _until(ann, bruno, "#draw[data-kind=draw]")
    yield "turn", ann
    yield "not-my-turn", bruno
    await ann.click("header [data-do=help]")
    yield "turn-how-to", ann
    await ann.keyboard.press("Escape")
    await ann.click("header [popovertarget=menu]")
    yield "menu", ann
    await ann.keyboard.press("Escape")
    await ann.click("header .score")
    yield "rounds", ann
    await ann.keyboard.press("Escape")
    await bruno.context.set_offline(True)
    while await draw(ann):
        pass
    yield "away", ann
    await ann.wait_for_selector(".seat.them .badge:not([hidden])", timeout=60_000)
    yield "bot", ann
    for _ in range(3):
        await ann.wait_for_selector("#draw[data-kind=draw]")
        await draw(ann)
    await bruno.context.set_offline(False)
    await bruno.wait_for_selector(".recap:not([hidden])")
    yield "back", bruno
    await ann.wait_for_selector(".strip[data-kind=alert]", timeout=120_000)
    yield "time-is-up", ann
    await ann.click("#draw")
    other = await ann.context.new_page()
    await other.set_viewport_size({"width": 1280, "height": 800})
    await other.goto(ann.url)
    await ann.wait_for_selector("#stopped:not([hidden])")
    yield "elsewhere", ann
    for page in (ann, bruno):
        await page.context.close()


async def _until(ann: Page, bruno: Page, selector: str) -> None:
    """Play on until Ann sees a thing, late enough in the game."""
    while await _rounds(ann) < ROUNDS_BEFORE or not await ann.query_selector(selector):
        await draw(ann, bruno)


async def _rounds(page: Page) -> int:
    return await page.locator("#side-rounds .rounds li").count()


async def _war(browser: Browser, url: str) -> Scene:
    for locale in ("en-GB", "bg-BG", "pt-PT"):
        ann = await person(browser, SIZES[2], locale, moving=True)
        await ann.add_init_script(f"({_FREEZE})()")
        await arrive(ann, url, "Ann")
        await ann.click("#start [data-do=bot]")
        await ann.wait_for_selector("#table:not([hidden]) .seat[data-turn]")
        while await _rounds(ann) < ROUNDS_BEFORE:
            await draw(ann)
        await ann.evaluate("() => { window.freezing = true; }")
        while not await ann.evaluate("() => window.frozen"):
            await draw(ann)
            await ann.wait_for_function("() => window.frozen || document.querySelector('.slot.won')")
        yield "war", ann
        await ann.context.set_offline(True)
        yield "lost", ann
        await ann.context.close()


async def _ending(browser: Browser, url: str) -> Scene:
    ann, bruno, carla = [await person(browser, SIZES[2]) for _ in range(3)]
    await arrive(ann, url, "Ann")
    code = await host(ann, games="3")
    await arrive(bruno, url, "Bruno")
    await join(bruno, code)
    await arrive(carla, url, "Carla")
    await carla.fill("[name=code]", code)
    await carla.click("#start [data-do=watch]")
    await carla.wait_for_selector("#table:not([hidden]) .seat[data-turn]")
    await _until(ann, bruno, "#draw[data-kind=draw]")
    await _settings(ann, bruno, carla)
    yield "watching", carla
    await ann.click("header [popovertarget=menu]")
    await ann.click("#menu [data-do=leave]")
    yield "leave", ann
    await ann.click("#confirm [value=no]")
    while not await ann.query_selector("#results[open]"):
        await draw(ann, bruno)
    yield "results", ann
    await bruno.wait_for_selector("#results[open]")
    await ann.click("#results [data-do=rematch]")
    yield "results-next-wanted", bruno
    await bruno.wait_for_selector("#results:not([open])", state="attached")  # the next one comes by itself
    while not await ann.query_selector("#results[open]"):
        await draw(ann, bruno)
    await ann.click("#results [data-do=verify]")
    yield "results-of-two", ann
    link = await ann.get_attribute("#results a[href^='/r/']", "href")
    await ann.goto(f"{url}{link}")
    await ann.wait_for_selector(".player:not([hidden])")
    await _settings(ann)
    await ann.evaluate("""() => { const place = document.querySelector('.player input'); place.value = 60;
      place.dispatchEvent(new Event('input', { bubbles: true })); }""")
    yield "replay", ann
    await ann.goto(f"{url}/r/{'0' * 34}")
    await ann.wait_for_selector("#stopped:not([hidden])")
    await _settings(ann)
    yield "no-replay", ann
    for page in (ann, bruno, carla):
        await page.context.close()


async def _demo(browser: Browser, url: str) -> Scene:
    page = await person(browser, SIZES[2])
    await page.goto(f"{url}/demo")
    await page.wait_for_selector("input[role=switch]:not([disabled])")
    await _settings(*page.frames[1:])
    yield "demo", page
    await page.context.close()
