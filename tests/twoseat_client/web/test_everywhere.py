"""Expectations 37 to 40: each in her own language, light, explained, and shown to a friend."""

import asyncio
import json
import re
from typing import Any

import pytest
from playwright.async_api import Page, Response

from e2e.nodes import ROOT, ServerProcess, serving
from page.axe import faults
from page.hands import PLAY, Newcomer, arrive, choose, draw, play_bot, together, until_shown
from page.staged import Stage
from table_talk import fought, state

pytestmark = pytest.mark.asyncio(loop_scope="session")

WEB = ROOT / "client" / "twoseat_client" / "web"
PAIRS = [("9S", "9H"), ("KH", "7C")]


async def test_37_two_languages_at_one_match_and_a_change_at_the_table(
    server: ServerProcess, newcomer: Newcomer, width: int
) -> None:
    ann, bob = await newcomer(width, locale="en-GB"), await newcomer(width, locale="bg-BG")
    await together(ann, bob, server.url, turn="120")
    await draw(ann, bob)
    await draw(ann, bob)
    await ann.wait_for_selector(".slot.won")
    await bob.wait_for_selector(".slot.won")
    assert "beats" in (await ann.text_content(".strip") or "")
    assert "При теб" in (await bob.text_content(".strip") or "")
    await bob.click("header [data-do=settings]")
    await choose(bob, "[name=lang][value=pt]")
    await until_shown(bob, ".strip", "Saiu-te ")
    assert await bob.get_attribute("html", "lang") == "pt"


def listened(page: Page) -> list[Response]:
    """Return the list that every response will be in."""
    responses: list[Response] = []

    def keep(response: Response) -> None:
        responses.append(response)

    page.on("response", keep)
    return responses


async def test_38_the_whole_page_is_light_strict_and_alone(server: ServerProcess, newcomer: Newcomer) -> None:
    async def loaded(locale: str) -> list[Response]:
        page = await newcomer(locale=locale)
        responses = listened(page)
        await play_bot(page, server.url, target="1")
        await page.locator("#draw").focus()
        await page.keyboard.down("Space")
        await page.wait_for_selector("#results[open]")
        return responses

    for responses in await asyncio.gather(*map(loaded, ("en", "bg", "pt"))):
        sizes = [(await response.request.sizes())["responseBodySize"] for response in responses]
        assert len(responses) <= 8
        assert sum(sizes) <= 60 * 1024
        assert all(response.url.startswith(server.url) for response in responses)
        policy = responses[0].headers["content-security-policy"]
        assert "unsafe" not in policy
        assert "default-src 'none'" in policy
    markup = (WEB / "index.html").read_text("utf-8")
    assert not re.search(r"\son[a-z]+=|\sstyle=|<style|<script(?![^>]*(src=|application/json))", markup)


async def test_38_it_is_usable_in_a_second_on_a_common_line(server: ServerProcess, newcomer: Newcomer) -> None:
    # What else runs on this machine can make one visit slow, not each.
    taken = [await _usable_after(await newcomer(360), server.url)]
    while taken[-1] >= 1000 and len(taken) < 5:
        taken.append(await _usable_after(await newcomer(360), server.url))
    assert min(taken) < 1000


async def _usable_after(page: Page, url: str) -> float:
    """Milliseconds at 9 Mbit/s and 100 ms."""
    line = await page.context.new_cdp_session(page)
    await line.send("Network.enable")
    slow: dict[str, Any] = {
        "offline": False,
        "latency": 100,
        "downloadThroughput": 9e6 / 8,
        "uploadThroughput": 9e6 / 8,
    }
    await line.send("Network.emulateNetworkConditions", slow)
    await page.add_init_script(
        """new MutationObserver(() => {
          if (document.querySelector('#start [type=submit][aria-disabled=false]')) window.usable ??= performance.now();
        }).observe(document, { subtree: true, attributes: true, childList: true })"""
    )
    await arrive(page, url)
    return float(await page.evaluate("() => window.usable"))


async def test_38_no_task_of_a_double_war_keeps_the_page_for_50_ms(server: ServerProcess, newcomer: Newcomer) -> None:
    stage = Stage(await newcomer(reduced_motion="no-preference"))
    await stage.table(server.url, turn=0)
    browser = stage.page.context.browser
    assert browser is not None
    await browser.start_tracing(page=stage.page, categories=["toplevel"])
    stage.says(state(2, turn=1, rounds=[fought(1, 0, (36, 16), wars=2)], pairs=[PAIRS[0], *PAIRS]))
    await stage.page.wait_for_selector(".slot.won")
    await stage.page.wait_for_selector(".bubble.on", state="detached")
    events = json.loads(await browser.stop_tracing())["traceEvents"]
    threads = [event for event in events if event["name"] == "thread_name"]
    main = {(event["pid"], event["tid"]) for event in threads if event["args"]["name"] == "CrRendererMain"}
    # By the thread's own clock: what else runs on this machine makes no task of the page longer.
    tasks = [event["tdur"] for event in events if "tdur" in event and (event["pid"], event["tid"]) in main]
    assert len(tasks) > 20
    assert max(tasks) < 50_000


async def test_39_how_to_play_steps_through_a_war_beside_the_table(server: ServerProcess, stage: Stage) -> None:
    await stage.table(server.url, turn=0)
    page = stage.page
    await page.click("header [data-do=help]")
    for words in (
        "equal, so it is war",
        "one card face down and one face up",
        "a king, the other side a seven",
        "six cards are yours",
    ):
        await until_shown(page, ".lessonwords", words)
        await page.click("#side-help [data-by='1']")
    assert await page.locator("#side-help details").count() >= 5
    if page.viewport_size and page.viewport_size["width"] > 900:
        assert await page.locator("#draw").is_visible()
        await page.locator("#main").focus()
        await page.keyboard.press("Space")
        await stage.hears("play")


async def test_40_the_demo_cuts_one_line_and_the_bot_keeps_the_seat(server: ServerProcess, newcomer: Newcomer) -> None:
    pages = [await newcomer(width) for width in (360, 1280)]
    await asyncio.gather(*(_cut_and_come_back(page, server.url) for page in pages))


async def _cut_and_come_back(page: Page, url: str) -> None:
    await page.goto(f"{url}/demo")
    await page.wait_for_selector("input[role=switch]:not([disabled])")
    left, right = page.frame("twoseat-Ana"), page.frame("twoseat-Boris")
    assert left is not None
    assert right is not None
    assert await faults(page) == []
    line = page.locator("section[data-seat=Boris] input")
    await line.uncheck()
    await right.wait_for_selector("#table[data-net=lost]")
    drawing = asyncio.create_task(_keep_drawing(left))
    await left.wait_for_selector(".seat.them .badge:not([hidden])")
    await left.wait_for_selector("#side-rounds .rounds li", state="attached")
    await line.check()
    await right.wait_for_selector(".recap:not([hidden])")
    await left.wait_for_selector(".seat.them .badge", state="hidden")
    drawing.cancel()


async def _keep_drawing(frame: Any) -> None:
    while True:
        await frame.evaluate("() => document.querySelector('#draw[data-kind=draw]')?.click()")
        await asyncio.sleep(0.1)


async def test_play_now_is_one_button(server: ServerProcess, page: Page) -> None:
    await arrive(page, server.url)
    assert await page.text_content(PLAY) == "Play now"


async def test_38_who_comes_again_has_the_page_without_network(
    newcomer: Newcomer, tmp_path_factory: pytest.TempPathFactory
) -> None:
    page = await newcomer()
    async with serving(tmp_path_factory.mktemp("offline")) as server:
        await arrive(page, server.url)
        await page.reload()
        await page.wait_for_function("() => navigator.serviceWorker.ready.then(() => true)")
    await page.reload()
    await until_shown(page, "#arrive", "Reconnecting…")
    await page.click("header [data-do=help]")
    await until_shown(page, "#side-help", "52 cards, 26 for each side.")
