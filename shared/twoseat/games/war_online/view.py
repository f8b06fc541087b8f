"""What one seat, or a watcher, may see of a game of War Online, as JSON values; it changes nothing.

Territories are listed in the order of board.TERRITORIES. The other seat's objective and cards, the pile and its order,
and the seed are in no view while the game runs.
"""

from typing import Literal

from twoseat.games.game import Level, Seat
from twoseat.games.war_online import deck
from twoseat.games.war_online.board import CONTINENTS, TERRITORIES, ContinentId
from twoseat.games.war_online.state import (
    Armies,
    Event,
    Step,
    WarOnlineState,
    reinforcement,
    round_of,
    seat_on_turn,
    to_place,
)
from twoseat.games.war_online.turn_log import BattleLine, battle_line
from twoseat.values import Value

_OWNERS = bytes.maketrans(b"\0\1\2", b"01n")
"""How an owner is written: its seat, n for the neutral army."""


class ArmiesView(Value, frozen=True):
    """Armies to place: `free` anywhere of one's own, others only inside their continent."""

    free: int
    continents: dict[ContinentId, int]


class AdvanceView(Value, frozen=True):
    """A conquest whose winner has yet to say how many armies go in: 1 to `most`."""

    source: str
    target: str
    most: int


class WarOnlineView(Value, frozen=True):
    """A game of War Online as one seat sees it. `owners` is a letter for each territory: 0, 1 or n (neutral).

    `on_turn` is None in the opening. `granted` and `to_place` are None where a turn is past placing; `traded`: armies
    from this turn's trade. `next_trade`: armies the next set is worth, whoever trades it. `hands` and `pile` count
    cards; `cards` are one's own. `objectives` and `shown` (both hands) are filled where nothing is left to hide.
    """

    game: Literal["war-online"]
    preset: Literal["objectives"]
    level: Level
    limit: int
    step: Step
    round: int
    first: Seat
    on_turn: Seat | None
    ready: tuple[bool, bool]
    owners: str
    armies: tuple[int, ...]
    granted: ArmiesView | None
    traded: int
    to_place: ArmiesView | None
    conquests: int
    advance: AdvanceView | None
    moved: tuple[tuple[str, int], ...]
    trades: int
    next_trade: int
    hands: tuple[int, int]
    pile: int
    cards: tuple[str, ...]
    objective: str | None
    last: Event | None
    battles: tuple[BattleLine, ...]
    """Those of the running turn."""
    objectives: tuple[str, str] | None = None
    shown: tuple[tuple[str, ...], tuple[str, ...]] | None = None


def view(state: WarOnlineState, seat: Seat | None, *, over: bool) -> WarOnlineView:
    """Return what `seat` (None: a watcher) sees; with `over`, both objectives and hands too."""
    hands = (_names(state.hands[0]), _names(state.hands[1]))
    placing = state.step is Step.PLACE
    open_hands = over or state.outcome is not None
    return WarOnlineView(
        game="war-online",
        preset="objectives",
        level=state.level,
        limit=state.limit,
        step=state.step,
        round=round_of(state.turn),
        first=state.first,
        on_turn=None if state.step is Step.OPENING else seat_on_turn(state.first, state.turn),
        ready=state.ready,
        owners=state.owners.translate(_OWNERS).decode(),
        armies=state.armies,
        granted=_armies(reinforcement(state)) if placing else None,
        traded=state.traded,
        to_place=_armies(to_place(state)) if placing else None,
        conquests=state.conquests,
        advance=_advance(state),
        moved=tuple((TERRITORIES[territory], armies) for territory, armies in state.moved),
        trades=state.trades,
        next_trade=deck.worth(state.trades),
        hands=(len(hands[0]), len(hands[1])),
        pile=len(state.pile),
        cards=() if seat is None else hands[seat],
        objective=None if seat is None else state.objectives[seat],
        last=state.last,
        battles=tuple(map(battle_line, state.battles)),
        objectives=state.objectives if open_hands else None,
        shown=hands if open_hands else None,
    )


def _names(cards: bytes) -> tuple[str, ...]:
    return tuple(map(deck.name, cards))


def _armies(armies: Armies) -> ArmiesView:
    inside = {c.id: n for c, n in zip(CONTINENTS, armies.continents, strict=True) if n}
    return ArmiesView(armies.free, inside)


def _advance(state: WarOnlineState) -> AdvanceView | None:
    if state.advance is None:
        return None
    source, target, most = state.advance
    return AdvanceView(TERRITORIES[source], TERRITORIES[target], most)
