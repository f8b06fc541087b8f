"""The colours and signs of the terminal: roles such as `you`, `them` and `war` in each theme; it draws nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Theme = Literal["dark", "light", "none"]

PALETTES: dict[Theme, dict[str, str]] = {
    "dark": {
        "paper": "#11141a",
        "felt": "#181d26",
        "ink": "#ece6da",
        "mute": "#9aa1ad",
        "line": "#3a4352",
        "you": "#41c4b8",
        "them": "#96a6f5",
        "war": "#ff6a4d",
        "on_war": "#11141a",
        "card": "#fffdf8",
        "black": "#1b2230",
        "red": "#c0301c",
        "edge": "#b9b2a2",
        "button": "#ece6da",
        "on_button": "#11141a",
    },
    "light": {
        "paper": "#f5f0e6",
        "felt": "#e9e1d1",
        "ink": "#1b2230",
        "mute": "#5d616a",
        "line": "#c4b9a5",
        "you": "#0d6b66",
        "them": "#3d4a8a",
        "war": "#b3301a",
        "on_war": "#fffdf8",
        "card": "#fffdf8",
        "black": "#1b2230",
        "red": "#c0301c",
        "edge": "#a89f8d",
        "button": "#1b2230",
        "on_button": "#f5f0e6",
    },
    "none": {},
}
"""Colour values by role; the theme `none` (NO_COLOR) has none and leaves bold and signs to carry the meaning."""


@dataclass(frozen=True, slots=True)
class Signs:
    """The letters pictures are made of."""

    suits: dict[str, str]
    corners: str
    heavy: str
    """Top left, across, top right, down, bottom left, bottom right; `heavy` for the card that won."""
    back: str
    rule: str
    dash: str
    full: str
    empty: str
    pile: str
    point: str
    badge: tuple[str, str]
    joint: str
    dot: str
    blocks: bool
    """Whether pictures may be drawn with half blocks and Braille."""


UNICODE = Signs(
    suits={"C": "♣", "D": "♦", "H": "♥", "S": "♠"},
    corners="╭─╮│╰╯",
    heavy="┏━┓┃┗┛",
    back="╱",
    rule="─",
    dash="╌",
    full="━",
    empty="─",
    pile="▌",
    point="›",
    badge=("▐", "▌"),
    joint="›‹",
    dot="·",
    blocks=True,
)
ASCII = Signs(
    suits={"C": "C", "D": "D", "H": "H", "S": "S"},
    corners="+-+|++",
    heavy="#=####",
    back="/",
    rule="-",
    dash="-",
    full="=",
    empty=".",
    pile="|",
    point=">",
    badge=("[", "]"),
    joint="><",
    dot="-",
    blocks=False,
)


def guess_theme(environ: Mapping[str, str]) -> Theme:
    """Return `none` where NO_COLOR is set, `light` where the terminal says its ground is light, else `dark`."""
    if environ.get("NO_COLOR"):
        return "none"
    ground = environ.get("COLORFGBG", "").rpartition(";")[2]
    return "light" if ground in {"7", "15"} else "dark"


def guess_signs(environ: Mapping[str, str], encoding: str) -> Signs:
    """Return ASCII where the terminal writes no UTF-8 or TWOSEAT_ASCII asks for it."""
    utf = encoding.lower().replace("-", "") in {"utf8", "cp65001"}
    return UNICODE if utf and not environ.get("TWOSEAT_ASCII") else ASCII
