"""War Online's board in letters: all territories by continent in columns, in short, or as a sketch of the map."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from twoseat_client.atlas import CODES, Held, called, continents, held
from twoseat_client.screen.canvas import Canvas, Style, cut
from twoseat_client.screen.view import View
from twoseat_client.table import Table, online

COLUMNS = (("na", "sa"), ("eu", "af"), ("as", "oc"))
"""Continents above each other; the longest column has LINES rows."""
LINES = 18
SKETCH = (74, 15)
_MINE, _HERS, _NEUTRAL = ("■", "#"), ("□", "o"), ("·", "-")
"""Signs of the owners, in Unicode and in ASCII: they tell apart what colours do."""

_PLACES = """
ala 0 1    mac 9 0    gro 23 0   van 5 3    ott 14 3   lab 22 3   cal 5 6    nyk 15 6   mex 9 8
col 12 10  bra 20 11  bol 13 12  arg 17 14
isl 29 1   ing 30 4   sue 37 1   mos 45 3   ale 37 5   fra 32 7   pol 41 6
alg 31 10  egi 39 9   sud 42 11  con 37 12  afs 38 14  mad 46 14
ori 48 8   ara 51 5   oms 52 2   dud 55 0   sib 62 0   tch 62 2   mon 61 4   vla 69 1   cin 60 7
ind 54 9   jap 69 4   vie 62 9   sum 54 11  bor 64 11  gui 68 12  aus 63 14
"""
_WORDS = _PLACES.split()
_AT = {code: (int(x), int(y)) for code, x, y in zip(_WORDS[::3], _WORDS[1::3], _WORDS[2::3], strict=True)}


def sign(view: View, table: Table, place: Held) -> str:
    """Return the sign of a territory's owner."""
    signs = _NEUTRAL if place.owner is None else _MINE if place.owner == table.bottom else _HERS
    return signs[not view.signs.blocks]


def ink(table: Table, place: Held) -> Style:
    """Return the colour of a territory's owner."""
    if place.owner is None:
        return Style("mute")
    return Style("you" if place.owner == table.bottom else "them", bold=True)


def draw_columns(canvas: Canvas, view: View, table: Table, y: int) -> None:
    """Draw every territory with its name, LINES rows from y on."""
    if table.state is None:
        return
    width = (canvas.width - 2) // len(COLUMNS)
    listed = {name: (bonus, places) for name, bonus, places in continents(online(table.state))}
    for column, names in enumerate(COLUMNS):
        x, row = 1 + column * width, y
        for name in names:
            bonus, places = listed[name]
            title = f"{view.words(f'word.continent.{name}')} +{bonus}"
            canvas.put(x, row, cut(title, width - 2), Style("ink", bold=True))
            for place in places:
                row += 1
                _line(canvas, view, table, place, (x, row, width - 2))
            row += 1


def _line(canvas: Canvas, view: View, table: Table, place: Held, area: tuple[int, int, int]) -> None:
    x, y, width = area
    style = ink(table, place)
    canvas.put(x, y, sign(view, table, place), style)
    canvas.put(x + 2, y, CODES[place.name], Style("mute"))
    number = canvas.put_right(x + width, y, str(place.armies), style)
    canvas.put(x + 6, y, cut(called(view.words, place.name), number - x - 7), style)


def draw_short(canvas: Canvas, view: View, table: Table, y: int, height: int) -> bool:
    """Draw every territory as sign, code and armies; return whether all fit, else the rest is reached by scrolling."""
    if table.state is None:
        return True
    lines = list(_short(view, table, canvas.width - 2))
    start = canvas.scrolled(view.scroll, len(lines), height)
    for row, line in enumerate(lines[start : start + height]):
        x = 1
        for text, style in line:
            x = canvas.put(x, y + row, text, style)
    return len(lines) <= height


def _short(view: View, table: Table, width: int) -> Iterator[Sequence[tuple[str, Style]]]:
    if table.state is None:
        return
    for name, _, places in continents(online(table.state)):
        head = f"{name.upper()} "
        line, used = [(head, Style("ink", bold=True))], len(head)
        for place in places:
            text = f"{sign(view, table, place)}{CODES[place.name]}{place.armies} "
            if used + cell_len(text) > width + 1:
                yield line
                line, used = [("   ", Style())], 3
            line.append((text, ink(table, place)))
            used += cell_len(text)
        yield line


def draw_sketch(canvas: Canvas, view: View, table: Table, y: int) -> None:
    """Draw codes and armies about where they lie on a map."""
    if table.state is None:
        return
    left = 1 + max(0, (canvas.width - 2 - SKETCH[0]) // 2)
    for place in held(online(table.state)).values():
        x, row = _AT[CODES[place.name]]
        canvas.put(left + x, y + row, f"{sign(view, table, place)}{CODES[place.name]}{place.armies}", ink(table, place))
