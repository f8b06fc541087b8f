"""Why no open move fits what was typed at a War Online table, as far as the seat's own view shows it; pure."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from twoseat.wire import TERRITORIES, Step, WarOnlineView
from twoseat_client.atlas import aliases, called, held, neighbours, squeezed
from twoseat_client.orders import example, verb_of
from twoseat_client.table import Table, online
from twoseat_client.text import Sentence, Words, say
from twoseat_client.turns import granted

_VERBS = frozenset({"play", "place", "undo", "trade", "attack", "advance", "done", "move", "end"})
_LONGEST = 3
"""Words in a territory's name at most."""


def refusal(text: str, table: Table, words: Words) -> Sentence | None:
    """Return what stands in the way of a move that is not open, None where the view does not tell."""
    if table.state is None or table.mine is None:
        return None
    legal = table.open_moves
    said, *typed = text.lower().split() or [""]
    open_verbs = {pattern.split()[0] for pattern in legal}
    verb = verb_of(said, open_verbs)
    if verb is None:
        return _closed(online(table.state), verb_of(said, _VERBS), open_verbs)
    if verb == "trade":
        return say("say.online.not.trade")
    names, strange = _named(typed)
    if strange:
        known = any(alias.startswith(squeezed(strange)) for name in TERRITORIES for alias in aliases(name))
        return None if known else say("say.online.not.name", name=strange[:20])
    wanted = {"place": 1, "attack": 2, "move": 2}.get(verb, 0)
    return (
        _where(table, verb, names[:wanted], words)
        or _missing(legal, verb, len(names) < wanted, words)
        or _count(legal, (verb, *names, *(["until"] if "until" in typed else ())), typed)
    )


def _closed(view: WarOnlineView, verb: str | None, open_verbs: AbstractSet[str]) -> Sentence | None:
    """Return why a verb is not open at all."""
    if verb in {None, "undo"}:
        return None
    if view.step is Step.PLACE and verb == "place":
        return say("page.online.do.trade" if "trade" in open_verbs else "page.online.do.placed")
    if view.step is Step.PLACE and "place" in open_verbs and (left := granted(view.to_place)):
        return left[0]
    return say("say.online.not.step", step=say(f"word.step.{view.step}"), open=", ".join(sorted(open_verbs)))


def _named(typed: Sequence[str]) -> tuple[list[str], str]:
    """Return the territories the words name, and the first word that is neither a name nor a number."""
    names: list[str] = []
    while typed:
        name, length = next(
            ((found, n) for n in range(_LONGEST, 0, -1) if (found := _called("".join(typed[:n])))), ("", 1)
        )
        if name:
            names.append(name)
        elif not typed[0].lstrip("-").isdecimal() and typed[0] != "until":
            return names, typed[0]
        typed = typed[length:]
    return names, ""


def _called(said: str) -> str:
    """Return the one territory that is called so, or whose names alone begin so; empty for none."""
    said = squeezed(said)
    exact = [name for name in TERRITORIES if said in aliases(name)]
    begun = [name for name in TERRITORIES if said and any(alias.startswith(said) for alias in aliases(name))]
    found = exact or begun
    return found[0] if len(found) == 1 else ""


def _where(table: Table, verb: str, names: Sequence[str], words: Words) -> Sentence | None:
    """Return what is wrong with the territories themselves."""
    if table.state is None or not names:
        return None
    stands, source, target = held(online(table.state)), names[0], names[-1]
    mine = [name for name in names if stands[name].owner == table.mine]
    if source not in mine or (verb == "move" and target not in mine):
        return say("say.online.not.mine", place=called(words, source if source not in mine else target))
    if len(names) == 1:
        return None
    if verb == "attack" and target in mine:
        return say("say.online.not.theirs", place=called(words, target))
    if target not in neighbours(source):
        near = ", ".join(called(words, name) for name in neighbours(source))
        return say("say.online.not.near", source=called(words, source), target=called(words, target), names=near)
    return say("say.online.not.alone", place=called(words, source)) if stands[source].armies == 1 else None


def _missing(legal: Sequence[str], verb: str, missing: bool, words: Words) -> Sentence | None:
    text = example([pattern for pattern in legal if pattern.split()[0] == verb], words)
    return say("say.online.not.whole", text=text) if missing else None


def _count(legal: Sequence[str], whole: Sequence[str], typed: Sequence[str]) -> Sentence | None:
    """Return how many armies at most, where the number typed last is larger."""
    tails = [pattern.split()[len(whole) :] for pattern in legal if pattern.split()[: len(whole)] == [*whole]]
    most = max((int(tail[0].rpartition("-")[2]) for tail in tails if tail and tail[0][0].isdecimal()), default=0)
    count = int(typed[-1]) if typed and typed[-1].isdecimal() else 0
    return say("say.online.not.most", n=most) if 0 < most < count else None
