"""War Online's finished turns on a page of their own: who ended it and why, objectives, a chart, every battle."""

from collections.abc import Iterator

from twoseat.wire import BattleLine, Driver, Turn
from twoseat_client.atlas import called, percent
from twoseat_client.rounds import reason, verdict
from twoseat_client.screen.action import draw_action
from twoseat_client.screen.canvas import Canvas, Style, cut, wrapped
from twoseat_client.screen.cards import ribbon
from twoseat_client.screen.seat import name
from twoseat_client.screen.view import View
from twoseat_client.table import Table
from twoseat_client.turns import objectives

_CHART = 4
_TERRITORIES = 42
Line = tuple[str, Style]


def draw_log(canvas: Canvas, view: View, table: Table) -> None:
    """Draw the page: the newest turn last, scrolled from the end."""
    width = canvas.width - 2
    y = _head(canvas, view, table, width)
    if canvas.height >= 20 and len(table.turns) > 1:
        counts = [turn.territories[table.bottom] for turn in table.turns]
        canvas.put(1, y, cut(view.words("tui.online.chart"), width), Style("mute"))
        ribbon(canvas, (1, y + 1, width, _CHART), counts, _TERRITORIES, "paper", view.signs)
        y += _CHART + 2
    if table.results is not None and view.tab == 0:
        draw_action(canvas, view, table, canvas.height - 2)
    room = canvas.height - y - 2
    lines = [line for turn in table.turns for line in _turn(view, table, turn, width)]
    end = len(lines) - canvas.scrolled(view.scroll, len(lines), room)
    for row, (text, style) in enumerate(lines[max(0, end - room) : end]):
        canvas.put(1, y + row, text, style)


def _head(canvas: Canvas, view: View, table: Table, width: int) -> int:
    if table.results is None:
        canvas.put(1, 0, cut(view.words("tui.online.turns"), width), Style(bold=True))
        return 2
    outcome = table.results.outcome
    ink = "ink" if outcome.winner is None else ("you" if outcome.winner == table.bottom else "them")
    parts = (verdict(table, table.results), reason(table, outcome))
    ended = f" {view.signs.dot} ".join(map(view.words.tell, parts))
    canvas.put(1, 0, cut(ended, width), Style(ink, bold=True))
    y = 1
    for sentence in objectives(table):
        for line in wrapped(view.words.tell(sentence), width):
            canvas.put(1, y, line, Style("mute"))
            y += 1
    return y + (canvas.height >= 20)


def _turn(view: View, table: Table, turn: Turn, width: int) -> Iterator[Line]:
    mine, theirs = table.bottom, table.top
    bot = turn.by is Driver.BOT and not table.chosen_bot(turn.seat)
    who = name(view, table, turn.seat) + (f" ({view.words('word.driver.bot')})" if bot else "")
    text = view.words(
        "tui.online.turn",
        n=turn.round,
        name=who,
        territories=f"{turn.territories[mine]}:{turn.territories[theirs]}",
        armies=f"{turn.armies[mine]}:{turn.armies[theirs]}",
        luck=f"{turn.luck:+.1f}",
    )
    ink = Style("you" if turn.seat == mine else "them", bold=True)
    yield from ((line, ink) for line in wrapped(text, width))
    for battle in turn.battles:
        yield from ((f"  {line}", Style("mute")) for line in wrapped(_battle(view, battle), width - 2))


def _battle(view: View, battle: BattleLine) -> str:
    source, target = (called(view.words, place) for place in (battle.source, battle.target))
    return view.words(
        "tui.online.battle",
        source=source,
        target=target,
        before=f"{battle.attackers}:{battle.defenders}",
        lost=f"{battle.lost[0]}:{battle.lost[1]}",
        chance=percent(battle.chance),
        luck=f"{battle.luck:+.1f}",
    )
