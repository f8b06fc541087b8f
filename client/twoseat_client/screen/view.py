"""What is on the screen at one moment: model, time, and what a person has opened or chosen; it draws nothing."""

from dataclasses import dataclass, field
from enum import StrEnum

from twoseat_client.facts import Millis
from twoseat_client.model import Model
from twoseat_client.screen.look import UNICODE, Signs
from twoseat_client.screen.menu import Menu
from twoseat_client.table import Table, at_war
from twoseat_client.text import Words

BEAT: Millis = 300
"""How long each step of a war is shown: the tied cards, then the cards face down."""
LINGER: Millis = 900
"""How long the faces of a round stay when the other side has drawn again at once."""
BUBBLE: Millis = 1_200


class Panel(StrEnum):
    """What lies over the table."""

    NONE = "none"
    ROUNDS = "rounds"
    HELP = "help"
    LEAVE = "leave"
    RESIGN = "resign"


@dataclass(frozen=True, slots=True)
class View:
    """Everything the screen is drawn from. `sitting` False: the menu. `closing`: Ctrl-C was pressed once."""

    model: Model
    words: Words
    now: Millis = 0
    menu: Menu = field(default_factory=Menu)
    sitting: bool = False
    panel: Panel = Panel.NONE
    scroll: int = 0
    tab: int = 0
    """Which game's rounds are open, counted back from the newest."""
    closing: bool = False
    link: str = ""
    """The invite link as others can use it."""
    signs: Signs = UNICODE
    muted: bool = False
    """What the other side calls is not shown."""
    calm: bool = False
    """No motion."""
    line: str = ""
    """What is being typed at a War Online table."""
    offers: tuple[str, ...] = ()
    """Words that may come next, after Tab."""
    answer: tuple[str, ...] = ()
    """What was answered to the last line."""
    sketch: bool = False
    """War Online's board is shown as a map."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Which cards lie open. `hidden`: both sides lay face down; `war`: the number of the war so far."""

    pair: tuple[str, str] | None
    hidden: bool = False
    war: int = 0
    bubble: bool = False
    last: bool = True
    """The pair decided the round."""


def shown(table: Table, now: Millis, *, calm: bool) -> Shown | None:
    """Return what of the last round is on the table now, None where a new card has taken its place."""
    state = table.state
    if state is None or not at_war(state).pairs:
        return None
    seen = at_war(state)
    pairs, wars = seen.pairs, table.rounds[-1].wars if table.rounds else 0
    beats = 0 if calm else 2 * (len(pairs) - 1)
    age = BEAT * beats + LINGER if table.fought is None else now - table.fought
    drawn = seen.drawn
    if drawn[table.bottom] or (drawn[table.top] and age >= BEAT * beats + LINGER):
        return None
    step = min(beats, age // BEAT)
    bubble = bool(wars) and table.fought is not None and age < BEAT * beats + BUBBLE
    if step == beats:
        return Shown(pairs[-1], war=wars, bubble=bubble)
    war = step // 2 + 1
    return Shown(pairs[step // 2], hidden=step % 2 == 1, war=war, bubble=True, last=False)
