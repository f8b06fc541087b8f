"""What docs/tour.md shows of the terminal: the screens its tests keep, and the lines of a round."""

import io
from pathlib import Path

from twoseat_client.lines import PlainLines
from twoseat_client.model import Model, fold
from twoseat_client.text import Words
from twoseat_docs.story import one_round

SCREENS = Path(__file__).parents[2] / "tests" / "twoseat_client" / "screens"
LINK = "http://192.168.1.20:8765/j/"


def screen(name: str) -> str:
    """Return a kept screen as a block of Markdown."""
    return f"```text\n{(SCREENS / f'{name}.txt').read_text('utf-8').rstrip()}\n```\n"


def plain(lang: str) -> str:
    """Return what the first person of the story reads with --plain, as a block of Markdown."""
    out = io.StringIO()
    lines, model = PlainLines(Words(lang), out), Model()
    for line in one_round().lines:
        if line.seat == 0 and not line.sent:
            model, events = fold(model, line.message, line.at, LINK.__add__)
            lines.show(model, events)
    return f"```text\n{out.getvalue()}```\n"
