"""Every move open in a position of War Online; it changes nothing.

Numbers of armies are given as a range at the end of a move, as in `place brasil 1-7`: see `allows` in games.game. The
first move has no range: it is the safe one, which brings a turn to its end without risking anything.
"""

from collections.abc import Iterator

from twoseat.games.game import Move, Seat
from twoseat.games.war_online import deck, moves
from twoseat.games.war_online.board import ALL
from twoseat.games.war_online.course import may_end
from twoseat.games.war_online.state import Step, WarOnlineState, movable, must_trade, targets, to_place


def legal(state: WarOnlineState, seat: Seat) -> tuple[Move, ...]:
    """Return the moves open to `seat`, which owes one."""
    return tuple(dict.fromkeys(_legal(state, seat)))


def _legal(state: WarOnlineState, seat: Seat) -> Iterator[Move]:
    if may_end(state):
        yield moves.END
    match state.step:
        case Step.OPENING:
            yield moves.PLAY
        case Step.PLACE:
            yield from _placing(state, seat)
        case Step.ATTACK:
            yield from _attacks(state, seat)
            yield moves.DONE
        case Step.ADVANCE if state.advance:
            yield moves.advance(1)
            yield moves.advance(_range(1, state.advance[2]))
        case Step.ADVANCE | Step.MOVE:
            yield from _shifts(state, seat)
    if state.placed:
        yield moves.UNDO


def _placing(state: WarOnlineState, seat: Seat) -> Iterator[Move]:
    left = to_place(state)
    if left.total and not must_trade(state):
        rooms = [(t, left.room(t)) for t in ALL if state.owners[t] == seat]
        open_to = [(t, most) for t, most in rooms if most]
        exposed, most = max(open_to, key=lambda room: len(targets(state, room[0], seat, own=False)))
        yield moves.place(exposed, most)
        for target, most in open_to:
            yield moves.place(target, _range(1, most))
    if not state.placed:
        for cards in deck.sets(state.hands[seat]):
            yield moves.trade(tuple(map(deck.name, cards)))


def _attacks(state: WarOnlineState, seat: Seat) -> Iterator[Move]:
    for source in ALL:
        if state.owners[source] == seat and state.armies[source] > 1:
            for target in targets(state, source, seat, own=False):
                yield moves.attack(source, target)
                yield moves.attack(source, target, until=_range(1, state.armies[source] - 1))


def _shifts(state: WarOnlineState, seat: Seat) -> Iterator[Move]:
    for source in ALL:
        if state.owners[source] == seat and movable(state, source) > 0:
            for target in targets(state, source, seat, own=True):
                yield moves.shift(source, target, _range(1, movable(state, source)))


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}-{high}"
