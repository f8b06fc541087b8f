"""The client without a screen: events as sentences (--plain) or JSON, one a line, and words typed on standard input."""

import json
import os
import sys
import threading
from collections.abc import Callable
from typing import TextIO

from twoseat_client.events import Event
from twoseat_client.model import Model
from twoseat_client.sitting import Action
from twoseat_client.text import Words, say

_TYPED = {"say.timeup.me": "say.timeup.me.line"}
"""Sentences that name the next step as it is done here."""
_ACTIONS = {action.value: action for action in Action}


class PlainLines:
    """Tells a person what happens, a sentence a line."""

    def __init__(self, words: Words, out: TextIO = sys.stdout) -> None:
        self._words = words
        self._out = out

    def show(self, model: Model, events: tuple[Event, ...]) -> None:
        """Write the sentences of these events."""
        for happened in events:
            for sentence in happened.says:
                key = _TYPED.get(sentence.key, sentence.key)
                self._write(self._words(key, **dict(sentence.params)))
            if happened.name == "waiting" and happened.data["link"]:
                self._write(happened.data["link"])
            if happened.name == "trying":
                self._write(self._words.tell(say("say.reconnecting", n=happened.data["attempt"])))

    def _write(self, line: str) -> None:
        self._out.write(line + "\n")
        self._out.flush()


class JsonLines:
    """Tells a program what happens, an object a line (the table of events.py)."""

    def __init__(self, out: TextIO = sys.stdout) -> None:
        self._out = out

    def show(self, model: Model, events: tuple[Event, ...]) -> None:
        """Write these events."""
        for happened in events:
            self._out.write(json.dumps({"event": happened.name, **happened.data}, separators=(",", ":")) + "\n")
        self._out.flush()


def read_typed(take: Callable[[Action | str | None], None], descriptor: int = 0) -> None:
    """Call `take` with each action or other line typed on `descriptor`, and with None at its end, from a thread of its
    own. It never holds a lock at exit, because it reads the descriptor and not the stream.
    """

    def read() -> None:
        rest = b""
        while chunk := _read(descriptor):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                _take(line, take)
        _take(rest, take)
        take(None)

    threading.Thread(target=read, daemon=True, name="typed").start()


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 4096)
    except OSError:
        return b""


def _take(line: bytes, take: Callable[[Action | str | None], None]) -> None:
    word = " ".join(line.decode("utf-8", "replace").lower().split())
    if word:
        take(_ACTIONS.get(word, word))


def no_command(words: Words) -> None:
    """Say on stderr what can be typed."""
    sys.stderr.write(words("tui.no_command", words=", ".join(Action)) + "\n")
