"""The protocol as a page for people: what is fixed in words, and around it all that follows from the code."""

import json
from collections.abc import Sequence
from importlib import resources
from itertools import groupby
from typing import Any

from twoseat import wire
from twoseat_client import backoff
from twoseat_docs import messages, words
from twoseat_docs.samples import SAMPLES
from twoseat_docs.shapes import shape
from twoseat_docs.transcript import transcript
from twoseat_server import dialogue, gateway, visit
from twoseat_server.settings import Settings


def _times(ms: int, count: int) -> str:
    return f"{ms / 1000:g}" if count == 1 else f"{ms / 1000:g} ({count} times)"


_NUMBERS = {
    "protocol": wire.PROTOCOL_VERSION,
    "socket_path": gateway.SOCKET_PATH,
    "hello_within": f"{gateway.HELLO_WITHIN:g}",
    "message_bytes": f"{wire.MAX_MESSAGE_BYTES:,}",
    "rate": visit.MESSAGE_RATE,
    "burst": visit.MESSAGE_BURST,
    "moves": Settings.model_fields["moves_per_second"].default,
    "matches": Settings.model_fields["max_matches"].default,
    "arrivals": f"{dialogue.ARRIVALS_PER_SECOND} a second, {dialogue.ARRIVALS_AT_ONCE:,} at once",
    "codes": dialogue.CODE_TRIES_PER_MINUTE,
    "ceilings": ", ".join(_times(ms, len(list(same))) for ms, same in groupby(backoff.CEILINGS)),
}


def page() -> str:
    """Return the page as Markdown."""
    known = messages.schemas()
    filled = {
        "client": "\n".join(_message(model, known) for model in messages.CLIENT),
        "server": "\n".join(_message(model, known) for model in messages.SERVER),
        "parts": "\n".join(_part(title, known) for title in messages.parts()),
        "reasons": _table(("reason", "what it means", "what a client does"), _coded(words.REASONS)),
        "errors": _table(("code", "what it means", "what a client does"), _coded(words.ERRORS)),
        "closes": _table(("code", "why", "a client connects"), _closes()),
        "transcript": transcript(),
    }
    frame = resources.files(__package__).joinpath("protocol.md").read_text(encoding="utf-8")
    return frame.format_map(_NUMBERS | filled)


def _message(model: type, known: dict[str, dict[str, Any]]) -> str:
    word, title = messages.name(model), model.__name__
    example = _broken(json.loads(SAMPLES[word]))
    return f"### {word}\n\n{messages.says(model)}\n\n{_fields(title, known)}```json\n{example}\n```\n"


def _part(title: str, known: dict[str, dict[str, Any]]) -> str:
    return f"### {title}\n\n{known[title]['description']}\n\n{_fields(title, known).rstrip()}\n"


def _fields(title: str, known: dict[str, dict[str, Any]]) -> str:
    schema = known[title]
    rows = [
        (f"`{field}`", _shape(field, schema, known), words.FIELDS[title][field])
        for field in schema["properties"]
        if field != "type"
    ]
    return _table(("field", "value", "meaning"), rows) + "\n" if rows else ""


def _shape(field: str, schema: dict[str, Any], known: dict[str, dict[str, Any]]) -> str:
    value = schema["properties"][field]
    text = shape(value, known)
    if field in schema.get("required", ()):
        return text
    default = value.get("default")
    return f"{text}; optional" if default in (None, "") or isinstance(default, dict) else f"{text}; else `{default}`"


def _coded(meanings: dict[Any, tuple[str, str]]) -> list[tuple[str, ...]]:
    kind = type(next(iter(meanings)))
    return [(f"`{code.value}`", *meanings[code]) for code in kind]


def _closes() -> list[tuple[str, ...]]:
    rows = [(int(code), *words.CLOSES[code]) for code in wire.Close]
    return [(f"`{code}`", *rest) for code, *rest in sorted((*rows, words.BROKEN))]


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _broken(value: dict[str, Any]) -> str:
    """JSON on one line where it is short, else a line for each member."""
    text = json.dumps(value, ensure_ascii=False)
    if len(text) <= 110:
        return text
    members = (f"  {json.dumps(key)}: {json.dumps(item, ensure_ascii=False)}" for key, item in value.items())
    return "{\n" + ",\n".join(members) + "\n}"
