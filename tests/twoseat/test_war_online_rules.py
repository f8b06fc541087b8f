"""War Online's rules 2 to 7 and 9 to 11, each by its number: deal, opening, cards, placing, moving and the end."""

from collections import Counter

import pytest
from msgspec.structs import replace

from online import CHANCE, ONLINE, OPTIONS, begun, left, legal, numbers, of, on, play, position, refused
from twoseat.fair import Chance
from twoseat.games.game import BadOptions, Outcome, Seat, Termination
from twoseat.games.war_online import deck
from twoseat.games.war_online.board import CONTINENTS, TERRITORIES, Continent
from twoseat.games.war_online.state import NEUTRAL, Step

ASIA = ", ".join(TERRITORIES[t] for t in CONTINENTS[4].territories)
AFRICA = ", ".join(TERRITORIES[t] for t in CONTINENTS[3].territories)
OCEANIA = ", ".join(TERRITORIES[t] for t in CONTINENTS[5].territories)


def test_online_2_each_third_of_the_board_and_two_different_objectives() -> None:
    for key in range(50):
        state = ONLINE.new(OPTIONS, None, Chance(bytes([key]) * 32))
        assert Counter(state.owners) == {0: 14, 1: 14, NEUTRAL: 14}
        assert all(n == (2 if owner == NEUTRAL else 1) for owner, n in zip(state.owners, state.armies, strict=True))
        assert state.objectives[0] != state.objectives[1]
        assert sorted(state.pile) == list(deck.DECK)


def test_online_3_either_seat_may_open_first_and_only_once() -> None:
    state = ONLINE.new(OPTIONS, None, CHANCE)
    assert ONLINE.owes(state) == (0, 1)
    assert legal(state, seat=0) == legal(state, seat=1) == ["play"]
    state = play(state, "play", seat=1)
    assert ONLINE.owes(state) == (0,)
    assert ONLINE.turn(state) == 1
    refused(state, "play", seat=1)
    state = play(state, "play", seat=0)
    assert ONLINE.owes(state) == (state.first,)
    assert (ONLINE.turn(state), state.step) == (2, Step.PLACE)


def test_online_3_both_seats_begin_equally_often() -> None:
    firsts = Counter(ONLINE.new(OPTIONS, None, Chance(bytes([key]) * 32)).first for key in range(256))
    assert 96 <= firsts[0] <= 160


def test_online_4_round_1_only_places_seven_and_fourteen_armies() -> None:
    state = begun()
    for armies in (7, 14):
        seat = ONLINE.owes(state)[0]
        home = min(of(state, seat))
        refused(state, f"place {home} {armies + 1}", seat)
        state = play(state, f"place {home} {armies}", seat=seat)
        assert legal(state, seat=seat) == ["end", "undo"]
        refused(state, "done", seat)
        state = play(state, "end", seat=seat)
    assert ONLINE.turn(state) == 4
    assert state.hands == (b"", b"")
    assert ONLINE.view(state, 0).round == 2


def test_online_5_the_steps_follow_each_other() -> None:
    state = position("brasil 3, argentina 3, congo", step=Step.PLACE)
    for too_early in ("attack brasil argelia", "done", "move brasil argentina 1", "advance 1", "end", "undo"):
        refused(state, too_early)
    state = play(state, "place congo 3")
    for not_now in ("move brasil argentina 1", "place congo 1", "advance 1"):
        refused(state, not_now)
    state = play(state, "done")
    for too_late in ("attack brasil argelia", "done", "place congo 1", "undo"):
        refused(state, too_late)
    state = play(state, "move brasil argentina 1", "end")
    assert ONLINE.owes(state) == (1,)


def test_online_5_the_other_seat_moves_nothing() -> None:
    state = position("brasil 3", "argelia 3")
    refused(state, "attack argelia brasil", seat=1)
    refused(state, "end", seat=1)
    assert legal(state, seat=1) == []


@pytest.mark.parametrize("place", ["place brasil 1", "end"])
def test_online_6_five_cards_must_be_traded_first(place: str) -> None:
    state = position("brasil", cards="alaska vancouver novayork brasil china", step=Step.PLACE)
    assert {move.split()[0] for move in legal(state)} == {"trade"}
    refused(state, place)
    state = play(state, "trade alaska vancouver novayork")
    assert state.hands[0] == numbers("brasil china")
    assert legal(state, "place")


def test_online_6_four_cards_may_be_kept() -> None:
    state = position("brasil", cards="alaska vancouver novayork brasil", step=Step.PLACE)
    assert legal(state, "trade") == ["trade alaska vancouver novayork"]
    assert play(state, "place brasil 3").hands[0] == state.hands[0]


def test_online_6_no_trade_once_armies_are_placed_unless_they_are_taken_back() -> None:
    state = position("brasil", cards="alaska vancouver novayork", step=Step.PLACE)
    placed = play(state, "place brasil 1")
    refused(placed, "trade alaska vancouver novayork")
    assert legal(placed, "trade") == []
    assert play(placed, "undo", "trade alaska vancouver novayork").traded == 4


@pytest.mark.parametrize(
    "cards", ["alaska brasil china", "alaska vancouver egito", "alaska alaska vancouver", "joker joker alaska", "a b c"]
)
def test_online_6_only_a_set_one_holds_is_traded(cards: str) -> None:
    state = position("brasil", cards="alaska vancouver brasil china", step=Step.PLACE)
    refused(state, f"trade {cards}")


def test_online_6_two_jokers_are_two_cards() -> None:
    state = position("alaska", cards="joker alaska joker", step=Step.PLACE)
    assert legal(state, "trade") == ["trade joker alaska joker"]
    state = play(state, "trade joker joker alaska")
    assert (state.hands[0], on(state, "alaska")) == (b"", (3,))


def test_table_2_counts_the_trades_of_both_seats() -> None:
    state = position("brasil", step=Step.PLACE, cards="alaska vancouver novayork", trades=5)
    assert ONLINE.view(state, 1).next_trade == 15
    state = play(state, "trade alaska vancouver novayork")
    assert (state.traded, ONLINE.view(state, 1).next_trade) == (15, 20)
    assert legal(state, "place") == ["place brasil 18", "place brasil 1-18"]


def test_online_6_a_card_for_a_turn_with_a_conquest_and_none_without() -> None:
    state = position("brasil 3", step=Step.MOVE)
    assert play(state, "end").hands == (b"", b"")
    after = play(replace(state, conquests=3), "end")
    assert after.hands == (state.pile[:1], b"")
    assert after.pile == state.pile[1:]
    assert after.last is not None
    assert after.last.drew


def test_online_6_traded_cards_are_shuffled_into_an_empty_pile() -> None:
    aside = numbers("alaska brasil china")
    state = position("brasil 3", step=Step.MOVE, conquests=1, pile=b"", discards=aside)
    after = play(state, "end")
    assert sorted(after.hands[0] + after.pile) == sorted(aside)
    assert (len(after.hands[0]), after.discards, after.shuffles) == (1, b"", 2)
    later = play(replace(state, shuffles=2), "end", chance=CHANCE)
    assert later.shuffles == 3


def test_online_6_no_card_left_none_taken() -> None:
    state = play(position("brasil 3", step=Step.MOVE, conquests=1, pile=b"", discards=b""), "end")
    assert state.hands == (b"", b"")
    assert state.last is not None
    assert not state.last.drew


@pytest.mark.parametrize(("territories", "armies"), [(1, 3), (6, 3), (7, 3), (8, 4), (9, 4), (20, 10)])
def test_online_7_half_the_territories_at_least_three(territories: int, armies: int) -> None:
    # The first of each continent, so that none is whole.
    names = [
        TERRITORIES[t] for n in range(12) for c in CONTINENTS if n < len(c.territories) - 1 for t in [c.territories[n]]
    ]
    state = position(", ".join(names[:territories]), step=Step.PLACE)
    assert left(state) == (armies, {})


@pytest.mark.parametrize("whole", CONTINENTS, ids=lambda continent: continent.id)
def test_table_1_armies_for_a_whole_continent(whole: Continent) -> None:
    state = position(", ".join(TERRITORIES[t] for t in whole.territories), step=Step.PLACE)
    assert left(state)[1] == {whole.id: whole.bonus}
    broken = position(", ".join(TERRITORIES[t] for t in whole.territories[1:]), step=Step.PLACE)
    assert left(broken)[1] == {}


def test_online_7_a_continents_armies_go_only_inside_it() -> None:
    state = position(f"{AFRICA}, brasil", step=Step.PLACE)
    assert legal(state, "place brasil") == ["place brasil 3", "place brasil 1-3"]
    assert "place congo 1-6" in legal(state)
    refused(state, "place brasil 4")
    state = play(state, "place congo 2")  # the continent's armies go first
    assert left(state) == (3, {"af": 1})
    state = play(state, "place brasil 3")
    assert legal(state, "place brasil") == []
    refused(state, "end")
    assert play(state, "place congo 1").step is Step.ATTACK


def test_online_7_it_does_not_matter_in_which_order_one_places() -> None:
    state = position(f"{AFRICA}, {OCEANIA}, brasil", step=Step.PLACE)
    moves = ["place brasil 2", "place congo 5", "place borneo 3"]
    after = {play(state, *order).armies for order in (moves, moves[::-1], [moves[1], moves[0], moves[2]])}
    assert len(after) == 1


def test_online_7_placings_are_taken_back_the_last_first_until_the_first_attack() -> None:
    state = position("brasil 2, argentina", step=Step.PLACE)
    placed = play(state, "place brasil 1", "place argentina 2")
    assert placed.step is Step.ATTACK
    back = play(placed, "undo")
    assert (on(back, "brasil", "argentina"), back.step) == ((3, 1), Step.PLACE)
    assert play(back, "undo").armies == state.armies
    attacked = play(placed, "attack brasil bolivia")
    refused(attacked, "undo")
    assert "undo" not in legal(attacked)


def test_online_7_only_on_own_territories() -> None:
    state = position("brasil", "argentina", step=Step.PLACE)
    refused(state, "place argentina 1")
    refused(state, "place bolivia 1")


def test_online_9_reached_objectives_win_at_once_even_by_placing() -> None:
    two = ", ".join(f"{name} 2" for name in TERRITORIES[:17])
    state = position(f"{two}, {TERRITORIES[17]}", objectives=("t18x2", "t24"), step=Step.PLACE)
    assert play(state, "place alaska 3").outcome is None
    won = play(state, f"place {TERRITORIES[17]} 1")
    assert won.outcome == Outcome(0, Termination.OBJECTIVE)
    assert ONLINE.owes(won) == ()
    assert len(ONLINE.history(won, 0, faces=True)) == 1


def test_online_9_what_another_does_makes_nobody_win() -> None:
    # Seat 1 has its 24 territories; seat 0's move does not make it the winner.
    state = position("brasil 3", ", ".join(TERRITORIES[12:36]), objectives=("as_af", "t24"), step=Step.MOVE)
    assert play(state, "end").outcome is None


def test_online_10_armies_move_one_territory_and_one_stays() -> None:
    state = position("brasil 5, argentina 4, bolivia", "congo", step=Step.MOVE)
    refused(state, "move brasil argentina 5")
    refused(state, "move brasil congo 1")
    refused(state, "move brasil argelia 1")
    refused(state, "move argentina argentina 1")
    assert "move brasil argentina 1-4" in legal(state)
    assert legal(state, "move bolivia") == []
    assert on(play(state, "move brasil argentina 4"), "brasil", "argentina") == (1, 8)


def test_online_10_no_army_moves_twice() -> None:
    state = play(position("colombia 4, brasil, argentina", step=Step.MOVE), "move colombia brasil 3")
    assert legal(state, "move brasil") == ["move brasil colombia 1", "move brasil argentina 1"]
    refused(state, "move brasil argentina 2")
    state = play(state, "move brasil argentina 1")
    refused(state, "move brasil argentina 1")
    assert on(state, "colombia", "brasil", "argentina") == (1, 3, 2)


@pytest.mark.parametrize(
    ("mine", "hers", "winner"),
    [
        ("brasil, argentina", "congo 9", 0),
        ("brasil 2, argentina 2", "congo, egito", 0),
        ("brasil, argentina", "congo 2, egito", 1),
        ("brasil 2, argentina", "congo, egito 2", None),
    ],
)
def test_online_11_after_the_limit_territories_then_armies(mine: str, hers: str, winner: Seat | None) -> None:
    state = position(mine, hers, limit=10, turn=20, step=Step.MOVE)
    state = play(state, "end")
    assert state.outcome is None
    assert ONLINE.owes(state) == (1,)
    state = replace(state, step=Step.MOVE)
    state = play(state, "end", seat=1)
    assert state.outcome == Outcome(winner, Termination.LIMIT)


@pytest.mark.parametrize(
    "wrong", [{"preset": "points"}, {"turn_seconds": 29}, {"turn_seconds": 601}, {"limit": 9}, {"limit": 101}]
)
def test_options_out_of_range_are_refused(wrong: dict[str, object]) -> None:
    ONLINE.check(OPTIONS)
    with pytest.raises(BadOptions):
        ONLINE.check(replace(OPTIONS, **wrong))


def test_before_the_deal_the_board_is_bare() -> None:
    view = ONLINE.before_deal(OPTIONS, None)
    assert (set(view.owners), sum(view.armies), view.objectives, view.cards) == ({"n"}, 0, None, ())
