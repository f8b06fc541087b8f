"""Pictures of cards, of the clock and of how the decks moved, drawn on a canvas; it knows no match."""

from dataclasses import dataclass
from typing import Literal

from twoseat_client.screen.canvas import Canvas, Style
from twoseat_client.screen.look import Signs

Owner = Literal["you", "them"]


@dataclass(frozen=True, slots=True)
class Size:
    """A card's width and height in cells."""

    width: int
    height: int


SMALL, MIDDLE, LARGE = Size(7, 5), Size(11, 7), Size(15, 9)


def face(canvas: Canvas, x: int, y: int, size: Size, card: str, signs: Signs, winner: Owner | None = None) -> None:
    """Draw a card face up, such as `10S`; the one that won has a heavy edge in its owner's colour."""
    rank, suit = card[:-1], signs.suits[card[-1]]
    ink = Style("red" if card[-1] in "DH" else "black", "card", bold=True)
    edge = Style(winner or "edge", "card", bold=winner is not None)
    _frame(canvas, x, y, size, edge, signs.heavy if winner else signs.corners, Style(paper="card"))
    if size is SMALL or not signs.blocks:
        canvas.put(x + 2, y + 1, rank, ink)
        canvas.put(x + size.width // 2, y + size.height // 2, suit, ink)
        return
    canvas.put(x + 2, y + 1, rank + suit, ink)
    pip = half_blocks(_PIPS[card[-1]].split())
    top = y + (size.height - len(pip) + 1) // 2
    for row, line in enumerate(pip):
        canvas.put(x + (size.width - len(line)) // 2, top + row, line, ink)


def half_blocks(picture: list[str]) -> list[str]:
    """Return a picture of `X` and other signs as rows of half blocks, two lines of it to a row."""
    lines = picture if len(picture) % 2 == 0 else [*picture, "." * len(picture[0])]
    blocks = {(False, False): " ", (False, True): "▄", (True, False): "▀", (True, True): "█"}
    pairs = zip(lines[::2], lines[1::2], strict=True)
    return ["".join(blocks[a == "#", b == "#"] for a, b in zip(above, below, strict=True)) for above, below in pairs]


_PIPS = {
    "C": "..###.. .#####. ..###.. ####### ####### ##.#.## ...#... ..###..",
    "D": "...#... ..###.. .#####. ####### ####### .#####. ..###.. ...#...",
    "H": ".##.##. ####### ####### ####### .#####. ..###.. ...#... .......",
    "S": "...#... ..###.. .#####. ####### ####### ##.#.## ...#... ..###..",
}


def back(canvas: Canvas, x: int, y: int, size: Size, owner: Owner, signs: Signs) -> None:
    """Draw a card face down in its owner's colour."""
    _frame(canvas, x, y, size, Style(owner, "felt", bold=True), signs.corners, Style(owner, "felt"), signs.back)


def slot(canvas: Canvas, x: int, y: int, size: Size, signs: Signs) -> None:
    """Draw the place where a card will lie."""
    _frame(canvas, x, y, size, Style("line", "felt"), signs.corners, Style("line", "felt"))


def _frame(canvas: Canvas, x: int, y: int, size: Size, edge: Style, box: str, inside: Style, letter: str = " ") -> None:
    left_top, across, right_top, down, left_bottom, right_bottom = tuple(box)
    width, height = size.width, size.height
    canvas.fill(x + 1, y + 1, width - 2, height - 2, inside, letter)
    canvas.put(x, y, left_top + across * (width - 2) + right_top, edge)
    for row in range(y + 1, y + height - 1):
        canvas.put(x, row, down, edge)
        canvas.put(x + width - 1, row, down, edge)
    canvas.put(x, y + height - 1, left_bottom + across * (width - 2) + right_bottom, edge)


def clock(canvas: Canvas, x: int, y: int, width: int, share: float, ink: str, paper: str, signs: Signs) -> None:
    """Draw what is left of a clock (`share` of the whole, 0 to 1) as a bar."""
    full = round(max(0.0, min(1.0, share)) * width)
    canvas.put(x, y, signs.full * full, Style(ink, paper, bold=True))
    canvas.put(x + full, y, signs.empty * (width - full), Style("line", paper))


def ribbon(
    canvas: Canvas, area: tuple[int, int, int, int], counts: list[int], total: int, paper: str, signs: Signs
) -> None:
    """Draw a deck's size over the game as a line in x, y, width, height; the dashes are half of all cards."""
    x, y, width, height = area
    canvas.put(x, y + height // 2, signs.dash * width, Style("line", paper))
    if len(counts) < 2:
        return
    across, down = (2, 4) if signs.blocks else (1, 1)
    columns, rows = width * across, height * down
    dots: dict[tuple[int, int], int] = {}
    last: int | None = None
    for column in range(columns):
        count = counts[round(column * (len(counts) - 1) / (columns - 1))]
        row = round((total - count) * (rows - 1) / total)
        between = range(min(row, row if last is None else last), max(row, row if last is None else last) + 1)
        for dot in between if signs.blocks else (row,):
            cell = (column // across, dot // down)
            dots[cell] = dots.get(cell, 0) | _BRAILLE[dot % 4][column % 2]
        last = row
    for (column, row), bits in dots.items():
        canvas.put(x + column, y + row, chr(0x2800 + bits) if signs.blocks else "*", Style("you", paper, bold=True))


_BRAILLE = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bit of each of the eight dots, by row and column."""
