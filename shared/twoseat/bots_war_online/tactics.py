"""What attacks promise a bot and what its own borders fear; it decides nothing and knows no moves."""

from twoseat.bots_war_online.position import Position
from twoseat.bots_war_online.style import Style
from twoseat.bots_war_online.worth import Values
from twoseat.games.war_online.board import Territory
from twoseat.games.war_online.odds import MOST_DICE, prospect
from twoseat.values import Value

_BEGINNING = 40
"""Armies of a seat up to which each is worth its full weight."""
_WEARS_OUT = 1.9
"""How much more the other seat's armies must be worth than one's own for an attack to be made to wear it out: more than
what large stacks lose to each other.
"""
_DECISIVE = 20
"""From this value on a territory is worth an attack with little hope."""
_RESERVE = 0.5
"""The part of its reinforcement that the other seat is thought to put beside any one border."""


class Chance(Value, frozen=True):
    """An attack thought through to its end: `gain` as a style weighs it, the probability of conquest, armies left."""

    source: Territory
    target: Territory
    gain: float
    conquest: float
    left: float


class Tactics:
    """A position weighed by a style."""

    def __init__(self, position: Position, style: Style) -> None:
        self.position = position
        self.style = style
        self.values = Values(position, style)
        self.army = style.army * _BEGINNING / max(_BEGINNING, position.total(position.me))
        self.kill = style.army * style.kill * _BEGINNING / max(_BEGINNING, position.total(position.foe))
        view = position.view
        # The first conquest of a turn brings a card, a third of a set.
        self.card = style.card * view.next_trade / 3 if view.conquests == 0 and view.round > 1 else 0.0

    def best_attack(self, stacks: dict[Territory, int], taken: frozenset[Territory] = frozenset()) -> Chance | None:
        """Return the attack that gains most from any of the stacks, None where none gains anything."""
        first = not taken
        chances = (
            self._chance(source, armies, target, first=first)
            for source, armies in stacks.items()
            if armies > 1
            for target in self.position.targets(source)
            if target not in taken
        )
        return max((chance for chance in chances if chance and chance.gain > 0), key=lambda c: c.gain, default=None)

    def plan(self, source: Territory, armies: int) -> float:
        """Return what a stack would gain by taking territory after territory from here, as things go on average."""
        stacks, taken = {source: armies}, frozenset[Territory]()
        gain, likely = 0.0, 1.0
        while len(taken) < self.style.foresight and (chance := self.best_attack(stacks, taken)):
            gain += likely * chance.gain
            likely *= chance.conquest
            left = round(chance.left)
            sent = min(MOST_DICE, max(1, left - 1))
            stacks[chance.source], stacks[chance.target] = max(1, left - sent), sent
            taken |= {chance.target}
        return gain

    def fear(self, territory: Territory, armies: int) -> float:
        """Return what may be lost where so many armies stand, times how likely that is."""
        position = self.position
        beside = max((position.armies[t] for t in position.enemies(territory)), default=0)
        if not beside or not self.style.caution:
            return 0.0
        reinforcement = max(3, position.owners.count(position.foe) // 2)
        attackers = beside + int(_RESERVE * reinforcement)
        return self.style.caution * prospect(attackers, armies).conquest * self.values.of(territory)

    def _chance(self, source: Territory, armies: int, target: Territory, *, first: bool) -> Chance | None:
        defenders = self.position.armies[target]
        ahead = prospect(armies, defenders)
        value = self.values.of(target)
        foe = self.position.owners[target] == self.position.foe
        if ahead.conquest < self.style.nerve and value < _DECISIVE and self.kill < _WEARS_OUT * self.army:
            return None
        lost = armies - ahead.conquest * ahead.left - (1 - ahead.conquest)
        gain = ahead.conquest * (value + (self.card if first else 0)) - self.army * lost
        if foe:
            gain += self.kill * ahead.killed
        return Chance(source, target, gain, ahead.conquest, ahead.left)
