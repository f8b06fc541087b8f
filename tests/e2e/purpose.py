"""Plays War Online at a page towards an objective, from what stands on that page's map; it sees no state and no frame.

Against a seat that only waits it gets there in at most some twenty turns, whatever the deal and the dice.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from playwright.async_api import Page

from twoseat.games.war_online.board import CONTINENTS, NEIGHBOURS, NUMBER, TERRITORIES
from twoseat.games.war_online.objectives import Objective
from twoseat_docs.campaign import Wish

_MAP = """() => Object.fromEntries([...document.querySelectorAll('.land')].map((node) => [node.dataset.land, {
  owner: node.dataset.owner, armies: Number(/(\\d+) arm/.exec(node.getAttribute('aria-label'))[1]),
  open: ['source', 'from'].includes(node.dataset.lit) }]))"""
_FAR = 1000
"""More than any way costs."""
_ME, _NEUTRAL = "me", "none"


@dataclass(frozen=True, slots=True)
class Land:
    """A territory as a page shows it; `open`: it can be pressed to place there or to attack from it."""

    owner: str
    armies: int
    open: bool


Lands = Mapping[str, Land]
"""The map by territory."""


async def seen(page: Page) -> Lands:
    """Return the map as it stands on the page."""
    return {name: Land(**shown) for name, shown in (await page.evaluate(_MAP)).items()}


def waiting(lands: Lands) -> Wish:
    """Strengthen where it is weakest, and attack nobody."""
    own = [name for name, land in lands.items() if land.owner == _ME and land.open]
    return Wish(place=min(own, key=lambda name: lands[name].armies, default=""))


def conquering(lands: Lands, objective: Objective) -> Wish:
    """Place beside the cheapest way to what the objective still needs, and take that way with whoever is stronger."""
    price = _prices(lands, _needed(lands, objective))
    own = [name for name, land in lands.items() if land.owner == _ME]
    opened = [name for name in own if lands[name].open]
    weak = [name for name in opened if lands[name].armies < objective.armies]
    if objective.count and len(own) >= objective.count and weak:
        place, every = weak[0], False
    else:
        gaps = {name: min((price[to] for to in beside(name) if to in price), default=_FAR) for name in opened}
        place, every = min(opened, key=lambda name: gaps[name] - lands[name].armies, default=""), True
    attacks = [
        (price[target], -lands[source].armies, source, target)
        for source in own
        for target in beside(source)
        if target in price and lands[source].armies > lands[target].armies + 1
    ]
    *_, source, target = min(attacks, default=(0, 0, "", ""))
    return Wish(place, every, source, target)


def beside(name: str) -> list[str]:
    """Return the neighbours of a territory."""
    return [TERRITORIES[to] for to in NEIGHBOURS[NUMBER[name]]]


def _needed(lands: Lands, objective: Objective) -> list[str]:
    """Return the territories to take: of the named continents, then of the cheapest other one, or any, the neutral
    army's first.
    """
    foreign = {name for name, land in lands.items() if land.owner != _ME}
    if objective.count:
        return [name for name in foreign if lands[name].owner == _NEUTRAL] or list(foreign)
    parts = {
        c.id: [name for name in map(TERRITORIES.__getitem__, c.territories) if name in foreign] for c in CONTINENTS
    }
    named = [name for continent in objective.continents for name in parts.pop(continent)]
    if named or not objective.others:
        return named
    return min(parts.values(), key=lambda part: sum(lands[name].armies + 1 for name in part))


def _prices(lands: Lands, goals: Iterable[str]) -> dict[str, int]:
    """Return for each foreign territory the armies that the cheapest way from it to a goal costs, itself included."""
    prices: dict[str, int] = {}
    ways = [(lands[goal].armies + 1, goal) for goal in goals]
    heapify(ways)
    while ways:
        price, name = heappop(ways)
        if name not in prices:
            prices[name] = price
            for to in beside(name):
                if lands[to].owner != _ME:
                    heappush(ways, (price + lands[to].armies + 1, to))
    return prices
