"""The start menu: what can be chosen before a game, as a value that keys turn into the next one; it draws nothing."""

from dataclasses import dataclass, replace
from enum import StrEnum

from pydantic import BaseModel

from twoseat import wire
from twoseat_client.address import read_code
from twoseat_client.table import ONLINE

NAME_LENGTH, CODE_LENGTH = 20, 6


class Row(StrEnum):
    """The lines of the menu from above."""

    RESUME = "resume"
    QUICK = "quick"
    BOT = "bot"
    HOST = "host"
    JOIN = "join"
    GAME = "game"
    LEVEL = "level"
    PRESET = "preset"
    TARGET = "target"
    GAMES = "games"
    TIMER = "timer"
    NAME = "name"


CHOICES: dict[Row, tuple[str | int, ...]] = {
    Row.GAME: ("war", ONLINE),
    Row.LEVEL: ("easy", "middle", "strong"),
    Row.PRESET: ("points", "classic"),
    Row.TARGET: (50, 25, 10, 5),
    Row.GAMES: (1, 3, 5),
    Row.TIMER: (1, 2, 10, 0),
}
"""The lines that are chosen from, with what there is."""
_TEXTS = frozenset({Row.JOIN, Row.NAME})


@dataclass(frozen=True, slots=True)
class Menu:
    """Where the cursor is and what has been chosen and typed. `resume`: code of an unfinished game, if there is one."""

    at: Row = Row.QUICK
    game: str = "war"
    level: str = "middle"
    preset: str = "points"
    target: int = 50
    games: int = 1
    timer: int = 1
    name: str = ""
    code: str = ""
    resume: str | None = None
    problem: str = ""
    """What went wrong last, in words."""

    @property
    def rows(self) -> tuple[Row, ...]:
        """The lines that make sense now."""
        absent = {Row.RESUME} if self.resume is None else set()
        if self.game == ONLINE:
            absent |= {Row.PRESET, Row.TARGET}
        else:
            absent.add(Row.LEVEL)
        if self.preset == "classic":
            absent.add(Row.TARGET)
        return tuple(row for row in Row if row not in absent)

    @property
    def typing(self) -> bool:
        """Whether letters go into the line under the cursor."""
        return self.at in _TEXTS

    def move(self, by: int) -> "Menu":
        """Return the menu with the cursor moved, round the ends."""
        rows = self.rows
        here = rows.index(self.at) if self.at in rows else 0
        return replace(self, at=rows[(here + by) % len(rows)], problem="")

    def change(self, by: int) -> "Menu":
        """Return the menu with the next choice on this line."""
        choices = CHOICES.get(self.at)
        if choices is None:
            return self
        value = choices[(choices.index(getattr(self, self.at)) + by) % len(choices)]
        return replace(self, **{self.at.value: value})  # type: ignore[arg-type]

    def type(self, letter: str) -> "Menu":
        """Return the menu with a letter typed into this line."""
        if self.at is Row.NAME:
            return replace(self, name=(self.name + letter)[:NAME_LENGTH], problem="")
        if self.at is Row.JOIN and letter.isalnum():
            return replace(self, code=(self.code + letter.upper())[:CODE_LENGTH], problem="")
        return self

    def rub_out(self) -> "Menu":
        """Return the menu with the last letter of this line gone."""
        if self.at is Row.NAME:
            return replace(self, name=self.name[:-1])
        if self.at is Row.JOIN:
            return replace(self, code=self.code[:-1])
        return self

    def terms(self) -> wire.Terms:
        """Return the options chosen, without those that are as usual."""
        usual = Menu()
        own = ("level",) if self.game == ONLINE else ("preset", "target")
        names = ("game", *own, "games", "timer")
        chosen = {name: getattr(self, name) for name in names if getattr(self, name) != getattr(usual, name)}
        return wire.Terms.model_validate(chosen)

    def request(self) -> BaseModel | None:
        """Return what the line under the cursor asks of the server; None where it asks nothing or has no code yet."""
        match self.at:
            case Row.QUICK:
                # Who waits for a person wants the first who comes, whatever the bot's level.
                return wire.Quick(type="quick", terms=self.terms().model_copy(update={"timer": 1, "level": None}))
            case Row.BOT:
                return wire.Bot(type="bot", terms=self.terms())
            case Row.HOST:
                return wire.Host(type="host", terms=self.terms())
            case Row.JOIN if (code := read_code(self.code)) is not None:
                return wire.Join(type="join", code=code)
            case _:
                return None
