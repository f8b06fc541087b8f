"""War Online verified in the page: by the vectors of docs/fairness.md, on a whole game, and on changed ones."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from e2e.nodes import ROOT, ServerProcess
from online import ONLINE, OPTIONS
from online_talk import table
from page.hands import Newcomer, until_shown
from page.online_staged import OnlineTable
from table_talk import MATCH, SERIES
from twoseat import wire
from twoseat.bots import choose
from twoseat.fair import Chance
from twoseat.games.game import Driver, Outcome, Termination
from twoseat.games.war_online.state import Step, WarOnlineState
from twoseat.shake import deal_key, nonce_digest, seed_digest

pytestmark = pytest.mark.asyncio(loop_scope="session")

VECTORS: list[dict[str, Any]] = json.loads((ROOT / "docs" / "fairness_vectors.json").read_text("utf-8"))
SEED, NONCES = b"\x07" * 32, ("21" * 32, "43" * 32)
CHANCE = Chance(deal_key(SEED, NONCES))
DIGESTS = (nonce_digest(NONCES[0]), nonce_digest(NONCES[1]))
FAIR = wire.Fair(MATCH, wire.Stage.DONE, seed_digest(SEED), DIGESTS, NONCES, None)
DEALT = """async (vectors) => { const [{ chance, dealKey }, { dealt, thrown }, { LANDS }] = await Promise.all(
    ['fair', 'fair_online', 'online_map'].map((name) => import(`/web/${name}.js`)));
  return vectors.map(({ seed, nonces }) => { const dice = chance(dealKey(seed, nonces));
    const { owners, objectives, first, pile } = dealt(dice);
    const of = (seat) => LANDS.filter((_, n) => owners[n] === seat).join(' ');
    return { territories: { 0: of('0'), 1: of('1'), neutral: of('n') }, objectives, first, pile: pile.join(' '),
      throws: [1, 2, 3].flatMap((a, row) => [1, 2, 3].map((d, at) => thrown(dice, 3 * row + at, a, d))) }; }); }"""
CHANGED = """async ({ fair, results, view }) => { const { verify } = await import('/web/fair_online.js');
  const bad = (change) => { const told = structuredClone({ fair, results, view }); change(told);
    const { lines } = verify(told.fair, told.results, '', told.view);
    return lines.filter(([good]) => good !== true).map(([, [key]]) => key.split('.')[3]); };
  const turn = ({ results: { rounds } }) => rounds.find(({ battles }) => battles.length);
  const card = ({ results: { rounds } }) => rounds.find(({ drew }) => drew);
  return { nothing: bad(() => {}), seed: bad((told) => { told.results.seed = '1'.repeat(64); }),
    board: bad(({ view }) => { view.owners = view.owners.replace('0', '1'); }),
    objectives: bad(({ view }) => view.objectives.reverse()),
    first: bad(({ view }) => { view.first = 1 - view.first; }),
    dice: bad((told) => { turn(told).battles[0].lost.reverse(); turn(told).battles[0].lost[0] += 1; }),
    left: bad((told) => { turn(told).battles.pop(); }), card: bad((told) => { card(told).card = 'nowhere'; }) }; }"""


VERDICT = """({ fair, results, view }) => import('/web/fair_online.js').then(({ verify }) =>
    verify(fair, results, '', view).lines.map(([good]) => good))"""


def played() -> list[WarOnlineState]:
    """Every position of a whole game of two bots."""
    states = [ONLINE.new(OPTIONS, None, CHANCE)]
    while (state := states[-1]).outcome is None:
        seat = ONLINE.owes(state)[0]
        move = choose(ONLINE.name, ONLINE.view(state, seat), ONLINE.legal(state, seat))
        states.append(ONLINE.play(state, seat, move, Driver.HUMAN, CHANCE))
    return states


def told(state: WarOnlineState, outcome: Outcome) -> tuple[wire.Results, dict[str, Any]]:
    """The results of a game that ended there, and all that is checked, as JSON."""
    rounds = ONLINE.history(state, 0, faces=True)
    end = wire.Outcome(outcome.winner, outcome.termination)
    results = wire.Results(MATCH, end, rounds, SERIES, decided=True, seed=SEED.hex())
    last = table(state)
    shown = replace(last, view=ONLINE.view(state, None, over=True))
    messages = {"fair": FAIR, "results": results, "view": shown}
    as_json = {name: json.loads(wire.encode(message)) for name, message in messages.items()}
    return results, {**as_json, "view": as_json["view"]["view"]}


async def test_34_war_online_is_dealt_and_checked_in_the_page(server: ServerProcess, newcomer: Newcomer) -> None:
    states = played()
    state = states[-1]
    staged = OnlineTable(await newcomer(), replace(state, outcome=None), CHANCE)
    page = staged.page
    await staged.sit(server.url)
    assert state.outcome is not None
    results, whole = told(state, state.outcome)
    for vector, found in zip(VECTORS, await page.evaluate(DEALT, VECTORS), strict=True):
        assert found == vector["war_online"]
    broken_off = next(one for one in states if one.turn > 6 and one.step is Step.ATTACK and one.battles)
    _, part = told(broken_off, Outcome(0, Termination.RESIGNED))
    assert set(await page.evaluate(VERDICT, part)) == {True}
    assert await page.evaluate(CHANGED, whole) == {
        "nothing": [],
        "seed": ["lands", "objectives", "order", "throws", "cards"],
        "board": ["lands"],
        "objectives": ["objectives"],
        "first": ["order"],
        "dice": ["lands", "throws"],
        "left": ["old"],
        "card": ["cards"],
    }
    staged.position = state
    staged.says(FAIR, staged.state(version=2), results)
    await page.wait_for_selector("#results[open]")
    await page.click("[data-do=verify]")
    await until_shown(page, ".fair ul", "Both objectives follow from the deal.")
    said = page.locator(".fair li")
    assert await said.count() == await page.locator(".fair li[data-good='']").count() == 8
