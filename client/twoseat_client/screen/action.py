"""The one thing to do now: the button with its key, or why there is none; a function of the view that draws one row."""

from dataclasses import dataclass

from rich.cells import cell_len

from twoseat.wire import Driver
from twoseat_client.screen.canvas import Canvas, Style, cut
from twoseat_client.screen.view import View
from twoseat_client.table import ONLINE, Table
from twoseat_client.text import Sentence, minutes, say

_LABELS = {"draw": "tui.draw", "turn": "tui.turn"}


@dataclass(frozen=True, slots=True)
class Button:
    """What can be done (`key` set) or why nothing can; `hint` stands beside."""

    label: Sentence
    key: str = ""
    action: str = ""
    hint: Sentence | None = None
    short: Sentence | None = None
    """The label where there is little room."""


def button(view: View, table: Table) -> Button:
    """Return the button of this moment."""
    model = view.model
    if not model.link.up:
        return Button(say("say.reconnecting", n=max(1, model.link.attempt)), "t", "retry", say("tui.try_now"))
    if model.degraded:
        return Button(say("say.degraded.on"), short=say("tui.storage"))
    if table.phase == "over":
        return _after(view, table)
    if table.mine is None:
        return Button(say("tui.watching"))
    across = table.name(table.top)
    if table.phase == "paused":
        return Button(say("say.paused"))
    if table.phase == "waiting":
        return Button(say("tui.waiting_for", name=across))
    chair = table.chair(table.mine)
    if table.kept_by_bot:
        return Button(say("tui.take_back"), "Space", "draw", say("say.bot.me"))
    if chair is not None and chair.driver is Driver.BOT:
        return Button(say("say.back.me"), short=say("tui.back_me"))
    if table.open_moves and table.seated.options.game != ONLINE:
        more = say("tui.ten") if "turn 10" in table.open_moves else say("tui.hold")
        return Button(say(_LABELS[table.open_moves[0]]), "Space", "draw", more)
    if table.sent is not None:
        return Button(say("tui.sending"))
    if table.seated.options.game == ONLINE:
        return Button(say("tui.online.wait", name=across))
    return Button(say("say.turn.them", name=across))


def _after(view: View, table: Table) -> Button:
    if table.state is None or table.mine is None:
        return Button(say("tui.over"))
    mine, theirs = table.state.chairs[table.mine], table.state.chairs[table.top]
    name = table.name(table.top)
    hint, ask = None, "say.next" if table.goes_on else "say.rematch"
    if table.state.next_in is not None:
        left = max(0, table.state.next_in - (view.now - table.heard))
        hint = say("say.series.next", n=table.seated.series.game + 1, time=minutes(left))
    if mine.rematch:
        return Button(say(f"{ask}.me"), hint=hint)
    if theirs.rematch:
        accept = say("tui.next_game" if table.goes_on else "tui.accept")
        return Button(accept, "m", "rematch", say(f"{ask}.them", name=name))
    if not table.goes_on and not theirs.present and not table.chosen_bot(table.top):
        return Button(say("say.rematch.gone", name=name), hint=hint)
    return Button(say("tui.next_game" if table.goes_on else "tui.rematch"), "m", "rematch", hint)


def draw_action(canvas: Canvas, view: View, table: Table, y: int) -> int:
    """Draw the button on row y and return the column after it."""
    now = button(view, table)
    label = view.words.tell(now.label)
    if now.short is not None and cell_len(label) > canvas.width - 2:
        label = view.words.tell(now.short)
    if not now.key:
        x = canvas.put(1, y, cut(label, canvas.width - 2), Style("mute"))
    else:
        style = Style("on_button", "button", bold=True, action=now.action)
        key = view.words("tui.space") if now.key == "Space" else now.key
        left, right = ("[", "]") if not view.signs.blocks else (" ", " ")
        x = canvas.put(1, y, f"{left}{key}  {label}{right}", style)
    if now.hint is not None:
        hint = view.words.tell(now.hint)
        if x + 2 + cell_len(hint) < canvas.width:
            x = canvas.put(x + 2, y, hint, Style("mute"))
    return x


Key = tuple[str, str, str]
"""A key, the catalogue's word for it, and what a click on it means."""


def table_keys(table: Table) -> tuple[Key, ...]:
    """Return the keys that do something at this table, the most needed first."""
    resign = (("x", "tui.key.resign", "resign"),) if table.mine is not None and table.results is None else ()
    return (
        ("r", "tui.key.rounds", "rounds"),
        ("h", "tui.key.help", "help"),
        ("q", "tui.key.leave", "leave"),
        ("l", "tui.key.language", "language"),
        ("c", "tui.key.colours", "colours"),
        *resign,
    )


def draw_keys(canvas: Canvas, view: View, x: int, y: int, end: int, keys: tuple[Key, ...]) -> None:
    """Draw as many `key word` as fit between x and `end` on row y."""
    for key, word, action in keys:
        label = view.words(word)
        if x + len(key) + 1 + len(label) > end:
            return
        x = canvas.put(x, y, key, Style("ink", bold=True, action=action))
        x = canvas.put(x + 1, y, label, Style("mute", action=action)) + 2
