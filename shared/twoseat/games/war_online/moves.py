"""The notation of War Online's moves, both ways; it knows no position.

    play                        seen objective and territories: begin
    trade CARD CARD CARD        a set for armies; a card is its territory's name, or joker
    place TERRITORY N           N of the armies to place
    undo                        take the last placing back, until the first attack
    attack FROM TO              one throw
    attack FROM TO until N      throw on until TO is taken, or N or fewer armies are left on FROM
    advance N                   N armies in all go into the territory just taken
    done                        no more attacks: on to moving
    move FROM TO N              N armies to the next territory
    end                         the turn is over

A territory is written as in board.TERRITORIES, a number without sign or leading zero.
"""

import re

from twoseat.games.game import IllegalMove, Move
from twoseat.games.war_online.board import NUMBER, TERRITORIES, Territory
from twoseat.values import Value

PLAY, UNDO, DONE, END = Move("play"), Move("undo"), Move("done"), Move("end")
_COUNT = re.compile(r"[1-9][0-9]{0,4}")


class Plain(Value, frozen=True):
    """A move of one word: PLAY, UNDO, DONE or END."""

    word: Move


class Trade(Value, frozen=True):
    """Three cards by name."""

    cards: tuple[str, str, str]


class Place(Value, frozen=True):
    """Armies onto an own territory."""

    target: Territory
    armies: int


class Attack(Value, frozen=True):
    """One throw, or with `until` as many as it takes."""

    source: Territory
    target: Territory
    until: int | None = None


class Advance(Value, frozen=True):
    """Armies into the territory just taken, the one that took it included."""

    armies: int


class Shift(Value, frozen=True):
    """Armies from one own territory to the next: `move`."""

    source: Territory
    target: Territory
    armies: int


AnyMove = Plain | Trade | Place | Attack | Advance | Shift


def parse(move: Move) -> AnyMove:
    """Return what a move says. Raises IllegalMove where it is not in the notation."""
    match move.split(" "):
        case ["play" | "undo" | "done" | "end"]:
            return Plain(move)
        case ["trade", first, second, third]:
            return Trade((first, second, third))
        case ["place", target, count]:
            return Place(_territory(target), _count(count))
        case ["attack", source, target]:
            return Attack(_territory(source), _territory(target))
        case ["attack", source, target, "until", count]:
            return Attack(_territory(source), _territory(target), _count(count))
        case ["advance", count]:
            return Advance(_count(count))
        case ["move", source, target, count]:
            return Shift(_territory(source), _territory(target), _count(count))
        case _:
            raise IllegalMove(f"{move!r} is no move of War Online")


def trade(cards: tuple[str, ...]) -> Move:
    """Write a trade."""
    return Move("trade " + " ".join(cards))


def place(target: Territory, armies: int | str) -> Move:
    """Write a placing; `armies` may be a range, as may every number below."""
    return Move(f"place {TERRITORIES[target]} {armies}")


def attack(source: Territory, target: Territory, until: int | str | None = None) -> Move:
    """Write an attack."""
    once = f"attack {TERRITORIES[source]} {TERRITORIES[target]}"
    return Move(once if until is None else f"{once} until {until}")


def advance(armies: int | str) -> Move:
    """Write an advance."""
    return Move(f"advance {armies}")


def shift(source: Territory, target: Territory, armies: int | str) -> Move:
    """Write a move between own territories."""
    return Move(f"move {TERRITORIES[source]} {TERRITORIES[target]} {armies}")


def _territory(name: str) -> Territory:
    if name not in NUMBER:
        raise IllegalMove(f"there is no territory {name!r}")
    return NUMBER[name]


def _count(text: str) -> int:
    if not _COUNT.fullmatch(text):
        raise IllegalMove(f"{text!r} is no number of armies")
    return int(text)
