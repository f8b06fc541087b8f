"""War Online at the page's table: each step of a turn by hand, what is shown and what is hidden, and the results."""

import re

import pytest
from playwright.async_api import ConsoleMessage, Page, Request

from e2e.nodes import ServerProcess
from online import ONLINE, course, position, throwing
from page.hands import Newcomer, choose, until_shown
from page.online_staged import OnlineTable, placing, undealt
from table_talk import by_bot, chair
from twoseat import wire
from twoseat.games.game import Driver

pytestmark = pytest.mark.asyncio(loop_scope="session")

SOUTH = "colombia, bolivia, brasil 4, argentina"
COUNTED = "([name, words]) => document.querySelector(`.land[data-land=${name}]`).ariaLabel.includes(`, ${words}`)"
FITTED = """() => { const map = document.querySelector('#map'), { width, height } = map.viewBox.baseVal;
  return Math.abs(height / width - map.clientHeight / map.clientWidth) < 0.001; }"""
"""Whether the map has been told how much room it has."""


def land(name: str) -> str:
    return f".land[data-land={name}]"


async def lit(page: Page, kind: str) -> set[str]:
    """The territories that are lit in this way."""
    names: list[str] = await page.eval_on_selector_all(f".land[data-lit={kind}]", "all => all.map(n => n.dataset.land)")
    return set(names)


async def count(page: Page, name: str) -> str:
    """The armies a territory's name tells."""
    told = await page.get_attribute(land(name), "aria-label") or ""
    found = re.search(r", (\d+) arm", told)
    assert found, told
    return found[1]


async def test_online_3_before_round_1_objective_and_territories_are_seen_then_play(
    server: ServerProcess, newcomer: Newcomer
) -> None:
    page = await newcomer(360)
    table = OnlineTable(page, undealt())
    await table.sit(server.url)
    objective = table.position.objectives[0]
    await until_shown(page, ".opening .objective", {"as_af": "Asia"}.get(objective, "Hold"))
    await until_shown(page, ".opening h3", "14 territories")
    assert await page.text_content("#draw span") == "Play"
    await until_shown(page, ".strip", "press Play")
    await page.click("#draw")
    assert (await table.hears("play"))["move"] == "play"
    await until_shown(page, ".strip", "Waiting for Bo to press Play.")
    table.does("play", seat=1)
    await page.wait_for_selector(".opening", state="hidden")


async def test_online_7_placing_says_what_is_owed_and_is_taken_back(server: ServerProcess, newcomer: Newcomer) -> None:
    page = await newcomer(360)
    table = OnlineTable(page, placing(position(SOUTH + ", mexico")))
    await table.sit(server.url)
    await until_shown(page, ".strip", "5 armies to place, 2 only in South America")
    await until_shown(page, ".steps [aria-current=step]", "3 + 2")
    assert await page.get_attribute("#draw", "aria-disabled") == "true"
    assert await lit(page, "source") == {"colombia", "bolivia", "brasil", "argentina", "mexico"}
    await page.click(land("mexico"))
    await until_shown(page, ".strip", "4 armies left, 2 only in South America: press Mexico again")
    await page.wait_for_function(COUNTED, arg=["mexico", "2 arm"])
    await page.click(".console [data-do=placeAll]")
    await until_shown(page, ".strip", "2 armies to place, 2 only in South America")
    assert await lit(page, "source") == {"colombia", "bolivia", "brasil", "argentina"}, (
        "those of a continent stay in it"
    )
    await page.click(".console .group:not([hidden]) [data-do=undo]")
    await until_shown(page, ".strip", "4 armies to place")
    for _ in range(2):
        await page.click(land("brasil"))
    await until_shown(page, ".strip", "2 armies left")
    await page.click(land("brasil"))
    await page.click(land("brasil"))
    await page.wait_for_selector(".steps li:nth-of-type(2)[aria-current=step]")
    assert await count(page, "brasil") == "8"
    assert table.moves[:3] == ["place mexico 1", "place mexico 2", "undo"]
    assert sum(int(move.split()[-1]) for move in table.moves[3:]) == 4


async def test_online_8_an_attack_its_odds_its_dice_and_how_many_move_in(
    server: ServerProcess, newcomer: Newcomer, width: int
) -> None:
    page = await newcomer(width)
    dice = throwing(((6, 5, 1), (6, 2)), ((6, 5, 4), (3,)))
    table = OnlineTable(page, position("brasil 6, bolivia"), dice)
    await table.sit(server.url)
    await until_shown(page, ".strip", "Press a lit territory to attack from")
    assert await lit(page, "source") == {"brasil"}
    await page.click(land("brasil"))
    await until_shown(page, ".strip", "Brazil attacks: now press a marked neighbour.")
    assert await lit(page, "target") == {"argelia", "argentina", "colombia"}
    await page.click(land("argelia"))
    await until_shown(page, ".strip", "Brazil (6) against Algeria (2): 89 % to take it.")
    assert table.moves == [], "the odds come before anything is thrown"
    await page.click(".console [data-do=attackOnce]")
    await page.wait_for_selector("#dice:not([hidden]) .die[data-face='1']")
    shown = await page.eval_on_selector_all(
        ".pairing", "all => all.map(p => [...p.children].map(d => [d.dataset.face, 'won' in d.dataset]))"
    )
    assert shown == [[["6", False], ["6", True]], [["5", True], ["2", False]], [["1", False], [None, False]]]
    assert await page.locator("#dice .toll b").all_text_contents() == ["Attack lost 1, defence 1.", "−1", "−1"]
    await until_shown(page, ".strip", "Brazil (5) against Algeria (1)")
    await page.click(".console [data-do=attackUntil]")
    await until_shown(page, ".strip", "Algeria is yours! How many armies move in?")
    assert await page.get_attribute("#draw", "aria-disabled") == "true"
    await page.click(".console [data-do=advance][data-n='3']")
    await until_shown(page, ".strip", "Algeria attacks: now press a marked neighbour.")
    assert table.moves == ["attack brasil argelia", "attack brasil argelia until 1", "advance 3"]
    assert (await count(page, "brasil"), await count(page, "argelia")) == ("2", "3")
    await until_shown(page, ".steps li:nth-of-type(4)", "✓")


async def test_online_8_dice_roll_no_longer_than_600_ms_and_the_map_waits_for_them(
    server: ServerProcess, newcomer: Newcomer
) -> None:
    page = await newcomer(reduced_motion="no-preference")
    table = OnlineTable(page, position("brasil 6, bolivia"), throwing(((6, 5, 4), (1, 1))))
    await table.sit(server.url)
    await page.evaluate(
        """() => { window.seen = []; const count = document.querySelector('.land[data-land=argelia]');
        new MutationObserver(() => window.seen.push([document.querySelectorAll('.die[data-face=roll]').length,
          count.getAttribute('aria-label')])).observe(document.querySelector('#board'), { subtree: true,
          attributes: true, childList: true }); }"""
    )
    await page.click(land("brasil"))
    await page.click(land("argelia"))
    await page.click(".console [data-do=attackOnce]")
    await page.wait_for_selector(".die[data-face='6']")
    await page.wait_for_selector(f"{land('argelia')}[data-owner=me]")
    seen = await page.evaluate("window.seen")
    assert any(rolling for rolling, _ in seen)
    assert all("neutral" in label for rolling, label in seen if rolling), "nothing is given away while dice roll"
    assert await page.evaluate("import('/web/online_view.js').then((view) => view.ROLL_MS)") <= 600


async def test_online_10_armies_move_and_the_turn_ends(server: ServerProcess, newcomer: Newcomer) -> None:
    page = await newcomer(360)
    table = OnlineTable(page, position("brasil 6, bolivia, argentina 3"))
    await table.sit(server.url)
    await page.click("#draw")
    await until_shown(page, ".strip", "Press a lit territory to move armies from, or end your turn.")
    await page.click(land("brasil"))
    await page.click(land("bolivia"))
    await until_shown(page, ".strip", "From Brazil to Bolivia: how many?")
    await page.click(".console [data-do=count][data-by='-1']:visible")
    await page.click(".console [data-do=move]")
    await page.wait_for_function(COUNTED, arg=["bolivia", "5 arm"])
    await page.click("#draw")
    await until_shown(page, ".strip", "Bo places armies.")
    assert table.moves == ["done", "move brasil bolivia 4", "end"]
    assert await lit(page, "source") == set()


async def test_online_6_five_cards_must_be_traded_three_that_fit(
    server: ServerProcess, newcomer: Newcomer, width: int
) -> None:
    page = await newcomer(width)
    hand = "brasil congo siberia alaska joker"  # circle, square, triangle, triangle
    table = OnlineTable(page, placing(position(SOUTH, cards=hand, her_cards="japao india")))
    await table.sit(server.url)
    await until_shown(page, ".strip", "You hold five cards: trade three of them first.")
    assert await page.locator(".seat.them .backs i").count() == 2
    assert await page.get_attribute(".seat.them .backs", "aria-label") == "2 cards"
    await page.click(".console [data-do=hand]")
    for n in (0, 1, 3):
        await page.click(f"[data-do=card][data-n='{n}']")
    await page.click("[data-do=card][data-n='3']")
    await page.click("[data-do=card][data-n='2']")
    await until_shown(page, "[data-do=trade]", "Trade three for 4 armies")
    await page.click("[data-do=trade]")
    await until_shown(page, ".strip", "9 armies to place")
    assert [set(move.split()) for move in table.moves] == [{"trade", "brasil", "congo", "siberia"}]
    assert await count(page, "brasil") == "6", "two armies for an own territory's card"
    assert await page.locator("#side [data-do=card]").count() == 2


async def test_online_12_the_objective_is_hidden_until_asked_and_tables_are_at_hand(
    server: ServerProcess, newcomer: Newcomer
) -> None:
    page = await newcomer(360)
    table = OnlineTable(page, position(SOUTH, cards="brasil"))
    await table.sit(server.url)
    await page.click(".score")
    assert "Asia" not in (await page.text_content("button.objective") or "")
    await page.click("button.objective")
    await until_shown(page, "button.objective", "Hold all of Asia and all of Africa.")
    rows = [" ".join(text.split()) for text in await page.locator(".bonuses li").all_inner_texts()]
    assert rows[0] == "Asia 0/12 7"
    assert "South America 4/4 2" in rows
    assert await page.locator(".trades li[aria-current=true]").all_inner_texts() == ["4"]
    assert "circle" in (await page.get_attribute("#side [data-do=card]", "aria-label") or "")


async def test_online_13_results_show_both_objectives_the_course_and_every_battle(
    server: ServerProcess, newcomer: Newcomer
) -> None:
    page = await newcomer()
    table = OnlineTable(page, course(5)[-1][0])
    await table.sit(server.url)
    table.ends(0, wire.Termination.OBJECTIVE)
    await page.wait_for_selector("#results[open]")
    assert await page.text_content("#results-title") == "You win the game."
    objectives = [" ".join(text.split()) for text in await page.locator(".objectives div").all_inner_texts()]
    assert len(objectives) == 2
    assert ["reached" in text for text in objectives] == [True, False]
    turns = ONLINE.history(table.position, 0, faces=True)
    assert await page.locator("#results .online tbody tr").count() == sum(len(turn.battles) for turn in turns) > 5
    chart = await page.get_attribute("#results .course .line", "d") or ""
    assert chart.count("L") == len(turns)
    assert re.search(r"[+−±]\d", await page.text_content("#results .online tbody tr td:nth-child(7)") or "")


async def test_11_time_up_in_mid_turn_the_bot_ends_it_and_a_recap_says_so(
    server: ServerProcess, newcomer: Newcomer
) -> None:
    page = await newcomer()
    table = OnlineTable(page, position("brasil 6, bolivia"))
    await table.sit(server.url)
    table.chairs(by_bot(), chair())
    await until_shown(page, ".strip", "Time's up: the bot plays for you.")
    assert await lit(page, "source") == set(), "nothing can be pressed while the bot has the seat"
    table.does("end", by=Driver.BOT)
    await page.keyboard.press("x")
    await table.hears("return")
    await page.locator(land("china")).dispatch_event("click")
    await table.hears("return", 2)
    table.chairs(by_bot(back=True), chair())
    await until_shown(page, "#board .recap", "While you were away the bot played 1 turn for you.")


async def test_7_a_watcher_sees_the_board_and_no_secret(server: ServerProcess, newcomer: Newcomer) -> None:
    page = await newcomer()
    table = OnlineTable(page, position("brasil 6, bolivia", cards="congo"))
    await table.sit(server.url, seat=None)
    assert await lit(page, "source") == set()
    assert await page.locator("button.objective:visible, #side [data-do=card], #draw:visible").count() == 0
    assert await page.locator(".seat.me .backs i").count() == 1


@pytest.mark.parametrize(
    ("locale", "name", "words"), [("bg", "Бразилия", "Натисни осветена"), ("pt", "Brasil", "Escolhe um")]
)
async def test_37_the_board_speaks_each_language(
    server: ServerProcess, newcomer: Newcomer, locale: str, name: str, words: str
) -> None:
    page = await newcomer(locale=locale)
    table = OnlineTable(page, position("brasil 6, bolivia"))
    await table.sit(server.url)
    await until_shown(page, ".strip", words)
    assert (await page.get_attribute(land("brasil"), "aria-label") or "").startswith(name)
    assert name in await page.locator("#map .name").all_text_contents()
    await page.click("header [data-do=settings]")
    await choose(page, "[name=lang][value=en]")
    await until_shown(page, ".strip", "Press a lit territory")
    assert "Brazil" in await page.locator("#map .name").all_text_contents()


async def test_36_a_whole_turn_by_keyboard_alone(server: ServerProcess, newcomer: Newcomer, width: int) -> None:
    page = await newcomer(width)
    start = placing(position("brasil 6, bolivia"))
    table = OnlineTable(page, start, throwing(((6, 5, 4), (1, 1))))
    await table.sit(server.url)
    press = page.keyboard.press
    await page.locator("#map .land[tabindex='0']").focus()
    await page.evaluate("() => document.querySelector('.land[data-land=colombia]').focus()")
    await press("ArrowDown")
    assert await page.evaluate("() => document.activeElement.dataset.land") in {"brasil", "bolivia"}
    await page.evaluate("() => document.querySelector('.land[data-land=brasil]').focus()")
    for _ in range(3):
        await press("Enter")
    await page.wait_for_selector(".steps li:nth-of-type(2)[aria-current=step]")
    await press("Enter")
    await press("ArrowRight")
    assert await page.evaluate("() => document.activeElement.dataset.land") == "argelia"
    await press("Space")
    await until_shown(page, ".strip", "to take it")
    await press("Enter")
    await until_shown(page, ".strip", "How many armies move in?")
    await press("2")
    await until_shown(page, ".strip", "Algeria attacks: now press a marked neighbour.")
    await page.locator(".act [data-do=endTurn]").focus()
    await press("Enter")
    await until_shown(page, ".strip", "Bo places armies.")
    assert table.moves[-3:] == ["attack brasil argelia", "advance 2", "end"]


async def test_38_the_board_comes_with_the_first_match_and_is_strict(server: ServerProcess, newcomer: Newcomer) -> None:
    page = await newcomer()
    asked: list[str] = []
    wrong: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        wrong.extend([message.text] if message.type == "error" else [])

    def note(request: Request) -> None:
        asked.append(request.url)

    page.on("console", hear)
    page.on("request", note)
    await page.goto(server.url)
    await page.wait_for_selector("body[data-screen=arrive]")
    assert not [url for url in asked if "online" in url]
    await OnlineTable(page, position("brasil 6, bolivia")).sit(server.url)
    assert [url for url in asked if "online" in url]
    assert all(url.startswith(server.url) for url in asked)
    assert wrong == []


async def test_zoom_by_buttons_and_wheel_shows_names_and_the_whole_again(
    server: ServerProcess, newcomer: Newcomer
) -> None:
    page = await newcomer(360)
    table = OnlineTable(page, position("brasil 6, bolivia"))
    await table.sit(server.url)
    box = "() => document.querySelector('#map').getAttribute('viewBox')"
    await page.wait_for_function(FITTED)
    whole = await page.evaluate(box)
    assert await page.locator("#map .name:visible").count() == 0
    await page.click(".zoom [data-by='1']")
    await page.click(".zoom [data-by='1']")
    await page.wait_for_selector("#map[data-near]")
    assert await page.locator("#map .name:visible").count() == 42
    await page.click(".zoom [data-by='0']")
    assert await page.evaluate(box) == whole
    await page.hover(land("china"))
    await page.mouse.wheel(0, -400)
    await page.wait_for_selector("#map[data-zoomed]")
    assert await page.evaluate(box) != whole
