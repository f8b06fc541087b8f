"""What the terminal shows, as a pure function of a View and a size; it knows no terminal and no socket."""

from twoseat_client.screen.board import draw_table
from twoseat_client.screen.campaign import draw_campaign
from twoseat_client.screen.campaign_log import draw_log
from twoseat_client.screen.canvas import Canvas, Style
from twoseat_client.screen.history import draw_rounds, opened
from twoseat_client.screen.places import (
    draw_help,
    draw_menu,
    draw_no_line,
    draw_panel_keys,
    draw_question,
    draw_waiting,
)
from twoseat_client.screen.view import Panel, View
from twoseat_client.table import ONLINE

SMALLEST = (40, 12)
"""Columns and rows everything fits in."""


def draw(view: View, width: int, height: int) -> Canvas:
    """Return the screen; below SMALLEST it asks for a larger window."""
    canvas = Canvas(max(1, width), max(1, height))
    if width < SMALLEST[0] or height < SMALLEST[1]:
        canvas.put(0, 0, view.words("tui.too_small", width=SMALLEST[0], height=SMALLEST[1]))
        return canvas
    model = view.model
    if view.panel is Panel.HELP:
        draw_help(canvas, view)
    elif view.panel is Panel.ROUNDS:
        opened_table, _ = opened(view)
        if opened_table is not None and opened_table.seated.options.game == ONLINE:
            draw_log(canvas, view, opened_table)
        else:
            draw_rounds(canvas, view)
        draw_panel_keys(canvas, view, *((("←→", "tui.key.games", ""),) if model.games else ()))
    elif not view.sitting:
        draw_menu(canvas, view)
    elif model.link.stopped or (model.table is None and model.waiting is None):
        draw_no_line(canvas, view)
    elif model.table is not None:
        (draw_campaign if model.table.seated.options.game == ONLINE else draw_table)(canvas, view, model.table)
    elif model.waiting is not None:
        draw_waiting(canvas, view, model.waiting)
    if view.panel in {Panel.LEAVE, Panel.RESIGN}:
        draw_question(canvas, view)
    if view.closing:
        canvas.fill(0, height - 1, width, 1, Style("on_war", "war"))
        canvas.put(1, height - 1, view.words("tui.interrupt_short"), Style("on_war", "war", bold=True))
    return canvas
