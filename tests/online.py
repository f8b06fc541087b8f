"""Positions of War Online for tests, written as territories and armies, and chances that throw wanted dice."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import count
from typing import Any

import pytest
from msgspec.structs import replace

from twoseat.bots_war_online import LEVELS
from twoseat.fair import Chance
from twoseat.games.game import Driver, IllegalMove, Move, Options, Seat
from twoseat.games.war_online import WarOnline, deck
from twoseat.games.war_online.battle import throw
from twoseat.games.war_online.board import ALL, NUMBER, TERRITORIES
from twoseat.games.war_online.objectives import OBJECTIVES
from twoseat.games.war_online.odds import losses
from twoseat.games.war_online.state import NEUTRAL, Step, Throw, WarOnlineState

ONLINE = WarOnline()
OPTIONS = Options(game="war-online", preset="objectives", turn_seconds=120)
CHANCE = Chance(b"\x01" * 32)


def position(mine: str, hers: str = "japao", **state: Any) -> WarOnlineState:
    """Seat 0 on turn in round 2, in the step of attacks, with these territories: `brasil 3, argelia`. One army where no
    number stands; all other territories are neutral with two. `cards` and `her_cards` are hands by name.
    """
    owners, armies = bytearray([NEUTRAL] * len(ALL)), [2] * len(ALL)
    for seat, text in ((1, hers), (0, mine)):
        for name, *number in (part.split() for part in text.split(",") if part.strip()):
            owners[NUMBER[name]] = seat
            armies[NUMBER[name]] = int(number[0]) if number else 1
    hands = tuple(numbers(state.pop(name, "")) for name in ("cards", "her_cards"))
    held = set(hands[0] + hands[1])
    start = WarOnlineState(
        limit=100,
        level="middle",
        objectives=("as_af", "na_oc"),
        first=0,
        owners=bytes(owners),
        armies=tuple(armies),
        pile=bytes(card for card in deck.DECK if card not in held),
        ready=(True, True),
        turn=4,
        step=Step.ATTACK,
        hands=(hands[0], hands[1]),
    )
    return replace(start, **state)


def numbers(names: str) -> bytes:
    """Cards by name, the jokers being 42 and 43."""
    jokers = iter((42, 43))
    return bytes(next(jokers) if name == deck.JOKER else NUMBER[name] for name in names.split())


def on(state: WarOnlineState, *names: str) -> tuple[int, ...]:
    """The armies on these territories."""
    return tuple(state.armies[NUMBER[name]] for name in names)


def of(state: WarOnlineState, seat: int) -> set[str]:
    """The territories of a seat, or of the neutral army."""
    return {TERRITORIES[t] for t in ALL if state.owners[t] == seat}


def play(state: WarOnlineState, *moves: str, seat: Seat = 0, chance: Chance = CHANCE) -> WarOnlineState:
    """The state after these moves of one seat."""
    for move in moves:
        state = ONLINE.play(state, seat, Move(move), Driver.HUMAN, chance)
    return state


def refused(state: WarOnlineState, move: str, seat: Seat = 0) -> None:
    """See that a move is illegal."""
    with pytest.raises(IllegalMove):
        play(state, move, seat=seat)


def legal(state: WarOnlineState, verb: str = "", seat: Seat = 0) -> list[str]:
    """The legal moves that begin with a word."""
    return [move for move in ONLINE.legal(state, seat) if move.startswith(verb)]


def left(state: WarOnlineState) -> tuple[int, dict[str, int]]:
    """The armies left to place, free ones and those of continents, as everybody sees them."""
    shown = ONLINE.view(state, None).to_place
    assert shown is not None
    return shown.free, shown.continents


def throwing(*wanted: Throw) -> Chance:
    """A chance whose first throws are these dice."""
    return next(c for c in _chances() if all(throw(c, n, *map(len, dice)) == dice for n, dice in enumerate(wanted)))


def winning(*dice: tuple[int, int]) -> Chance:
    """A chance whose first throws, of so many dice of attacker and defender, cost only the defender armies."""
    return next(
        c for c in _chances() if all(losses(*throw(c, n, *both)) == (0, min(both)) for n, both in enumerate(dice))
    )


def _chances() -> Iterator[Chance]:
    return (Chance(key.to_bytes(32, "big")) for key in count())


def begun(chance: Chance = CHANCE, **options: Any) -> WarOnlineState:
    """A dealt game in which both seats have pressed Play."""
    state = ONLINE.new(replace(OPTIONS, **options), None, chance)
    return play(play(state, "play", seat=0), "play", seat=1)


MOST_MOVES = 400
"""Of one such game; few have more."""


@cache
def course(key: int) -> tuple[tuple[WarOnlineState, Seat, Move, WarOnlineState], ...]:
    """Position, seat, move and the position after it, from the deal on."""
    return tuple(_course(key))


def _course(key: int) -> Iterator[tuple[WarOnlineState, Seat, Move, WarOnlineState]]:
    """A game of people who attack more than they move."""
    dice, chance = random.Random(key), Chance(key.to_bytes(32, "big"))
    state = ONLINE.new(OPTIONS, None, chance)
    for _ in range(MOST_MOVES):
        if state.outcome is not None:
            return
        seat = dice.choice(ONLINE.owes(state))
        legal = ONLINE.legal(state, seat)
        bold = [move for move in legal if "until" in move or move.startswith("trade")]
        form, _, last = dice.choice(bold if bold and dice.random() < 0.7 else legal).rpartition(" ")
        low, _, high = last.partition("-")
        number = str(dice.randint(int(low), int(high))) if high else last
        move = Move(f"{form} {number}".strip())
        after = ONLINE.play(state, seat, move, dice.choice(tuple(Driver)), chance)
        yield state, seat, move, after
        state = after


@cache
def positions() -> tuple[WarOnlineState, ...]:
    """Every position of a game between two bots who both hold cards most of the time."""
    played = []
    state = ONLINE.new(OPTIONS, None, CHANCE)
    while state.outcome is None:
        played.append(state)
        seat = ONLINE.owes(state)[0]
        move = LEVELS["easy"](ONLINE.view(state, seat), ONLINE.legal(state, seat))
        state = ONLINE.play(state, seat, move, Driver.BOT, CHANCE)
    return tuple(played)


def scrambled(state: WarOnlineState, seat: Seat, dice: random.Random) -> WarOnlineState:
    """The same game but for what `seat` may not know: the other's objective and cards, and the pile."""
    hidden = list(state.hands[1 - seat] + state.pile)
    dice.shuffle(hidden)
    held = len(state.hands[1 - seat])
    mine, hers = state.hands[seat], bytes(hidden[:held])
    objective = dice.choice([o.id for o in OBJECTIVES if o.id != state.objectives[seat]])
    own = state.objectives[seat]
    return replace(
        state,
        hands=(mine, hers) if seat == 0 else (hers, mine),
        pile=bytes(hidden[held:]),
        objectives=(own, objective) if seat == 0 else (objective, own),
    )
