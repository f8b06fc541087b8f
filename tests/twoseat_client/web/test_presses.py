"""Presses that nobody meant: a second one on a button that came under the pointer, and one that would end a game."""

import pytest

from e2e.nodes import ServerProcess
from online import position, winning
from page.hands import Newcomer, until_shown
from page.online_staged import OnlineTable
from page.staged import Stage
from table_talk import chair, state
from table_talk import seated as at_table

pytestmark = pytest.mark.asyncio(loop_scope="module")

AT = "([x, y]) => document.elementFromPoint(x, y).closest('button')?.dataset.do"
CLOCK = "(now) => { performance.now = () => now; }"


async def test_a_second_press_reaches_no_button_that_came_under_the_pointer(
    server: ServerProcess, newcomer: Newcomer, width: int
) -> None:
    page = await newcomer(width)
    table = OnlineTable(page, position("brasil 6, bolivia"), winning((3, 2)))
    await table.sit(server.url)
    for name in ("brasil", "argelia"):
        await page.click(f".land[data-land={name}]")
    button = await page.locator(".console [data-do=attackOnce]").bounding_box()
    assert button is not None
    place = (button["x"] + 12, button["y"] + button["height"] / 2)
    await page.evaluate(CLOCK, 1_000_000)
    await page.mouse.click(*place)
    await page.wait_for_selector(".console [data-do=advance]:visible")
    assert await page.evaluate(AT, place) == "advance", "the new buttons lie where the old one was"
    for now in (1_000_150, 1_000_400, 1_000_800):
        await page.evaluate(CLOCK, now)
        await page.mouse.click(*place)
    await page.evaluate(CLOCK, 1_001_300)
    await page.click(".console [data-do=advance][data-n='2']")
    await table.hears("play", 2)
    assert table.moves == ["attack brasil argelia", "advance 2"]


async def test_a_new_game_against_the_bot_asks_first(server: ServerProcess, stage: Stage) -> None:
    page = stage.page
    await stage.table(server.url, bot=True)
    await page.click("header [popovertarget=menu]")
    await page.click("#menu [data-do=redeal]")
    await until_shown(page, "#confirm-title", "Begin a new game?")
    await page.click("#confirm [value=no]")
    await page.click("header [popovertarget=menu]")
    await page.click("#menu [data-do=redeal]")
    assert not [said for said in stage.heard if said["type"] == "rematch"]
    await page.click("#confirm [value=yes]")
    await stage.hears("rematch")


async def test_a_new_deal_is_offered_at_once_and_agreed_to_after_a_question(
    server: ServerProcess, newcomer: Newcomer
) -> None:
    stage = Stage(await newcomer())
    await stage.open(server.url, at_table(0), state(1))
    await stage.page.wait_for_selector("#table:not([hidden])")
    await stage.page.click("header [popovertarget=menu]")
    await stage.page.click("#menu [data-do=redeal]")
    await stage.hears("rematch")
    stage.says(state(2, chairs=(chair(), chair(rematch=True))))
    await until_shown(stage.page, "#menu [data-do=redeal]", "Agree")
    await stage.page.click("header [popovertarget=menu]")
    await stage.page.click("#menu [data-do=redeal]")
    await until_shown(stage.page, "#confirm-title", "Begin a new game?")
    await stage.page.click("#confirm [value=yes]")
    await stage.hears("rematch", 2)
