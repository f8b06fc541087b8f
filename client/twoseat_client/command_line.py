"""What a key means at a War Online table, where moves are typed; pure, as keys.py is."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from twoseat_client.orders import completed
from twoseat_client.screen.places import next_language
from twoseat_client.screen.view import Panel, View
from twoseat_client.sitting import Action
from twoseat_client.table import Table
from twoseat_client.text import Words

LONGEST = 60
_PAGE = 5
_ASKED = {Action.RESIGN: Panel.RESIGN, Action.LEAVE: Panel.LEAVE}
_ACTIONS = {action.value: action for action in Action}
_OVER = {"m": Action.REMATCH, "q": Action.LEAVE}


@dataclass(frozen=True, slots=True)
class Typed:
    """A line to be carried out at the table."""

    text: str


def press_key(view: View, table: Table, key: str, letter: str | None) -> tuple[View, "Action | Typed | None"]:
    """Return what follows when `key` (`letter`: what it types) is pressed."""
    if table.kept_by_bot:
        return view, Action.RETURN
    if table.results is not None and not view.line and key in _OVER:
        return view, _OVER[key]
    match key:
        case "enter":
            return _entered(view, table)
        case "tab":
            return _completed(view, table), None
        case "backspace":
            return replace(view, line=view.line[:-1], offers=()), None
        case "escape":
            return _escaped(view, table)
        case _ if key in _LOOKS:
            return _LOOKS[key](view), None
        case _ if letter is not None and letter.isprintable():
            return replace(view, line=(view.line + letter)[:LONGEST], offers=()), None
        case _:
            return view, None


_LOOKS: dict[str, Callable[[View], View]] = {
    "up": lambda view: replace(view, scroll=max(0, view.scroll - 1)),
    "down": lambda view: replace(view, scroll=view.scroll + 1),
    "pageup": lambda view: replace(view, scroll=max(0, view.scroll - _PAGE)),
    "pagedown": lambda view: replace(view, scroll=view.scroll + _PAGE),
    "f1": lambda view: replace(view, panel=Panel.HELP, scroll=0),
    "f2": lambda view: replace(view, words=Words(next_language(view.words.lang))),
    "f3": lambda view: replace(view, panel=Panel.ROUNDS, scroll=0, tab=0),
    "f4": lambda view: replace(view, sketch=not view.sketch),
}


def _entered(view: View, table: Table) -> tuple[View, "Action | Typed | None"]:
    text = " ".join(view.line.lower().split())
    view = replace(view, line="", offers=(), answer=(), scroll=0)
    if text in {"help", "?"}:
        return replace(view, panel=Panel.HELP), None
    action = _ACTIONS.get(text)
    if action in _ASKED and table.mine is not None and table.results is None:
        return replace(view, panel=_ASKED[action]), None
    if action is not None:
        return view, action
    return view, Typed(text) if text else None


def _completed(view: View, table: Table) -> View:
    found = completed(view.line, table.open_moves, view.words)
    before, space, _ = view.line.rpartition(" ")
    if len(found) == 1:
        return replace(view, line=f"{before}{space}{found[0]} "[:LONGEST], offers=())
    return replace(view, offers=tuple(found))


def _escaped(view: View, table: Table) -> tuple[View, "Action | Typed | None"]:
    if view.line or view.answer:
        return replace(view, line="", offers=(), answer=(), scroll=0), None
    if table.mine is not None and table.results is None:
        return replace(view, panel=Panel.LEAVE), None
    return view, Action.LEAVE
