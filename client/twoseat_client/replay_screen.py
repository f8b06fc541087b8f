"""A replay on the terminal's screen: keys walk along the frames, the table is drawn as at a live game."""

import os
import sys
import time
from dataclasses import dataclass, replace

from textual import events
from textual.app import App, ComposeResult

from twoseat_client.playback import Playback
from twoseat_client.screen import draw
from twoseat_client.screen.action import draw_keys
from twoseat_client.screen.board import TALL
from twoseat_client.screen.canvas import Canvas, Style
from twoseat_client.screen.look import Theme, guess_signs, guess_theme
from twoseat_client.screen.places import next_language
from twoseat_client.screen.view import Panel, View
from twoseat_client.text import Words
from twoseat_client.tui import Board

FRAME = 0.05
SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
_NEXT_THEME: dict[Theme, Theme] = {"dark": "light", "light": "dark", "none": "none"}
_KEYS = (
    ("Space", "replay.key.play", "space"),
    ("←→", "replay.key.round", ""),
    (", .", "replay.key.draw", ""),
    ("+ -", "replay.key.speed", ""),
    ("r", "tui.key.rounds", "r"),
    ("q", "replay.key.quit", "q"),
    ("l", "tui.key.language", "l"),
    ("c", "tui.key.colours", "c"),
)


@dataclass(frozen=True, slots=True)
class Player:
    """Where the replay is and how it runs. `shown`: seconds of the local clock since this frame came up."""

    game: Playback
    view: View
    speed: float
    running: bool = True
    shown: float = 0.0


def press(player: Player, key: str) -> Player:
    """Return what follows when a key is pressed."""
    game = player.game
    match key:
        case "space" | "enter":
            if game.over:
                return replace(player, game=Playback(game.frames), running=True, shown=0.0)
            return replace(player, running=not player.running)
        case "right" | "left":
            return _at(player, game.round(1 if key == "right" else -1))
        case "full_stop" | "comma":
            return _at(player, game.step(1 if key == "full_stop" else -1))
        case "home" | "end":
            return _at(player, game.step(len(game.frames) * (1 if key == "end" else -1)))
        case "plus" | "equals_sign" | "up":
            return replace(player, speed=next((s for s in SPEEDS if s > player.speed), player.speed))
        case "minus" | "down":
            return replace(player, speed=next((s for s in reversed(SPEEDS) if s < player.speed), player.speed))
        case "r":
            panel = Panel.NONE if player.view.panel is Panel.ROUNDS else Panel.ROUNDS
            return replace(player, view=replace(player.view, panel=panel, scroll=0))
        case "l":
            words = Words(next_language(player.view.words.lang))
            return replace(player, view=replace(player.view, words=words))
        case _:
            return player


def _at(player: Player, game: Playback) -> Player:
    """Go to a place by hand, which stops what was running."""
    return replace(player, game=game, running=False, shown=0.0)


def tick(player: Player, seconds: float) -> Player:
    """Return the player after some time: where it runs, at the frame that is due."""
    player = replace(player, shown=player.shown + seconds)
    while player.running and not player.game.over and player.shown * player.speed * 1000 >= player.game.wait:
        rest = player.shown - player.game.wait / 1000 / player.speed
        player = replace(player, game=player.game.step(1), shown=max(0.0, rest))
    return player if player.running and not player.game.over else replace(player, running=False)


def picture(player: Player, width: int, height: int) -> Canvas:
    """Return the screen: the table, and where in the game it is."""
    frame = player.game.frame
    now = frame.at + int(player.shown * 1000)
    view = replace(player.view, model=frame.model, now=now, sitting=True, calm=player.view.calm or player.speed > 2)
    canvas = draw(view, width, height)
    words, last = view.words, height - 1
    at = last - 1 if height >= TALL else last
    canvas.fill(0, at, width, height - at, Style())
    parts = (
        words("replay.at", n=frame.done, count=player.game.rounds),
        words("replay.playing" if player.running else "replay.stopped"),
        f"{'×' if view.signs.blocks else 'x'}{player.speed:g}",
    )
    end = canvas.put(1, at, f" {view.signs.dot} ".join(parts), Style(bold=True))
    if (room := width - end - 3) > 0:
        full = round(room * player.game.place / max(1, len(player.game.frames) - 1))
        canvas.put(end + 2, at, view.signs.full * full, Style("you"))
        canvas.put(end + 2 + full, at, view.signs.empty * (room - full), Style("line"))
    if at < last:
        draw_keys(canvas, view, 1, last, width, _KEYS)
    return canvas


def run_screen(game: Playback, words: Words, speed: float) -> int:
    """Show a replay until the person quits, and return the exit code."""
    theme, signs = guess_theme(os.environ), guess_signs(os.environ, sys.stdout.encoding or "")
    view = View(game.frame.model, words, sitting=True, signs=signs, calm=bool(os.environ.get("TWOSEAT_CALM")))
    app = ReplayScreen(Player(game, view, speed), theme)
    return app.run() or 0


class ReplayScreen(App[int], inherit_bindings=False):
    """Turns keys and time into frames."""

    CSS = "Screen { overflow: hidden; } Board { width: 100%; height: 100%; }"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, player: Player, theme: Theme) -> None:
        super().__init__(ansi_color=theme == "none")
        self.player = player
        self.board = Board()
        self.board.theme = theme
        self._looked = time.monotonic()

    def compose(self) -> ComposeResult:
        """Yield the one widget."""
        yield self.board

    def on_mount(self) -> None:
        """Start the clock."""
        self.board.focus()
        self.set_interval(FRAME, self._tick)
        self._draw()

    def on_key(self, event: events.Key) -> None:
        """Take a key."""
        event.stop()
        self._press(event.key)

    def on_click(self, event: events.Click) -> None:
        """Take a click on a key's name."""
        if action := self.board.canvas.action_at(event.x, event.y):
            self._press(action)

    def on_resize(self) -> None:
        """Fit the new size."""
        self._draw()

    def _press(self, key: str) -> None:
        if key == "escape" and self.player.view.panel is not Panel.NONE:
            self._press("r")
        elif key in {"q", "escape", "ctrl+c", "ctrl+d"}:
            self.exit(0)
        elif key == "c":
            self.board.theme = _NEXT_THEME[self.board.theme]
            self.board.refresh()
        else:
            self.player = press(self.player, key)
            self._draw()

    def _tick(self) -> None:
        now = time.monotonic()
        self.player, self._looked = tick(self.player, now - self._looked), now
        self._draw()

    def _draw(self) -> None:
        canvas = picture(self.player, self.size.width, self.size.height)
        if canvas != self.board.canvas:
            self.board.canvas = canvas
            self.board.refresh()
