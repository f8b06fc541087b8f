"""The board of War Online as a bot on turn sees it; it knows nothing a player on that seat does not see."""

from twoseat.games.game import Seat, other
from twoseat.games.war_online.board import ALL, CONTINENT_OF, CONTINENTS, NEIGHBOURS, NUMBER, Territory
from twoseat.games.war_online.objectives import Objective
from twoseat.games.war_online.view import WarOnlineView

_OWNERS = "01n"


class Position:
    """Owners and armies by territory, as lists, so that a thought can change them and put them back."""

    def __init__(self, view: WarOnlineView, me: Seat, objective: Objective) -> None:
        self.view = view
        self.me = me
        self.foe = other(me)
        self.objective = objective
        self.owners = [_OWNERS.index(owner) for owner in view.owners]
        self.armies = list(view.armies)

    def mine(self) -> list[Territory]:
        """Return one's own territories."""
        return [t for t in ALL if self.owners[t] == self.me]

    def targets(self, source: Territory) -> list[Territory]:
        """Return the neighbours that are not one's own."""
        return [t for t in NEIGHBOURS[source] if self.owners[t] != self.me]

    def friends(self, source: Territory) -> list[Territory]:
        """Return the neighbours that are one's own."""
        return [t for t in NEIGHBOURS[source] if self.owners[t] == self.me]

    def enemies(self, source: Territory) -> list[Territory]:
        """Return the neighbours that are the other seat's, who alone attacks."""
        return [t for t in NEIGHBOURS[source] if self.owners[t] == self.foe]

    def total(self, owner: int) -> int:
        """Return all armies of an owner."""
        return sum(armies for armies, held_by in zip(self.armies, self.owners, strict=True) if held_by == owner)

    def room(self, target: Territory) -> int:
        """Return how many of the armies left to place may go to a territory of one's own."""
        left = self.view.to_place
        return 0 if left is None else left.free + left.continents.get(CONTINENTS[CONTINENT_OF[target]].id, 0)

    def movable(self, source: Territory) -> int:
        """Return how many armies may still move out of a territory."""
        came = sum(armies for name, armies in self.view.moved if NUMBER[name] == source)
        return min(self.armies[source] - 1, self.armies[source] - came)
