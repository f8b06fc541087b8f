"""War Online's attacks: throwing, until a territory is taken or enough are lost, and going in; it knows no cards."""

from msgspec.structs import replace

from twoseat.fair import Chance
from twoseat.games.game import IllegalMove, Move, Seat
from twoseat.games.war_online import odds
from twoseat.games.war_online.board import NEIGHBOURS, TERRITORIES, Territory
from twoseat.games.war_online.moves import Advance, Attack
from twoseat.games.war_online.state import SHOWN_THROWS, Battle, Event, Step, Throw, WarOnlineState


def attack(state: WarOnlineState, seat: Seat, wanted: Attack, move: Move, chance: Chance) -> WarOnlineState:
    """Throw once or, with `until`, on and on. A territory taken is entered by one army at once; whoever may send more
    is asked how many. Raises IllegalMove.
    """
    source, target, until = wanted.source, wanted.target, wanted.until
    check_attack(state, seat, source, target)
    attackers, defenders = state.armies[source], state.armies[target]
    if until is not None and until >= attackers:
        raise IllegalMove(f"{TERRITORIES[source]} has {attackers} armies: attack until fewer than that are left")
    throws: list[Throw] = []
    luck, dice = 0, 0
    while not throws or (until is not None and defenders > 0 and attackers > until):
        dice = odds.attack_dice(attackers)
        thrown = throw(chance, state.throws + len(throws), dice, odds.defence_dice(defenders))
        lost = odds.losses(*thrown)
        luck += odds.luck(len(thrown[0]), len(thrown[1]), lost)
        attackers, defenders = attackers - lost[0], defenders - lost[1]
        throws.append(thrown)
    fought = Battle(
        source,
        target,
        state.armies[source],
        state.armies[target],
        (state.armies[source] - attackers, state.armies[target] - defenders),
        luck,
    )
    state = replace(
        state,
        armies=_with(state.armies, {source: attackers, target: defenders}),
        throws=state.throws + len(throws),
        placed=(),
        battles=_joined(state.battles, fought),
        last=Event(seat, move, throws=tuple(throws[-SHOWN_THROWS:]), lost=fought.lost, conquered=fought.conquered),
    )
    return state if defenders else _conquer(state, seat, source, target, dice)


def check_attack(state: WarOnlineState, seat: Seat, source: Territory, target: Territory) -> None:
    """Raise IllegalMove unless `seat` may attack `target` from `source` now."""
    if state.step is not Step.ATTACK:
        raise IllegalMove(f"attacks are made in the step {Step.ATTACK}, not in {state.step}")
    if state.owners[source] != seat or state.armies[source] < 2:
        raise IllegalMove(f"an attack needs two armies of your own in {TERRITORIES[source]}")
    if state.owners[target] == seat or target not in NEIGHBOURS[source]:
        raise IllegalMove(f"{TERRITORIES[target]} is no neighbour of {TERRITORIES[source]} that is not yours")


def throw(chance: Chance, number: int, attack_dice: int, defence_dice: int) -> Throw:
    """Return the dice of the game's throw `number` from 0, each side's highest first.

    They are the base 6 digits, lowest first and the attacker's before the defender's, of one number of chance.
    """
    drawn = chance.below(f"throw/{number}", odds.SIDES ** (attack_dice + defence_dice))
    dice = []
    for _ in range(attack_dice + defence_dice):
        drawn, digit = divmod(drawn, odds.SIDES)
        dice.append(digit + 1)
    return tuple(sorted(dice[:attack_dice], reverse=True)), tuple(sorted(dice[attack_dice:], reverse=True))


def advance(state: WarOnlineState, seat: Seat, wanted: Advance, move: Move) -> WarOnlineState:
    """Send armies into the territory just taken, counting the one that is there already. Raises IllegalMove."""
    if state.advance is None:
        raise IllegalMove("no territory has just been taken")
    source, target, most = state.advance
    if wanted.armies > most:
        raise IllegalMove(f"at most {most} may go into {TERRITORIES[target]}")
    more = wanted.armies - 1
    armies = _with(state.armies, {source: state.armies[source] - more, target: state.armies[target] + more})
    return replace(state, armies=armies, step=Step.ATTACK, advance=None, last=Event(seat, move))


def _conquer(state: WarOnlineState, seat: Seat, source: Territory, target: Territory, dice: int) -> WarOnlineState:
    most = min(dice, state.armies[source] - 1)
    owners = bytearray(state.owners)
    owners[target] = seat
    return replace(
        state,
        owners=bytes(owners),
        armies=_with(state.armies, {source: state.armies[source] - 1, target: 1}),
        step=Step.ADVANCE if most > 1 else Step.ATTACK,
        advance=(source, target, most) if most > 1 else None,
        conquests=state.conquests + 1,
    )


def _joined(battles: tuple[Battle, ...], fought: Battle) -> tuple[Battle, ...]:
    """Throw after throw from one territory against another is one battle."""
    if not battles or (battles[-1].source, battles[-1].target) != (fought.source, fought.target):
        return (*battles, fought)
    before = battles[-1]
    lost = (before.lost[0] + fought.lost[0], before.lost[1] + fought.lost[1])
    return (*battles[:-1], replace(before, lost=lost, luck=before.luck + fought.luck))


def _with(armies: tuple[int, ...], changed: dict[Territory, int]) -> tuple[int, ...]:
    after = list(armies)
    for territory, number in changed.items():
        after[territory] = number
    return tuple(after)
