"""The screens that are not a table: menu, waiting, no line, help, questions; each a function of the view."""

import segno

from twoseat import wire
from twoseat_client.asides import examples
from twoseat_client.model import stop_sentence
from twoseat_client.screen.action import draw_keys
from twoseat_client.screen.canvas import Canvas, Style, cut, wrapped
from twoseat_client.screen.cards import half_blocks
from twoseat_client.screen.menu import CHOICES, Row
from twoseat_client.screen.view import Panel, View
from twoseat_client.table import ONLINE
from twoseat_client.text import LANGUAGES, Words, minutes

_ASKS = {Panel.LEAVE: "tui.ask_leave", Panel.RESIGN: "tui.ask_resign"}


def draw_brand(canvas: Canvas, view: View) -> None:
    """Draw the name of the house on the first row."""
    x = canvas.put(1, 0, "two", Style(bold=True))
    x = canvas.put(x, 0, view.signs.joint, Style("war", bold=True))
    x = canvas.put(x, 0, "seat", Style(bold=True))
    canvas.put(x + 2, 0, view.words("word.game"), Style("mute"))


def draw_menu(canvas: Canvas, view: View) -> None:
    """Draw the start menu; where it is too long, the part around the cursor."""
    menu = view.menu
    draw_brand(canvas, view)
    first, last = (3, canvas.height - 4) if canvas.height >= 20 else (1, canvas.height - 3)
    room = last - first + 1
    at = menu.rows.index(menu.at)
    start = max(0, min(at - room // 2, len(menu.rows) - room))
    y = first
    for row in menu.rows[start : start + room]:
        if row is Row.GAME and canvas.height >= 20:
            y += 1
        here = row is menu.at
        style = Style("ink" if here else "mute", bold=here, action=f"menu:{row}")
        canvas.put(1, y, view.signs.point if here else " ", Style("war", bold=True))
        x = canvas.put(3, y, view.words(f"tui.menu.{row}"), style)
        _value(canvas, view, row, max(x + 2, 24 if canvas.width >= 60 else 19), y, here=here)
        y += 1
    problem = cut(menu.problem, canvas.width - 2)
    canvas.put(1, canvas.height - 2, problem or _about(view, canvas.width - 2), Style("war" if problem else "mute"))
    draw_keys(canvas, view, 1, canvas.height - 1, canvas.width, _MENU_KEYS)


_MENU_KEYS = (
    ("↑↓", "tui.key.choose", ""),
    ("←→", "tui.key.change", ""),
    ("Enter", "tui.key.go", "go"),
    ("F1", "tui.key.help", "help"),
    ("F2", "tui.key.language", "language"),
    ("Esc", "tui.key.quit", "leave"),
)


def _about(view: View, width: int) -> str:
    return cut(view.words(f"tui.about.{view.menu.at}"), width)


def _value(canvas: Canvas, view: View, row: Row, x: int, y: int, *, here: bool) -> None:
    menu, words = view.menu, view.words
    texts = {
        Row.RESUME: menu.resume or "",
        Row.JOIN: menu.code + ("_" if here else ""),
        Row.NAME: menu.name + ("_" if here else ""),
        Row.GAME: words("word.online" if menu.game == ONLINE else "word.game"),
        Row.LEVEL: words(f"word.level.{menu.level}"),
        Row.PRESET: words(f"tui.preset.{menu.preset}"),
        Row.TARGET: words("word.rounds", count=menu.target),
        Row.GAMES: words("tui.best_of", n=menu.games) if menu.games > 1 else words("tui.one_game"),
        Row.TIMER: words("tui.no_timer") if menu.timer == 0 else f"× {menu.timer}",
    }
    text = texts.get(row, "")
    if row in CHOICES and here:
        text = f"‹ {text} ›" if view.signs.blocks else f"< {text} >"
    canvas.put(x, y, cut(text, canvas.width - x - 1), Style("you" if text else "mute", bold=here))


def draw_waiting(canvas: Canvas, view: View, waiting: wire.Waiting) -> None:
    """Draw how long I wait, for a table of my own with code, link and QR, and the rules in three lines."""
    words = view.words
    draw_brand(canvas, view)
    roomy = canvas.height >= 20
    waited = minutes(max(0, view.now - view.model.waiting_since) // 1000 * 1000)
    code = _qr(view.link) if waiting.code and view.link else []
    side = len(code[0]) + 2 if code and len(code) <= canvas.height - 3 and canvas.width - len(code[0]) >= 40 else 0
    width = canvas.width - 3 - side
    y = 2
    title = words("say.waiting.host", code=waiting.code) if waiting.code else words("say.waiting.quick")
    for line in wrapped(title, width):
        canvas.put(1, y, line, Style(bold=True))
        y += 1
    for line in wrapped(view.link, width) if waiting.code else ():
        canvas.put(1, y, line, Style("you", bold=True))
        y += 1
    canvas.put(1, y, words("tui.waited", time=waited), Style("mute"))
    y += 2 if roomy else 1
    if not waiting.code and view.now - view.model.waiting_since >= 10_000:
        canvas.put(1, y, cut(words("tui.offer_bot"), width), Style("ink", action="bot"))
        y += 2 if roomy else 1
    third = "help.short.3" if waiting.options.preset == "points" else "help.short.3.classic"
    rules = ("help.short.1", "help.short.2", third)
    if waiting.options.game == ONLINE:
        rules = ("help.online.1", "help.online.2", "help.online.3")
    for key in rules:
        for line in wrapped(words(key, count=waiting.options.target), width):
            if y < canvas.height - 1:
                canvas.put(1, y, line, Style("mute"))
            y += 1
    if side:
        for row, line in enumerate(code):
            canvas.put(canvas.width - side, 1 + row, line, _qr_style(view))
    keys = (("b", "tui.key.bot", "bot"), ("h", "tui.key.help", "help"), ("l", "tui.key.language", "language"))
    draw_keys(canvas, view, 1, canvas.height - 1, canvas.width, (*keys, ("q", "tui.key.cancel", "leave")))


def _qr(link: str) -> list[str]:
    """Return the link as a QR code of half blocks, light margin included."""
    if not link:
        return []
    matrix = segno.make(link, error="l", micro=False).matrix_iter(border=2)
    return half_blocks(["".join("#" if dark else "." for dark in row) for row in matrix])


def _qr_style(view: View) -> Style:
    return Style("black", "card")


def draw_no_line(canvas: Canvas, view: View) -> None:
    """Draw why there is no table yet or no longer: connecting, reconnecting, given up, replaced elsewhere."""
    draw_brand(canvas, view)
    link, words = view.model.link, view.words
    y = max(2, canvas.height // 2 - 2)
    if link.stopped:
        text = words.tell(stop_sentence(link.code))
    elif link.attempt:
        text = words("say.reconnecting", n=link.attempt)
    else:
        text = words("tui.connecting")
    for line in wrapped(text, canvas.width - 4):
        canvas.put_middle(2, canvas.width - 4, y, line, Style(bold=True))
        y += 1
    again = "tui.key.take_back" if link.code == wire.Close.REPLACED and link.stopped else "tui.key.try_now"
    keys = (("Enter", again, "again"), ("l", "tui.key.language", "language"), ("q", "tui.key.quit", "leave"))
    draw_keys(canvas, view, 1, canvas.height - 1, canvas.width, keys)


def help_lines(words: Words, preset: str, target: int, width: int) -> list[tuple[str, Style]]:
    """Return how to play as lines: the rules of both presets (the present one first), a worked war, questions."""
    lines: list[tuple[str, Style]] = []

    def add(text: str, style: Style, indent: int = 0) -> None:
        lines.extend((" " * indent + line, style) for line in wrapped(text, width - indent))

    def rules(name: str, count: int) -> None:
        add(words(f"help.{name}.title", count=target), Style("ink", bold=True))
        for n in range(1, count + 1):
            add(words(f"help.{name}.{n}", count=target), Style("ink"), 2)
        if name == "classic":
            add(words("help.classic.note"), Style("mute"), 2)
        lines.append(("", Style()))

    counts = {"points": 7, "classic": 4}
    for name in sorted(counts, key=lambda name: name != preset):
        rules(name, counts[name])
    add(words("help.war.title"), Style("war", bold=True))
    for n in range(1, 5):
        add(f"{n}. " + words(f"help.war.{n}"), Style("ink"), 2)
    lines.append(("", Style()))
    add(words("help.qa.title"), Style("ink", bold=True))
    for n in range(1, 6):
        add(words(f"help.qa.{n}.q"), Style("you", bold=True), 2)
        add(words(f"help.qa.{n}.a"), Style("ink"), 2)
    lines.append(("", Style()))
    add(words("tui.keys"), Style("ink", bold=True))
    for key, word in _KEYS:
        add(f"{words('tui.space') if key == 'Space' else key}  {words(word)}", Style("ink"), 2)
    return lines


def online_help(words: Words, width: int) -> list[tuple[str, Style]]:
    """Return how War Online is played and what can be typed, as lines."""
    lines = [(words("word.online"), Style("ink", bold=True))]
    told = (1, 2, 4, 5, 6, 7, 8)  # the third is about colours on the page; how to attack stands below
    for key in ("help.online.1", "help.online.2", *(f"help.online.rule.{n}" for n in told)):
        lines += [(f"  {line}", Style("ink")) for line in wrapped(words(key), width - 2)]
    lines += [("", Style()), (words("tui.online.typed"), Style("ink", bold=True))]
    for text, what in examples(words):
        lines.append((f"  {text}", Style("you", bold=True)))
        lines += [(f"    {line}", Style("ink")) for line in wrapped(what, width - 4)]
    return lines


_KEYS = (
    ("Space", "tui.key.draw"),
    ("0", "tui.key.ten"),
    ("r", "tui.key.rounds"),
    ("m", "tui.key.rematch"),
    ("x", "tui.key.resign"),
    ("q", "tui.key.leave"),
    ("t", "tui.key.try_now"),
    ("1 2 3 4", "tui.key.react"),
    ("u", "tui.key.mute"),
    ("l", "tui.key.language"),
    ("c", "tui.key.colours"),
    ("Ctrl-C", "tui.key.interrupt"),
)


def draw_help(canvas: Canvas, view: View) -> None:
    """Draw how to play, from the line it is scrolled to."""
    table, waiting = view.model.table, view.model.waiting
    options = table.seated.options if table else waiting.options if waiting else None
    preset, target = (options.preset, options.target) if options else (view.menu.preset, view.menu.target)
    canvas.put(1, 0, view.words("help.title"), Style(bold=True))
    width = min(76, canvas.width - 2)
    online = options.game == ONLINE if options else view.menu.game == ONLINE
    lines = online_help(view.words, width) if online else help_lines(view.words, preset, target, width)
    room = canvas.height - 3
    start = canvas.scrolled(view.scroll, len(lines), room)
    for row, (text, style) in enumerate(lines[start : start + room]):
        canvas.put(1, 1 + row, text, style)
    draw_panel_keys(canvas, view)


def draw_panel_keys(canvas: Canvas, view: View, *more: tuple[str, str, str]) -> None:
    """Draw the keys of a panel on the last row."""
    keys = (("↑↓", "tui.key.scroll", ""), *more, ("Esc", "tui.key.back", "close"))
    draw_keys(canvas, view, 1, canvas.height - 1, canvas.width, keys)


def draw_question(canvas: Canvas, view: View) -> None:
    """Draw the question of the open panel over the middle of the screen."""
    width = min(56, canvas.width - 4)
    lines = wrapped(view.words(_ASKS[view.panel]), width - 4)
    keys = [("y", "tui.yes")] if view.panel is Panel.RESIGN else [("y", "tui.leave_bot"), ("k", "tui.keep_seat")]
    height = len(lines) + len(keys) + 4
    x, y = (canvas.width - width) // 2, max(0, (canvas.height - height) // 2)
    canvas.fill(x, y, width, height, Style(paper="felt"))
    for row, line in enumerate(lines):
        canvas.put(x + 2, y + 1 + row, line, Style(paper="felt", bold=True))
    y += len(lines) + 2
    for key, word in (*keys, ("Esc", "tui.key.back")):
        action = "close" if key == "Esc" else f"answer:{key}"
        end = canvas.put(x + 2, y, key, Style("ink", "felt", bold=True, action=action))
        canvas.put(end + 1, y, cut(view.words(word), width - 6), Style("mute", "felt", action=action))
        y += 1


def next_language(lang: str) -> str:
    """Return the language after this one."""
    return LANGUAGES[(LANGUAGES.index(lang) + 1) % len(LANGUAGES)]
