"""The course of a game of War Online but for its attacks: the deal, turns, placing, trading, moving and the end."""

from msgspec.structs import replace

from twoseat.fair import Chance
from twoseat.games.game import SEATS, Driver, IllegalMove, Move, Options, Outcome, Seat, Termination, other
from twoseat.games.war_online import deck, turn_log
from twoseat.games.war_online.board import ALL, NEIGHBOURS, TERRITORIES, Territory
from twoseat.games.war_online.moves import Place, Shift, Trade
from twoseat.games.war_online.objectives import BY_ID, OBJECTIVES, reached
from twoseat.games.war_online.state import (
    NEUTRAL,
    Event,
    Step,
    WarOnlineState,
    held,
    movable,
    must_trade,
    round_of,
    to_place,
)

NEUTRAL_ARMIES = 2
BONUS = 2
"""Armies for a traded card whose territory one owns."""


def deal(options: Options, chance: Chance) -> WarOnlineState:
    """Deal territories, objectives and the order (rules, Online 2)."""
    third = len(ALL) // 3
    dealt = chance.shuffle("territories", ALL)
    owner = {t: n // third for n, t in enumerate(dealt)}  # seat 0's, seat 1's, then the neutral army's
    first, second = chance.shuffle("objectives", range(len(OBJECTIVES)))[:2]
    owners = bytes(owner[t] for t in ALL)
    return WarOnlineState(
        limit=options.limit,
        level=options.level,
        objectives=(OBJECTIVES[first].id, OBJECTIVES[second].id),
        first=SEATS[chance.below("order", 2)],
        owners=owners,
        armies=tuple(NEUTRAL_ARMIES if held_by == NEUTRAL else 1 for held_by in owners),
        pile=bytes(chance.shuffle("cards/0", deck.DECK)),
    )


def open_game(state: WarOnlineState, seat: Seat, move: Move) -> WarOnlineState:
    """Press Play; the second one begins round 1. Raises IllegalMove."""
    if state.step is not Step.OPENING or state.ready[seat]:
        raise IllegalMove("you have begun already")
    ready = (True, state.ready[1]) if seat == 0 else (state.ready[0], True)
    state = replace(state, ready=ready, last=Event(seat, move))
    return _begin_turn(state) if all(ready) else state


def trade(state: WarOnlineState, seat: Seat, wanted: Trade, move: Move) -> WarOnlineState:
    """Give a set for armies, before anything is placed. Raises IllegalMove."""
    if state.step is not Step.PLACE or state.placed:
        raise IllegalMove("cards are traded before armies are placed")
    hand = state.hands[seat]
    cards = deck.numbers(wanted.cards, hand)
    if cards is None or not deck.is_set(cards):
        raise IllegalMove("you hold no such three cards that are alike, all different, or with a joker")
    own = [t for t in map(deck.territory, cards) if t is not None and state.owners[t] == seat]
    return replace(
        state,
        armies=tuple(n + BONUS * (t in own) for t, n in enumerate(state.armies)),
        hands=_with(state.hands, seat, bytes(card for card in hand if card not in cards)),
        discards=state.discards + cards,
        trades=state.trades + 1,
        traded=deck.worth(state.trades),
        last=Event(seat, move, bonus=tuple(TERRITORIES[t] for t in own)),
    )


def place(state: WarOnlineState, seat: Seat, wanted: Place, move: Move) -> WarOnlineState:
    """Put armies on an own territory; with the last one attacks may begin. Raises IllegalMove."""
    if state.step is not Step.PLACE or must_trade(state):
        raise IllegalMove("armies are placed at the beginning of a turn, after a trade one owes")
    if state.owners[wanted.target] != seat:
        raise IllegalMove(f"{TERRITORIES[wanted.target]} is not yours")
    if wanted.armies > to_place(state).room(wanted.target):
        raise IllegalMove(f"there are not so many armies to place in {TERRITORIES[wanted.target]}")
    state = replace(
        state,
        armies=_changed(state.armies, wanted.target, wanted.armies),
        placed=(*state.placed, (wanted.target, wanted.armies)),
        last=Event(seat, move),
    )
    if to_place(state).total or round_of(state.turn) == 1:
        return state
    return replace(state, step=Step.ATTACK)


def undo(state: WarOnlineState, seat: Seat, move: Move) -> WarOnlineState:
    """Take the last placing back. Raises IllegalMove."""
    if not state.placed:
        raise IllegalMove("there is no placing to take back")
    target, armies = state.placed[-1]
    return replace(
        state,
        armies=_changed(state.armies, target, -armies),
        placed=state.placed[:-1],
        step=Step.PLACE,
        last=Event(seat, move),
    )


def done(state: WarOnlineState, seat: Seat, move: Move) -> WarOnlineState:
    """Leave attacking for moving. Raises IllegalMove."""
    if state.step is not Step.ATTACK:
        raise IllegalMove("there are no attacks to be done with")
    return replace(state, step=Step.MOVE, placed=(), last=Event(seat, move))


def shift(state: WarOnlineState, seat: Seat, wanted: Shift, move: Move) -> WarOnlineState:
    """Move armies one territory on. Raises IllegalMove."""
    source, target = wanted.source, wanted.target
    if state.step is not Step.MOVE:
        raise IllegalMove("armies move after the attacks are done")
    if state.owners[source] != seat or state.owners[target] != seat or target not in NEIGHBOURS[source]:
        raise IllegalMove(f"{TERRITORIES[source]} and {TERRITORIES[target]} are not two neighbours of yours")
    if wanted.armies > movable(state, source):
        raise IllegalMove(f"not so many armies may move out of {TERRITORIES[source]}")
    armies = _changed(_changed(state.armies, source, -wanted.armies), target, wanted.armies)
    came = dict(state.moved)
    came[target] = came.get(target, 0) + wanted.armies
    return replace(state, armies=armies, moved=tuple(came.items()), last=Event(seat, move))


def may_end(state: WarOnlineState) -> bool:
    """Whether the turn can be ended: nothing left to place, nobody waiting to go in."""
    match state.step:
        case Step.ATTACK | Step.MOVE:
            return True
        case Step.PLACE:
            return not to_place(state).total
        case Step.OPENING | Step.ADVANCE:
            return False


def end_turn(state: WarOnlineState, seat: Seat, move: Move, chance: Chance) -> WarOnlineState:
    """Take a card if territory was taken, and hand on; the last turn of the limit ends the game. Raises IllegalMove."""
    if not may_end(state):
        raise IllegalMove("there are armies to place, or to send on, before a turn can end")
    hand = state.hands[seat]
    if state.conquests:
        state = _draw_card(state, seat, chance)
    drew = state.hands[seat] != hand
    state = replace(state, last=Event(seat, move, drew=drew))
    state = replace(state, lines=turn_log.added(state, drew=state.hands[seat][-1] if drew else None))
    if round_of(state.turn + 1) > state.limit:
        return replace(state, outcome=Outcome(_ahead(state), Termination.LIMIT))
    return _begin_turn(state)


def finish(state: WarOnlineState, seat: Seat) -> WarOnlineState:
    """Return the state with its outcome where `seat`, on turn, has just won (rules, Online 9)."""
    if other(seat) not in state.owners:
        won = Termination.CONQUEST
    elif reached(BY_ID[state.objectives[seat]], state.owners, state.armies, seat):
        won = Termination.OBJECTIVE
    else:
        return state
    return replace(state, outcome=Outcome(seat, won), lines=turn_log.added(state, drew=None))


def _begin_turn(state: WarOnlineState) -> WarOnlineState:
    return replace(
        state,
        turn=state.turn + 1,
        step=Step.PLACE,
        traded=0,
        placed=(),
        moved=(),
        conquests=0,
        battles=(),
        driven=Driver.HUMAN,
    )


def _draw_card(state: WarOnlineState, seat: Seat, chance: Chance) -> WarOnlineState:
    pile, discards, shuffles = state.pile, state.discards, state.shuffles
    if not pile and discards:
        pile = bytes(chance.shuffle(f"cards/{shuffles}", discards))
        discards, shuffles = b"", shuffles + 1
    hands = _with(state.hands, seat, state.hands[seat] + pile[:1])
    return replace(state, hands=hands, pile=pile[1:], discards=discards, shuffles=shuffles)


def _ahead(state: WarOnlineState) -> Seat | None:
    """The seat with more territories, else with more armies."""
    first, second = held(state, 0), held(state, 1)
    return None if first == second else 0 if first > second else 1


def _with(hands: tuple[bytes, bytes], seat: Seat, hand: bytes) -> tuple[bytes, bytes]:
    return (hand, hands[1]) if seat == 0 else (hands[0], hand)


def _changed(armies: tuple[int, ...], target: Territory, by: int) -> tuple[int, ...]:
    return (*armies[:target], armies[target] + by, *armies[target + 1 :])
