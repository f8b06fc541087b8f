"""War Online's table on the screen: both seats, the board, what I know alone, and the line I type; it knows no rule."""

from rich.cells import cell_len

from twoseat.wire import Seat
from twoseat_client.asides import cards
from twoseat_client.atlas import totals
from twoseat_client.orders import example
from twoseat_client.screen.action import Button, button, draw_keys
from twoseat_client.screen.canvas import Canvas, Style, cut, wrapped
from twoseat_client.screen.seat import draw_clock, name, owner, standing
from twoseat_client.screen.sketch import LINES, draw_columns, draw_short, draw_sketch
from twoseat_client.screen.view import View
from twoseat_client.table import Table, online
from twoseat_client.turns import granted

WIDE, TALL = 76, 24
NEWS_FOR = 8_000
_KEYS = (
    ("Tab", "tui.online.key.complete", ""),
    ("F3", "tui.online.key.turns", "f3"),
    ("F4", "tui.online.key.map", "f4"),
    ("F1", "tui.key.help", "f1"),
    ("F2", "tui.key.language", "f2"),
    ("Esc", "tui.key.leave", "escape"),
)
_SHORT_KEYS = tuple(key for key in _KEYS if key[0] != "F4")
"""Where the board is in codes there is no room for a map."""
_SCROLL = ("↑↓", "tui.key.scroll", "")
_ANSWER_KEYS = (_SCROLL, ("Esc", "tui.key.back", "escape"))
Keys = tuple[tuple[str, str, str], ...]
_SILENT = frozenset({"say.online.objective", "say.online.opening"})


def draw_campaign(canvas: Canvas, view: View, table: Table) -> None:
    """Draw the whole table."""
    full = canvas.width >= WIDE and canvas.height >= TALL
    last = canvas.height - 1
    _header(canvas, view, table, full=full)
    _seat(canvas, view, table, table.top, 1)
    told = _told(view, canvas.width - 2)
    keys = (_full if full else _short)(canvas, view, table, told if len(told) > 1 else [], last - 5)
    _seat(canvas, view, table, table.bottom, last - 3)
    news = told[0] if len(told) == 1 else _news(view, canvas.width - 2)
    canvas.put(1, last - 2, cut(news, canvas.width - 2), Style("ink"))
    _prompt(canvas, view, table, last - 1)
    draw_keys(canvas, view, 1, last, canvas.width, keys)


def _full(canvas: Canvas, view: View, table: Table, answer: list[str], room: int) -> Keys:
    """Draw the board and what I know alone, a short answer in the place of that, and return the keys."""
    if view.sketch:
        x, y, width, rows = 1, 2 + LINES - 2, canvas.width - 2, 2
    else:
        x, y, width, rows = 1, 2 + LINES - 3, 2 * (canvas.width - 2) // 3 - 2, 3
    lines = _told(view, width) if answer else _known(view, table, width)
    if answer and len(lines) > rows:
        return _answer(canvas, view, answer, room)
    (draw_sketch if view.sketch else draw_columns)(canvas, view, table, 2)
    for row, line in enumerate(lines[:rows]):
        canvas.put(x, y + row, line, Style("ink" if answer else "mute"))
    return _KEYS


def _short(canvas: Canvas, view: View, table: Table, answer: list[str], room: int) -> Keys:
    """Draw the board in codes and an answer below it where that leaves half the room, and return the keys."""
    if len(answer) > room // 2:
        return _answer(canvas, view, answer, room)
    whole = draw_short(canvas, view, table, 2, room - len(answer))
    for row, line in enumerate(answer):
        canvas.put(1, 2 + room - len(answer) + row, line)
    return _SHORT_KEYS if whole else (_SCROLL, *_SHORT_KEYS)


def _header(canvas: Canvas, view: View, table: Table, *, full: bool) -> None:
    right = canvas.width - 1
    if table.state is not None:
        seen = online(table.state)
        (mine, strength), (theirs, against) = totals(seen, table.bottom), totals(seen, table.top)
        right = canvas.put_right(right, 0, f"{theirs}/{against}", Style("them", bold=True))
        right = canvas.put_right(right, 0, " : ", Style("mute"))
        right = canvas.put_right(right, 0, f"{mine}/{strength}", Style("you", bold=True))
        step = view.words(f"word.step.{seen.step}")
        if seen.round:
            step = view.words("tui.online.at", n=seen.round, step=step)
        title = f"{view.words('word.online')} {view.signs.dot} {step}" if full else step
    else:
        title = view.words("word.online")
    if table.watchers and full:
        title += f" {view.signs.dot} {view.words('word.watchers', count=table.watchers)}"
    canvas.put(1, 0, cut(title, right - 3), Style("ink", bold=True))


def _seat(canvas: Canvas, view: View, table: Table, seat: Seat, y: int) -> None:
    stands, colour = standing(view, table, seat), owner(table, seat)
    right = canvas.width - 1
    if table.state is not None:
        held = view.words("word.cards", count=online(table.state).hands[seat])
        right = canvas.put_right(right, y, held, Style(colour, bold=True))
    x = canvas.put(1, y, cut(name(view, table, seat), 20), Style(colour, bold=True))
    if stands.badge is not None:
        left, close = view.signs.badge
        x = canvas.put(x + 1, y, f"{left}{view.words.tell(stands.badge)}{close}", Style(colour, bold=True))
    state = stands.short or stands.state
    ink = Style(colour if stands.hot else "mute", bold=stands.hot)
    room = right - x - 9
    if state is not None and room > 3:
        x = canvas.put(x + 1, y, cut(view.words.tell(state), room), ink)
    draw_clock(canvas, view, table, seat, x + 1, y, 0)


def _known(view: View, table: Table, width: int) -> list[str]:
    """Return what only I know in lines."""
    if table.state is None:
        return []
    seen = online(table.state)
    lines = []
    if seen.objectives is None and seen.objective:
        lines += wrapped(view.words(f"word.objective.{seen.objective}"), width)
    if table.mine is not None:
        lines += wrapped(cards(seen, view.words), width)
    return lines


def _told(view: View, width: int) -> list[str]:
    return [part for line in view.answer for part in wrapped(line, width)]


def _answer(canvas: Canvas, view: View, lines: list[str], room: int) -> Keys:
    """Draw a long answer in place of the board, and return the keys; one of a single line has that of the news."""
    start = canvas.scrolled(view.scroll, len(lines), room)
    for row, line in enumerate(lines[start : start + room]):
        canvas.put(1, 2 + row, line)
    return _ANSWER_KEYS


def _news(view: View, width: int) -> str:
    """Return what happened of late, the newest last, as much of it as fits."""
    text = ""
    for item in reversed(view.model.news):
        if view.now - item.at > NEWS_FOR:
            break
        told = "" if item.sentence.key in _SILENT else view.words.tell(item.sentence)
        if text and cell_len(f"{told} {text}") > width:
            break
        text = f"{told} {text}".strip()
    return text


def prompt(view: View, table: Table) -> Button | None:
    """Return the button in place of the line to type in, None where I can type a move."""
    if not table.open_moves or not view.model.link.up or view.model.degraded:
        return button(view, table)
    return None


def _prompt(canvas: Canvas, view: View, table: Table, y: int) -> None:
    wait = prompt(view, table)
    if wait is not None and not view.line:
        label = view.words.tell(wait.short or wait.label)
        x = canvas.put(1, y, cut(label, canvas.width - 2), Style("ink" if wait.key else "mute", bold=bool(wait.key)))
        if wait.hint is not None:
            canvas.put(x + 2, y, cut(view.words.tell(wait.hint), max(0, canvas.width - x - 3)), Style("mute"))
        return
    x = canvas.put(1, y, view.signs.point, Style("war", bold=True))
    x = canvas.put(x + 1, y, cut(view.line, canvas.width - 6), Style("ink", bold=True))
    x = canvas.put(x, y, "_", Style("ink"))
    room = max(0, canvas.width - x - 3)
    hint = "  ".join(view.offers) if view.offers or view.line else _hint(view, table, room)
    canvas.put(x + 2, y, cut(hint, room), Style("mute"))


def _hint(view: View, table: Table, room: int) -> str:
    """Return what is left to place and an example of what can be typed, as much of it as fits."""
    seen = None if table.state is None else online(table.state)
    text = view.words("tui.online.example", text=example(table.open_moves, view.words))
    for sentence in reversed(granted(seen.to_place) if seen is not None else ()):
        longer = f"{view.words.tell(sentence)} {text}"
        text = longer if cell_len(longer) <= room else view.words.tell(sentence)
    return text
