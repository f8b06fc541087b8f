"""Expectations 30 to 34: the results, another game, and whether the deal was fair."""

import asyncio
import json
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.async_api import Page

from e2e.nodes import ROOT, ServerProcess
from page.hands import Newcomer, draw, play_bot, seated, together, until_shown
from page.staged import Stage
from table_talk import SERIES, chair, fought, over, results, state
from table_talk import seated as at_table
from twoseat import wire
from twoseat.games import cards

pytestmark = pytest.mark.asyncio(loop_scope="session")

ROUNDS = [
    fought(1, 0, (27, 25), cards=("KH", "7C")),
    fought(2, 1, (24, 28), wars=1, cards=("2C", "9S")),
    fought(3, 0, (52, 0), wars=2, cards=("AS", "3D")),
]
ENDED = over(9, ROUNDS, pairs=[("AS", "3D")], won=(2, 1))
VECTORS: list[dict[str, Any]] = json.loads((ROOT / "docs" / "fairness_vectors.json").read_text("utf-8"))
REDEALT = """async (vectors) => { const { chance, dealKey } = await import('/web/fair.js');
  return vectors.map(({ seed, nonces, starters, below }) => { const dice = chance(dealKey(seed, nonces));
    return { deck: dice.shuffle('deal', 52).join(' '), starters: starters.map((_, n) => dice.starter(n + 1)),
             number: dice.below(below.label, below.n) }; }); }"""


async def ended(stage: Stage, url: str) -> Page:
    """Show the end of a game."""
    await stage.open(url, at_table(0), state(1))
    stage.says(ENDED, results(ROUNDS))
    await stage.page.wait_for_selector("#results[open]")
    return stage.page


async def test_30_the_results_say_the_winner_first_and_list_all_rounds(server: ServerProcess, stage: Stage) -> None:
    page = await ended(stage, server.url)
    assert await page.text_content("#results-title") == "You win the game, 2 to 1."
    assert await page.evaluate("() => document.activeElement.id") == "results-title"
    assert await page.locator("#results tbody tr").count() == 3
    facts = " ".join(await page.locator("#results dl").first.all_inner_texts())
    assert "1 : 1" in facts, "wars won"
    assert "DOUBLE WAR" in facts
    assert "0 of 3" in facts, "the bot's share"
    assert (await page.get_attribute("#results .ribbon .line", "d") or "").count("L") == 3


async def test_30_escape_closes_and_brings_the_focus_back(server: ServerProcess, stage: Stage) -> None:
    page = await ended(stage, server.url)
    await page.keyboard.press("Escape")
    assert not await page.locator("#results[open]").count()
    assert await page.evaluate("() => document.activeElement.id") == "draw"
    await page.keyboard.press("Space")
    await page.wait_for_selector("#results[open]")


async def test_30_results_that_come_late_are_shown_as_soon_as_they_come(
    server: ServerProcess, newcomer: Newcomer
) -> None:
    stage = Stage(await newcomer())
    await stage.table(server.url)
    stage.says(ENDED)
    await stage.page.wait_for_selector("#draw[data-kind=results]")
    await stage.page.evaluate("() => new Promise((done) => { setTimeout(done, 500); })")  # later than the page's own
    stage.says(results(ROUNDS))
    await stage.page.wait_for_selector("#results[open]")


async def test_31_a_rematch_is_offered_wanted_and_gone(server: ServerProcess, stage: Stage) -> None:
    page = await ended(stage, server.url)
    await page.click("[data-do=rematch]")
    await stage.hears("rematch")
    stage.says(replace(ENDED, version=10, chairs=(chair(rematch=True), chair())))
    await until_shown(page, ".rematch", "You offered a rematch.")
    stage.says(replace(ENDED, version=11, chairs=(chair(), chair(rematch=True))))
    await until_shown(page, ".rematch", "Bo wants a rematch.")
    await until_shown(page, ".rematch", "Accept the rematch")
    stage.says(replace(ENDED, version=12, chairs=(chair(), chair(present=False))))
    await until_shown(page, ".rematch", "Bo has gone. There will be no rematch.")
    assert await page.locator("[data-do=rematch]:visible").count() == 0


async def test_31_between_the_games_of_a_series_the_next_one_is_waited_for(server: ServerProcess, stage: Stage) -> None:
    page = await ended(stage, server.url)
    series = replace(SERIES, best_of=3)
    stage.says(results(ROUNDS, series=series, decided=False))
    for version, (mine, theirs, words) in enumerate(
        [
            (chair(rematch=True), chair(), "You are ready for the next game."),
            (chair(), chair(rematch=True), "Bo is ready for the next game."),
            (chair(), chair(present=False), "Bo is away."),
        ],
        10,
    ):
        stage.says(replace(ENDED, version=version, chairs=(mine, theirs), next_in=60_000))
        await until_shown(page, ".rematch", words)
        await until_shown(page, ".rematch", "Next game now")
    stage.says(replace(ENDED, version=20, chairs=(chair(), chair())))
    stage.says(replace(ENDED, version=21, chairs=(chair(), chair(rematch=True))))
    await until_shown(page, "#live", "Bo is ready for the next game.")


async def test_31_both_offers_agree_and_the_score_of_games_goes_on(server: ServerProcess, newcomer: Newcomer) -> None:
    ann, bob = await newcomer(), await newcomer(360)
    await together(ann, bob, server.url, target="1")
    for _ in range(2):
        await draw(ann, bob)
    for page in (ann, bob):
        await page.wait_for_selector("#results[open]")
    first = ann.url
    for page in (ann, bob):
        await page.click("[data-do=rematch]")
    await asyncio.gather(seated(ann), seated(bob))
    await until_shown(ann, ".score .games", "Games")
    assert ann.url != first


async def test_31_a_series_keeps_a_tab_for_each_game(server: ServerProcess, stage: Stage) -> None:
    page = await ended(stage, server.url)
    onward = replace(SERIES, game=2, score=(2, 0), winners=(0,))
    stage.says(at_table(0, match="1" * 34, series=onward), state(1))
    await page.wait_for_selector("#results:not([open])", state="attached")
    second = results(ROUNDS[:1], match="1" * 34, series=replace(onward, score=(4, 0)))
    stage.says(ENDED, second)
    await page.wait_for_selector("#results[open]")
    tabs = page.locator("#results [role=tab]")
    assert await tabs.all_text_contents() == ["Game 1", "Game 2"]
    stage.first = (stage.first[0], at_table(0, match="1" * 34, series=onward), ENDED, second)
    await page.reload()
    await page.wait_for_selector("#results[open]")
    assert await tabs.all_text_contents() == ["Game 1", "Game 2"], "after a reload too"
    await tabs.first.click()
    await page.wait_for_function("() => document.querySelectorAll('#results tbody tr').length === 3")
    await until_shown(page, ".sitting", "Games won")


async def test_a_game_dealt_anew_is_no_game_of_the_sitting(server: ServerProcess, stage: Stage) -> None:
    await stage.open(server.url, at_table(0), state(1))
    for number, why in enumerate((wire.Termination.REDEALT, wire.Termination.RESIGNED, wire.Termination.RESIGNED)):
        match, series = str(number) * 34, replace(SERIES, game=number + 1)
        stage.says(at_table(0, match=match, series=series), state(1), over(2, [fought()], pairs=[("AS", "3D")]))
        stage.says(replace(results([fought()], match=match), outcome=wire.Outcome(0, why)))
    stage.says(wire.Watchers(7))
    await until_shown(stage.page, ".facts", "7 watching")
    await stage.page.wait_for_selector("#results[open]")
    assert await stage.page.locator("#results [role=tab]").all_text_contents() == ["Game 1", "Game 2"]


async def test_32_the_result_is_copied_as_text(server: ServerProcess, stage: Stage) -> None:
    await stage.page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page = await ended(stage, server.url)
    await page.evaluate("() => document.addEventListener('copy', ({ target }) => { window.copied = target.value; })")
    await page.click("[data-do=copyResult]")
    copied = await (await page.wait_for_function("() => window.copied")).json_value()
    assert "You 2 : 1 Bo" in copied
    assert "You win the game, 2 to 1." in copied
    assert "3 rounds, 2 wars" in copied


async def test_34_the_page_deals_as_the_written_algorithm_does(server: ServerProcess, newcomer: Newcomer) -> None:
    page = await newcomer()
    await page.goto(server.url)
    for vector, found in zip(VECTORS, await page.evaluate(REDEALT, VECTORS), strict=True):
        assert found["deck"] == " ".join(str(card) for card in cards.parse(" ".join(vector["decks"]).split()))
        assert found["starters"] == vector["starters"]
        assert found["number"] == vector["below"]["number"]


@pytest.mark.parametrize("secure", [True, False])
async def test_34_a_played_game_is_verified_in_the_page(
    server: ServerProcess, newcomer: Newcomer, *, secure: bool
) -> None:
    page = await newcomer()
    if not secure:
        await page.add_init_script(
            "Object.defineProperty(window, 'isSecureContext', { value: false });"
            "Object.defineProperty(crypto, 'subtle', { value: undefined });"
        )
    await play_bot(page, server.url, target="3")
    await page.locator("#draw").focus()
    await page.keyboard.down("Space")
    await page.wait_for_selector("#results[open]")
    await page.keyboard.up("Space")
    await page.click("[data-do=verify]")
    await page.wait_for_selector(".fair li")
    checks = page.locator(".fair li")
    assert await checks.count() == 3
    assert await page.locator(".fair li[data-good]").count() == 3
    assert "own share of chance is in the deal" in " ".join(await checks.all_text_contents())


async def test_34_a_changed_game_is_found_out(server: ServerProcess, newcomer: Newcomer) -> None:
    page = await newcomer()
    await play_bot(page, server.url, target="2")
    frames: list[str] = []
    await page.goto("about:blank")
    page.on("websocket", lambda socket: socket.on("framereceived", lambda text: frames.append(str(text))))
    await play_bot(page, server.url, target="2")
    await page.locator("#draw").focus()
    await page.keyboard.down("Space")
    await page.wait_for_selector("#results[open]")
    told = {json.loads(text)["type"]: json.loads(text) for text in frames}
    verdicts = await page.evaluate(
        """async ({ fair, results }) => { const { verify } = await import('/web/fair.js');
        const swapped = structuredClone(results); swapped.rounds[0].cards.reverse();
        const seeded = { ...results, seed: '0'.repeat(64) };
        return [results, swapped, seeded].map((some) => verify(fair, some, '')); }""",
        told,
    )
    assert [(verdict["seed"], verdict["broken"]) for verdict in verdicts] == [(True, 0), (True, 1), (False, 1)]
