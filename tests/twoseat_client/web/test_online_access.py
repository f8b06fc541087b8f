"""War Online's screens for every eye and every hand: nothing too wide, too small or wrong by axe, in both themes."""

import pytest
from playwright.async_api import Page

from e2e.nodes import ServerProcess
from online import course, position, throwing
from page.axe import faults, small
from page.hands import Newcomer, arrive, choose, until_shown
from page.online_staged import OnlineTable, placing, undealt
from twoseat import wire

pytestmark = pytest.mark.asyncio(loop_scope="session")

SCREENS = ("arrive", "opening", "attack", "trade", "results")


async def show(page: Page, url: str, screen: str) -> None:
    """Bring one of SCREENS on."""
    match screen:
        case "arrive":
            await arrive(page, url)
            await choose(page, "[name=preset][value=objectives]")
            await page.click("details.options summary")
        case "opening":
            await OnlineTable(page, undealt()).sit(url)
        case "attack":
            await OnlineTable(page, position("brasil 6, bolivia"), throwing(((6, 5, 1), (6, 2)))).sit(url)
            await page.click(".land[data-land=brasil]")
            await page.click(".land[data-land=argelia]")
            await page.click(".console [data-do=attackOnce]")
            await until_shown(page, ".strip", "Brazil (5) against Algeria (1)")
        case "trade":
            hand = "brasil congo siberia alaska joker"
            await OnlineTable(page, placing(position("brasil 6, bolivia", cards=hand))).sit(url)
            await page.click(".console [data-do=hand]")
            await page.click("[data-do=card][data-n='0']")
            await page.click("button.objective")
        case _:
            table = OnlineTable(page, course(5)[-1][0])
            await table.sit(url)
            table.ends(0, wire.Termination.OBJECTIVE)
            await page.wait_for_selector("#results[open]")


@pytest.mark.parametrize("screen", SCREENS)
async def test_35_nothing_is_too_wide_too_small_or_wrong_by_axe(
    server: ServerProcess, newcomer: Newcomer, screen: str
) -> None:
    page = await newcomer(360)
    await show(page, server.url, screen)
    for width, height in ((360, 640), (1280, 860)):
        await page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert await faults(page) == [], (width, scheme)
        assert await page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), width
        assert await small(page) == [], width


async def test_35_high_contrast_too(server: ServerProcess, newcomer: Newcomer) -> None:
    page = await newcomer()
    await show(page, server.url, "attack")
    await page.evaluate("() => { document.documentElement.dataset.contrast = 'more'; }")
    for scheme in ("light", "dark"):
        await page.emulate_media(color_scheme=scheme)
        assert await faults(page) == [], scheme
