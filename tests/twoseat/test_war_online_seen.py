"""Online 12 and 13: what a seat sees does not depend on what it may not see, and neither does what its bot does."""

import json
import random

from hypothesis import given
from hypothesis import strategies as st
from msgspec import to_builtins
from msgspec.structs import replace

from online import CHANCE, ONLINE, OPTIONS, begun, play, position, positions, scrambled, winning
from twoseat.bots_war_online import LEVELS
from twoseat.fair import Chance
from twoseat.games.game import SEATS, Driver, Move, Seat
from twoseat.games.war_online import deck
from twoseat.games.war_online.state import Step


@given(st.integers(0), st.sampled_from(SEATS), st.randoms(use_true_random=False))
def test_online_12_scrambling_what_is_hidden_changes_no_view_no_move_and_no_bot(
    number: int, seat: Seat, dice: random.Random
) -> None:
    state = positions()[number % len(positions())]
    twin = scrambled(state, seat, dice)
    here, there = ONLINE.view(state, seat), ONLINE.view(twin, seat)
    assert json.dumps(to_builtins(here)) == json.dumps(to_builtins(there))
    assert ONLINE.legal(state, seat) == ONLINE.legal(twin, seat)
    assert ONLINE.history(state, 0, faces=False) == ONLINE.history(twin, 0, faces=False)
    if seat in ONLINE.owes(state):
        for level in LEVELS.values():
            assert level(here, ONLINE.legal(state, seat)) == level(there, ONLINE.legal(twin, seat))


@given(st.integers(0), st.randoms(use_true_random=False))
def test_online_12_a_watcher_sees_nothing_of_either_seat(number: int, dice: random.Random) -> None:
    state = positions()[number % len(positions())]
    twin = scrambled(scrambled(state, 0, dice), 1, dice)
    assert ONLINE.view(state, None) == ONLINE.view(twin, None)
    view = ONLINE.view(state, None)
    assert (view.objective, view.cards, view.objectives, view.shown) == (None, (), None, None)


@given(st.integers(0), st.binary(min_size=32, max_size=32))
def test_online_12_a_move_without_dice_or_cards_is_the_same_whatever_the_seed(number: int, key: bytes) -> None:
    state = positions()[number % len(positions())]
    seat = ONLINE.owes(state)[0]
    for form in ONLINE.legal(state, seat):
        if not form.startswith(("attack", "end")):
            move = Move(form.partition("-")[0])
            assert play(state, move, seat=seat, chance=Chance(key)) == play(state, move, seat=seat)


def test_online_12_each_seat_sees_its_own_objective_and_cards() -> None:
    state = position("brasil", "argelia", cards="alaska joker", her_cards="china", objectives=("t24", "as_af"))
    mine, hers = ONLINE.view(state, 0), ONLINE.view(state, 1)
    assert (mine.objective, mine.cards, mine.hands) == ("t24", ("alaska", "joker"), (2, 1))
    assert (hers.objective, hers.cards, hers.hands) == ("as_af", ("china",), (2, 1))
    assert (mine.objectives, mine.shown, hers.objectives, hers.shown) == (None, None, None, None)


def test_online_12_traded_cards_and_all_dice_are_seen_by_both() -> None:
    state = position("brasil 4", "argelia, japao", cards="brasil alaska mexico", step=Step.PLACE)
    state = play(state, "trade mexico brasil alaska")
    for seat in SEATS:
        last = ONLINE.view(state, seat).last
        assert last is not None
        assert (last.move, last.bonus) == ("trade mexico brasil alaska", ("brasil",))
    state = play(state, "place brasil 7", "attack brasil argelia", chance=winning((3, 1)))
    assert ONLINE.view(state, 0).last == ONLINE.view(state, 1).last
    assert ONLINE.view(state, 1).battles == ONLINE.view(state, 0).battles


def test_online_12_a_drawn_card_is_seen_by_nobody_else() -> None:
    state = play(position("brasil 3", step=Step.MOVE, conquests=1), "end")
    card = deck.name(state.hands[0][0])
    assert ONLINE.view(state, 0).cards == (card,)
    assert card not in json.dumps(to_builtins(ONLINE.view(replace(state, last=None), 1)))
    (line,) = ONLINE.history(state, 0, faces=False)
    assert (line.drew, line.card) == (True, None)
    assert ONLINE.history(state, 0, faces=True)[0].card == card


def test_online_13_when_the_game_is_over_all_is_shown() -> None:
    state = position("brasil 4", "argelia", cards="alaska", her_cards="china", objectives=("t24", "as_af"))
    won = play(state, "attack brasil argelia", chance=winning((3, 1)))
    for seat in (*SEATS, None):
        view = ONLINE.view(won, seat)
        assert (view.objectives, view.shown) == (("t24", "as_af"), (("alaska",), ("china",)))
    given_up = ONLINE.view(state, None, over=True)
    assert (given_up.objectives, given_up.shown) == (("t24", "as_af"), (("alaska",), ("china",)))


def test_online_13_a_battle_shows_its_chance_and_its_luck() -> None:
    state = position("brasil 4", "argelia 3, japao")
    after = play(state, "attack brasil argelia", chance=winning((3, 3)))
    (battle,) = ONLINE.view(after, 1).battles
    assert (battle.source, battle.target, battle.attackers, battle.defenders) == ("brasil", "argelia", 4, 3)
    assert (battle.lost, battle.conquered) == ((0, 3), True)
    # The oracle's chance of 4 against 3; three armies killed where 1.89 are lost for 1.11 on average.
    assert (battle.chance, battle.luck) == (0.3276, 3.79)


def test_online_13_every_turn_tells_who_drove() -> None:
    state = begun()
    for by in (Driver.HUMAN, Driver.BOT):
        seat = ONLINE.owes(state)[0]
        for move in (ONLINE.legal(state, seat)[0], Move("end")):
            state = ONLINE.play(state, seat, move, by if move == "end" else Driver.HUMAN, CHANCE)
    assert [turn.by for turn in ONLINE.history(state, 0, faces=False)] == [Driver.HUMAN, Driver.BOT]
    assert [turn.seat for turn in ONLINE.history(state, 0, faces=False)] == [state.first, 1 - state.first]


def test_the_preset_and_level_of_a_match_are_told() -> None:
    view = ONLINE.view(ONLINE.new(replace(OPTIONS, level="strong", limit=50), None, CHANCE), None)
    assert (view.game, view.preset, view.level, view.limit) == ("war-online", "objectives", "strong", 50)
