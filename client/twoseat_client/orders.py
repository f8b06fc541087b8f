"""What a typed line means at a War Online table: the open move that fits it, or why none does; pure.

Words may be shortened and territories be called by notation, code or name in any language. Where a number is left out,
as many armies as possible are meant.
"""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from twoseat.wire import TERRITORIES
from twoseat_client.atlas import JOKER, aliases, called, squeezed
from twoseat_client.text import Sentence, Words, say

_NAMES = frozenset((*TERRITORIES, JOKER))
_LONGEST = 3
"""Words in a territory's name at most."""
_SHOWN = 6


class Unclear(Exception):
    """No single open move fits; the sentence tells what to type."""

    def __init__(self, why: Sentence) -> None:
        super().__init__(why.key)
        self.why = why


class NotOpen(Unclear):
    """No open move fits at all."""


def meant(text: str, legal: Sequence[str], words: Words) -> str:
    """Return the move in the game's notation. Raises Unclear."""
    typed = text.split()
    verbs = {pattern.split()[0] for pattern in legal}
    verb = verb_of(typed[0].lower() if typed else "", verbs)
    if verb is None:
        raise NotOpen(say("say.online.no_such", open=", ".join(sorted(verbs)), example=example(legal, words)))
    fits = {move: exact for pattern in legal for move, exact in _fits(pattern, verb, typed[1:])}
    best = [move for move, exact in fits.items() if exact == max(fits.values())]
    if not best:
        raise NotOpen(say("say.online.not_open", move=text.strip()[:40]))
    if len(best) > 1 and len({move.rpartition(" ")[0] for move in best}) > 1:
        raise Unclear(say("say.online.which", moves="; ".join(spoken(move, words) for move in best[:_SHOWN])))
    return max(best, key=_number)


def verb_of(typed: str, verbs: AbstractSet[str]) -> str | None:
    """Return the verb that is typed or that alone begins so, None where there is none."""
    if typed in verbs:
        return typed
    found = [verb for verb in verbs if typed and verb.startswith(typed)]
    return found[0] if len(found) == 1 else None


def _number(move: str) -> int:
    last = move.rpartition(" ")[2]
    return int(last) if last.isdecimal() else 0


def _fits(pattern: str, verb: str, typed: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Return the moves of a legal pattern that the words may mean, with how many of its names were typed in full."""
    first, *slots = pattern.split()
    if first == verb:
        for chosen, exact in _filled(slots, typed, least="until" in slots):
            yield " ".join((first, *chosen)), exact


def _filled(
    slots: Sequence[str], typed: Sequence[str], *, least: bool = False
) -> Iterator[tuple[tuple[str, ...], int]]:
    """Return what the words make of a pattern's parts; of a range without a number the end, or where it is `least`."""
    if not slots:
        if not typed:
            yield (), 0
        return
    slot, *rest = slots
    if slot not in _NAMES:
        for word, after in _plain(slot, typed, least=least):
            yield from (((word, *chosen), exact) for chosen, exact in _filled(rest, after, least=least))
        return
    for length in range(1, min(_LONGEST, len(typed)) + 1):
        said = squeezed("".join(typed[:length]))
        names = aliases(slot)
        if said and any(name.startswith(said) for name in names):
            for chosen, exact in _filled(rest, typed[length:], least=least):
                yield (slot, *chosen), exact + (said in names)


def _plain(slot: str, typed: Sequence[str], *, least: bool) -> Iterator[tuple[str, Sequence[str]]]:
    """Return what `until` or a range of numbers stands for, and the words left over."""
    low, _, high = slot.partition("-")
    if not low.isdecimal():
        if typed and typed[0] == slot:
            yield slot, typed[1:]
    elif not typed:
        yield (low if least else high or low), typed
    elif typed[0].isdecimal() and int(low) <= int(typed[0]) <= int(high or low):
        yield str(int(typed[0])), typed[1:]


def completed(text: str, legal: Sequence[str], words: Words) -> list[str]:
    """Return what may stand in place of the last word of `text`, which may be empty."""
    *before, last = text.split(" ")
    before = [word for word in before if word]
    found: dict[str, None] = {}
    if not before:
        found = dict.fromkeys(pattern.split()[0] for pattern in legal)
    verb = verb_of(before[0].lower(), {p.split()[0] for p in legal}) if before else None
    for pattern in legal:
        first, *slots = pattern.split()
        for known in range(len(slots)) if first == verb else ():
            if any(True for _ in _filled(slots[:known], before[1:])):
                slot = slots[known]
                found[called(words, slot).lower() if slot in _NAMES else slot.partition("-")[0]] = None
    return [word for word in found if _begins(word, last)]


def _begins(word: str, typed: str) -> bool:
    said = squeezed(typed)
    return squeezed(word).startswith(said) or any(
        name.startswith(said) for full in _NAMES if word in aliases(full) for name in aliases(full)
    )


def example(legal: Sequence[str], words: Words) -> str:
    """Return one of the open moves, at least one, as it can be typed: one with names where there is one."""
    move = next((move for move in legal if " " in move and "until" not in move), legal[0])
    verb, *parts = move.split()
    return " ".join((verb, *(called(words, p).lower() if p in _NAMES else p.partition("-")[0] for p in parts)))


def spoken(move: str, words: Words) -> str:
    """Return a move with its territories called as people do."""
    return " ".join(called(words, part) if part in _NAMES else part for part in move.split())
