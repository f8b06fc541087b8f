"""A grid of styled cells to draw text on, and nothing more: it knows no terminal, no colour value and no game."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from rich.cells import cell_len

from twoseat_client.text import printable


@dataclass(frozen=True, slots=True)
class Style:
    """How a cell looks: `ink` and `paper` are roles of look.py. `action` is what a click there means."""

    ink: str = "ink"
    paper: str = "paper"
    bold: bool = False
    action: str = ""

    def on(self, paper: str) -> "Style":
        """Return the same on another ground."""
        return replace(self, paper=paper)


PLAIN = Style()
Cell = tuple[str, Style]


@dataclass(slots=True)
class Canvas:
    """`width` by `height` cells; whatever is drawn outside is cut off."""

    width: int
    height: int
    rows: list[list[Cell]] = field(init=False)
    deepest: int = field(init=False, default=0)
    """How far what is drawn can be scrolled."""

    def __post_init__(self) -> None:
        self.rows = [[(" ", PLAIN)] * self.width for _ in range(self.height)]

    def put(self, x: int, y: int, text: str, style: Style = PLAIN) -> int:
        """Write text from (x, y) to the right and return the column after it."""
        for letter in printable(text):
            cells = cell_len(letter)
            if cells == 0:
                self._add_mark(x - 1, y, letter)
                continue
            if 0 <= y < self.height and x >= 0 and x + cells <= self.width:
                self.rows[y][x] = (letter, style)
                if cells == 2:
                    self.rows[y][x + 1] = ("", style)
            x += cells
        return x

    def put_right(self, x: int, y: int, text: str, style: Style = PLAIN) -> int:
        """Write text so that it ends before column x, and return where it begins."""
        start = x - cell_len(printable(text))
        self.put(start, y, text, style)
        return start

    def put_middle(self, x: int, width: int, y: int, text: str, style: Style = PLAIN) -> None:
        """Write text in the middle of `width` columns from x."""
        shown = cut(text, width)
        self.put(x + (width - cell_len(shown)) // 2, y, shown, style)

    def fill(self, x: int, y: int, width: int, height: int, style: Style, letter: str = " ") -> None:
        """Fill a rectangle."""
        for row in range(max(0, y), min(self.height, y + height)):
            for column in range(max(0, x), min(self.width, x + width)):
                self.rows[row][column] = (letter, style)

    def scrolled(self, scroll: int, lines: int, room: int) -> int:
        """Return `scroll` kept within a page of `lines`, of which `room` fit."""
        self.deepest = max(0, lines - room)
        return max(0, min(scroll, self.deepest))

    def runs(self, y: int) -> Iterator[Cell]:
        """Return a row as pieces of text of one style."""
        text, style = "", PLAIN
        for letter, own in self.rows[y]:
            if own != style and text:
                yield text, style
                text = ""
            style = own
            text += letter
        if text:
            yield text, style

    def text(self) -> str:
        """Return all rows as plain text, without blanks at the ends."""
        return "\n".join("".join(letter for letter, _ in row).rstrip() for row in self.rows)

    def action_at(self, x: int, y: int) -> str:
        """Return what a click on this cell means, empty for nothing."""
        inside = 0 <= y < self.height and 0 <= x < self.width
        return self.rows[y][x][1].action if inside else ""

    def _add_mark(self, x: int, y: int, mark: str) -> None:
        if 0 <= y < self.height and 0 <= x < self.width:
            letter, style = self.rows[y][x]
            self.rows[y][x] = (letter + mark, style)


def cut(text: str, width: int) -> str:
    """Return text shortened to `width` columns, with an ellipsis where something is missing."""
    if cell_len(text) <= width:
        return text
    kept = ""
    for letter in text:
        if cell_len(kept + letter) > width - 1:
            break
        kept += letter
    return f"{kept.rstrip()}…" if width > 0 else ""


def wrapped(text: str, width: int) -> list[str]:
    """Return text in lines of at most `width` columns, broken between words."""
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if cell_len(joined) <= width:
            lines[-1] = joined
        else:
            lines.append(cut(word, width))
    return lines if lines[0] or len(lines) == 1 else lines[1:]
