"""The rules of War as tables, each test named after its number in docs/rules.md."""

import itertools

import pytest
from msgspec.structs import replace

from dealt import CHANCE, WAR, decks, ended, names, one_round, war
from twoseat.fair import Chance
from twoseat.games import cards
from twoseat.games.battle import fight
from twoseat.games.game import BadOptions, Driver, IllegalMove, Options, Outcome, Seat, Termination, other
from twoseat.games.war import DRAW, WarState

REST0, REST1 = " 2C 4C 6C", " 3D 5D 7D"
"""Cards below a compared pair, enough for a war."""


def draw(state: WarState, seat: Seat, by: Driver = Driver.HUMAN) -> WarState:
    return WAR.play(state, seat, DRAW, by, CHANCE)


def test_war_1_a_deal_is_26_and_26_different_cards() -> None:
    state = WAR.new(Options(), None, CHANCE)
    assert list(map(len, state.decks)) == [26, 26]
    assert sorted(b"".join(state.decks)) == list(range(52))
    assert (state.round, state.won, state.drawn, state.lines, state.pairs) == (1, (0, 0), (None, None), b"", b"")


def test_war_1_the_deal_is_the_shuffle_cut_in_half() -> None:
    order = CHANCE.shuffle("deal", range(52))
    assert WAR.new(Options(), None, CHANCE).decks == (bytes(order[:26]), bytes(order[26:]))


def test_war_1_ranks_rise_from_two_to_ace() -> None:
    ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    assert [cards.rank(card) for card in cards.parse(rank + "H" for rank in ranks)] == list(range(13))
    for low, high in itertools.pairwise(ranks):
        assert fight(decks(low + "S", high + "C")).winner == 1
        assert fight(decks(high + "C", low + "S")).winner == 0


@pytest.mark.parametrize("rank", ["2", "10", "A"])
def test_war_1_suits_are_never_compared(rank: str) -> None:
    for mine in "CDHS":
        for theirs in set("CDHS") - {mine}:
            assert fight(decks(rank + mine + REST0, rank + theirs + REST1)).wars == 1


def test_war_2_a_round_is_one_compare_with_all_its_wars_and_one_point() -> None:
    state = one_round(war("9C 2C 9D 3C KS", "9H 2D 9S 3D QS"))
    assert (state.won, len(WAR.history(state, 0, faces=False))) == ((1, 0), 1)


@pytest.mark.parametrize("starter", [0, 1])
def test_war_3_the_starter_draws_first_and_the_other_cannot(starter: Seat) -> None:
    state = war("KC" + REST0, "QC" + REST1, starter=starter)
    later: Seat = 1 if starter == 0 else 0
    assert (WAR.owes(state), WAR.legal(state, starter), WAR.legal(state, later)) == ((starter,), (DRAW,), ())
    with pytest.raises(IllegalMove):
        draw(state, later)
    state = draw(state, starter)
    assert (WAR.owes(state), WAR.legal(state, starter), WAR.legal(state, later)) == ((later,), (), (DRAW,))
    with pytest.raises(IllegalMove):
        draw(state, starter)


def test_war_3_each_draw_is_a_turn() -> None:
    state = war("KC" + REST0, "QC" + REST1, starter=0)
    turns = [WAR.turn(state)]
    for _ in range(4):
        state = draw(state, WAR.owes(state)[0])
        turns.append(WAR.turn(state))
    assert turns == [1, 2, 3, 4, 5]


def test_war_3_a_drawn_card_lies_face_down_until_both_have_drawn() -> None:
    state = draw(war("KC" + REST0, "QC" + REST1, starter=0), 0)
    view = WAR.view(state, 0)
    assert (view.pairs, view.drawn, view.pot, view.counts) == ((), (True, False), 1, (3, 4))
    assert WAR.view(draw(state, 1), 0).pairs == (("KC", "QC"),)


def test_war_3_the_first_starter_too_comes_from_the_seed() -> None:
    for number in range(20):
        chance = Chance(bytes(31) + bytes([number]))
        assert WAR.new(Options(), None, chance).starter == chance.below("starter/1", 2)


def test_war_3_starters_come_from_the_seed_one_a_round() -> None:
    state = war(" ".join(["KC", "QC", "JC", "10C", "9C", "8C", "7C", "6C"]), "5D 4D 3D 2D 5H 4H 3H 2H")
    starters = [state.starter]
    for _ in range(7):
        state = one_round(state)
        starters.append(state.starter)
    assert starters == [CHANCE.below(f"starter/{n}", 2) for n in range(1, 9)]
    assert set(starters) == {0, 1}


@pytest.mark.parametrize("starter", [0, 1])
@pytest.mark.parametrize(
    ("first", "second", "after"),
    [
        ("KC" + REST0, "QD" + REST1, ("2C 4C 6C KC QD", "3D 5D 7D")),
        ("QC" + REST0, "KD" + REST1, ("2C 4C 6C", "3D 5D 7D KD QC")),
        ("9C 2C KC 4C", "9D 3D QD 5D", ("4C 9C 9D 2C 3D KC QD", "5D")),
        ("9C 2C QC 4C", "9D 3D KD 5D", ("4C", "5D 9D 9C 3D 2C KD QC")),
    ],
)
def test_war_4_the_pot_goes_under_step_by_step_winner_first(
    first: str, second: str, after: tuple[str, str], starter: Seat
) -> None:
    state = one_round(war(first, second, starter=starter))
    assert (names(state.decks[0]), names(state.decks[1])) == after


@pytest.mark.parametrize(
    ("first", "second", "wars", "won", "winner"),
    [
        ("9C 2C KC 4C", "9D 3D QD 5D", 1, 6, 0),
        ("9C 2C QC 4C", "9D 3D KD 5D", 1, 6, 1),
        ("9C 2C 8C 4C KC 5C", "9D 3D 8D 5D QD 7D", 2, 10, 0),
        ("9C AC 8C 4C 7C 5C QS 2S", "9D 3D 8D AD 7D 6D KD 2D", 3, 14, 1),
    ],
)
def test_war_5_1_and_2_two_cards_a_war_and_only_the_new_up_cards_count(
    first: str, second: str, wars: int, won: int, winner: Seat
) -> None:
    battle = fight(decks(first, second))
    assert (battle.wars, battle.won, battle.winner, battle.short) == (wars, won, winner, False)
    assert len(battle.pairs) == 2 * (wars + 1)


def test_war_5_1_laying_is_automatic() -> None:
    state = war("9C 2C KC 4C", "9D 3D QD 5D", starter=0)
    state = draw(draw(state, 0), 1)
    assert (state.round, state.won) == (2, (1, 0))


SHORTAGES: list[tuple[str, str, Seat, int, str]] = [
    ("9C", "9D 2D 3D", 1, 1, "2D 3D 9D 9C"),
    ("9C KC", "9D 2D 3D", 1, 1, "2D 3D 9D 9C KC"),
    ("9C 2C 3C", "9D", 0, 1, "2C 3C 9C 9D"),
    ("9C 2C 3C", "9D KD", 0, 1, "2C 3C 9C 9D KD"),
    ("9C 2C 8C AC", "9D 3D 8D 4D 5D", 1, 2, "4D 5D 9D 9C 3D 2C 8D 8C AC"),
    ("9C 2C 8C AC KC", "9D 3D 8D 4D", 0, 2, "AC KC 9C 9D 2C 3D 8C 8D 4D"),
]


@pytest.mark.parametrize(("first", "second", "winner", "wars", "taken"), SHORTAGES)
def test_war_5_3_a_short_seat_loses_everything_at_once(
    first: str, second: str, winner: Seat, wars: int, taken: str
) -> None:
    battle = fight(decks(first, second))
    assert (battle.winner, battle.short, battle.wars) == (winner, True, wars)
    assert names(battle.decks[winner]) == taken
    assert battle.decks[1 - winner] == b""
    kept = len((first, second)[winner].split()) - (2 * wars - 1)
    assert battle.won == len(taken.split()) - kept
    state = ended(war(first, second))
    assert (state.outcome, state.won[winner]) == (Outcome(winner, Termination.SHORTAGE), 1)


@pytest.mark.parametrize(
    ("first", "second", "short"),
    [
        ("9C", "9D 2D 3D 4D", True),
        ("9C 2C", "9D 2D 3D 4D", True),
        ("9C 2C 5C", "9D 2D 3D 4D", False),
        ("9C 2C 5C", "9D 2D", True),
        ("9C 2C 5C 6C", "9D 2D 3D", False),
    ],
)
def test_war_5_3_two_cards_left_are_enough_one_is_not(first: str, second: str, short: bool) -> None:
    assert fight(decks(first, second)).short is short


@pytest.mark.parametrize(
    ("first", "second", "wars"),
    [
        ("9C", "9D", 1),
        ("9C KC", "9D", 1),
        ("9C", "9D KD", 1),
        ("9C KC", "9D AD", 1),
        ("9C 2C 8C KC", "9D 3D 8D", 2),
    ],
)
def test_war_5_4_both_short_is_a_draw_and_leaves_the_decks_as_they_were(first: str, second: str, wars: int) -> None:
    battle = fight(decks(first, second))
    assert (battle.winner, battle.short, battle.wars, battle.won) == (None, True, wars, 0)
    assert names(battle.pairs) == ("9C 9D" if wars == 1 else "9C 9D 8C 8D")
    assert battle.decks == decks(first, second)
    state = ended(war(first, second))
    assert (state.outcome, state.won) == (Outcome(None, Termination.BOTH_SHORT), (0, 0))


def test_war_5_5_a_war_not_paid_counts_as_one() -> None:
    (line,) = WAR.history(ended(war("9C", "9D 2D 3D")), 0, faces=False)
    assert line.wars == 1


ENDINGS: list[tuple[str, str, int, Termination]] = [
    ("9C KC", "9D 2D 3D", 1, Termination.SHORTAGE),
    ("KC", "QD", 50, Termination.ALL_CARDS),
    ("KC", "QD", 1, Termination.ALL_CARDS),
    ("KC 2C", "QD 3D", 1, Termination.POINTS),
]


@pytest.mark.parametrize(("first", "second", "target", "reason"), ENDINGS)
def test_war_6_endings_in_their_order(first: str, second: str, target: int, reason: Termination) -> None:
    state = one_round(war(first, second, target=target))
    assert state.outcome is not None
    assert state.outcome.termination is reason
    assert WAR.outcome(state) is state.outcome


@pytest.mark.parametrize("target", [1, 2, 3])
def test_war_6_points_end_the_game_exactly_at_the_target(target: int) -> None:
    state = war("AC KC QC JC", "2D 3D 4D 5D", target=target)
    for played in range(1, target + 1):
        assert state.outcome is None
        state = one_round(state)
        assert state.won == (played, 0)
    assert state.outcome == Outcome(0, Termination.POINTS)


def test_war_6_only_the_winner_of_the_round_can_reach_the_target() -> None:
    state = replace(war("2C 3C 4C", "KD 5D 6D", target=5), won=(4, 3))
    state = one_round(state)
    assert (state.outcome, state.won) == (None, (4, 4))


@pytest.mark.parametrize("starter", [0, 1])
def test_war_6_nobody_owes_anything_when_it_is_over_and_nothing_moves_back(starter: Seat) -> None:
    state = war("KC", "QD", starter=starter)
    before = draw(state, starter)
    over = draw(before, other(starter))
    assert WAR.owes(over) == ()
    assert [WAR.legal(over, seat) for seat in (0, 1)] == [(), ()]
    assert (WAR.turn(over), over.round, over.starter) == (WAR.turn(before), 1, starter)
    with pytest.raises(IllegalMove, match="'draw' is not open to seat 0 now"):
        draw(over, 0)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (Options(preset="speed"), "preset must be one of points, classic"),
        (Options(target=0), "target must be 1 to 50"),
        (Options(target=51), "target must be 1 to 50"),
        (Options(turn_seconds=4), "turn_seconds must be 5 to 120"),
        (Options(turn_seconds=121), "turn_seconds must be 5 to 120"),
    ],
)
def test_options_out_of_range_are_named(options: Options, word: str) -> None:
    with pytest.raises(BadOptions) as caught:
        WAR.check(options)
    assert str(caught.value) == word


@pytest.mark.parametrize(
    "options",
    [
        Options(),
        Options(preset="classic"),
        Options(target=1),
        Options(target=50),
        Options(turn_seconds=5),
        Options(turn_seconds=120),
    ],
)
def test_options_in_range_are_taken(options: Options) -> None:
    WAR.check(options)
