"""Expectations 35 and 36: for every eye and every hand, on every screen."""

import re

import pytest
from playwright.async_api import Page

from e2e.nodes import ServerProcess
from page.axe import faults, small
from page.hands import Newcomer, arrive, choose, listen, said, seated, terms, to_move, until_said
from page.staged import Stage
from table_talk import BOT_AT_0, CODE, by_bot, chair, fought, over, results, state, waiting
from table_talk import seated as at_table

pytestmark = pytest.mark.asyncio(loop_scope="session")

WAR = fought(2, 0, (31, 21), wars=1, cards=("KH", "7C"))
ROUNDS = [fought(1, 1, (25, 27), cards=("2D", "10S")), WAR]
PAIRS = [("9S", "9H"), ("KH", "7C")]
SCREENS = (
    "arrive",
    "wait",
    "host",
    "turn",
    "war",
    "away",
    "bot",
    "recap",
    "rounds",
    "how-to",
    "settings",
    "results",
    "replaced",
    "lost",
    "leave",
    "watching",
    "nowhere",
)


async def show(stage: Stage, url: str, screen: str) -> None:
    """Bring one of SCREENS on."""
    page = stage.page
    shown = state(1, turn=0, rounds=ROUNDS, pairs=PAIRS, won=(1, 1))
    match screen:
        case "arrive":
            await stage.open(url)
            await terms(page)
        case "wait" | "host":
            await stage.open(url, waiting(CODE if screen == "host" else None, 11_000))
        case "away":
            await stage.table(url, turn=1, chairs=(chair(), chair(present=False, due=9_000)))
        case "bot":
            await stage.table(url, turn=0, chairs=(by_bot(), by_bot(present=False)))
        case "recap":
            missed = [fought(1, by=BOT_AT_0)]
            await stage.open(url, at_table(0, missed), state(1, turn=0, round_number=2))
            await page.wait_for_selector(".recap:not([hidden])")
        case "watching":
            await stage.table(url, seat=None, turn=0)
        case "nowhere":
            await page.goto(f"{url}/nope")
        case "results":
            await stage.open(url, at_table(0), over(1, ROUNDS, pairs=PAIRS, won=(1, 1)), results(ROUNDS))
            await page.wait_for_selector("#results[open]")
        case _:
            await stage.open(url, at_table(0), shown)
    await _open(stage, screen)


async def _open(stage: Stage, screen: str) -> None:
    """Go on from the table to what is a step away."""
    page = stage.page
    match screen:
        case "rounds":
            await page.click(".score")
        case "how-to":
            await page.click("header [data-do=help]")
        case "settings":
            await page.click("header [data-do=settings]")
            await page.wait_for_selector("#settings[open]")
        case "leave":
            await page.click("[popovertarget=menu]")
            await page.click("#menu [data-do=leave]")
            await page.wait_for_selector("#confirm[open]")
        case "lost":
            await stage.closes(1012)
            await page.wait_for_selector("#table[data-net=lost]")
        case "replaced":
            await stage.closes(4409)
            await page.wait_for_selector("#stopped:not([hidden])")
        case _:
            pass


@pytest.mark.parametrize("screen", SCREENS)
async def test_35_nothing_is_too_wide_too_small_or_wrong_by_axe(
    server: ServerProcess, stage: Stage, screen: str
) -> None:
    page = stage.page
    await show(stage, server.url, screen)
    for scheme in ("light", "dark"):
        await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert await faults(page) == [], scheme
    assert await page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert await small(page) == []


@pytest.mark.parametrize("screen", ["turn", "results"])
async def test_35_high_contrast_too(server: ServerProcess, newcomer: Newcomer, screen: str) -> None:
    stage = Stage(await newcomer())
    await show(stage, server.url, screen)
    await stage.page.evaluate("() => { document.documentElement.dataset.contrast = 'more'; }")
    for scheme in ("light", "dark"):
        await stage.page.emulate_media(color_scheme=scheme)
        assert await faults(stage.page) == [], scheme


@pytest.mark.parametrize("suits", ["two", "four"])
async def test_35_suits_differ_by_shape_and_stand_out_from_the_card(
    server: ServerProcess, newcomer: Newcomer, suits: str
) -> None:
    stage = Stage(await newcomer())
    await show(stage, server.url, "turn")
    if suits == "four":
        await stage.page.click("header [data-do=settings]")
        await choose(stage.page, "[name=suits]")
    seen = await stage.page.evaluate(
        """async () => { const { face } = await import('/web/table.js');
        const style = (node, what) => getComputedStyle(node)[what];
        const place = document.querySelector('#slot-me .face');
        return [...'CDHS'].map((suit) => { const print = face(`A${suit}`); place.append(print);
          return { suit, shape: print.querySelector('use').getAttribute('href'), ink: style(print, 'fill'),
                   paper: style(place, 'backgroundColor') }; }); }"""
    )
    assert len({one["shape"] for one in seen}) == 4
    assert len({one["ink"] for one in seen}) == (4 if suits == "four" else 2)
    assert all(contrast(one["ink"], one["paper"]) >= 4.5 for one in seen)


def contrast(one: str, other: str) -> float:
    """WCAG 2 contrast of two rgb() colours."""
    lights = sorted(map(luminance, (one, other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def luminance(colour: str) -> float:
    """WCAG 2 relative luminance."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


async def test_36_a_round_by_keyboard_alone(server: ServerProcess, page: Page) -> None:
    await arrive(page, server.url)
    await page.locator("#start [data-do=bot]").focus()
    await page.keyboard.press("Enter")
    await seated(page)
    await to_move(page)
    assert await page.evaluate("() => document.activeElement.id") == "draw"
    await page.keyboard.press("Space")
    await page.wait_for_selector("#draw[data-kind=wait], #draw[data-kind=draw]")
    await page.keyboard.press("h")
    await page.wait_for_selector("#side-help:not([hidden])")
    assert await page.evaluate("() => document.activeElement.id") == "tab-help"
    await page.keyboard.press("ArrowLeft")
    await page.wait_for_selector("#side-rounds:not([hidden])")


async def test_36_single_keys_can_be_switched_off(server: ServerProcess, stage: Stage) -> None:
    await stage.table(server.url, turn=0)
    page = stage.page
    await page.click("header [data-do=settings]")
    await choose(page, "[name=keys]", on=False)
    await page.keyboard.press("Escape")
    await page.locator("#main").focus()
    for key in ("Space", "h", "m"):
        await page.keyboard.press(key)
    assert await page.locator("#side-help:visible").count() == 0
    assert not [message for message in stage.heard if message["type"] == "play"]
    await page.locator("#draw").focus()
    await page.keyboard.press("Space")
    await stage.hears("play")
    assert len([message for message in stage.heard if message["type"] == "play"]) == 1


async def test_36_one_polite_region_says_each_round(server: ServerProcess, stage: Stage) -> None:
    await stage.table(server.url, turn=0)
    page = stage.page
    assert await page.locator("[aria-live], [role=status], [role=alert], [role=log]").count() == 1
    await listen(page, "#live")
    stage.says(state(2, turn=1, rounds=[fought(1, 0, (31, 21), wars=1)], pairs=PAIRS))
    await until_said(page, "#live", "Bo draws first")
    assert " ".join(await said(page, "#live")).endswith(
        "You: nine. Opponent: nine. War! You: king. Opponent: seven. You win. 31 to 21. Round 2. Bo draws first."
    )


async def test_36_a_whole_round_as_a_screen_reader_meets_it(server: ServerProcess, newcomer: Newcomer) -> None:
    stage = Stage(await newcomer())
    await stage.table(server.url, turn=0)
    table = stage.page.locator("#table")
    seen = [await table.aria_snapshot()]
    stage.says(state(2, turn=1, drawn=(True, False), chairs=(chair(number=1), chair())))
    await stage.page.wait_for_selector("#slot-me[data-card=down]")
    seen.append(await table.aria_snapshot())
    stage.says(state(3, turn=1, rounds=[fought(1, 0, (27, 25))], pairs=[("KH", "7C")], won=(1, 0)))
    await stage.page.wait_for_selector("#slot-me[data-card=KH]")
    seen.append(await table.aria_snapshot())
    before, drawn, after = seen
    for words in (
        'region "Bo"',
        'region "You"',
        "to draw",
        "26 cards",
        'button "Draw a card',
        "Round 1. You draw first.",
    ):
        assert words in before
    for words in ('img "face-down card"', 'img "1 card in the pot"', "card drawn", 'button "Bo draws now" [disabled]'):
        assert words in drawn
    for words in (
        'img "king of hearts"',
        'img "seven of clubs"',
        "Your king beats the seven: 2 cards to you.",
        "27 cards",
    ):
        assert words in after
