"""The rounds so far: beside the table, on a page of their own, and after the game with faces; it draws no table."""

from twoseat.wire import Driver, Round
from twoseat_client.rounds import halves, reason, verdict
from twoseat_client.screen.action import draw_action
from twoseat_client.screen.canvas import Canvas, Style, cut
from twoseat_client.screen.cards import ribbon
from twoseat_client.screen.seat import name
from twoseat_client.screen.view import View
from twoseat_client.table import Table


def draw_side(canvas: Canvas, view: View, table: Table, x: int, y: int, height: int) -> None:
    """Draw ribbon and newest rounds in the column from x to the right edge."""
    width = canvas.width - x - 1
    canvas.put(x, y, cut(view.words("tui.ribbon"), width), Style("mute"))
    curve = 3 + (height - 15) // 6
    _ribbon(canvas, view, table, (x, y + 1, width, curve))
    top = y + curve + 3
    canvas.put(x, top - 1, cut(view.words("tui.rounds"), width), Style("mute"))
    for row, done in enumerate(reversed(table.rounds[top - y - height :])):
        _line(canvas, view, table, done, x, top + row, width)


def _ribbon(canvas: Canvas, view: View, table: Table, area: tuple[int, int, int, int]) -> None:
    total = sum(table.rounds[0].counts) if table.rounds else 2
    counts = [total // 2, *(done.counts[table.bottom] for done in table.rounds)]
    ribbon(canvas, area, counts, total, "paper", view.signs)


def _line(canvas: Canvas, view: View, table: Table, done: Round, x: int, y: int, width: int) -> None:
    end = x + width
    canvas.put_right(x + 3, y, str(done.n), Style("mute"))
    war = _war(view, done.wars)
    left = canvas.put_right(end, y, war, Style("war", bold=True)) if war else end
    if done.winner is None:
        canvas.put(x + 4, y, view.signs.rule, Style("mute"))
        return
    winner = name(view, table, done.winner)
    bot = f" · {view.words('word.driver.bot')}" if _by_bot(table, done) else ""
    ink = Style("you" if done.winner == table.bottom else "them")
    canvas.put(x + 4, y, cut(winner + bot, left - x - 5), ink)


def _by_bot(table: Table, done: Round) -> bool:
    return any(done.by[seat] is Driver.BOT and not table.seated.bots[seat] for seat in (0, 1))


def _war(view: View, wars: int) -> str:
    if not wars:
        return ""
    return view.words("word.war" if wars == 1 else "word.war.many", n=wars).lower()


def opened(view: View) -> tuple[Table | None, int]:
    """Return the table whose rounds are open and the number of games that can be."""
    model = view.model
    games = (*model.games, model.table) if model.table is not None else model.games
    if not games:
        return None, 0
    return games[max(0, len(games) - 1 - view.tab)], len(games)


def draw_rounds(canvas: Canvas, view: View) -> None:
    """Draw the page of one game: verdict or score, ribbon, and every round, the newest last; scrolled from the end."""
    table, games = opened(view)
    if table is None:
        return
    y = _head(canvas, view, table, games)
    if canvas.height >= 18:
        _ribbon(canvas, view, table, (1, y, canvas.width - 2, 4))
        y += 5
    y = _columns(canvas, view, table, y)
    room = canvas.height - y - 2
    if table.results is not None and view.tab == 0:
        draw_action(canvas, view, table, canvas.height - 2)
    back = canvas.scrolled(view.scroll, len(table.rounds), room)
    start = max(0, len(table.rounds) - room - back)
    for row, done in enumerate(table.rounds[start : start + room]):
        _wide_line(canvas, view, table, done, y + row)


def _head(canvas: Canvas, view: View, table: Table, games: int) -> int:
    width = canvas.width - 2
    results = table.results
    if results is None:
        canvas.put(1, 0, cut(view.words("tui.rounds"), width), Style(bold=True))
        score = f"{table.won(table.bottom)} : {table.won(table.top)}"
        canvas.put_right(canvas.width - 1, 0, score, Style(bold=True))
        return 2
    winner = results.outcome.winner
    ink = "ink" if winner is None else ("you" if winner == table.bottom else "them")
    canvas.put(1, 0, cut(view.words.tell(verdict(table, results)), width), Style(ink, bold=True))
    parts = [view.words.tell(reason(table, results.outcome))]
    parts.append(view.words("word.wars", count=sum(done.wars for done in table.rounds)))
    parts += [share for seat in (table.bottom, table.top) if (share := _share(view, table, seat))]
    if games > 1 or results.series.best_of > 1:
        games_won = results.series.score
        tally = f"{halves(games_won[table.bottom])} : {halves(games_won[table.top])}"
        parts.append(view.words("tui.games", score=tally))
        if games > 1:
            parts.append(view.words("tui.game_of", n=games - min(view.tab, games - 1), count=games))
    canvas.put(1, 1, cut(" · ".join(parts), width), Style("mute"))
    return 3


def _share(view: View, table: Table, seat: int) -> str:
    """Return how much of a person's game the bot played, empty for nothing."""
    bots = sum(done.by[seat] is Driver.BOT for done in table.rounds)
    if not bots or table.seated.bots[seat]:
        return ""
    share = round(100 * bots / len(table.rounds))
    if seat == table.mine:
        return view.words("tui.bot_share_me", share=share)
    return view.words("tui.bot_share", name=name(view, table, 1 if seat else 0), share=share)


def _columns(canvas: Canvas, view: View, table: Table, y: int) -> int:
    """Draw the heads of the columns where there is room, and return the row below."""
    if canvas.height < 16:
        return y
    x = 1
    for word, width in _widths(view, table, canvas.width):
        canvas.put(x, y, cut(word, width - 1), Style("mute"))
        x += width
    return y + 1


def _widths(view: View, table: Table, width: int) -> list[tuple[str, int]]:
    mine, theirs = (cut(name(view, table, seat), 12) for seat in (table.bottom, table.top))
    counts = view.words("tui.col.cards")
    wide = [("", 4), (view.words("tui.col.first"), 13), (mine, 13), (theirs, 13), (counts, 9)]
    short = [("", 4), (mine, 9), (theirs, 9), (counts, 9)]
    return wide if width >= 64 else short


def _wide_line(canvas: Canvas, view: View, table: Table, done: Round, y: int) -> None:
    you, them = table.bottom, table.top
    canvas.put_right(4, y, str(done.n), Style("mute"))
    x = 5
    if canvas.width >= 64:
        starter = "" if done.starter is None else name(view, table, done.starter)
        canvas.put(x, y, cut(starter, 12), Style("mute"))
        x += 13
    step = 13 if canvas.width >= 64 else 9
    for seat in (you, them):
        won = done.winner == seat
        mark = view.signs.point if won else " "
        card = _card(view, done, seat)
        bot = done.by[seat] is Driver.BOT and not table.seated.bots[seat]
        text = f"{mark} {card}{' ' + view.words('word.driver.bot') if bot else ''}"
        canvas.put(x, y, cut(text, step - 1), Style("you" if seat == you else "them", bold=won))
        x += step
    canvas.put(x, y, f"{done.counts[you]}:{done.counts[them]}", Style("mute"))
    war = _war(view, done.wars)
    canvas.put(x + 9, y, cut(war, canvas.width - x - 9), Style("war", bold=True))


def _card(view: View, done: Round, seat: int) -> str:
    if done.cards is None:
        return "" if done.winner != seat else view.signs.full
    card = done.cards[seat]
    return f"{card[:-1]}{view.signs.suits[card[-1]]}"
