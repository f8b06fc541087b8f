"""The sentences of page and terminal in three languages, a JSON file each; it fills them in and knows no game.

A key's value is a sentence with `{placeholders}`, or an object of CLDR plural categories of which `{count}` picks one.
Keys begin with who may use them: `say`, `word`, `error`, `help`, `verify` and `replay` are shared, `tui` is the
terminal's, `page` the page's.
"""

import json
import os
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from babel import Locale

LANGUAGES = ("en", "bg", "pt")
LOCALES = {"en": "en", "bg": "bg", "pt": "pt_PT"}
"""The CLDR locale whose plural rules a language's file follows."""

Entry = str | dict[str, str]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A key of the catalogue and what fills its placeholders: text, numbers, or sentences told in the same language."""

    key: str
    params: tuple[tuple[str, "str | int | Sentence"], ...] = ()


def say(key: str, **params: "str | int | Sentence") -> Sentence:
    """Return the sentence `key` with its placeholders filled."""
    return Sentence(key, tuple(params.items()))


@cache
def catalogue(lang: str) -> Mapping[str, Entry]:
    """Return all entries of one of LANGUAGES by key."""
    entries: dict[str, Entry] = json.loads(files(__name__).joinpath(f"{lang}.json").read_text("utf-8"))
    return entries


@dataclass(frozen=True, slots=True)
class Words:
    """One language's voice."""

    lang: str

    def tell(self, sentence: Sentence) -> str:
        """Return the sentence without control characters. Raises KeyError where a key or placeholder is unknown."""
        return self(sentence.key, **dict(sentence.params))

    def __call__(self, key: str, **params: "str | int | Sentence") -> str:
        """Return the text of `key`, filled."""
        entry = catalogue(self.lang)[key]
        if not isinstance(entry, str):
            entry = entry[_plural(self.lang, params["count"])]
        filled = {name: self.tell(value) if isinstance(value, Sentence) else value for name, value in params.items()}
        return printable(entry.format_map(filled))


def _plural(lang: str, count: object) -> str:
    if not isinstance(count, int):
        raise KeyError("count")
    return str(Locale.parse(LOCALES[lang]).plural_form(count))


def printable(text: str) -> str:
    """Return `text` without control and format characters, which could move the cursor or turn the line around."""
    return "".join(letter for letter in text if unicodedata.category(letter) not in {"Cc", "Cf", "Cs", "Zl", "Zp"})


def minutes(ms: int) -> str:
    """Return a span as people read it, `0:12`; seconds are rounded up so that 0:00 means over."""
    seconds = max(0, -(-ms // 1000))
    return f"{seconds // 60}:{seconds % 60:02}"


def guess_language(environ: Mapping[str, Any] = os.environ) -> str:
    """Return the language of the environment's locale, English where it is none of ours."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environ.get(name):
            lang = str(environ[name])[:2].lower()
            return lang if lang in LANGUAGES else "en"
    return "en"
