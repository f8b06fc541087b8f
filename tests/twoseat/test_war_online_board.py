"""The board against its oracle, and the mistakes that boards of such games are known for."""

from typing import Any

import pytest

from dealt import oracle
from twoseat.games.war_online.board import (
    ALL,
    BORDERS,
    CONTINENT_OF,
    CONTINENTS,
    NEIGHBOURS,
    NUMBER,
    SEA,
    SYMBOLS,
    TERRITORIES,
)

MAP: Any = oracle("war_online_map.json")


def names(territories: Any) -> list[str]:
    return [TERRITORIES[t] for t in territories]


def test_online_1_every_territory_is_the_oracles() -> None:
    ours = [
        {
            "id": TERRITORIES[t],
            "continent": CONTINENTS[CONTINENT_OF[t]].id,
            "symbol": SYMBOLS[t],
            "neighbours": sorted(names(NEIGHBOURS[t])),
        }
        for t in ALL
    ]
    assert ours == [{key: row[key] for key in ours[0]} for row in MAP["territories"]]


def test_online_1_borders_and_sea_links_are_the_oracles() -> None:
    theirs = {frozenset((edge["a"], edge["b"])): edge["link"] == "sea" for edge in MAP["edges"]}
    assert {frozenset(names(edge)): edge in SEA for edge in BORDERS} == theirs
    assert (len(BORDERS), len(SEA)) == (79, 22)


def test_online_1_rejected_borders_are_none() -> None:
    for edge in MAP["rejected_edges"]:
        assert NUMBER[edge["b"]] not in NEIGHBOURS[NUMBER[edge["a"]]]


def test_table_1_and_continents_are_the_oracles() -> None:
    ours = {c.id: {"bonus": c.bonus, "territories": names(c.territories)} for c in CONTINENTS}
    assert ours == {
        name: {key: row[key] for key in ("bonus", "territories")} for name, row in MAP["continents"].items()
    }
    for continent in CONTINENTS:
        row = MAP["continents"][continent.id]
        outside = [[n for n in NEIGHBOURS[t] if n not in continent.territories] for t in continent.territories]
        assert sorted(TERRITORIES[t] for t, o in zip(continent.territories, outside, strict=True) if o) == sorted(
            row["border_territories"]
        )
        assert sum(map(len, outside)) == row["outside_links"]


def test_online_6_14_territories_carry_each_symbol() -> None:
    assert {symbol: SYMBOLS.count(symbol) for symbol in set(SYMBOLS)} == MAP["symbol_counts"]


def steps_from(start: int) -> dict[int, int]:
    found, ring = {start: 0}, [start]
    while ring:
        ring = [n for t in ring for n in NEIGHBOURS[t] if n not in found]
        found |= {t: max(found.values()) + 1 for t in ring}
    return found


def test_every_territory_can_be_reached_in_at_most_eight_steps() -> None:
    reached = [steps_from(start) for start in ALL]
    assert all(len(found) == len(ALL) for found in reached)
    assert max(max(found.values()) for found in reached) == MAP["checks"]["diameter"] == 8


@pytest.mark.parametrize("continent", CONTINENTS, ids=lambda continent: continent.id)
def test_every_continent_hangs_together(continent: Any) -> None:
    found, ring = {continent.territories[0]}, [continent.territories[0]]
    while ring:
        ring = [n for t in ring for n in NEIGHBOURS[t] if n in continent.territories and n not in found]
        found.update(ring)
    assert found == set(continent.territories)


def test_bug_13_a_border_works_both_ways() -> None:
    assert all((b in NEIGHBOURS[a]) is (a in NEIGHBOURS[b]) for a in ALL for b in ALL)


def test_bug_14_no_territory_borders_itself_and_degrees_add_up() -> None:
    assert all(t not in NEIGHBOURS[t] and len(set(NEIGHBOURS[t])) == len(NEIGHBOURS[t]) for t in ALL)
    degrees = [len(NEIGHBOURS[t]) for t in ALL]
    assert (sum(degrees), min(degrees), max(degrees)) == (158, 2, 8)
