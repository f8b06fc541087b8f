"""What a key means at each place: a pure function from view and key to the next view and an order."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from pydantic import BaseModel

from twoseat import wire
from twoseat_client.command_line import Typed, press_key
from twoseat_client.screen.menu import Menu, Row
from twoseat_client.screen.places import next_language
from twoseat_client.screen.view import Panel, View
from twoseat_client.sitting import Action
from twoseat_client.table import ONLINE
from twoseat_client.text import Words


class Order(StrEnum):
    """What only the terminal program itself can do."""

    RESUME = "resume"
    AGAIN = "again"
    """Come back to the seat or place that was lost, on a new line."""
    MENU = "menu"
    CLOSE = "close"
    """Quit and keep the seat."""
    INTERRUPT = "interrupt"
    COLOURS = "colours"


@dataclass(frozen=True, slots=True)
class Begin:
    """Sit down with this request."""

    request: BaseModel


Command = Order | Action | Begin | Typed | None
Pressed = tuple[View, Command]

_CYRILLIC = dict(zip("рхлцьжямтбкъу", "rhlcxxqmtbkyu", strict=True))
"""The letters under our keys on a Bulgarian phonetic keyboard."""
_PAGE = 10
_CALLS = (Action.HELLO, Action.WELL_PLAYED, Action.OUCH, Action.THANKS)
_STEPS = {"up": -1, "down": 1, "pageup": -_PAGE, "pagedown": _PAGE, "home": -10_000, "end": 10_000}


def press(view: View, key: str, letter: str | None = None) -> Pressed:
    """Return what follows when `key` (a name such as `space` or `q`; `letter` what it types) is pressed."""
    if key == "ctrl+c":
        return (view, Order.INTERRUPT) if view.closing else (replace(view, closing=True), None)
    view = replace(view, closing=False)
    if view.panel is Panel.NONE and not view.sitting:
        return _menu(view, key, letter)
    table = view.model.table
    if view.panel is Panel.NONE and table is not None and table.seated.options.game == ONLINE and view.model.link.up:
        return press_key(view, table, key, letter)
    key = _CYRILLIC.get(letter or "", key)
    if view.panel in {Panel.LEAVE, Panel.RESIGN}:
        return _answer(view, key)
    if view.panel is not Panel.NONE:
        return _page(view, key)
    if key in {"l", "f2"}:
        return _translated(view), None
    if key in {"h", "question_mark", "f1"}:
        return replace(view, panel=Panel.HELP, scroll=0), None
    if key == "c":
        return view, Order.COLOURS
    if view.model.link.stopped or (view.model.table is None and view.model.waiting is None):
        return _no_line(view, key)
    return _waiting(view, key) if view.model.table is None else _table(view, key)


_IN_MENU: dict[str, Callable[[Menu], Menu]] = {
    "up": lambda menu: menu.move(-1),
    "shift+tab": lambda menu: menu.move(-1),
    "down": lambda menu: menu.move(1),
    "tab": lambda menu: menu.move(1),
    "left": lambda menu: menu.change(-1),
    "right": lambda menu: menu.change(1),
    "backspace": lambda menu: menu.rub_out(),
}
_MENU_ORDERS: dict[str, Command] = {"escape": Order.CLOSE, "q": Order.CLOSE, "c": Order.COLOURS}


def _menu(view: View, key: str, letter: str | None) -> Pressed:
    menu = view.menu
    if key in _IN_MENU:
        return replace(view, menu=_IN_MENU[key](menu)), None
    if key == "enter" or (key == "space" and not menu.typing):
        return _chosen(view)
    if menu.typing and letter and letter.isprintable():
        return replace(view, menu=menu.type(letter)), None
    key = _CYRILLIC.get(letter or "", key)
    if key in {"f1", "h", "question_mark"}:
        return replace(view, panel=Panel.HELP, scroll=0), None
    if key in {"f2", "l"}:
        return _translated(view), None
    return view, _MENU_ORDERS.get(key)


def _translated(view: View) -> View:
    return replace(view, words=Words(next_language(view.words.lang)))


def _chosen(view: View) -> Pressed:
    menu = view.menu
    if menu.at is Row.RESUME:
        return view, Order.RESUME
    request = menu.request()
    if request is not None:
        return view, Begin(request)
    if menu.at is Row.JOIN:
        return replace(view, menu=replace(menu, problem=view.words("tui.about.join"))), None
    return replace(view, menu=menu.change(1)), None


def _answer(view: View, key: str) -> Pressed:
    asked, view = view.panel, replace(view, panel=Panel.NONE)
    if key == "y":
        return view, Action.RESIGN if asked is Panel.RESIGN else Action.LEAVE
    if key == "k" and asked is Panel.LEAVE:
        return view, Order.CLOSE
    return view, None


def _page(view: View, key: str) -> Pressed:
    if key in _STEPS:
        # The rounds are scrolled from their end, so that the newest are seen first.
        step = _STEPS[key] if view.panel is Panel.HELP else -_STEPS[key]
        return replace(view, scroll=max(0, view.scroll + step)), None
    if key in {"left", "right"} and view.panel is Panel.ROUNDS:
        games = len(view.model.games)
        tab = max(0, min(games, view.tab + (1 if key == "left" else -1)))
        return replace(view, tab=tab, scroll=0), None
    if key in {"l", "f2"}:
        return _translated(view), None
    table = view.model.table
    if key in {"escape", "q", "enter", "r" if view.panel is Panel.ROUNDS else "h"} or key in {"f1", "f3"}:
        return replace(view, panel=Panel.NONE, scroll=0, tab=0), None
    if table is None or view.panel is Panel.HELP:
        return view, None
    if key == "m" and table.results is not None:
        return view, Action.REMATCH
    if key == "space" and table.results is None and table.seated.options.game != ONLINE:
        return _table(replace(view, panel=Panel.NONE, scroll=0, tab=0), key)
    return view, Action.RETURN if table.kept_by_bot else None


def _no_line(view: View, key: str) -> Pressed:
    if key in {"q", "escape"}:
        return view, Order.MENU
    if key in {"enter", "space", "t"}:
        return view, Order.AGAIN if view.model.link.stopped else Action.RETRY
    return view, None


def _waiting(view: View, key: str) -> Pressed:
    if key in {"q", "escape"}:
        return view, Action.CANCEL if view.model.link.up else Order.MENU
    if key == "b" and view.model.waiting is not None:
        return view, Begin(wire.Bot(type="bot", terms=view.menu.terms()))
    if key == "t":
        return view, Action.RETRY
    return view, None


def _table(view: View, key: str) -> Pressed:
    table = view.model.table
    if table is None:
        return view, None
    running = table.mine is not None and table.results is None
    match key:
        case "space" | "enter" if running:
            return view, Action.DRAW
        case "0" if running:
            return view, Action.TURN_TEN
        case "r":
            return replace(view, panel=Panel.ROUNDS, scroll=0, tab=0), None
        case "x" if running:
            return replace(view, panel=Panel.RESIGN), None
        case "q":
            return (replace(view, panel=Panel.LEAVE), None) if running else (view, Action.LEAVE)
        case "m" if table.mine is not None:
            return view, Action.REMATCH
        case "t" if not view.model.link.up:
            return view, Action.RETRY
        case "1" | "2" | "3" | "4" if table.mine is not None:
            return view, _CALLS[int(key) - 1]
        case "u":
            return replace(view, muted=not view.muted), None
        case _:
            return view, Action.RETURN if table.kept_by_bot else None
