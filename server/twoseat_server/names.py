"""What a player may be called: short, visible, on one line, and not like the person across; it knows nothing else."""

import unicodedata

import regex

MAX_GRAPHEMES = 20
_MAX_MARKS = 2
"""Combining marks on one letter; more is a decoration that spills over other people's lines."""
DEFAULT = "Guest"
_GRAPHEME = regex.compile(r"\X")
_FORBIDDEN = regex.compile(r"[\p{C}\p{Zl}\p{Zp}]")
_PILE = regex.compile(rf"\p{{M}}{{{_MAX_MARKS + 1}}}")
_BLANK = regex.compile(r"[\s\p{Cf}\u115f\u1160\u3164\uffa0\u2800]*")


class BadName(Exception):
    """The name cannot be shown; the text says why."""


def clean(text: str | None) -> str:
    """Return the name to show for what a person typed, the default for none. Raises BadName."""
    name = " ".join(unicodedata.normalize("NFC", text or "").split())
    if not name:
        return DEFAULT
    if _BLANK.fullmatch(name):
        raise BadName("a name needs a letter or a sign that can be seen")
    if _FORBIDDEN.search(name):
        raise BadName("a name holds no control, direction or invisible signs")
    letters = _GRAPHEME.findall(name)
    if len(letters) > MAX_GRAPHEMES:
        raise BadName(f"a name has at most {MAX_GRAPHEMES} letters")
    if _PILE.search(unicodedata.normalize("NFD", name)):
        raise BadName("a name has at most two marks on a letter")
    if _TAKEN & {_looks(name), _looks("".join(sign for sign in name if sign.isalpha()))}:
        raise BadName("a name of a person is not what the bot, you or nobody is called at the table")
    return name


def apart(name: str, across: str) -> str:
    """Return `name`, with a number behind it where it looks like the name across the table."""
    return f"{name} 2" if _looks(name) == _looks(across) else name


_TWINS = str.maketrans("авекмнорстухіјѕԁԛԝɡ0134579ıl|!", "abekmhopctyxijsdqwgoieastgiiii")
"""Signs of other scripts and digits that read like a Latin letter; enough to keep a twin apart, not a full table."""


def _looks(name: str) -> str:
    folded = unicodedata.normalize("NFKD", name).casefold()
    letters = (sign for sign in folded if not unicodedata.category(sign).startswith(("M", "Z", "P")))
    return "".join(letters).translate(_TWINS)


_BOT = ("Bot", "The bot", "Бот", "Ботът", "O bot")
_YOU = ("You", "Ти", "Você")  # not "Tu": there are people of that name
_NOBODY = ("Neutral", "Неутрална", "Неутрални", "Neutro", "Neutra")
_TAKEN = frozenset(map(_looks, (*_BOT, *_YOU, *_NOBODY)))
"""What the clients call somebody else in their languages: "You: 5. You: 7." helps nobody."""
