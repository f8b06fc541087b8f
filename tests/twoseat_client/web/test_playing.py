"""Expectations 9 to 20: whose turn, how long, what lies on the table, and how it moves and sounds."""

import re
from statistics import median

import pytest
from playwright.async_api import Page

from e2e.nodes import ServerProcess
from page.hands import Newcomer, choose, held_down, listen, play_bot, said, until_said, until_shown
from page.staged import Stage
from table_talk import by_bot, chair, fought, over, results, state
from table_talk import seated as at_table
from twoseat import wire

pytestmark = pytest.mark.asyncio(loop_scope="session")

WAR_ROUND = fought(1, 0, (31, 21), wars=1)
DOUBLE_ROUND = fought(1, 0, (36, 16), wars=2)
NINES, KING_SEVEN = ("9S", "9H"), ("KH", "7C")
RING = """() => { window.ring = []; const ring = document.querySelector('.seat.me .ring span');
  new MutationObserver(() => window.ring.push([performance.now(), Number(ring.textContent)]))
    .observe(ring, { childList: true }); }"""
"""Keeps what the ring says, and when by a clock that only goes on."""


async def test_9_whose_turn_is_said_shown_and_held_to(server: ServerProcess, stage: Stage) -> None:
    await stage.table(server.url, turn=0)
    page = stage.page
    assert await page.locator(".seat.me[data-turn]").count() == 1
    await until_shown(page, ".seat.me .is", "to draw")
    assert await page.text_content("#draw span") == "Draw a card"
    stage.says(state(2, turn=1))
    await page.wait_for_selector(".seat.them[data-turn]")
    assert await page.text_content("#draw span") == "Bo draws first"
    assert await page.get_attribute("#draw", "aria-disabled") == "true"
    await page.locator("#draw").focus()
    await page.keyboard.press("Space")
    await stage.is_heard()
    assert stage.count("play") == 0


@pytest.mark.parametrize("skew_minutes", [-2, 2])
async def test_10_the_ring_is_right_whatever_the_clock_of_the_machine_says(
    server: ServerProcess, newcomer: Newcomer, width: int, skew_minutes: int
) -> None:
    page = await newcomer(width)
    await page.add_init_script(f"const real = Date.now; Date.now = () => real() + {skew_minutes} * 60000")
    stage = Stage(page)
    await stage.open(server.url)
    await page.evaluate(RING)
    stage.says(at_table(), state(turn=0, chairs=(chair(due=15_000), chair())))
    await page.wait_for_function("() => window.ring.filter(([, left]) => left).length >= 4")
    (_, most), (began, first), *ring = [(at, left) for at, left in await page.evaluate("() => window.ring") if left]
    assert first < most <= 15
    assert all(abs(first - (at - began) / 1000 - left) <= 1.5 for at, left in ring), "from when the table stood there"


async def test_11_time_up_is_one_visible_event_and_any_key_takes_the_seat_back(
    server: ServerProcess, stage: Stage
) -> None:
    await stage.table(server.url, turn=0)
    stage.says(state(2, turn=0, chairs=(by_bot(), chair())))
    said = "Time's up: the bot plays for you. Press any key to take the seat back."
    await until_shown(stage.page, ".strip", said)
    assert await stage.page.text_content("#draw span") == "Take the seat back"
    await stage.page.keyboard.press("x")
    await stage.hears("return")
    stage.says(state(3, turn=1, chairs=(by_bot(back=True), chair())))
    await until_shown(stage.page, "#draw", "Yours from the next turn")


async def test_12_a_draw_that_came_too_late_is_told(server: ServerProcess, stage: Stage) -> None:
    await stage.table(server.url, turn=0)
    await stage.page.click("#draw")
    move = await stage.hears("play")
    stage.says(wire.RejectedMessage(wire.Reason.STALE, move["id"], by_bot=True))
    await until_shown(stage.page, ".strip", "Too late: the bot made this move for you.")


async def test_13_counts_are_numbers_and_thickness_and_at_most_two_faces_lie_there(
    server: ServerProcess, stage: Stage
) -> None:
    page = stage.page
    await stage.table(server.url, turn=0)
    stage.says(state(2, turn=1, rounds=[WAR_ROUND], pairs=[NINES, KING_SEVEN], won=(1, 0)))
    await until_shown(page, ".seat.me .cards b", "31")
    assert await page.text_content(".seat.them .cards b") == "21"
    thickness = await page.eval_on_selector_all(".pile", "piles => piles.map(p => p.style.getPropertyValue('--count'))")
    assert thickness == ["21", "31"]
    assert await page.locator("#table .print").count() == 2
    assert await page.get_attribute(".pot", "aria-label") == "6 cards in the pot"
    assert await page.get_attribute("#slot-me", "aria-label") == "king of hearts"


async def test_13_a_count_runs_to_its_new_value_and_never_past_it(server: ServerProcess, newcomer: Newcomer) -> None:
    stage = Stage(await newcomer(reduced_motion="no-preference"))
    await stage.table(server.url, turn=0)
    await listen(stage.page, ".seat.me .cards b")
    stage.says(state(2, turn=1, rounds=[WAR_ROUND], pairs=[NINES, KING_SEVEN], won=(1, 0)))
    await until_shown(stage.page, ".seat.me .cards b", "31")
    told = [int(count) for count in await said(stage.page, ".seat.me .cards b")]
    assert told == sorted(told)
    assert set(told) <= set(range(26, 32))


@pytest.mark.parametrize(("locale", "word"), [("en", "WAR"), ("bg", "ВОЙНА"), ("pt", "GUERRA")])
async def test_14_war_is_cried_beside_each_seat_in_ones_own_language(
    server: ServerProcess, newcomer: Newcomer, width: int, locale: str, word: str
) -> None:
    stage = Stage(await newcomer(width, locale=locale))
    await stage.table(server.url, turn=0)
    await listen(stage.page, ".bubble.on")
    stage.says(state(2, turn=1, rounds=[WAR_ROUND], pairs=[NINES, KING_SEVEN]))
    await until_said(stage.page, ".bubble.on", f"{word},{word}")
    await stage.page.wait_for_selector(".bubble.on", state="detached")


async def test_14_a_double_war_is_cried_again(server: ServerProcess, newcomer: Newcomer) -> None:
    stage = Stage(await newcomer(reduced_motion="no-preference"))
    await stage.table(server.url, turn=0)
    await stage.page.evaluate(
        """() => new MutationObserver(() => { if (document.querySelector('.slot.cover')) window.meanwhile ??= [
          document.querySelector('.score b.me').textContent, document.querySelector('.seat.me .cards b').textContent,
          document.querySelectorAll("#side-rounds .rounds li").length]; })
          .observe(document.body, { subtree: true, childList: true })"""
    )
    await listen(stage.page, ".bubble.on")
    stage.says(state(2, turn=1, rounds=[DOUBLE_ROUND], pairs=[NINES, NINES, KING_SEVEN], won=(1, 0)))
    await until_said(stage.page, ".bubble.on", "DOUBLE WAR,DOUBLE WAR")
    assert next(cry for cry in await said(stage.page, ".bubble.on") if cry) == "WAR,WAR"
    await until_shown(stage.page, ".score b.me", "1")
    assert await stage.page.evaluate("() => window.meanwhile") == ["0", "26", 0], "the cards are turned first"


async def test_15_motion_is_short_and_a_press_ends_it(server: ServerProcess, newcomer: Newcomer, width: int) -> None:
    page = await newcomer(width, reduced_motion="no-preference")
    stage = Stage(page)
    await stage.table(server.url, turn=0)
    await page.evaluate(
        """() => { window.lengths = []; const animate = Element.prototype.animate;
        Element.prototype.animate = function (frames, options) {
          window.lengths.push(options.duration); return animate.call(this, frames, options); }; }"""
    )
    stage.says(state(2, turn=0, rounds=[DOUBLE_ROUND], pairs=[NINES, NINES, KING_SEVEN]))
    await page.wait_for_selector(".slot.cover", state="attached")
    await page.click("#draw")
    assert await page.locator(".slot.cover").count() == 0, "the press ended the motion"
    await stage.hears("play")
    lengths = await page.evaluate("window.lengths")
    assert lengths
    assert all(length <= 600 for length in lengths)


async def test_15_a_press_at_any_moment_of_a_double_war_leaves_the_newest_cards(
    server: ServerProcess, newcomer: Newcomer
) -> None:
    page = await newcomer(reduced_motion="no-preference")
    stage = Stage(page)
    await stage.table(server.url, turn=0)
    await page.evaluate(
        """() => { window.movements = 0; const animate = Element.prototype.animate;
        Element.prototype.animate = function (...asked) {
          if ((window.movements -= 1) === 0) setTimeout(() => document.body.click());
          return animate.apply(this, asked); }; }"""
    )
    for n, movement in enumerate(range(1, 22, 2), 1):
        await page.evaluate("movement => { window.movements = movement; }", movement)
        war = fought(n, 0, (26 + n, 26 - n), wars=2)
        stage.says(state(2 * n, turn=0, round_number=n + 1, rounds=[war], pairs=[NINES, NINES, KING_SEVEN]))
        await until_shown(page, "#side-rounds .rounds li .n", str(n))
        await page.wait_for_selector(".slot.me.won .face")
        assert await page.locator(".slot.cover, .slot.ghost").count() == 0
        stage.says(state(2 * n + 1, turn=0, round_number=n + 1))


@pytest.mark.parametrize("how", ["reduced motion", "off"])
async def test_15_no_motion_where_none_is_wanted(server: ServerProcess, newcomer: Newcomer, how: str) -> None:
    page = await newcomer(reduced_motion="reduce" if how == "reduced motion" else "no-preference")
    stage = Stage(page)
    await stage.table(server.url, turn=0)
    if how == "off":
        await page.click("[data-do=settings]")
        await choose(page, "[name=speed][value=off]")
        await page.keyboard.press("Escape")
    await page.evaluate("() => { Element.prototype.animate = () => { throw new Error('moved'); }; }")
    stage.says(state(2, turn=1, rounds=[WAR_ROUND], pairs=[NINES, KING_SEVEN]))
    await page.wait_for_selector("#slot-me[data-card=KH]")


async def test_16_held_down_the_key_draws_each_card_once(server: ServerProcess, page: Page) -> None:
    sent: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda text: sent.append(str(text))))
    await play_bot(page, server.url, target="4")
    await page.locator("#draw").focus()
    await page.keyboard.down("Space")
    await page.wait_for_selector("#results[open]")
    numbers = [int(found[1]) for text in sent if (found := re.search(r'"play".*"number":(\d+)', text))]
    assert numbers == list(range(len(numbers)))
    assert len(numbers) == await page.locator("#results tbody tr").count()


async def test_16_a_game_held_down_takes_less_than_a_second_a_round(server: ServerProcess, newcomer: Newcomer) -> None:
    page = await newcomer(reduced_motion="no-preference")
    assert median(await held_down(page, server.url, target="10")) < 1


async def test_16_a_finger_held_down_draws_too(server: ServerProcess, newcomer: Newcomer) -> None:
    page = await newcomer(360)
    await play_bot(page, server.url, target="2")
    await page.hover("#draw")
    await page.mouse.down()
    await page.wait_for_selector("#results[open]")


async def test_17_sound_is_off_until_asked_and_remembered(server: ServerProcess, stage: Stage) -> None:
    await stage.table(server.url, turn=0)
    sound = stage.page.locator("header [data-do=sound]")
    assert await sound.get_attribute("aria-pressed") == "false"
    await sound.click()
    await stage.page.wait_for_selector("header [data-do=sound][aria-pressed=true]")
    await stage.page.reload()
    await stage.page.wait_for_selector("header [data-do=sound][aria-pressed=true]")


async def test_18_rounds_won_stand_top_right(server: ServerProcess, stage: Stage) -> None:
    await stage.table(server.url, turn=0, won=(23, 19))
    page = stage.page
    await until_shown(page, ".score b.me", "23")
    box, size = await page.locator(".score").bounding_box(), page.viewport_size
    assert box is not None
    assert size is not None
    assert box["y"] < 60
    assert size["width"] - (box["x"] + box["width"]) < 40


async def test_19_rounds_are_listed_with_winner_and_depth_and_without_faces(
    server: ServerProcess, stage: Stage
) -> None:
    page = stage.page
    await stage.table(
        server.url, turn=0, before=[fought(1, 1, (25, 27)), fought(2, 0, (28, 24), wars=2)], round_number=3
    )
    await page.click(".score")
    rows = page.locator("#side-rounds .rounds li")
    await rows.first.wait_for()
    assert [" ".join(text.split()) for text in await rows.all_inner_texts()] == ["2 You DOUBLE WAR", "1 Bo"]
    assert not re.search("[♣♦♥♠]", await page.text_content("#side") or "")


async def test_19_the_results_show_the_faces(server: ServerProcess, stage: Stage) -> None:
    rounds = [fought(1, 0, (52, 0), cards=("KH", "7C"))]
    await stage.table(server.url, turn=0)
    stage.says(over(2, rounds, pairs=[KING_SEVEN], won=(1, 0)), results(rounds))
    await stage.page.wait_for_selector("#results[open]")
    cells = await stage.page.locator("#results tbody td").all_text_contents()
    assert [cell.replace("\ufe0e", "").strip() for cell in cells] == ["1", "K♥", "7♣", "You", "", "52 : 0", "2"]


async def test_20_presence_line_and_the_last_events_are_words(server: ServerProcess, stage: Stage) -> None:
    page = stage.page
    await stage.table(server.url, turn=1)
    await listen(page, ".seat.them .is")
    stage.says(state(2, turn=1, chairs=(chair(), chair(present=False, due=12_000))))
    await until_said(page, ".seat.them .is", "away · bot in 0:12")
    assert await page.locator(".seat.them .is svg:visible").count() == 1
    await until_shown(page, ".act .facts", "good line")
    if page.viewport_size and page.viewport_size["width"] < 900:
        await page.click(".score")
    await until_shown(page, "#side .last", "Bo is away. The bot takes over in 0:12.")
    assert await page.locator("#side .last li").count() <= 5


async def test_20_four_things_can_be_called_across_and_muted(server: ServerProcess, stage: Stage) -> None:
    page = stage.page
    await stage.table(server.url, turn=0)
    await page.click("[popovertarget=calls]")
    assert await page.locator("#calls button:visible").count() == 4
    await page.click("#calls [data-call=well_played]")
    assert (await stage.hears("react"))["reaction"] == "well_played"
    stage.says(wire.Reacted(1, wire.Reaction.THANKS))
    await until_shown(page, ".seat.them .call", "Thanks!")
    await until_shown(page, "#live", "Bo calls: Thanks!")
    await page.click("header [data-do=settings]")
    await choose(page, "[name=calls]", on=False)
    await page.wait_for_selector(".seat.them .call", state="hidden")
    stage.says(wire.Reacted(1, wire.Reaction.OUCH), wire.Reacted(0, wire.Reaction.HELLO))
    await until_shown(page, ".seat.me .call", "Hello!")
    assert await page.locator(".seat.them .call:visible").count() == 0
