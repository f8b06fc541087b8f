"""War Online's board as a client shows it: who holds what, short names, and the names people call territories by; pure.

Territories are named in the game's notation. A code is three letters that no other territory has.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from twoseat.wire import CONTINENTS, NEIGHBOURS, TERRITORIES, Seat, WarOnlineView
from twoseat_client.text import LANGUAGES, Words

_CODES = (
    "ala mac gro van ott lab cal nyk mex col bol bra arg isl ing sue mos ale fra pol alg egi sud con afs mad"
    " ori ara oms dud sib tch mon vla cin ind jap vie sum bor gui aus"
)
CODES = dict(zip(TERRITORIES, _CODES.split(), strict=True))
JOKER = "joker"


@dataclass(frozen=True, slots=True)
class Held:
    """A territory as it stands; `owner` is None for the neutral army."""

    name: str
    owner: Seat | None
    armies: int


def percent(chance: float) -> int:
    """Return a chance as people say it: never 0 or 100, for no attack is certain or in vain."""
    return min(99, max(1, round(100 * chance)))


def held(view: WarOnlineView) -> dict[str, Held]:
    """Return every territory by name, in the order of the board."""
    owners: dict[str, Seat | None] = {"0": 0, "1": 1}
    return {
        name: Held(name, owners.get(owner), armies)
        for name, owner, armies in zip(TERRITORIES, view.owners, view.armies, strict=True)
    }


def continents(view: WarOnlineView) -> Iterator[tuple[str, int, list[Held]]]:
    """Return (name, armies for holding it, territories) of each continent."""
    stands = held(view)
    for continent in CONTINENTS:
        yield continent.id, continent.bonus, [stands[TERRITORIES[t]] for t in continent.territories]


def neighbours(name: str) -> list[str]:
    """Return the territories one can go to from here."""
    return [TERRITORIES[t] for t in NEIGHBOURS[TERRITORIES.index(name)]]


def totals(view: WarOnlineView, owner: Seat | None) -> tuple[int, int]:
    """Return how many territories and armies a seat, or the neutral army, has."""
    mine = [place.armies for place in held(view).values() if place.owner == owner]
    return len(mine), sum(mine)


def called(words: Words, name: str) -> str:
    """Return what people of this language call a territory, or the joker."""
    return words("word.symbol.joker") if name == JOKER else words(f"word.territory.{name}")


@cache
def aliases(name: str) -> frozenset[str]:
    """Return all one may type for a territory or the joker, squeezed: notation, code, and its name in each language."""
    spoken = (called(Words(lang), name) for lang in LANGUAGES)
    return frozenset(map(squeezed, (name, CODES.get(name, name), *spoken)))


def squeezed(text: str) -> str:
    """Return text in small letters without accents and spaces, so that `Nova Guiné` is `novaguine`."""
    plain = unicodedata.normalize("NFD", text.replace("й", "и").casefold())
    return "".join(letter for letter in plain if letter.isalnum())
