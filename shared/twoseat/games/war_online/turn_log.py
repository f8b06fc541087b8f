"""Finished turns of War Online as a few bytes each, and as people see them afterwards; it knows no rules.

A line is a row of whole numbers, each as base 128 digits, lowest first, with the high bit set on all but the last:
card taken (0: none, else its number + 1) doubled, and one more where the bot drove; armies by trade, conquests, each
seat's territories and armies, number of battles, their luck in hundredths of an army, and for each battle source,
target, both sides' armies and losses, and its luck. Luck has a sign: it is written twice as large, or where it is
negative as minus twice itself less one.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from twoseat.games.game import SEATS, Driver, Seat
from twoseat.games.war_online import deck, odds
from twoseat.games.war_online.board import TERRITORIES, Territory
from twoseat.games.war_online.state import Battle, WarOnlineState, held, round_of, seat_on_turn
from twoseat.values import Value

KEPT_BYTES = 2000
"""All lines together: in a very long game the oldest turns' battles are forgotten, so that a state stays small."""
_DRIVERS = (Driver.HUMAN, Driver.BOT)
_HEAD, _BATTLE = 9, 7
_CENTS = 100
_FIRST_TURN = 2
"""The opening, turn 1, leaves no line."""


class BattleLine(Value, frozen=True):
    """A battle as people see it. `attackers` and `defenders` stood there before it; `lost`: by attacker and defender;
    `chance`: the probability of conquest by attacking to the end; `luck`: armies, the attacker's gain on the average.
    """

    source: str
    target: str
    attackers: int
    defenders: int
    lost: tuple[int, int]
    conquered: bool
    chance: float
    luck: float


class Turn(Value, frozen=True):
    """A finished turn as people see it; `n` from 1; `by` is the bot where it made any move of the turn. `territories`
    and `armies` by seat as the turn left them. `fought`: its number of battles; `battles` is empty where they are
    forgotten. `luck` in all, of the seat. `card` (what was drawn) only once the game is over.
    """

    n: int
    round: int
    seat: Seat
    by: Driver
    territories: tuple[int, int]
    armies: tuple[int, int]
    traded: int
    conquests: int
    fought: int
    luck: float
    battles: tuple[BattleLine, ...]
    drew: bool
    card: str | None = None


def added(state: WarOnlineState, drew: int | None) -> tuple[bytes, ...]:
    """Return the lines with the running turn's behind them; `drew` is the card taken at its end."""
    counts = [number for seat in SEATS for number in held(state, seat)]
    taken = 2 * (0 if drew is None else drew + 1) + _DRIVERS.index(state.driven)
    luck = round(sum(battle.luck for battle in state.battles) * _CENTS / odds.LUCK_UNIT)
    head = [taken, state.traded, state.conquests, *counts, len(state.battles), _unsigned(luck)]
    lines = [*state.lines, write(head) + write_battles(state.battles)]
    spare = KEPT_BYTES - sum(map(len, lines))
    for n, line in enumerate(lines):
        if spare >= 0:
            break
        lines[n] = write(read(line)[:_HEAD])
        spare += len(line) - len(lines[n])
    return tuple(lines)


def turns(lines: tuple[bytes, ...], first: Seat, since: int, *, faces: bool) -> list[Turn]:
    """Return the finished turns from index `since` on; with `faces` the cards taken."""
    return [_turn(line, first, n, faces=faces) for n, line in enumerate(lines[since:], since + 1)]


def _turn(line: bytes, first: Seat, n: int, *, faces: bool) -> Turn:
    numbers = read(line)
    taken, traded, conquests, territories0, armies0, territories1, armies1, fought, luck = numbers[:_HEAD]
    card, by = divmod(taken, 2)
    number = n - 1 + _FIRST_TURN
    return Turn(
        n=n,
        round=round_of(number),
        seat=seat_on_turn(first, number),
        by=_DRIVERS[by],
        territories=(territories0, territories1),
        armies=(armies0, armies1),
        traded=traded,
        conquests=conquests,
        fought=fought,
        luck=_signed(luck) / _CENTS,
        battles=tuple(map(battle_line, _battles(numbers[_HEAD:]))),
        drew=card > 0,
        card=deck.name(card - 1) if faces and card else None,
    )


@lru_cache(maxsize=4096)
def battle_line(battle: Battle) -> BattleLine:
    """Return a battle as people see it; remembered, for a turn's battles are shown again with each of its moves."""
    return BattleLine(
        source=TERRITORIES[battle.source],
        target=TERRITORIES[battle.target],
        attackers=battle.attackers,
        defenders=battle.defenders,
        lost=battle.lost,
        conquered=battle.conquered,
        chance=round(odds.prospect(battle.attackers, battle.defenders).conquest, 4),
        luck=_armies(battle.luck),
    )


def write_battles(battles: Iterable[Battle]) -> bytes:
    """Return battles as bytes."""
    return b"".join(map(_write_battle, battles))


@lru_cache(maxsize=4096)
def _write_battle(b: Battle) -> bytes:
    return write((b.source, b.target, b.attackers, b.defenders, *b.lost, _unsigned(b.luck)))


def read_battles(data: bytes) -> tuple[Battle, ...]:
    """Return the battles that `write_battles` wrote."""
    return _battles(read(data))


def _battles(numbers: list[int]) -> tuple[Battle, ...]:
    rows = (numbers[at : at + _BATTLE] for at in range(0, len(numbers), _BATTLE))
    return tuple(
        Battle(Territory(source), Territory(target), attackers, defenders, (lost, taken), _signed(luck))
        for source, target, attackers, defenders, lost, taken, luck in rows
    )


def write(numbers: Iterable[int]) -> bytes:
    """Return whole numbers as bytes, none of them negative."""
    return bytes(_digits(numbers))


def _digits(numbers: Iterable[int]) -> Iterator[int]:
    for number in numbers:
        rest = number
        while rest > 0x7F:
            yield rest & 0x7F | 0x80
            rest >>= 7
        yield rest


def read(data: bytes) -> list[int]:
    """Return the numbers that `write` wrote."""
    numbers, at = [], 0
    while at < len(data):
        number, at = read_one(data, at)
        numbers.append(number)
    return numbers


def read_one(data: bytes, at: int) -> tuple[int, int]:
    """Return the number that stands at a place, and the place behind it."""
    number = shift = 0
    while data[at] > 0x7F:
        number |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
    return number | data[at] << shift, at + 1


def _unsigned(luck: int) -> int:
    return 2 * luck if luck >= 0 else -2 * luck - 1


def _signed(luck: int) -> int:
    return luck // 2 if luck % 2 == 0 else -(luck + 1) // 2


def _armies(luck: int) -> float:
    return round(luck / odds.LUCK_UNIT, 2)
