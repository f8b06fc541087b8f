"""Expectations 1 to 8: arriving, waiting and being found."""

import pytest
from playwright.async_api import Page

from e2e.nodes import ServerProcess
from page.hands import (
    PLAY,
    Newcomer,
    arrive,
    choose,
    draw,
    invitation,
    listen,
    play_bot,
    seated,
    terms,
    together,
    until_said,
    until_shown,
)
from page.staged import Stage
from table_talk import CODE, state, waiting
from table_talk import seated as at_table
from twoseat import wire

pytestmark = pytest.mark.asyncio(loop_scope="session")
OFFER = """() => [document.querySelector('#wait .clock').textContent,
  document.querySelector('#wait .offer').hasAttribute('data-now')]"""


async def test_1_the_start_page_is_playable_at_once(server: ServerProcess, page: Page) -> None:
    await arrive(page, server.url)
    assert await page.input_value("[name=name]") != ""
    box = await page.locator(PLAY).bounding_box()
    size = page.viewport_size
    assert box is not None
    assert size is not None
    assert box["y"] + box["height"] <= size["height"], "Play now is in sight without scrolling"
    assert await page.locator("[name=preset]").count() == 3
    assert await page.context.cookies() == []


async def test_2_the_queue_shows_the_wait_and_lets_one_go(server: ServerProcess, page: Page) -> None:
    await arrive(page, server.url)
    await terms(page, target="49")
    await listen(page, "#wait .clock")
    await page.click(PLAY)
    await until_said(page, "#wait .clock", "0:01")
    await page.click("#wait [data-do=cancel]")
    await page.wait_for_selector("#arrive:not([hidden])")


async def test_3_the_bot_is_always_there_and_offered_after_10_seconds(server: ServerProcess, stage: Stage) -> None:
    await stage.open(server.url, waiting(waited=9_000))
    assert await stage.page.locator("#wait [data-do=bot]").is_visible()
    waited, offered = await stage.page.evaluate(OFFER)
    assert offered == (waited >= "0:10")
    await stage.page.wait_for_selector(".offer[data-now]")
    await stage.page.click("#wait [data-do=bot]")
    await stage.hears("bot")


async def test_4_the_invite_link_opens_straight_into_the_seat(
    server: ServerProcess, newcomer: Newcomer, width: int
) -> None:
    ann, bob = await newcomer(width), await newcomer(width)
    await together(ann, bob, server.url)
    assert "/m/" in ann.url
    assert "/m/" in bob.url


async def test_4_copy_works_without_the_clipboard_of_secure_pages(server: ServerProcess, page: Page) -> None:
    await page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    await arrive(page, server.url)
    await page.click("#start [data-do=host]")
    link = await invitation(page)
    await page.evaluate("document.addEventListener('copy', ({ target }) => { window.copied = target.value; })")
    await page.click("[data-do=copyLink]")
    assert await (await page.wait_for_function("() => window.copied")).json_value() == link
    await page.click("[data-do=qr]")
    await page.wait_for_function("() => document.querySelector('.qr').naturalWidth > 0")


@pytest.mark.parametrize("typed", ["lower", "spaced", "dashed", "linked"])
async def test_5_a_code_is_typed_in_any_way(server: ServerProcess, newcomer: Newcomer, typed: str) -> None:
    ann, bob = await newcomer(), await newcomer(360)
    await arrive(ann, server.url)
    await ann.click("#start [data-do=host]")
    code = (await invitation(ann))[-6:]
    assert code == code.upper()
    await arrive(bob, server.url)
    forms = {"lower": code.lower(), "spaced": f"{code[:3]} {code[3:]}", "dashed": f"{code[:3]}-{code[3:]}"}
    forms["linked"] = f"{server.url}/j/{code}"
    await bob.fill("[name=code]", forms[typed])
    await bob.press("[name=code]", "Enter")
    await seated(bob)


async def test_5_a_wrong_code_is_told_in_words(server: ServerProcess, page: Page) -> None:
    await arrive(page, server.url)
    for code, words in (("BCDFGH", "There is no table with this code."), ("B", "A code is six letters and digits")):
        await page.fill("[name=code]", code)
        assert await page.locator(".joiner .alert").is_hidden(), "a new code is no wrong one yet"
        await page.click("[data-do=join]")
        await until_shown(page, ".joiner .alert:not([hidden])", words)
        assert await page.get_attribute("[name=code]", "aria-invalid") == "true"
    await page.goto(f"{server.url}/j/BCDFGH")
    await until_shown(page, "#start > .alert:not([hidden])", "There is no table with this code.")


async def test_6_waiting_one_reads_the_rules_in_three_lines(server: ServerProcess, stage: Stage) -> None:
    await stage.open(server.url, waiting(CODE))
    assert await stage.page.locator("#wait .three li").count() == 3
    assert (await stage.page.text_content("#wait .code") or "").replace(" ", "") == CODE


async def test_6_the_starter_of_each_round_is_shown(server: ServerProcess, page: Page) -> None:
    await play_bot(page, server.url)
    assert await page.locator(".first:visible").count() == 1


async def test_7_a_third_person_watches_and_both_players_see_it(
    server: ServerProcess, newcomer: Newcomer, width: int
) -> None:
    ann, bob, eve = [await newcomer(width) for _ in range(3)]
    code = await together(ann, bob, server.url)
    await eve.goto(f"{server.url}/j/{code}")
    await eve.wait_for_selector("#table:not([hidden])")
    for player in (ann, bob):
        await until_shown(player, ".act .facts", "1 watching")
    assert await eve.locator("#draw").is_hidden()
    assert eve.url.endswith(f"/w/{code}")
    await draw(ann, bob)
    await eve.wait_for_selector(".slot[data-card=down]")


async def test_8_the_tab_says_whose_turn_it_is_and_a_link_has_a_preview(server: ServerProcess, stage: Stage) -> None:
    await stage.open(server.url, at_table(), state(turn=0))
    await stage.page.wait_for_function("() => document.title === '● Your turn'")
    stage.says(state(2, turn=1))
    await stage.page.wait_for_function("() => !document.title.includes('●')")
    assert await stage.page.locator("meta[property='og:title']").get_attribute("content")


async def test_8_an_old_page_is_told_to_reload_and_keeps_its_seat(server: ServerProcess, stage: Stage) -> None:
    await stage.table(server.url)
    stage.first = (wire.Error(wire.ErrorCode.OLD_CLIENT),)
    await stage.closes(wire.Close.OLD_CLIENT)
    await until_shown(stage.page, "#stopped", "your seat is kept")
    assert await stage.page.text_content("[data-do=again]") == "Reload"


async def test_3_a_game_that_cannot_be_started_says_why(server: ServerProcess, stage: Stage) -> None:
    await stage.open(server.url)
    await stage.page.click("[data-do=bot]:visible")
    await stage.hears("bot")
    stage.says(wire.Error(wire.ErrorCode.STORAGE_AWAY))
    await until_shown(stage.page, "#start .alert:not([hidden])", "Storage is away")


async def test_a_number_left_empty_is_the_usual_one_and_one_too_great_is_shown_as_what_it_means(
    server: ServerProcess, newcomer: Newcomer
) -> None:
    stage = Stage(await newcomer())
    await stage.open(server.url)
    page = stage.page
    await page.click("details.options summary")
    for preset, numbers in (
        ("points", (("turn", "5", "15", "120"), ("target", "1", "50", "50"))),
        ("objectives", (("turn", "30", "120", "600"), ("limit", "10", "100", "100"))),
    ):
        await choose(page, f"[name=preset][value={preset}]")
        for name, least, usual, most in numbers:
            field = page.locator(f"#start [name={name}]")
            for typed, meant in (("", usual), ("0", least), ("-3", least), ("99999", most)):
                await field.fill(typed)
                await field.blur()
                assert await field.input_value() == meant, (preset, name, typed)
            await field.fill("")
    await page.click("#start [data-do=host]")
    asked = (await stage.hears("host"))["terms"]
    assert (asked["turn_seconds"], asked["limit"]) == (120, 100)
