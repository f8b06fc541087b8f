"""What a person may ask about a table without making a move: help; of War Online also board, moves, cards, places."""

from collections.abc import Sequence

from twoseat.wire import WarOnlineView
from twoseat_client.atlas import Held, aliases, called, continents, held, neighbours, squeezed, totals
from twoseat_client.orders import example, spoken
from twoseat_client.table import SEATS, Table
from twoseat_client.text import Sentence, Words, say
from twoseat_client.turns import armies, granted, territories

_EXAMPLES = (
    ("play", "tui.online.help.play"),
    ("place brasil 3", "tui.online.help.place"),
    ("trade alaska joker china", "tui.online.help.trade"),
    ("attack brasil argelia", "tui.online.help.attack"),
    ("attack brasil argelia until 2", "tui.online.help.until"),
    ("advance 2", "tui.online.help.advance"),
    ("done", "tui.online.help.done"),
    ("move brasil bolivia 2", "tui.online.help.move"),
    ("end", "tui.online.help.end"),
    ("board, moves, cards, look brasil", "tui.online.help.ask"),
    ("return, resign, leave, rematch, hello", "tui.online.help.table"),
)
"""What can be typed, by examples in the game's notation, and the key of what each does."""
_RULES = {"points": 7, "classic": 4}
"""How many lines tell the rules of War, by preset."""
_TYPED_AT_WAR = {"points": ("draw", "tui.help.draw"), "classic": ("turn, turn 10", "tui.help.turn")}


def aside(table: Table, text: str, words: Words) -> list[str] | None:
    """Return the answer to a question in lines, None where the text asks none."""
    if table.state is None:
        return None
    if not isinstance(table.state.view, WarOnlineView):
        return war(table, words) if text.lower().strip() in {"help", "?"} else None
    view = table.state.view
    match text.lower().split():
        case ["help" | "?"]:
            return typed(table.open_moves, words)
        case ["board"]:
            return board(table, view, words)
        case ["moves"]:
            return moves(table.open_moves, words)
        case ["cards" | "objective"]:
            return [cards(view, words), *objective(view, words)] if table.mine is not None else [words("tui.watching")]
        case ["look", *name] if name:
            found = [place for place in held(view).values() if squeezed("".join(name)) in aliases(place.name)]
            return [look(table, view, found[0], words)] if found else None
        case _:
            return None


def war(table: Table, words: Words) -> list[str]:
    """Return the rules of this table's War and what can be typed, a line each."""
    options = table.seated.options
    rules = [words(f"help.{options.preset}.{n + 1}", count=options.target) for n in range(_RULES[options.preset])]
    lines = (_TYPED_AT_WAR[options.preset], _EXAMPLES[-1])
    return [*rules, *(f"{text}: {words(what)}" for text, what in lines)]


def board(table: Table, view: WarOnlineView, words: Words) -> list[str]:
    """Return the board as a line for each continent, and below it what each side has and what I have to place."""
    lines = []
    for name, bonus, places in continents(view):
        listed = ", ".join(_standing(table, place, words) for place in places)
        lines.append(f"{words(f'word.continent.{name}')} ({bonus}): {listed}")
    for seat in SEATS:
        count, strength = totals(view, seat)
        sums = f"{words.tell(territories(count))}, {words.tell(armies(strength))}"
        lines.append(f"{who(table, seat, words)}: {sums}, {words('word.cards', count=view.hands[seat])}")
    if view.on_turn is not None and view.on_turn == table.mine:
        lines += map(words.tell, granted(view.to_place))
    return lines


def _standing(table: Table, place: Held, words: Words) -> str:
    owner = words("word.neutral") if place.owner is None else who(table, place.owner, words)
    return f"{called(words, place.name)} {place.armies} {owner}"


def who(table: Table, seat: int, words: Words) -> str:
    """Return what a seat is called here: I am `You`."""
    if seat == table.mine:
        return words("word.you")
    name = table.name(SEATS[seat])
    return words.tell(name) if isinstance(name, Sentence) else name


def moves(legal: Sequence[str], words: Words) -> list[str]:
    """Return the open moves, a line for each word they begin with."""
    by_verb: dict[str, list[str]] = {}
    for move in legal:
        if _within(move, legal):
            continue
        verb, _, rest = spoken(move, words).partition(" ")
        by_verb.setdefault(verb, []).append(rest)
    if not by_verb:
        return [words("say.online.wait")]
    return [f"{verb}: {'; '.join(filter(None, rests))}" if any(rests) else verb for verb, rests in by_verb.items()]


def _within(move: str, legal: Sequence[str]) -> bool:
    """Whether a range among the open moves says this one too."""
    head, _, number = move.rpartition(" ")
    return number.isdecimal() and any(
        other != move and other.rpartition(" ")[0] == head and "-" in other.rpartition(" ")[2] for other in legal
    )


def typed(legal: Sequence[str], words: Words) -> list[str]:
    """Return what can be typed, a line each, and first a move that is open now."""
    first = [words("tui.online.example", text=example(legal, words))] if legal else []
    return [*first, *(f"{text}: {what}" for text, what in examples(words))]


def examples(words: Words) -> list[tuple[str, str]]:
    """Return what can be typed, by examples with the names of this language, each with what it does."""
    return [(spoken(text, words).lower(), words(what)) for text, what in _EXAMPLES]


def cards(view: WarOnlineView, words: Words) -> str:
    """Return my cards in words, and what a set is worth."""
    worth = armies(view.next_trade)
    if not view.cards:
        return words("say.online.cards.none", armies=worth)
    return words("say.online.cards", cards=", ".join(called(words, card) for card in view.cards), armies=worth)


def objective(view: WarOnlineView, words: Words) -> list[str]:
    """Return my objective in words, none for one who watches."""
    if not view.objective:
        return []
    return [words("say.online.objective", objective=say(f"word.objective.{view.objective}"))]


def look(table: Table, view: WarOnlineView, place: Held, words: Words) -> str:
    """Return a territory and its neighbours with their armies and owners."""
    stands = held(view)
    names = ", ".join(_standing(table, stands[name], words) for name in neighbours(place.name))
    return words("say.online.look", name=_standing(table, place, words), names=names)
