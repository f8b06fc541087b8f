"""A game of War Online between two moves, and what its rules ask of it; it changes nothing and throws no dice."""

from enum import StrEnum

from twoseat.games.game import Driver, Level, Outcome, Seat, other
from twoseat.games.war_online import deck
from twoseat.games.war_online.board import CONTINENT_OF, CONTINENTS, NEIGHBOURS, Territory
from twoseat.values import Value

NEUTRAL = 2
"""The owner of the third army, which only defends."""
FIRST_PLACES, SECOND_PLACES = 7, 14
"""Armies of round 1: the second player's are more, to make up for the first attack (rules, Online 4)."""
LEAST_REINFORCEMENT = 3

SHOWN_THROWS = 40
Throw = tuple[tuple[int, ...], tuple[int, ...]]
"""The attacker's and the defender's dice, each highest first."""


class Step(StrEnum):
    """Where a turn is."""

    OPENING = "opening"
    PLACE = "place"
    ATTACK = "attack"
    ADVANCE = "advance"
    MOVE = "move"


class Event(Value, frozen=True):
    """The last move and what it did, as everybody may know it; every text about it follows from this.

    `bonus`: territories that got armies by a trade. `throws`: the last SHOWN_THROWS of an attack; `lost`: by attacker
    and defender, over all of them. `drew`: a card was taken at the end of the turn.
    """

    seat: Seat
    move: str
    bonus: tuple[str, ...] = ()
    throws: tuple[Throw, ...] = ()
    lost: tuple[int, int] = (0, 0)
    conquered: bool = False
    drew: bool = False


class Battle(Value, frozen=True):
    """All throws of a turn from one territory against another. `attackers` and `defenders` stood there before them;
    `luck` is how much better they went for the attacker than on average, in units of odds.LUCK_UNIT.
    """

    source: Territory
    target: Territory
    attackers: int
    defenders: int
    lost: tuple[int, int]
    luck: int

    @property
    def conquered(self) -> bool:
        """Whether nobody was left to defend."""
        return self.lost[1] == self.defenders


class WarOnlineState(Value, frozen=True):
    """Everything there is to know. Objectives, hands and the order of the pile are secret while the game runs."""

    limit: int
    level: Level
    objectives: tuple[str, str]
    first: Seat
    owners: bytes
    """By territory: a seat, or NEUTRAL."""
    armies: tuple[int, ...]
    pile: bytes
    """Cards face down, the next one first."""
    ready: tuple[bool, bool] = (False, False)
    turn: int = 1
    """1 while the seats open, 2 and 3 round 1 of the first and the second player, and so on."""
    step: Step = Step.OPENING
    hands: tuple[bytes, bytes] = (b"", b"")
    discards: bytes = b""
    shuffles: int = 1
    trades: int = 0
    throws: int = 0
    traded: int = 0
    """Armies from a trade of the running turn."""
    placed: tuple[tuple[Territory, int], ...] = ()
    """Placings of the running turn that can be undone."""
    advance: tuple[Territory, Territory, int] | None = None
    """After a conquest: from where, into where, and at most how many armies in all."""
    moved: tuple[tuple[Territory, int], ...] = ()
    """Armies that came to a territory by a move of the running turn; they move no more in it."""
    conquests: int = 0
    battles: tuple[Battle, ...] = ()
    driven: Driver = Driver.HUMAN
    """BOT as soon as the bot has made a move of the running turn."""
    last: Event | None = None
    lines: tuple[bytes, ...] = ()
    """The finished turns, see turn_log."""
    outcome: Outcome | None = None


def seat_on_turn(first: Seat, turn: int) -> Seat:
    """Return whose turn it is; not asked in the opening."""
    return first if turn % 2 == 0 else other(first)


def round_of(turn: int) -> int:
    """Return the round a turn belongs to, 0 for the opening."""
    return turn // 2


def held(state: WarOnlineState, owner: int) -> tuple[int, int]:
    """Return how many territories and armies an owner has."""
    mine = [armies for held_by, armies in zip(state.owners, state.armies, strict=True) if held_by == owner]
    return len(mine), sum(mine)


class Armies(Value, frozen=True):
    """Armies to place: `free` ones anywhere of one's own, the others only inside their continent (by CONTINENTS)."""

    free: int
    continents: tuple[int, ...]

    @property
    def total(self) -> int:
        """All of them."""
        return self.free + sum(self.continents)

    def room(self, target: Territory) -> int:
        """Return how many of them may go to a territory of one's own."""
        return self.free + self.continents[CONTINENT_OF[target]]


_NOWHERE = (0,) * len(CONTINENTS)
_SPANS = tuple((c, c.territories[0], c.territories[-1] + 1) for c in CONTINENTS)
"""Each continent with the span of its territories, which stand together in the board's table."""


def reinforcement(state: WarOnlineState) -> Armies:
    """Return what the seat on turn gets to place in this turn, its trade left out."""
    if round_of(state.turn) == 1:
        return Armies(FIRST_PLACES if state.turn % 2 == 0 else SECOND_PLACES, _NOWHERE)
    seat = seat_on_turn(state.first, state.turn)
    owners = state.owners
    continents = tuple([c.bonus if owners.count(seat, first, end) == end - first else 0 for c, first, end in _SPANS])
    return Armies(max(LEAST_REINFORCEMENT, owners.count(seat) // 2), continents)


def to_place(state: WarOnlineState) -> Armies:
    """Return what is left to place. A continent's armies are used before free ones, in whatever order one places."""
    if state.step is not Step.PLACE:
        return Armies(0, _NOWHERE)
    granted = reinforcement(state)
    if not state.placed:
        return Armies(granted.free + state.traded, granted.continents) if state.traded else granted
    inside = [0] * len(CONTINENTS)
    for target, armies in state.placed:
        inside[CONTINENT_OF[target]] += armies
    free = granted.free + state.traded - sum(max(0, n - own) for n, own in zip(inside, granted.continents, strict=True))
    return Armies(free, tuple(max(0, own - n) for n, own in zip(inside, granted.continents, strict=True)))


def must_trade(state: WarOnlineState) -> bool:
    """Whether the seat on turn holds so many cards that it may do nothing else first."""
    return state.step is Step.PLACE and len(state.hands[seat_on_turn(state.first, state.turn)]) == deck.MOST_HELD


def movable(state: WarOnlineState, source: Territory) -> int:
    """Return how many armies may still move out of a territory in this turn; one always stays."""
    came = max(1, dict(state.moved).get(source, 0)) if state.moved else 1
    return state.armies[source] - came


def targets(state: WarOnlineState, source: Territory, seat: Seat, *, own: bool) -> tuple[Territory, ...]:
    """Return the neighbours of a territory that are the seat's own, or those that are not."""
    owners = state.owners
    return tuple([t for t in NEIGHBOURS[source] if (owners[t] == seat) is own])
