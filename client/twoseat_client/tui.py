"""The terminal as a screen: keys in, drawn rows out. What is drawn is screen's, what happens is the sitting's."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Coroutine
from dataclasses import replace

from pydantic import BaseModel
from rich.segment import Segment
from rich.style import Style as Ink
from textual import events
from textual.app import App, ComposeResult
from textual.strip import Strip
from textual.widget import Widget

from twoseat import wire
from twoseat_client.command_line import Typed
from twoseat_client.connection import Connection
from twoseat_client.events import Event
from twoseat_client.keys import Begin, Command, Order, press
from twoseat_client.lan import shared
from twoseat_client.model import Model
from twoseat_client.plan import Plan
from twoseat_client.resume import NothingToResume, Unanswered, open_line
from twoseat_client.screen import draw
from twoseat_client.screen.canvas import Canvas, Style
from twoseat_client.screen.look import PALETTES, Theme, guess_signs, guess_theme
from twoseat_client.screen.menu import Menu, Row
from twoseat_client.screen.view import Panel, View
from twoseat_client.sitting import (
    INTERRUPTED,
    OK,
    TERMINATED,
    UNREACHABLE,
    VERSION,
    Action,
    Ending,
    Sitting,
    stopped,
)
from twoseat_client.text import Words

FRAME = 0.1
"""Seconds between looks at the clock; rows are written only where they changed."""
EAGER = 0.7
"""Seconds for which one draw that came too early is remembered: a held Space repeats faster than that."""
_NEXT_THEME: dict[Theme, Theme] = {"dark": "light", "light": "dark", "none": "none"}


def run_screen(plan: Plan) -> Ending:
    """Play in full screen until the person quits. Re-raises what went wrong inside, with the terminal as it was."""
    theme, signs = guess_theme(os.environ), guess_signs(os.environ, sys.stdout.encoding or "")
    app = Screen(plan, theme)
    app.view = replace(app.view, signs=signs, calm=bool(os.environ.get("TWOSEAT_CALM")))
    ending = app.run()
    if app.bug is not None:
        raise app.bug
    return ending or Ending(OK)


class Board(Widget, can_focus=True):
    """The whole screen as one widget that shows a canvas."""

    canvas = Canvas(1, 1)
    theme: Theme = "dark"

    def render_line(self, y: int) -> Strip:
        """Return a row of the canvas."""
        if y >= self.canvas.height:
            return Strip.blank(self.size.width)
        return Strip([Segment(text, _ink(style, self.theme)) for text, style in self.canvas.runs(y)])


def _ink(style: Style, theme: Theme) -> Ink:
    palette = PALETTES[theme]
    if not palette:
        return Ink(bold=style.bold, reverse=style.paper in {"war", "button"})
    return Ink(color=palette[style.ink], bgcolor=palette[style.paper], bold=style.bold)


class Screen(App[Ending], inherit_bindings=False):
    """Turns keys into orders and carries them out."""

    CSS = "Screen { overflow: hidden; } Board { width: 100%; height: 100%; }"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, plan: Plan, theme: Theme) -> None:
        super().__init__(ansi_color=theme == "none")
        self.bug: BaseException | None = None
        unfinished = plan.tokens.unfinished()
        menu = Menu(
            game=plan.terms.game,
            level=plan.terms.level or "middle",
            preset=plan.terms.preset or "points",
            target=plan.terms.target or 50,
            games=plan.terms.games,
            timer=plan.terms.timer,
            name=plan.name or "",
            resume=unfinished[0].code if unfinished else None,
            at=Row.RESUME if unfinished else Row.QUICK,
        )
        self.view = View(Model(), Words(plan.lang), menu=menu)
        self._plan = plan
        self._colours = theme
        self.board = Board()
        self.board.theme = theme
        self._sitting: Sitting | None = None
        self._course: asyncio.Task[None] | None = None
        """The sitting from its first word to its end; there is one at most."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._eager_until = 0.0

    def compose(self) -> ComposeResult:
        """Yield the one widget."""
        yield self.board

    def on_mount(self) -> None:
        """Begin what the command line asked for, or show the menu."""
        self.board.focus()
        loop = asyncio.get_running_loop()
        if sys.platform != "win32" and not self.is_headless:
            loop.add_signal_handler(signal.SIGINT, self._press, "ctrl+c", None)
            for number in (signal.SIGTERM, signal.SIGHUP):
                loop.add_signal_handler(number, lambda: self.exit(Ending(TERMINATED)))
        self.set_interval(FRAME, self._tick)
        plan = self._plan
        if plan.begin is not None or plan.resume:
            self._start(self._open(plan))
        self._redraw()

    def on_key(self, event: events.Key) -> None:
        """Take a key."""
        event.stop()
        self._press(event.key, event.character)

    def on_paste(self, event: events.Paste) -> None:
        """Take a pasted code or name letter by letter."""
        for letter in event.text[:40]:
            if letter.isprintable() and (not self.view.sitting or self.view.line):
                self._press(letter, letter)

    def on_click(self, event: events.Click) -> None:
        """Take a click on a button or a key's name."""
        action = self.board.canvas.action_at(event.x, event.y)
        kind, _, value = action.partition(":")
        if kind == "menu":
            self.view = replace(self.view, menu=replace(self.view.menu, at=Row(value)))
            self._press("enter", None)
        elif action:
            self._press(value or _CLICKS[action], None)

    def on_resize(self) -> None:
        """Fit the new size."""
        self._redraw()

    def _press(self, key: str, letter: str | None) -> None:
        lang = self.view.words.lang
        self.view, command = press(self.view, key, letter)
        if self.view.words.lang != lang:
            self._prefer("lang", self.view.words.lang)
        self._carry_out(command)
        self._redraw()

    def _carry_out(self, command: Command) -> None:
        match command:
            case Order():
                self._obey(command)
            case Begin(request=request):
                self._begin(request)
            case Typed(text=text) if self._sitting is not None:
                self._run(self._order(self._sitting, text))
            case Action() if self._sitting is not None:
                table = self.view.model.table
                early = command is Action.DRAW and table is not None and not table.open_moves
                self._eager_until = time.monotonic() + EAGER if early else 0.0
                self._act(self._sitting, command)
            case _:
                pass

    def _obey(self, order: Order) -> None:
        match order:
            case Order.INTERRUPT:
                self.exit(Ending(INTERRUPTED))
            case Order.CLOSE:
                self.exit(Ending(OK))
            case Order.MENU:
                link = self.view.model.link
                if link.stopped and not link.ever:
                    self.exit(stopped(link.code, self._plan.server))
                self._to_menu("")
            case Order.COLOURS:
                self._colours = self.board.theme = _NEXT_THEME[self._colours]
                self.board.refresh()
            case Order.RESUME:
                self._start(self._open(replace(self._plan, code=self.view.menu.resume)))
            case Order.AGAIN:
                table = self.view.model.table
                code = table.seated.code if table is not None and table.mine is not None else None
                self._start(self._open(replace(self._plan, code=code)))

    def _begin(self, request: BaseModel) -> None:
        if self._sitting is not None and self.view.sitting:
            self._run(self._sitting.ask(request))
            return
        name = self.view.menu.name.strip() or None
        if name is not None:
            self._prefer("name", name)
        code = request.code if isinstance(request, wire.Join) else None
        self._plan = replace(self._plan, name=name, begin=request, code=code)
        self._start(self._open(self._plan))

    async def _open(self, plan: Plan) -> None:
        """Run one sitting from its first word to its end."""
        try:
            connection, begin = await open_line(plan)
        except Unanswered as error:
            link = replace(self.view.model.link, stopped=True, code=error.code)
            self.view = replace(self.view, model=replace(Model(), link=link), sitting=True)
            return
        except NothingToResume:
            self._to_menu(self.view.words("tui.nothing_to_resume"))
            return
        await self._sit(connection, begin)

    async def _sit(self, connection: Connection, begin: BaseModel | None) -> None:
        self._sitting = Sitting(connection, self._plan.server, self._plan.tokens, begin, self._heard)
        try:
            ending = await self._sitting.run()
        finally:
            self._sitting = None
        if self.view.model.link.stopped and ending.code in {OK, UNREACHABLE}:
            return
        if ending.code == VERSION:
            self.exit(ending)
        self._to_menu(self.view.words.tell(ending.why) if ending.why is not None else "")

    def _start(self, work: Coroutine[object, object, None]) -> None:
        self._stop()
        self.view = replace(self.view, model=Model(), sitting=True, panel=Panel.NONE, scroll=0, tab=0)
        self._course = self._watched(work)

    def _stop(self) -> None:
        """Break off the sitting, if there is one and it has not ended by itself; its seat is kept."""
        course, self._course = self._course, None
        if course is not None and course is not asyncio.current_task():
            course.cancel()

    def _heard(self, model: Model, happened: tuple[Event, ...]) -> None:
        names = {event.name for event in happened}
        onward = any(event.name == "seated" and not event.data["again"] for event in happened)
        view = replace(self.view, model=model, now=_now())
        if "waiting" in names and model.waiting is not None and model.waiting.code is not None:
            view = replace(view, link=shared(self._plan.server).link(model.waiting.code))
        if onward and view.panel is Panel.ROUNDS:
            view = replace(view, panel=Panel.NONE)
        if "result" in names:
            view = replace(view, panel=Panel.ROUNDS, scroll=0, tab=0)
        self.view = view
        self._draw_eagerly()
        self._redraw()

    def _draw_eagerly(self) -> None:
        table = self.view.model.table
        eager = time.monotonic() < self._eager_until
        if eager and self._sitting is not None and table is not None and table.open_moves:
            self._eager_until = 0.0
            self._act(self._sitting, Action.DRAW)

    def _to_menu(self, problem: str) -> None:
        self._stop()
        unfinished = self._plan.tokens.unfinished()
        menu = replace(self.view.menu, problem=problem, resume=unfinished[0].code if unfinished else None)
        if menu.at not in menu.rows:
            menu = replace(menu, at=Row.QUICK)
        self._plan = replace(self._plan, begin=None, code=None, resume=False)
        self.view = replace(self.view, model=Model(), menu=menu, sitting=False, panel=Panel.NONE)
        self._redraw()

    def _act(self, sitting: Sitting, action: Action) -> None:
        self._run(sitting.act(action))

    async def _order(self, sitting: Sitting, text: str) -> None:
        answer = await sitting.order(text, self.view.words)
        self.view = replace(self.view, answer=tuple(answer or ()), scroll=0)
        self._redraw()

    def _run(self, work: Coroutine[object, object, None]) -> None:
        self._tasks.add(self._watched(work))

    def _watched(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._handle_exception(error)  # type: ignore[arg-type]

    def _handle_exception(self, error: Exception) -> None:
        self.bug = self.bug or error
        self.exit(Ending(OK))

    def _prefer(self, name: str, value: str) -> None:
        try:
            self._plan.tokens.prefer(name, value)
        except OSError:
            self.view = replace(self.view, menu=replace(self.view.menu, problem=self.view.words("tui.unsaved")))

    def _tick(self) -> None:
        model = self._sitting.model if self._sitting is not None else self.view.model
        self.view = replace(self.view, model=model, now=_now())
        self._redraw()

    def _redraw(self) -> None:
        size = self.size
        canvas = draw(self.view, size.width, size.height)
        self.view = replace(self.view, scroll=min(self.view.scroll, canvas.deepest))
        if canvas != self.board.canvas:
            self.board.canvas = canvas
            self.board.refresh()


_CLICKS = {
    "draw": "space",
    "retry": "t",
    "rematch": "m",
    "rounds": "r",
    "help": "h",
    "language": "l",
    "colours": "c",
    "resign": "x",
    "leave": "q",
    "bot": "b",
    "go": "enter",
    "again": "enter",
    "close": "escape",
}


def _now() -> int:
    return int(time.monotonic() * 1000)
