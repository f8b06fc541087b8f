"""One seat in words and colour: who sits there, what she is doing, her clock and her pile; it draws no card face."""

from dataclasses import dataclass

from twoseat.wire import Driver, Seat
from twoseat_client.screen.canvas import Canvas, Style, cut
from twoseat_client.screen.cards import Owner, clock
from twoseat_client.screen.view import View
from twoseat_client.table import ONLINE, Table, at_war
from twoseat_client.text import Sentence, minutes, say

CLOCK_WIDTH = 16


@dataclass(frozen=True, slots=True)
class Standing:
    """A seat in words: `badge` is set apart from the rest, `short` for a narrow row, `hot` where it is her draw."""

    state: Sentence | None
    short: Sentence | None = None
    badge: Sentence | None = None
    hot: bool = False


def owner(table: Table, seat: Seat) -> Owner:
    """Return whose colour the seat has: below is `you`, also for one who watches."""
    return "you" if seat == table.bottom else "them"


def name(view: View, table: Table, seat: Seat) -> str:
    """Return what this client calls the seat."""
    if seat == table.mine:
        return view.words("word.you")
    called = table.name(seat)
    return called if isinstance(called, str) else view.words.tell(called)


def standing(view: View, table: Table, seat: Seat) -> Standing:
    """Return what the seat is doing, the most important thing only."""
    chair = table.chair(seat)
    if chair is None or table.state is None:
        return Standing(None)
    by_choice = table.chosen_bot(seat)
    badge = say("word.state.bot") if chair.driver is Driver.BOT and not by_choice else None
    if table.phase == "over":
        here = chair.present or by_choice
        return Standing(say("word.state.here" if here else "word.state.away"))
    if chair.back:
        return Standing(say("word.state.back"), say("tui.back"), badge)
    if not chair.present and not by_choice:
        left = table.remaining(seat, view.now)
        if left is not None and chair.driver is Driver.HUMAN and view.model.link.up:
            time = minutes(left)
            return Standing(say("tui.away_bot_in", time=time), say("word.state.bot_in", time=time))
        return Standing(say("word.state.away"), badge=badge)
    if table.phase != "playing":
        return Standing(say("word.state.waits"), badge=badge)
    if table.owes(seat):
        mine = seat == table.mine and chair.driver is Driver.HUMAN
        if table.seated.options.game == ONLINE:
            return Standing(say("tui.online.your_turn" if mine else "tui.online.their_turn"), badge=badge, hot=True)
        return Standing(say("tui.your_draw") if mine else say("word.state.draws"), badge=badge, hot=True)
    drawn = table.seated.options.game != ONLINE and at_war(table.state).drawn[seat]
    return Standing(say("word.state.drawn" if drawn else "word.state.waits"), badge=badge)


def draw_seat(canvas: Canvas, view: View, table: Table, seat: Seat, y: int, *, full: bool) -> None:
    """Draw a seat on row y, over the whole width; `full` takes a second row and shows more."""
    colour = owner(table, seat)
    stands = standing(view, table, seat)
    right = _pile(canvas, view, table, seat, y, full=full)
    x = canvas.put(1, y, cut(name(view, table, seat), max(6, right - 18)), Style(colour, bold=True))
    ink = Style(colour if stands.hot else "mute", bold=stands.hot)
    if full:
        if stands.badge is not None:
            left, close = view.signs.badge
            canvas.put(x + 1, y, f"{left}{view.words.tell(stands.badge)}{close}", Style(colour, bold=True))
        x = canvas.put(1, y + 1, view.words.tell(stands.state) if stands.state else "", ink)
        draw_clock(canvas, view, table, seat, x + 2, y + 1, CLOCK_WIDTH)
        return
    if stands.badge is not None and stands.short is None:
        x = canvas.put(x + 1, y, view.words.tell(stands.badge), Style(colour))
    state = stands.short or stands.state
    x = canvas.put(x + 1, y, view.signs.dot, Style("line"))
    x = canvas.put(x + 1, y, cut(view.words.tell(state) if state else "", right - x - 2), ink)
    if stands.hot:
        width = min(8, right - x - 8)
        draw_clock(canvas, view, table, seat, x + 1, y, width if width >= 4 else 0)


def draw_clock(canvas: Canvas, view: View, table: Table, seat: Seat, x: int, y: int, width: int) -> None:
    """Draw what is left of a person's clock: a bar of this width, and the time."""
    left, options = table.remaining(seat, view.now), table.seated.options
    chair = table.chair(seat)
    if left is None or chair is None or chair.driver is Driver.BOT or not chair.present:
        return  # an away seat's time is in its words already
    whole = options.turn_seconds * 1000 * max(1, options.timer)
    sure = view.model.link.up and not view.model.degraded
    urgent = sure and left < 5_000
    ink = "war" if urgent else owner(table, seat)
    if width:
        clock(canvas, x, y, width, left / whole if sure else 0.0, ink, "paper", view.signs)
        x += width + 1
    canvas.put(x, y, minutes(left) if sure else "?", Style(ink, bold=urgent))


def _pile(canvas: Canvas, view: View, table: Table, seat: Seat, y: int, *, full: bool) -> int:
    """Draw the number of cards and the thickness of the pile at the right edge, and return where it begins."""
    if table.state is None:
        return canvas.width
    count = at_war(table.state).counts[seat]
    colour = owner(table, seat)
    right = canvas.width - 1
    if full:
        right = canvas.put_right(right, y, view.words("word.cards", count=count), Style(colour, bold=True))
        thickness = -(-count // 4)
        canvas.put_right(canvas.width - 1, y + 1, view.signs.pile * thickness, Style(colour))
        return right
    return canvas.put_right(right, y, f"{view.signs.pile}{count}", Style(colour, bold=True))
