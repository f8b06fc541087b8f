"""The table on the screen: they above, I below, the front line between us; it knows where things lie, and no rule."""

from dataclasses import dataclass

from rich.cells import cell_len

from twoseat_client.rounds import halves, rank
from twoseat_client.screen import cards
from twoseat_client.screen.action import draw_action, draw_keys, table_keys
from twoseat_client.screen.canvas import Canvas, Style, cut
from twoseat_client.screen.history import draw_side
from twoseat_client.screen.seat import draw_seat, name
from twoseat_client.screen.view import Shown, View, shown
from twoseat_client.table import Table, at_war
from twoseat_client.text import Sentence

NEWS_FOR = 6_000
"""Milliseconds a piece of news stays on its line."""
SIDE = 26
WIDE, TALL = 76, 20


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the parts of a table lie; `full` with two rows a seat and lines of their own for news and keys."""

    full: bool
    field: tuple[int, int, int, int]
    theirs: int
    mine: int
    caption: int
    side: int
    size: cards.Size
    shift: int


def layout(width: int, height: int) -> Layout:
    """Return the layout for a terminal of this size."""
    if height < TALL:
        field = (0, 2, width, height - 5)
        return Layout(False, field, 1, height - 2, height - 3, 0, cards.SMALL, min(2, height - 10))
    side = SIDE + (width - WIDE) // 6 if width >= WIDE else 0
    field = (1, 4, width - 2 - side, height - 9)
    room = field[3] - 3
    size = cards.LARGE if room >= 14 and field[2] >= 64 else cards.MIDDLE
    return Layout(True, field, 2, height - 5, field[1] + field[3] - 2, side, size, 3)


def draw_table(canvas: Canvas, view: View, table: Table) -> None:
    """Draw the whole table."""
    plan = layout(canvas.width, canvas.height)
    _header(canvas, view, table, full=plan.full)
    draw_seat(canvas, view, table, table.top, plan.theirs, full=plan.full)
    draw_seat(canvas, view, table, table.bottom, plan.mine, full=plan.full)
    x, y, width, height = plan.field
    if plan.full:
        canvas.fill(x, y, width, height, Style(paper="felt"))
    now = shown(table, view.now, calm=view.calm)
    _field(canvas, view, table, plan, now)
    text, ink = _caption(view, table, now, width - 2, full=plan.full)
    paper = "felt" if plan.full else "paper"
    canvas.put_middle(x + 1, width - 2, plan.caption, text, Style(ink, paper, bold=True))
    last = canvas.height - 1
    if not plan.full:
        end = draw_action(canvas, view, table, last)
        draw_keys(canvas, view, end + 2, last, canvas.width, table_keys(table))
        return
    if plan.side:
        draw_side(canvas, view, table, canvas.width - plan.side, y, height)
    canvas.put(1, last - 2, cut(_news_line(view), canvas.width - 2), Style("ink"))
    draw_action(canvas, view, table, last - 1)
    corner = _corner(view)
    end = canvas.put_right(canvas.width - 1, last, corner, Style("mute"))
    draw_keys(canvas, view, 1, last, end - 1, table_keys(table))


def _header(canvas: Canvas, view: View, table: Table, *, full: bool) -> None:
    x = _brand(canvas, view, 1, 0)
    options = table.seated.options
    right = canvas.width - 1
    games = table.games
    if games is not None:
        tally = f"{halves(games[table.bottom])} : {halves(games[table.top])}"
        label = view.words("tui.games", score=tally) if full else f"({tally.replace(' ', '')})"
        right = canvas.put_right(right, 0, label, Style("mute")) - 2
    theirs, mine = str(table.won(table.top)), str(table.won(table.bottom))
    right = canvas.put_right(right, 0, theirs, Style("them", bold=True))
    right = canvas.put_right(right, 0, " : ", Style("mute"))
    right = canvas.put_right(right, 0, mine, Style("you", bold=True))
    if full:
        right = canvas.put_right(right - 1, 0, view.words("tui.rounds"), Style("mute"))
        canvas.put(0, 1, view.signs.rule * canvas.width, Style("line"))
    title = view.words(f"word.preset.{options.preset}", target=options.target)
    if table.watchers and full:
        title += " · " + view.words("word.watchers", count=table.watchers)
    canvas.put(x + 2, 0, cut(title, max(0, right - x - 3)), Style("mute"))


def _brand(canvas: Canvas, view: View, x: int, y: int) -> int:
    x = canvas.put(x, y, "two", Style(bold=True))
    x = canvas.put(x, y, view.signs.joint, Style("war", bold=True))
    return canvas.put(x, y, "seat", Style(bold=True))


def _field(canvas: Canvas, view: View, table: Table, plan: Layout, now: Shown | None) -> None:
    x, y, width, height = plan.field
    size, paper = plan.size, "felt" if plan.full else "paper"
    block = size.height + plan.shift
    top = y + max(0, (height - (3 if plan.full else 0) - block) // 2)
    left = x + (width - 2 * size.width + 2) // 2
    middle = top + block // 2
    canvas.put(x + 1, middle, view.signs.dash * (width - 2), Style("line", paper))
    _pot(canvas, view, table, (x + 1, middle, paper), now, left - x - 2)
    theirs, mine = (left, top), (left + size.width - 2, top + plan.shift)
    if table.state is None:
        return
    if now is None or now.hidden:
        drawn = at_war(table.state).drawn
        places = [(theirs, table.top), (mine, table.bottom)]
        for (cx, cy), seat in sorted(places, key=lambda place: drawn[place[1]]):  # a card lies over an empty place
            if now is not None or drawn[seat]:
                cards.back(canvas, cx, cy, size, "you" if seat == table.bottom else "them", view.signs)
            else:
                cards.slot(canvas, cx, cy, size, view.signs)
    elif now.pair is not None:
        winner = table.rounds[-1].winner if now.last and table.rounds else None
        faces = [
            (theirs, now.pair[table.top], "them" if winner == table.top else None),
            (mine, now.pair[table.bottom], "you" if winner == table.bottom else None),
        ]
        for (cx, cy), card, won in sorted(faces, key=lambda f: f[2] is not None):
            cards.face(canvas, cx, cy, size, card, view.signs, won)  # type: ignore[arg-type]
    if now is not None and now.bubble:
        _bubbles(canvas, view, plan, now.war)


def _pot(canvas: Canvas, view: View, table: Table, place: tuple[int, int, str], now: Shown | None, room: int) -> None:
    state = table.state
    if state is None:
        return
    pot = at_war(state).pot
    if now is not None:
        pot = table.rounds[-1].won if now.last and table.rounds else 2 + 4 * (now.war - 1) + 2 * now.hidden
    if not pot:
        return
    x, y, paper = place
    label = cut(view.words("tui.pot"), room)
    canvas.put(x, y, f" {pot} ", Style("ink", paper, bold=True))
    canvas.put(x + 1, y + 1, label, Style("mute", paper))


def _bubbles(canvas: Canvas, view: View, plan: Layout, war: int) -> None:
    """Draw WAR beside each seat, in this client's language."""
    x, y, width, height = plan.field
    key = {1: "word.war", 2: "word.war.double", 3: "word.war.triple"}.get(war, "word.war.many")
    text = view.words(key, n=war) if plan.full or war == 1 else view.words("word.war.many", n=war)
    style = Style("on_war", "war", bold=True)
    label = f" {text} " if view.signs.blocks else f"*{text}*"
    bottom = y + height - (5 if plan.full else 1)
    canvas.put_right(x + width - 1, y + plan.full, label, style)
    canvas.put_right(x + width - 1, bottom, label, style)


def _caption(view: View, table: Table, now: Shown | None, room: int, *, full: bool) -> tuple[str, str]:
    """Return the sentence under the cards and its colour."""
    news = None if full else _news(view)
    if news is not None and news.key in _URGENT:
        return view.words.tell(Sentence(_SHORT.get(news.key, news.key), news.params)), "ink"
    if now is None or now.pair is None or not table.rounds:
        return _opening(view, table), "ink"
    done = table.rounds[-1]
    if not now.last:
        return view.words("word.war"), "war"
    if done.winner is None or (table.state is not None and done.wars == len(at_war(table.state).pairs)):
        return _short(view, table), "ink"
    high, low = rank(now.pair[done.winner]), rank(now.pair[1 - done.winner])
    if table.mine is None:
        winner = name(view, table, done.winner)
        return view.words("say.beats.watch", winner=winner, high=high, low=low, count=done.won), "ink"
    won = done.winner == table.mine
    mine, theirs = rank(now.pair[table.bottom]), rank(now.pair[table.top])
    text = view.words("say.beats.win" if won else "say.beats.lose", mine=mine, theirs=theirs, count=done.won)
    if cell_len(text) > room:
        text = view.words("tui.take.win" if won else "tui.take.lose", count=done.won)
    return text, "you" if won else "them"


def _short(view: View, table: Table) -> str:
    loser = table.rounds[-1].winner
    if loser is None:
        return view.words("say.short.both")
    if loser != table.mine and table.mine is not None:
        return view.words("say.short.me")
    return view.words("say.short.them", name=name(view, table, 1 if loser == 0 else 0))


def _opening(view: View, table: Table) -> str:
    state = table.state
    if state is None or state.phase != "playing":
        return ""
    seen = at_war(state)
    if seen.starter is None or any(seen.drawn):
        mine = table.mine is not None and seen.drawn[table.mine]
        return view.words("tui.laid") if mine and any(seen.drawn) else ""
    if seen.starter == table.mine:
        return view.words("say.starter.me", n=seen.round)
    return view.words("say.starter.them", n=seen.round, name=name(view, table, seen.starter))


_SHORT = {"say.timeup.me": "tui.timeup", "say.timeup.them": "tui.timeup", "say.recap.score": "tui.recap"}
"""The same news where there is little room."""
_URGENT = frozenset(
    {
        "say.reacted.them",
        "say.timeup.me",
        "say.timeup.them",
        "say.late",
        "say.recap",
        "say.recap.score",
        "say.back.them",
    }
)
_SILENT = frozenset(
    {
        "say.turn.me",
        "say.turn.them",
        "say.starter.me",
        "say.starter.them",
        "say.drawn.them",
        "say.degraded.on",
        "say.lost",
        "say.win",
        "say.lose",
        "say.draw",
        "say.reason",
    }
)
"""News the table or its button shows by itself."""


def _news(view: View) -> Sentence | None:
    """Return the newest thing worth a line of its own."""
    for item in reversed(view.model.news):
        if view.now - item.at > NEWS_FOR:
            return None
        muted = view.muted and item.sentence.key == "say.reacted.them"
        if item.sentence.key not in _SILENT and not muted and not item.sentence.key.startswith("say.hidden"):
            return item.sentence
    return None


def _news_line(view: View) -> str:
    news = _news(view)
    if news is None:
        return ""
    text = view.words.tell(news)
    if news.key != "say.recap.score":
        return text
    recap = next((item.sentence for item in reversed(view.model.news) if item.sentence.key == "say.recap"), None)
    return f"{view.words.tell(recap)} {text}" if recap else text


def _corner(view: View) -> str:
    """Return what is worth a word beside the keys: silence asked for, else how fast the line is."""
    if view.muted:
        return view.words("tui.muted")
    lag = view.model.link.lag
    if lag is None or not view.model.link.up:
        return ""
    return view.words("word.lag.good" if lag < 300 else "word.lag.slow")
