"""The board of War Online: territories, borders, continents, symbols of the cards; it knows no armies and no turns.

Inside the rules a territory is its number, its place in TERRITORIES; its name is for moves and views.
"""

from enum import StrEnum
from typing import NewType

from twoseat.values import Value

Territory = NewType("Territory", int)
ContinentId = str


class Symbol(StrEnum):
    """What a card shows beside its territory; three alike or three different ones are traded."""

    TRIANGLE = "triangle"
    CIRCLE = "circle"
    SQUARE = "square"
    JOKER = "joker"


class Continent(Value, frozen=True):
    """A continent and the armies that holding all of it is worth (rules, Online TABLE I)."""

    id: ContinentId
    bonus: int
    territories: tuple[Territory, ...]


# [continent bonus], then a line for each territory: its name, its card's symbol, and those of its neighbours that stand
# further down (so that no border can be there one way only); ~ is a border across the sea.
_TABLE = """
[na 5]
alaska       triangle mackenzie vancouver ~vladivostok
mackenzie    circle   ~groenlandia ottawa vancouver
groenlandia  circle   ~islandia ~labrador
vancouver    triangle california ottawa
ottawa       circle   california labrador novayork
labrador     square   novayork
california   square   mexico novayork
novayork     triangle mexico
mexico       square   colombia
[sa 2]
colombia     triangle bolivia brasil
bolivia      triangle argentina brasil
brasil       circle   ~argelia argentina
argentina    square
[eu 5]
islandia     triangle ~inglaterra
inglaterra   circle   ~alemanha ~franca ~suecia
suecia       circle   moscou
moscou       triangle aral omsk orientemedio polonia
alemanha     circle   franca polonia
franca       square   ~argelia ~egito polonia
polonia      square   ~egito orientemedio
[af 3]
argelia      circle   congo egito sudao
egito        triangle orientemedio sudao
sudao        square   africadosul congo ~madagascar
congo        square   africadosul
africadosul  triangle ~madagascar
madagascar   circle
[as 7]
orientemedio square   aral india
aral         triangle china india omsk
omsk         square   china dudinka mongolia
dudinka      circle   mongolia siberia tchita
siberia      triangle tchita vladivostok
tchita       triangle china mongolia vladivostok
mongolia     circle   china
vladivostok  circle   china ~japao
china        circle   india ~japao vietna
india        square   ~sumatra vietna
japao        square
vietna       triangle ~borneo
[oc 2]
sumatra      square   ~australia
borneo       square   ~australia ~novaguine
novaguine    circle   ~australia
australia    triangle
"""


def _read(table: str) -> tuple[list[list[str]], list[tuple[ContinentId, int, list[str]]]]:
    rows: list[list[str]] = []
    continents: list[tuple[ContinentId, int, list[str]]] = []
    for line in table.split("\n"):
        if line.startswith("["):
            name, bonus = line.strip("[]").split()
            continents.append((name, int(bonus), []))
        elif line:
            rows.append(line.split())
            continents[-1][2].append(rows[-1][0])
    return rows, continents


_ROWS, _CONTINENTS = _read(_TABLE)
TERRITORIES = tuple(row[0] for row in _ROWS)
ALL = tuple(Territory(n) for n in range(len(TERRITORIES)))
NUMBER = {name: Territory(n) for n, name in enumerate(TERRITORIES)}
SYMBOLS = tuple(Symbol(row[1]) for row in _ROWS)
CONTINENTS = tuple(Continent(name, bonus, tuple(NUMBER[t] for t in names)) for name, bonus, names in _CONTINENTS)
CONTINENT_OF = tuple(next(n for n, c in enumerate(CONTINENTS) if t in c.territories) for t in ALL)
"""By territory its continent's place in CONTINENTS."""
_BORDERS = tuple((NUMBER[row[0]], NUMBER[name.lstrip("~")], name.startswith("~")) for row in _ROWS for name in row[2:])
BORDERS = tuple((a, b) for a, b, _ in _BORDERS)
"""Each border once, the territory that stands first in TERRITORIES first."""
SEA = frozenset((a, b) for a, b, sea in _BORDERS if sea)
"""Those of BORDERS that lead across water."""
NEIGHBOURS = tuple(tuple(sorted({a for a, b in BORDERS if b == t} | {b for a, b in BORDERS if a == t})) for t in ALL)
