"""War Online's map in the page: the same board as the rules', every territory in reach of the keys, and exact odds."""

import json
from typing import Any

import pytest

from e2e.nodes import ROOT, ServerProcess
from page.hands import Newcomer
from twoseat.games.war_online.board import ALL, CONTINENTS, NEIGHBOURS, SYMBOLS, TERRITORIES
from twoseat.games.war_online.odds import MOST_DICE, throw_odds

pytestmark = pytest.mark.asyncio(loop_scope="session")

ODDS = json.loads((ROOT / "tests" / "oracles" / "dice_odds.json").read_text("utf-8"))
MAP = """async () => {
  const map = await import('/web/online_map.js'), { beyond } = await import('/web/online_board.js');
  const all = map.lands();
  const keys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];
  const led = Object.fromEntries(map.LANDS.map((id) => [id, keys.map((key) => beyond(all, id, key))]));
  return { order: map.LANDS, continents: map.CONTINENTS, signs: map.SIGNS, led,
    beside: Object.fromEntries(Object.values(all).map((land) => [land.id, land.beside])),
    paths: Object.values(all).map((land) => land.path), crossings: map.crossings().length }; }"""
CHANCES = """async (asked) => {
  const { conquest } = await import('/web/online_odds.js');
  return asked.map((of) => conquest(...of)); }"""
THROWS = CHANCES.replace("conquest", "throwOdds")


async def test_online_1_the_map_is_the_board_of_the_rules_and_keys_reach_all_of_it(
    server: ServerProcess, newcomer: Newcomer
) -> None:
    page = await newcomer()
    await page.goto(server.url)
    shown: dict[str, Any] = await page.evaluate(MAP)
    assert shown["order"] == list(TERRITORIES)
    assert [(c["id"], c["bonus"], c["lands"]) for c in shown["continents"]] == [
        (c.id, c.bonus, [TERRITORIES[t] for t in c.territories]) for c in CONTINENTS
    ]
    assert [shown["signs"][name] for name in TERRITORIES] == [str(symbol) for symbol in SYMBOLS]
    assert {name: set(beside) for name, beside in shown["beside"].items()} == {
        TERRITORIES[t]: {TERRITORIES[other] for other in NEIGHBOURS[t]} for t in ALL
    }
    assert shown["crossings"] == 22 + 1, "one goes around the world, and leaves the map on both sides"
    assert all(path.startswith("M") and path.endswith("Z") for path in shown["paths"])
    for start in TERRITORIES:
        reached, news = {start}, [start]
        while news:
            news = [name for here in news for name in shown["led"][here] if name not in reached]
            reached.update(news)
        assert reached == set(TERRITORIES), start


async def test_online_8_the_odds_shown_are_those_of_the_oracle_and_of_the_rules(
    server: ServerProcess, newcomer: Newcomer
) -> None:
    page = await newcomer()
    await page.goto(server.url)
    rows = [(row["attacker_armies"], row["defender_armies"], row["p_conquest"]) for row in ODDS["conquest"]]
    chances = await page.evaluate(CHANCES, [[a, d] for a, d, _ in rows])
    assert [round(chance, 9) for chance in chances] == [pytest.approx(p, abs=1e-9) for _, _, p in rows]
    kinds = [(a, d) for a in range(1, MOST_DICE + 1) for d in range(1, MOST_DICE + 1)]
    assert await page.evaluate(THROWS, [list(kind) for kind in kinds]) == [list(throw_odds(*kind)) for kind in kinds]
    assert await page.evaluate(CHANCES, [[1, 3], [5, 0], [400, 3]]) == [0, 1, pytest.approx(1, abs=1e-6)]


async def test_online_13_no_attack_is_said_to_be_certain_or_in_vain(server: ServerProcess, newcomer: Newcomer) -> None:
    page = await newcomer()
    await page.goto(server.url)
    said = await page.evaluate(
        "(all) => import('/web/online_view.js').then(({ percent }) => all.map(percent))",
        [1, 0.9999, 0.996, 0.5, 0.0001, 0],
    )
    assert said == [99, 99, 99, 50, 1, 1]
