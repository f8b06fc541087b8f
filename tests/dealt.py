"""Positions of War for tests, written as card names, and the shortest way through a game of it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from twoseat.fair import Chance
from twoseat.games import cards
from twoseat.games.battle import Decks
from twoseat.games.game import Driver, Options, Seat
from twoseat.games.war import CLASSIC_LIMIT, War, WarState, begin

WAR = War()
CHANCE = Chance(b"\x01" * 32)
ORACLES = Path(__file__).with_name("oracles")


def oracle(name: str) -> Any:
    """What an oracle file holds."""
    return json.loads((ORACLES / name).read_text(encoding="utf-8"))


def decks(first: str, second: str) -> Decks:
    """Two decks from names such as `5S 10H`, top first."""
    return cards.parse(first.split()), cards.parse(second.split())


def names(deck: bytes) -> str:
    """A deck as such names."""
    return " ".join(map(cards.name, deck))


def war(
    first: str,
    second: str,
    *,
    preset: str = "points",
    target: int = 50,
    solo: Seat | None = None,
    starter: Seat | None = None,
) -> WarState:
    """Round 1 on these decks."""
    state = begin(Options(preset=preset, target=target), solo, decks(first, second), CHANCE)
    return state if starter is None else replace(state, starter=starter)


def one_round(state: WarState) -> WarState:
    """The state after the running round, everybody making the first legal move."""
    lines = state.lines
    for _ in range(2):
        seat = WAR.owes(state)[0]
        state = WAR.play(state, seat, WAR.legal(state, seat)[0], Driver.HUMAN, CHANCE)
        if state.lines != lines:
            return state
    raise AssertionError("two moves and no round")


def rounds_of(state: WarState) -> Iterator[WarState]:
    """The state after each round, to the end."""
    for _ in range(CLASSIC_LIMIT):
        if state.outcome:
            return
        state = one_round(state)
        yield state
    assert state.outcome, "no end"


def ended(state: WarState) -> WarState:
    """The state at the end of the game."""
    for after in rounds_of(state):
        state = after
    return state
