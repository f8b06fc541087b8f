"""What War Online's territories are worth to a bot: how near either seat is to winning, and what each changes."""

from math import exp

from twoseat.bots_war_online.position import Position
from twoseat.bots_war_online.style import Style
from twoseat.games.war_online.board import CONTINENT_OF, CONTINENTS, Territory
from twoseat.games.war_online.objectives import OBJECTIVES, Objective
from twoseat.games.war_online.odds import MOST_DICE, defence_dice, throw_odds

_FAR = 14.0
"""Armies still needed for an objective at which it is worth 1/e of being reached."""
_FAR_CONTINENT = 5.0
_GARRISON = 2
"""Armies a territory is thought to have after it was taken."""
_KNOWN = 1000
"""Armies up to which costs are known; more cost as much as these."""


def _costs() -> tuple[float, ...]:
    lost = [0.0]
    for armies in range(1, _KNOWN + 1):
        odds = throw_odds(MOST_DICE, defence_dice(armies))
        most, throws = len(odds) - 1, sum(odds)
        mean = sum(n * (most - k + (lost[armies - k] if k else 0)) for k, n in enumerate(odds)) / throws
        lost.append(mean * throws / (throws - odds[0]))  # a throw that kills nobody is thrown again
    return tuple(loss + 1 for loss in lost)


COSTS = _costs()
"""What taking a territory from so many costs a large stack on average, the army that stays there included."""


class Values:
    """What each territory is worth on a position, armies not counted; worked out when asked for."""

    def __init__(self, position: Position, style: Style) -> None:
        self._position = position
        self._style = style
        self._prices = [COSTS[min(armies, _KNOWN)] for armies in position.armies]
        self._now = _standing(position, self._prices, style)
        self._known: dict[Territory, float] = {}

    def of(self, territory: Territory) -> float:
        """Return what taking it is worth or, where it is one's own, what losing it to the other seat costs."""
        if territory not in self._known:
            self._known[territory] = self._change(territory)
        return self._known[territory]

    def _change(self, t: Territory) -> float:
        position, owners, armies, prices = self._position, self._position.owners, self._position.armies, self._prices
        before = owners[t], armies[t], prices[t]
        mine = owners[t] == position.me
        owners[t], armies[t], prices[t] = position.foe if mine else position.me, _GARRISON, COSTS[_GARRISON]
        change = _standing(position, prices, self._style) - self._now
        owners[t], armies[t], prices[t] = before
        return -change if mine else change


def _standing(position: Position, prices: list[float], style: Style) -> float:
    """Return how well one stands, armies not counted."""
    ours, theirs = _Reach(position, prices, position.me), _Reach(position, prices, position.foe)
    need = ours.need(position.objective)
    value = style.objective * exp(-need / _FAR) + (style.victory if need <= 0 else 0)
    if style.denial:
        others = [
            exp(-theirs.need(objective) / _FAR) for objective in OBJECTIVES if objective is not position.objective
        ]
        value -= style.denial * sum(others) / len(others)
    value += style.territory * (ours.territories - theirs.territories)
    income = (max(6, ours.territories) - max(6, theirs.territories)) / 2
    for continent, our, their in zip(CONTINENTS, ours.continents, theirs.continents, strict=True):
        income += continent.bonus * (exp(-our / _FAR_CONTINENT) - exp(-their / _FAR_CONTINENT))
    return value + style.income * income


class _Reach:
    """What a seat still has to pay, in armies, for each continent and objective."""

    def __init__(self, position: Position, prices: list[float], seat: int) -> None:
        self.owned = [n for n, owner in zip(position.armies, position.owners, strict=True) if owner == seat]
        self.territories = len(self.owned)
        self.prices = sorted([price for price, owner in zip(prices, position.owners, strict=True) if owner != seat])
        self.continents = [0.0] * len(CONTINENTS)
        for continent, owner, price in zip(CONTINENT_OF, position.owners, prices, strict=True):
            if owner != seat:
                self.continents[continent] += price

    def need(self, objective: Objective) -> float:
        """Return the armies an objective still costs, 0 where it is reached."""
        if objective.count:
            return self._need_territories(objective.count, objective.armies)
        named = sum(self.continents[_NUMBER[name]] for name in objective.continents)
        if not objective.others:
            return named
        return named + min(self.continents[n] for name, n in _NUMBER.items() if name not in objective.continents)

    def _need_territories(self, count: int, armies: int) -> float:
        """Weak territories of one's own need an army each; more are the cheapest there are, with an army more each."""
        weak = min(count, self.territories) - len([n for n in self.owned if n >= armies])
        more = max(0, count - self.territories)
        return max(0, weak) + sum(self.prices[:more]) + more * (armies - 1)


_NUMBER = {continent.id: n for n, continent in enumerate(CONTINENTS)}
