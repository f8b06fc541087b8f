"""What War Online has of its own in the page, where War's words and ways would be wrong; and on the smallest phone."""

import re

import pytest

from e2e.nodes import ServerProcess
from online import course, position
from page.hands import Newcomer, arrive, choose, until_shown
from page.online_staged import OnlineTable, placing, undealt

pytestmark = pytest.mark.asyncio(loop_scope="session")

CROWDED = """() => {
  const boxes = [...document.querySelectorAll('#preset label')].map((box) => box.getBoundingClientRect());
  const room = document.querySelector('#preset').getBoundingClientRect();
  return boxes.some((one) => one.right > room.right + 1 || boxes.some((other) => other !== one
    && one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom))
    || [...document.querySelectorAll('#preset span')].some((words) => words.scrollWidth > words.clientWidth); }"""
OUT_OF_SIGHT = """() => {
  const box = (one) => one.getBoundingClientRect();
  const [room, panel] = [box(document.querySelector('#board')), box(document.querySelector('.opening > div'))];
  const outside = (one) => one.width && (one.left < room.left || one.right > room.right || one.bottom > room.bottom);
  const under = (one) => one.right > panel.left + 1 && one.bottom > panel.top + 1;
  const covered = [...document.querySelectorAll('.land')].filter((land) => outside(box(land)) || under(box(land)));
  const cut = [...document.querySelectorAll('.caption')].filter((name) => outside(box(name)));
  const objective = box(document.querySelector('.opening .objective'));
  return [...covered, ...cut].map((node) => node.dataset.land ?? node.textContent)
    .concat(objective.bottom > panel.bottom ? ['objective'] : []); }"""
"""What cannot be seen before the first round."""


@pytest.mark.parametrize("locale", ["en", "bg", "pt"])
async def test_online_3_map_and_objective_are_both_in_sight_before_the_first_round(
    server: ServerProcess, newcomer: Newcomer, locale: str
) -> None:
    page = await newcomer(360, locale=locale)
    await OnlineTable(page, undealt()).sit(server.url)
    for width, height in ((360, 640), (390, 844), (700, 360), (768, 1024), (1024, 768), (1280, 800)):
        await page.set_viewport_size({"width": width, "height": height})
        # The map is fitted anew when the browser tells it of its size.
        await page.wait_for_function(f"() => ({OUT_OF_SIGHT})().length === 0")


async def test_on_a_phone_nothing_speaks_of_mouse_and_keys_and_names_come_with_a_zoom(
    server: ServerProcess, newcomer: Newcomer
) -> None:
    page = await newcomer(360, has_touch=True)
    await OnlineTable(page, undealt()).sit(server.url)
    await until_shown(page, ".opening .three", "closer (+) you see the names")
    assert "click" not in (await page.inner_text("body")).lower()
    page = await newcomer(360, has_touch=True)
    await OnlineTable(page, position("brasil 6, bolivia 24")).sit(server.url)
    await until_shown(page, ".strip", "Press a lit territory to attack from")
    assert await page.locator("#map .name:visible").count() == 0
    for _ in range(3):
        await page.tap(".zoom [data-by='1']")
    await page.wait_for_selector("#map[data-near]")
    assert await page.locator("#map .name:visible").count() == 42
    assert await page.locator("kbd:visible").count() == 0


@pytest.mark.parametrize("locale", ["en", "bg", "pt"])
async def test_the_games_to_choose_from_have_room_on_a_phone(
    server: ServerProcess, newcomer: Newcomer, locale: str
) -> None:
    page = await newcomer(360, locale=locale)
    await arrive(page, server.url)
    for width in (360, 320):
        await page.set_viewport_size({"width": width, "height": 640})
        assert not await page.evaluate(CROWDED), width
        assert await page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), width


async def test_a_press_that_can_do_nothing_names_the_territory_and_buttons_zoom_to_the_one_pressed(
    server: ServerProcess, newcomer: Newcomer
) -> None:
    page = await newcomer(320)
    table = OnlineTable(page, position("brasil 6, bolivia 24"))
    await table.sit(server.url)
    assert await page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    await page.locator(".land[data-land=australia]").dispatch_event("click")
    await until_shown(page, "#toast", "Australia, Oceania: neutral, 2 armies.")
    await until_shown(page, "#live", "Australia, Oceania: neutral, 2 armies.")
    for _ in range(3):
        await page.click(".zoom [data-by='1']")
    assert await page.locator("#map .name:visible").count() == 42
    place = await page.locator(".land[data-land=australia]").bounding_box()
    frame = await page.locator("#map").bounding_box()
    assert place is not None
    assert frame is not None
    middle = (place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    assert frame["x"] < middle[0] < frame["x"] + frame["width"]
    assert frame["y"] < middle[1] < frame["y"] + frame["height"]


async def test_trade_cards_leads_to_the_cards_beside_the_board(
    server: ServerProcess, newcomer: Newcomer, width: int
) -> None:
    page = await newcomer(width)
    table = OnlineTable(page, placing(position("brasil 6, bolivia", cards="brasil congo siberia alaska joker")))
    await table.sit(server.url)
    await page.click("header [popovertarget=menu]")
    assert await page.text_content("#menu [data-do=rounds]") == "Objective, cards, tables"
    await page.keyboard.press("Escape")
    await page.click(".console [data-do=hand]")
    await page.wait_for_selector(".hand[data-called]")
    assert await page.evaluate("() => document.activeElement.dataset.do") == "card"


async def test_war_onlines_start_and_its_copied_result_are_its_own(server: ServerProcess, newcomer: Newcomer) -> None:
    page = await newcomer()
    await page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    await page.goto(server.url)
    for preset, title, cards in (("objectives", "War Online", 0), ("points", "War", 2)):
        await choose(page, f"[name=preset][value={preset}]")
        await until_shown(page, ".hero h1", title)
        assert await page.locator(".hero .face:visible").count() == cards
    table = OnlineTable(page, course(5)[-1][0])
    await table.sit(server.url)
    table.ends(0)
    await page.wait_for_selector("#results[open]")
    await page.evaluate("() => document.addEventListener('copy', ({ target }) => { window.copied = target.value; })")
    await page.click("[data-do=copyResult]")
    lines = str(await (await page.wait_for_function("() => window.copied")).json_value()).splitlines()
    assert lines[3] == "Resigned."
    assert re.fullmatch(r"Armies: \d+ : \d+", lines[-1]), lines
    await page.set_viewport_size({"width": 768, "height": 1024})
    battles = page.locator("#results .online .scroll")
    assert await battles.evaluate("({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth")
