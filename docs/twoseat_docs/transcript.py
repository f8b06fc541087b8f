"""The story told message by message: who said what when, of what both see only what is new."""

import json
from typing import Any

from twoseat import wire
from twoseat_docs.story import NAMES, Line, as_text, one_round

_ARROWS = {True: "→", False: "←"}
_SHARED = ("state", "fair")
"""What both are shown alike; of these only what is new is told."""


def transcript() -> str:
    """Return one round between two people as text, a message a paragraph."""
    told: list[str] = []
    before: dict[tuple[int, str], Any] = {}
    said: dict[tuple[int, str], str] = {}
    for line in one_round().lines:
        message = json.loads(as_text(line.message) if line.sent else wire.encode(line.message))
        kind = message["type"]
        shown = message
        if kind in _SHARED:
            shown = _news(before.get((line.seat, kind)), message) | {"type": kind}
            before[line.seat, kind] = message
        text = json.dumps(shown, ensure_ascii=False)
        same = kind in _SHARED and text == said.get((1 - line.seat, kind))
        said[line.seat, kind] = text
        told.append(f"{_head(line)}  {f'the same {kind}' if same else text}")
    return "\n".join(told)


def _head(line: Line) -> str:
    return f"{line.at / 1000:4.1f} s  {NAMES[line.seat]} {_ARROWS[line.sent]}"


def _news(before: Any, now: Any) -> Any:
    """What is in `now` and was not, or was something else, in `before`; lists of objects are compared one by one."""
    if isinstance(before, dict) and isinstance(now, dict):
        return {key: _news(before.get(key), value) for key, value in now.items() if before.get(key) != value}
    if isinstance(before, list) and isinstance(now, list) and len(before) == len(now) and _objects(before + now):
        return [_news(old, new) for old, new in zip(before, now, strict=True)]
    return now


def _objects(items: list[Any]) -> bool:
    return all(isinstance(item, dict) for item in items)
