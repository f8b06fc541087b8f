"""What holds in every game of War Online, tried on games played at random."""

from collections import Counter
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from online import MOST_MOVES, ONLINE, course, of
from twoseat.fair import Chance
from twoseat.games.game import SEATS, Driver, IllegalMove, Move, Seat
from twoseat.games.war_online import deck, moves, odds
from twoseat.games.war_online.board import ALL, TERRITORIES
from twoseat.games.war_online.state import NEUTRAL, Step, WarOnlineState, round_of

MOST_BYTES = 4096
KEYS = st.integers(0, settings().max_examples // 6 - 1)
"""Games are numbered, so that each is played once for all tests."""


@given(KEYS)
def test_every_territory_is_owned_and_has_an_army(key: int) -> None:
    for _, _, _, state in course(key):
        assert len(state.owners) == len(state.armies) == len(ALL)
        assert set(state.owners) <= {0, 1, NEUTRAL}
        assert min(state.armies) >= 1


@given(KEYS)
def test_armies_come_only_by_placing_and_trading_and_go_only_by_dice(key: int) -> None:
    for before, _, move, after in course(key):
        change = sum(after.armies) - sum(before.armies)
        assert after.last is not None
        match move.split()[0]:
            case "place":
                assert change == int(move.split()[2])
            case "undo":
                assert change == -before.placed[-1][1]
            case "trade":
                assert change == 2 * len(after.last.bonus)
            case "attack":
                assert change == -sum(after.last.lost)
            case _:
                assert change == 0


@given(KEYS)
def test_only_attacks_change_owners_and_the_neutral_army_never_grows(key: int) -> None:
    for before, seat, move, after in course(key):
        taken = [t for t in ALL if before.owners[t] != after.owners[t]]
        if taken:
            assert move.startswith("attack")
            assert [after.owners[t] for t in taken] == [seat]
            assert after.conquests == before.conquests + 1
        neutral = [t for t in ALL if after.owners[t] == NEUTRAL]
        assert all(after.armies[t] <= before.armies[t] for t in neutral)
        assert set(neutral) <= {t for t in ALL if before.owners[t] == NEUTRAL}


@given(KEYS)
def test_all_44_cards_are_somewhere_and_nobody_holds_more_than_five(key: int) -> None:
    for _, _, _, state in course(key):
        assert sorted(b"".join((*state.hands, state.pile, state.discards))) == list(deck.DECK)
        assert max(map(len, state.hands)) <= deck.MOST_HELD


@given(KEYS)
def test_a_card_a_turn_with_conquest_and_only_at_its_end(key: int) -> None:
    for before, seat, move, after in course(key):
        grown = len(after.hands[seat]) - len(before.hands[seat])
        if move == moves.END:
            assert grown == (before.conquests > 0 and len(before.pile + before.discards) > 0)
        elif move.startswith("trade"):
            assert grown == -deck.SET
        else:
            assert grown == 0
        assert after.hands[1 - seat] == before.hands[1 - seat]


@given(KEYS)
def test_what_was_granted_is_placed_to_the_last_army(key: int) -> None:
    granted: Counter[int] = Counter()
    placed: Counter[int] = Counter()
    for before, _, move, after in course(key):
        if after.turn != before.turn and after.turn > 1 and not after.outcome:
            view = ONLINE.view(after, None)
            assert view.granted is not None
            granted[after.turn] += view.granted.free + sum(view.granted.continents.values())
        granted[after.turn] += after.traded - before.traded if move.startswith("trade") else 0
        if move.startswith("place"):
            placed[before.turn] += int(move.split()[2])
        elif move == moves.UNDO:
            placed[before.turn] -= before.placed[-1][1]
        if after.turn != before.turn and before.turn > 1:
            assert placed[before.turn] == granted[before.turn]


@given(KEYS)
def test_turns_alternate_and_are_numbered_without_a_gap(key: int) -> None:
    for before, seat, _, after in course(key):
        assert after.turn - before.turn in (0, 1)
        if after.turn > before.turn > 1:
            assert ONLINE.owes(after) in ((), (1 - seat,))


@given(KEYS)
def test_a_state_has_at_most_4_kb_and_comes_back_the_same(key: int) -> None:
    for _, _, _, state in course(key):
        data = ONLINE.encode(state)
        assert len(data) <= MOST_BYTES
        assert ONLINE.decode(data) == state


@given(KEYS)
def test_every_battle_in_the_history_adds_up(key: int) -> None:
    played = course(key)
    throws = [(after.last, after) for _, _, move, after in played if move.startswith("attack")]
    last = played[-1][3]
    lines = ONLINE.history(last, 0, faces=True)
    finished = [event for event, after in throws if event and (after.turn < last.turn or last.outcome)]
    fought = [battle for line in lines for battle in line.battles]
    assert sum(sum(battle.lost) for battle in fought) == sum(sum(event.lost) for event in finished)
    assert sum(line.conquests for line in lines) == sum(event.conquered for event in finished)
    for battle in fought:
        assert battle.conquered is (battle.lost[1] == battle.defenders)
        assert battle.lost[0] < battle.attackers
        assert 0 <= battle.chance <= 1


@given(KEYS)
def test_the_luck_of_a_battle_is_what_its_throws_gave_beyond_the_average(key: int) -> None:
    for before, _, move, after in course(key):
        if move.startswith("attack") and after.last and len(after.last.throws) < 40:
            luck = sum(odds.luck(len(a), len(d), odds.losses(a, d)) for a, d in after.last.throws)
            known = sum(battle.luck for battle in before.battles)
            assert sum(battle.luck for battle in after.battles) == known + luck


@given(KEYS, st.integers(0, MOST_MOVES - 1))
@settings(max_examples=10)
def test_any_move_is_legal_exactly_where_it_is_listed(key: int, number: int) -> None:
    """Every attack, placing and moving there could be, not only those near the legal ones."""
    positions = course(key)
    state, seat, _, _ = positions[number % len(positions)]
    listed = ONLINE.legal(state, seat)
    legal = {form: (int(low), int(high or low)) for form, low, high in map(split, listed) if low}
    for a in ALL:
        forms = [f"place {TERRITORIES[a]}"]
        for b in ALL:
            check(state, seat, moves.attack(a, b), legal=moves.attack(a, b) in listed)
            forms += (f"{moves.attack(a, b)} until", f"move {TERRITORIES[a]} {TERRITORIES[b]}")
        for form in forms:
            low, high = legal.get(form, (1, 0))
            for count in {1, high, high + 1}:
                check(state, seat, Move(f"{form} {count}"), legal=low <= count <= high)


def split(move: Move) -> tuple[str, str, str]:
    form, _, last = move.rpartition(" ")
    low, _, high = last.partition("-")
    return (form, low, high) if low.isdecimal() else (move, "", "")


def check(state: WarOnlineState, seat: Seat, move: Move, *, legal: bool) -> None:
    try:
        ONLINE.play(state, seat, move, Driver.HUMAN, Chance(bytes(32)))
    except IllegalMove:
        assert not legal, move
    else:
        assert legal, move


@given(KEYS)
def test_a_bot_that_knows_nothing_ends_the_turn_from_anywhere(key: int) -> None:
    """The first legal move, again and again, hands on within a few moves and loses nothing in battle."""
    chance = Chance(key.to_bytes(32, "big"))
    for start, *_ in course(key)[::15]:
        state = start
        for _ in range(12):
            if state.turn != start.turn or state.outcome:
                break
            seat = ONLINE.owes(state)[0]
            move = ONLINE.legal(state, seat)[0]
            assert not move.startswith("attack")
            state = ONLINE.play(state, seat, move, Driver.BOT, chance)
        assert state.turn != start.turn or state.outcome


@given(KEYS)
def test_round_1_conquers_nothing(key: int) -> None:
    for before, after in pairwise([step[0] for step in course(key)]):
        if round_of(before.turn) == 1:
            assert before.step is Step.PLACE
            assert before.owners == after.owners


@given(KEYS)
def test_14_territories_each_and_the_rest_neutral_at_the_deal(key: int) -> None:
    state = course(key)[0][0]
    assert [len(of(state, owner)) for owner in (*SEATS, NEUTRAL)] == [14, 14, 14]
