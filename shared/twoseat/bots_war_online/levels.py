"""War Online's bots, easy, middle and strong: what each does with a turn; they see one seat's view and the legal moves.

Middle and strong have one mind and two styles; easy has no plan at all.
"""

from collections.abc import Callable, Sequence
from typing import assert_never

from twoseat.bots_war_online.position import Position
from twoseat.bots_war_online.style import MIDDLE, STRONG, Style
from twoseat.bots_war_online.tactics import Tactics
from twoseat.games.game import Level, Move
from twoseat.games.war_online import moves
from twoseat.games.war_online.board import ALL, NUMBER, Territory
from twoseat.games.war_online.deck import JOKER
from twoseat.games.war_online.objectives import BY_ID
from twoseat.games.war_online.state import Step
from twoseat.games.war_online.view import WarOnlineView

_A_LITTLE_BETTER = 0.3
"""Gain below which moving armies along a border is not worth the trouble."""
_SPREAD = 0.9
"""Below 1: many armies on one territory are preferred to a little more gain for each of a few."""


def play(view: WarOnlineView, legal: Sequence[Move]) -> Move:
    """Return the move of a bot of the match's own level."""
    return LEVELS[view.level](view, legal)


def easy(view: WarOnlineView, legal: Sequence[Move]) -> Move:
    """Trade at once, place where most neighbours are not one's own, attack whoever is weaker by two; nothing more."""
    trades = [move for move in legal if move.startswith("trade")]
    if trades or view.on_turn is None or view.objective is None:
        return trades[0] if trades else legal[0]
    if view.advance:
        return moves.advance(view.advance.most)
    position = Position(view, view.on_turn, BY_ID[view.objective])
    if view.step is Step.ATTACK:
        edges = [
            (position.armies[source] - position.armies[target], source, target)
            for source in position.mine()
            for target in position.targets(source)
        ]
        edge, source, target = max(edges, default=(0, ALL[0], ALL[0]))
        if edge >= 2:
            return moves.attack(source, target, until=2)
    return legal[0]


def _thinking(style: Style) -> Callable[[WarOnlineView, Sequence[Move]], Move]:
    def think(view: WarOnlineView, legal: Sequence[Move]) -> Move:
        trades = [move for move in legal if move.startswith("trade")]
        if len(legal) == 1 or view.on_turn is None or view.objective is None:
            return legal[0]
        position = Position(view, view.on_turn, BY_ID[view.objective])
        if trades:
            return max(trades, key=lambda move: _trade_value(position, move))
        match view.step:
            case Step.PLACE:
                return _place(Tactics(position, style), legal)
            case Step.ATTACK:
                return _attack(Tactics(position, style))
            case Step.ADVANCE:
                return _advance(Tactics(position, style))
            case Step.MOVE:
                return _to_the_front(position) or _along_the_front(Tactics(position, style)) or moves.END
            case Step.OPENING:
                return legal[0]
            case _:
                assert_never(view.step)

    return think


def _trade_value(position: Position, move: Move) -> int:
    """Two armies for each territory owned; a joker is worth keeping."""
    cards = move.split()[1:]
    owned = sum(card != JOKER and position.owners[NUMBER[card]] == position.me for card in cards)
    return 2 * owned - 3 * cards.count(JOKER)


def _place(tactics: Tactics, legal: Sequence[Move]) -> Move:
    """Put all, half or a third of what may go there where it gains most, attacks and fears taken together."""
    position = tactics.position
    best, chosen = float("-inf"), legal[0]
    for target in position.mine():
        room, standing = position.room(target), position.armies[target]
        if not room or not position.targets(target):
            continue
        now = tactics.plan(target, standing) - tactics.fear(target, standing)
        for armies in {room, (room + 1) // 2, max(1, room // 3)}:
            then = tactics.plan(target, standing + armies) - tactics.fear(target, standing + armies)
            if (gain := (then - now) / armies**_SPREAD) > best:
                best, chosen = gain, moves.place(target, armies)
    return chosen


def _attack(tactics: Tactics) -> Move:
    """Make the attack that gains most, and think again when half the armies are gone; without one go on."""
    position = tactics.position
    chance = tactics.best_attack({source: position.armies[source] for source in position.mine()})
    if chance is None:
        return moves.DONE
    armies = position.armies[chance.source]
    return moves.attack(chance.source, chance.target, until=(armies + 1) // 2 if armies > 3 else 1)


def _advance(tactics: Tactics) -> Move:
    """Send as many as make the two territories gain most together; more rather than fewer."""
    advance = tactics.position.view.advance
    if advance is None:
        return moves.advance(1)
    source, target = NUMBER[advance.source], NUMBER[advance.target]
    together = tactics.position.armies[source] + 1

    def gain(sent: int) -> tuple[float, int]:
        stand = ((target, sent), (source, together - sent))
        return sum(tactics.plan(*there) - tactics.fear(*there) for there in stand), sent

    return moves.advance(max(range(1, advance.most + 1), key=gain))


def _to_the_front(position: Position) -> Move | None:
    """Move the armies of a territory that touches no enemy one step nearer to one that does."""
    away = _steps_to_the_front(position)
    for source in position.mine():
        armies = position.movable(source)
        nearer = [t for t in position.friends(source) if away[t] < away[source]]
        if armies > 0 and nearer:
            return moves.shift(source, min(nearer, key=lambda t: (away[t], position.armies[t])), armies)
    return None


def _steps_to_the_front(position: Position) -> dict[Territory, int]:
    mine = position.mine()
    ring = [t for t in mine if position.enemies(t)] or [t for t in mine if position.targets(t)]
    away, steps = dict.fromkeys(ring, 0), 0
    while ring:
        steps += 1
        ring = list({t: None for at in ring for t in position.friends(at) if t not in away})
        away |= dict.fromkeys(ring, steps)
    return away | {t: steps for t in mine if t not in away}


def _along_the_front(tactics: Tactics) -> Move | None:
    """Move all or half of what may leave a border to the next one where it is needed more."""
    position = tactics.position
    best, chosen = _A_LITTLE_BETTER, None
    for source in position.mine():
        movable, standing = position.movable(source), position.armies[source]
        if movable < 1:
            continue
        for target in position.friends(source):
            there = position.armies[target]
            fear = tactics.fear(source, standing) + tactics.fear(target, there)
            for armies in {movable, (movable + 1) // 2}:
                gain = fear - tactics.fear(source, standing - armies) - tactics.fear(target, there + armies)
                if gain > best:
                    best, chosen = gain, moves.shift(source, target, armies)
    return chosen


LEVELS: dict[Level, Callable[[WarOnlineView, Sequence[Move]], Move]] = {
    "easy": easy,
    "middle": _thinking(MIDDLE),
    "strong": _thinking(STRONG),
}
