"""Expectation 33: a finished game is seen again, a step at a time, backwards and at speed."""

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from e2e.nodes import ServerProcess
from e2e.pages import person
from page.axe import faults
from page.hands import Newcomer, arrive, play_bot, until_shown

pytestmark = pytest.mark.asyncio(loop_scope="session")

PLACE = "() => document.querySelector('.player input').value"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def address(server: ServerProcess, browser: Browser) -> str:
    """The replay of a short game, played once for all who see it again."""
    context = await person(browser)
    page = await context.new_page()
    await play_bot(page, server.url, target="2")
    await page.locator("#draw").focus()
    await page.keyboard.down("Space")
    await page.wait_for_selector("#results[open]")
    link = await page.get_attribute("#results a[href^='/r/']", "href")
    assert link is not None
    await context.close()
    return server.url + link


async def shown(page: Page, address: str) -> int:
    """Open a replay and return how many steps it has."""
    await page.goto(address)
    await page.wait_for_selector(".player:not([hidden])")
    return int(await page.get_attribute(".player input", "max") or 0)


@pytest.mark.parametrize("locale", ["en", "bg", "pt"])
async def test_33_a_game_is_seen_again_both_ways(address: str, newcomer: Newcomer, width: int, locale: str) -> None:
    page = await newcomer(width, locale=locale)
    steps = await shown(page, address)
    assert await page.locator("#draw").is_hidden()
    assert await page.evaluate(PLACE) == "0"
    for _ in range(steps):
        await page.click("[data-do=step][data-by='1']")
    assert await page.evaluate(PLACE) == str(steps)
    end = await page.text_content(".score b.me"), await page.text_content(".score b.them")
    assert "2" in end
    await page.click("[data-do=step][data-by='-100000']")
    await page.wait_for_function("() => document.querySelector('.score b.me').textContent === '0'")
    for scheme in ("light", "dark"):
        await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert await faults(page) == [], scheme


async def test_33_a_game_plays_by_itself_at_speed(address: str, newcomer: Newcomer) -> None:
    page = await newcomer(360)
    steps = await shown(page, address)
    await page.click("[data-do=faster]")
    await page.click("[data-do=faster]")
    await until_shown(page, ".player [data-do=faster]", "×16")
    await page.click("[data-do=play]")
    await page.wait_for_function(
        "(steps) => document.querySelector('.player input').value === String(steps)", arg=steps
    )
    await until_shown(page, ".strip", "wins the game")
    await page.click("[popovertarget=menu]")
    await page.click("#menu [data-do=results]")
    await page.click("[data-do=verify]")
    await page.wait_for_selector(".fair li[data-good]")


async def test_33_a_running_game_has_no_replay(server: ServerProcess, newcomer: Newcomer) -> None:
    page = await newcomer()
    await play_bot(page, server.url)
    other = await newcomer(360)
    await other.goto(page.url.replace("/m/", "/r/"))
    await until_shown(other, "#stopped", "This game is still being played")
    await arrive(other, server.url)
