"""Presses nobody meant: a second one on a button new under the pointer, one that ends a game, many on a slow line."""

import pytest

from e2e.nodes import ServerProcess
from online import position, winning
from page.hands import Newcomer, until_shown
from page.online_staged import OnlineTable, placing
from page.staged import Stage
from table_talk import chair, state
from table_talk import seated as at_table

pytestmark = pytest.mark.asyncio(loop_scope="session")

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


async def test_on_a_slow_line_what_will_be_is_shown_and_clicks_that_wait_are_taken_back(
    server: ServerProcess, newcomer: Newcomer
) -> None:
    page = await newcomer()
    table = OnlineTable(page, placing(position("colombia, bolivia, brasil 4, argentina, mexico")))
    await table.sit(server.url)
    undo = ".console .group:not([hidden]) [data-do=undo]"
    table.holds = True
    for _ in range(2):
        await page.click(".land[data-land=mexico]")
    await until_shown(page, ".strip", "3 armies left, 2 only in South America")
    await until_shown(page, "#draw", "3 armies still to place")
    await until_shown(page, ".steps [aria-current=step]", "1 + 2")
    more = page.locator("#map .more:not(:empty)")
    assert await more.all_text_contents() == ["+2"]
    await page.click(".land[data-land=brasil]")
    await until_shown(page, ".strip", "2 armies left, 1 only in South America")
    await until_shown(page, ".console [data-do=placeAll]", "All 2 on Brazil")
    await page.click(undo)
    await until_shown(page, ".strip", "3 armies")
    await page.click(undo)
    await until_shown(page, ".strip", "4 armies")
    await page.click(undo)
    table.answer()
    await table.hears("play", 2)
    await until_shown(page, ".strip", "5 armies")
    assert table.moves == ["place mexico 1", "undo"]
    assert await more.count() == 0
