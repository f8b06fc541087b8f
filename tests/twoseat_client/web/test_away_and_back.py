"""Expectations 21 to 29: a line that breaks, a seat that is kept, and the way back."""

import pytest
from playwright.async_api import Page

from e2e.nodes import ServerProcess, serving
from e2e.pages import hold_space
from page.hands import (
    Newcomer,
    arrive,
    draw,
    listen,
    play_bot,
    said,
    seated,
    to_move,
    together,
    until_said,
    until_shown,
)
from page.staged import Stage
from table_talk import BOT_AT_0, by_bot, chair, fought, over, results, state, waiting
from table_talk import seated as at_table
from twoseat import wire
from twoseat_client.backoff import wait

pytestmark = pytest.mark.asyncio(loop_scope="session")
WAKES = "dispatchEvent(new Event('online'))"
SLEEPS = "() => { const before = performance.now.bind(performance); performance.now = () => before() + 60_000; }"
"""A minute passes in which no timer ends."""
TOLD_AGAIN = """async () => { const { pause, isFinal } = await import('/web/session.js');
  return { roofs: [...Array(40).keys()].map((n) => pause(n + 1, 1)), floor: pause(3, 0),
           final: [1000, 1001, 1006, 1008, 1009, 1011, 1012, 1013, 4401, 4408, 4409, 4426].filter(isFinal) }; }"""


async def test_21_a_lost_network_is_seen_at_once_and_the_clocks_are_unknown(server: ServerProcess, page: Page) -> None:
    await play_bot(page, server.url)
    await to_move(page)
    await page.context.set_offline(offline=True)
    await until_shown(page, ".strip", "Reconnecting…")
    await until_shown(page, ".seat[data-turn] .ring", "?")
    assert await page.get_attribute("#draw", "aria-disabled") == "true"
    await page.context.set_offline(offline=False)
    await to_move(page)


async def test_21_only_silence_is_asked_about_and_eight_seconds_of_it_are_a_half_open_line(
    server: ServerProcess, newcomer: Newcomer
) -> None:
    stage = Stage(await newcomer())
    clock = stage.page.clock
    await clock.install(time=0)
    await clock.pause_at(1)
    await stage.table(server.url)
    await clock.fast_forward(3_600_000)  # as in a tab that slept
    await stage.hears("ping")
    for _ in range(6):
        await clock.run_for(3000)
        assert await stage.is_heard() == 1, "it slept, which breaks no line; and whoever speaks is not asked"
    await clock.run_for(2000)
    await stage.hears("ping", 2)  # the lag shown is 20 s old
    await clock.run_for(3999)
    assert await stage.is_heard() == 2
    await clock.run_for(4000)
    await stage.hears("ping", 3)
    assert await stage.is_heard() == 3
    stage.answers = False
    for pings in (4, 5):
        await clock.run_for(4000)
        await stage.hears("ping", pings)
        await clock.run_for(3999)
        if pings == 4:
            assert await stage.is_heard() == 4, "a state is an answer too"
    assert len(stage.sockets) == 1
    await clock.run_for(1)
    await clock.run_for(300)  # the longest first pause
    await stage.hears("hello", 2)
    await stage.is_heard()
    await clock.run_for(3000)
    assert await stage.is_heard() == 5
    await clock.run_for(1000)
    await stage.hears("ping", 6)  # a first figure soon
    await stage.is_heard()
    await clock.run_for(1)
    for _ in range(2):
        await stage.page.evaluate(WAKES)
    assert await stage.is_heard() == 7, "asked at once, and once"
    await clock.run_for(1)
    await stage.page.evaluate(WAKES)
    await stage.hears("ping", 8)
    await stage.page.evaluate(SLEEPS)
    await stage.page.evaluate(WAKES)
    await stage.hears("ping", 9)  # anew, as the answer may have been slept through
    await clock.run_for(1500)
    stage.says(wire.Pong(9))
    await stage.is_heard()
    await clock.run_for(1000)
    stage.says(wire.Pong(8))
    await stage.is_heard()
    await clock.run_for(100)
    await until_shown(stage.page, ".act .facts", "slow line · 1500 ms")


async def test_23_who_was_told_to_stop_does_not_come_back_with_the_network_and_nobody_asks_before_the_welcome(
    server: ServerProcess, newcomer: Newcomer
) -> None:
    stage = Stage(await newcomer())
    clock = stage.page.clock
    await clock.install(time=0)
    await clock.pause_at(1)
    await stage.table(server.url)
    first, stage.first = stage.first, ()
    await stage.closes(1011)
    await until_shown(stage.page, ".strip", "Reconnecting…")
    await clock.run_for(300)  # the longest first pause
    await stage.hears("hello", 2)
    await stage.closes(4409)
    await until_shown(stage.page, "#stopped", "another device")
    await stage.page.evaluate("['offline', 'online'].forEach((name) => dispatchEvent(new Event(name)))")
    await clock.run_for(20_000)
    await stage.page.click("[data-do=again]")
    await stage.hears("hello", 3)
    await stage.page.evaluate(WAKES)
    stage.says(*first)
    assert await stage.is_heard() == 0
    assert stage.count("hello") == 3


async def test_22_pauses_have_full_jitter_under_a_growing_roof(server: ServerProcess, newcomer: Newcomer) -> None:
    page = await newcomer()
    await page.goto(server.url)
    told = await page.evaluate(TOLD_AGAIN)
    assert told["roofs"] == [wait(attempt, lambda: 1.0) for attempt in range(1, 41)], "as the terminal's"
    assert told["floor"] == 0
    assert told["final"] == [1000, 1008, 1009, 4401, 4408, 4409, 4426]


@pytest.mark.parametrize("code", [1011, 1012, 1013])
async def test_23_a_server_that_will_be_back_is_tried_again(server: ServerProcess, stage: Stage, code: int) -> None:
    await stage.table(server.url)
    await stage.closes(code)
    hello = await stage.hears("hello", 2)
    assert hello["match"] == "0" * 34
    await stage.page.wait_for_selector("#draw[data-kind=draw]")


@pytest.mark.parametrize(
    ("code", "words"),
    [(1008, "Too many messages"), (4401, "waited in vain"), (4408, "heard nothing"), (4409, "another device")],
)
async def test_23_a_final_close_is_told_in_its_own_words(
    server: ServerProcess, stage: Stage, code: int, words: str
) -> None:
    await stage.table(server.url)
    await stage.closes(code)
    await until_shown(stage.page, "#stopped", words)
    assert len([message for message in stage.heard if message["type"] == "hello"]) == 1


async def test_24_a_reload_keeps_the_seat(server: ServerProcess, page: Page) -> None:
    await play_bot(page, server.url)
    address = page.url
    await draw(page)
    await page.reload()
    await seated(page)
    assert page.url == address
    assert await page.locator("#draw:visible").count()


async def test_24_of_two_tabs_the_newest_has_the_seat_and_they_do_not_fight(server: ServerProcess, page: Page) -> None:
    await play_bot(page, server.url)
    second = await page.context.new_page()
    await second.goto(page.url)
    await seated(second)
    await until_shown(page, "#stopped h1", "You play elsewhere now")
    await page.click("[data-do=again]")
    await seated(page)
    await second.wait_for_selector("#stopped:not([hidden])")


async def test_24_a_tab_that_starts_something_new_is_a_new_player(server: ServerProcess, newcomer: Newcomer) -> None:
    page = await newcomer()
    await play_bot(page, server.url)
    other = await page.context.new_page()
    await play_bot(other, server.url)
    assert page.url != other.url
    await draw(page)
    await draw(other)
    for tab in (page, other):
        await tab.reload()
        await seated(tab)


async def test_25_she_who_goes_is_away_then_played_for_then_back(
    server: ServerProcess, newcomer: Newcomer, width: int
) -> None:
    ann, bob = await newcomer(width), await newcomer(width)
    await together(ann, bob, server.url, turn="5")
    while await to_move(ann, bob) is not ann:
        await draw(bob)
    badge = ".seat.them .badge:not([hidden])"
    for what in (".seat.them .is", badge, "#live"):
        await listen(ann, what)
    address = bob.url
    await bob.goto("about:blank")
    await hold_space(ann)  # until his time begins, all of which he is away
    await until_said(ann, ".seat.them .is", "away · bot in 0:0")
    await ann.keyboard.up("Space")
    await until_said(ann, badge, "bot")
    await bob.goto(address)
    await seated(bob)
    await until_said(ann, "#live", "plays again")
    assert [bool(shown) for shown in await said(ann, badge)][:3] == [False, True, False]


async def test_26_a_recap_says_what_was_missed_and_blocks_nothing(server: ServerProcess, stage: Stage) -> None:
    missed = [fought(1, 0, (27, 25), by=BOT_AT_0), fought(2, 1, (26, 26), by=BOT_AT_0)]
    await stage.open(server.url, at_table(0, missed), state(9, turn=0, round_number=3))
    page = stage.page
    await until_shown(page, ".recap", "While you were away the bot played 2 rounds for you.")
    await until_shown(page, ".recap", "Won 1, lost 1.")
    await page.click("#draw")
    await stage.hears("play")


async def test_26_a_move_that_was_not_acknowledged_is_sent_again_as_it_was(server: ServerProcess, stage: Stage) -> None:
    await stage.table(server.url, turn=0)
    await stage.page.click("#draw")
    first = await stage.hears("play")
    await stage.closes(1012)
    assert await stage.hears("play", 2) == first
    stage.says(state(2, turn=1, drawn=(True, False), chairs=(chair(last=first["id"], number=1), chair())))
    await stage.page.wait_for_selector("#slot-me[data-card=down]")
    await stage.closes(1012)
    await stage.hears("hello", 3)
    await stage.page.wait_for_selector(".strip[data-kind=say]")
    assert len([message for message in stage.heard if message["type"] == "play"]) == 2


async def test_26_a_move_the_bot_made_meanwhile_is_not_sent_again(server: ServerProcess, stage: Stage) -> None:
    await stage.table(server.url, turn=0)
    await stage.page.click("#draw")
    await stage.hears("play")
    stage.first = (
        *stage.first[:2],
        state(5, turn=1, drawn=(True, False), chairs=(by_bot(back=True, number=1), chair())),
    )
    await stage.closes(1012)
    await until_shown(stage.page, ".strip", "Too late: the bot made this move for you.")
    assert len([message for message in stage.heard if message["type"] == "play"]) == 1


async def test_27_after_the_game_a_reload_shows_the_results_and_the_rematch(
    server: ServerProcess, stage: Stage
) -> None:
    rounds = [fought(1, 0, (52, 0), cards=("KH", "7C"))]
    ended = over(9, rounds, pairs=[("KH", "7C")], won=(1, 0), chairs=(chair(), chair(rematch=True)))
    await stage.open(server.url, at_table(0), ended, results(rounds))
    await stage.page.wait_for_selector("#results[open]")
    await until_shown(stage.page, ".rematch", "Bo wants a rematch.")


async def test_28_after_a_killed_server_the_same_match_goes_on(
    newcomer: Newcomer, tmp_path_factory: pytest.TempPathFactory
) -> None:
    page = await newcomer()
    async with serving(tmp_path_factory.mktemp("killed")) as server:
        await play_bot(page, server.url)
        address = page.url
        await server.kill()
        await until_shown(page, ".strip", "Reconnecting…")
        await server.start()
        await page.dispatch_event("[data-do=now]", "click")  # unless the page has found the server by itself
        await to_move(page)
        await draw(page)
        assert page.url == address


async def test_28_storage_away_is_one_line(server: ServerProcess, stage: Stage) -> None:
    await stage.table(server.url)
    stage.says(wire.Degraded(on=True))
    await until_shown(stage.page, ".strip", "The table is saved. Waiting for storage; the clocks stand still.")
    stage.says(wire.Degraded(on=False))
    await stage.page.wait_for_selector("#draw[data-kind=draw]")


async def test_29_leaving_and_resigning_are_asked_about_first(server: ServerProcess, stage: Stage) -> None:
    await stage.table(server.url)
    page = stage.page
    for deed in ("leave", "resign"):
        for answer in ("no", "yes"):
            await page.click("[popovertarget=menu]")
            await page.click(f"#menu [data-do={deed}]")
            await page.click(f"#confirm [value={answer}]")
        await stage.hears(deed)
        assert len([message for message in stage.heard if message["type"] == deed]) == 1


async def test_waiting_goes_on_after_a_broken_line(server: ServerProcess, newcomer: Newcomer) -> None:
    stage = Stage(await newcomer())
    await stage.open(server.url, waiting("K7RP2M"))
    stage.first = stage.first[:1]
    await stage.closes(1012)
    assert (await stage.hears("join"))["code"] == "K7RP2M"


async def test_a_name_that_will_not_do_is_told(server: ServerProcess, newcomer: Newcomer) -> None:
    page = await newcomer()
    await arrive(page, server.url)
    await page.fill("[name=name]", "a" * 30)
    await page.click("#start [data-do=bot]")
    await until_shown(page, "#arrive .alert", "This name will not do.")
    await page.fill("[name=name]", "Ana")
    await page.click("#start [data-do=bot]")
    await seated(page)
