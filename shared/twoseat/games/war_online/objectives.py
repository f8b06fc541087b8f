"""The eight secret objectives of a game for two, and when one is reached; it knows no cards and no turns."""

from collections.abc import Sequence

from twoseat.games.war_online.board import ALL, CONTINENTS, ContinentId
from twoseat.values import Value


class Objective(Value, frozen=True):
    """What a seat wins by: all the named continents and `others` more whole ones, or `count` territories with at least
    `armies` on each.
    """

    id: str
    continents: tuple[ContinentId, ...] = ()
    others: int = 0
    count: int = 0
    armies: int = 1


OBJECTIVES = (
    Objective("eu_oc_x", ("eu", "oc"), others=1),
    Objective("eu_sa_x", ("eu", "sa"), others=1),
    Objective("as_sa", ("as", "sa")),
    Objective("as_af", ("as", "af")),
    Objective("na_af", ("na", "af")),
    Objective("na_oc", ("na", "oc")),
    Objective("t24", count=24),
    Objective("t18x2", count=18, armies=2),
)
BY_ID = {objective.id: objective for objective in OBJECTIVES}


def reached(objective: Objective, owners: Sequence[int], armies: Sequence[int], seat: int) -> bool:
    """Whether `seat` has reached the objective on this board."""
    if objective.count:
        strong = sum(owners[t] == seat and armies[t] >= objective.armies for t in ALL)
        return strong >= objective.count
    whole = {c.id for c in CONTINENTS if all(owners[t] == seat for t in c.territories)}
    return whole.issuperset(objective.continents) and len(whole) >= len(objective.continents) + objective.others
