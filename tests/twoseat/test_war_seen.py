"""What is seen of War and when (rules, War 7 and 8): views, histories, and that hidden cards change neither."""

import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import to_builtins
from msgspec.structs import replace

from dealt import CHANCE, WAR, ended, one_round, rounds_of, war
from twoseat.bots import choose
from twoseat.fair import Chance
from twoseat.games.game import SEATS, Driver, Options, Seat
from twoseat.games.war import DRAW, Round, WarState

H, B = Driver.HUMAN, Driver.BOT
WATCHING: tuple[Seat | None, ...] = (0, 1, None)
TWINS = 170
"""Of every state tried: with 60 states 10,200 pairs."""


def test_war_7_the_view_at_the_start() -> None:
    assert to_builtins(WAR.view(war("KC 2C", "QD 3D 4D", starter=1, target=9), None)) == {
        "game": "war",
        "preset": "points",
        "target": 9,
        "counts": (2, 3),
        "pot": 0,
        "won": (0, 0),
        "round": 1,
        "starter": 1,
        "drawn": (False, False),
        "solo": None,
        "pairs": (),
    }


@pytest.mark.parametrize("preset", ["points", "classic"])
@pytest.mark.parametrize("solo", [None, 0, 1])
def test_war_7_before_the_deal_half_a_deck_each_and_no_starter(preset: str, solo: Seat | None) -> None:
    options = Options(preset=preset, target=9)
    dealt = WAR.view(WAR.new(options, solo, CHANCE), None)
    assert WAR.before_deal(options, solo) == replace(dealt, starter=None)
    assert dealt.counts == (26, 26)


def test_war_7_the_view_of_classic_against_a_bot() -> None:
    view = WAR.view(war("KC 2C", "QD 3D 4D", preset="classic", solo=1), 1)
    assert (view.preset, view.solo, view.starter) == ("classic", 1, None)


def test_war_7_counts_and_pot_move_when_a_card_is_drawn() -> None:
    state = war("KC 2C", "QD 3D 4D", starter=1)
    state = WAR.play(state, 1, DRAW, H, CHANCE)
    view = WAR.view(state, 0)
    assert (view.counts, view.pot, view.drawn, view.round) == ((2, 2), 1, (False, True), 1)
    view = WAR.view(WAR.play(state, 0, DRAW, H, CHANCE), 0)
    assert (view.counts, view.pot, view.drawn, view.round) == ((3, 2), 0, (False, False), 2)
    assert (view.won, view.pairs) == ((1, 0), (("KC", "QD"),))


def test_war_7_in_a_war_the_pairs_of_the_round_and_never_a_card_laid_face_down() -> None:
    view = WAR.view(one_round(war("9C 2C 8C 4C KC 5C", "9D 3D 8D 5D QD 7D")), None)
    assert view.pairs == (("9C", "9D"), ("8C", "8D"), ("KC", "QD"))
    view = WAR.view(one_round(one_round(war("9C 2C KC 4C", "9D 3D QD 5D"))), None)
    assert view.pairs == (("4C", "5D"),)


def test_war_7_both_seats_and_watchers_see_the_same() -> None:
    assert WAR.shared_view
    for state in rounds_of(WAR.new(Options(), None, CHANCE)):
        assert WAR.view(state, 0) == WAR.view(state, 1) == WAR.view(state, None)


def test_war_7_rounds_in_play_have_no_faces() -> None:
    state = one_round(war("9C 2C KC 4C", "9D 3D QD 5D", starter=1))
    assert WAR.history(state, 0, faces=False) == [Round(1, 1, 0, 1, 6, (7, 1), (H, H))]


def test_war_8_afterwards_every_round_with_its_deciding_cards() -> None:
    state = ended(war("9C 2C KC", "9D 3D QD", starter=0))
    assert WAR.history(state, 0, faces=True) == [Round(1, 0, 0, 1, 6, (6, 0), (H, H), ("KC", "QD"))]


@pytest.mark.parametrize(
    ("first", "second", "line"),
    [
        ("2C 4C", "KD", Round(1, 0, 1, 0, 2, (1, 2), (H, H), ("2C", "KD"))),
        ("9C 2C", "9D", Round(1, 0, None, 1, 0, (2, 1), (H, H), ("9C", "9D"))),
        ("9C", "9D 2D 3D", Round(1, 0, 1, 1, 2, (0, 4), (H, H), ("9C", "9D"))),
    ],
)
def test_war_8_lost_drawn_and_short_rounds(first: str, second: str, line: Round) -> None:
    assert WAR.history(one_round(war(first, second, starter=0)), 0, faces=True) == [line]


@pytest.mark.parametrize("by", [(H, H), (H, B), (B, H), (B, B)])
def test_war_8_human_or_bot_for_each_draw(by: tuple[Driver, Driver]) -> None:
    state = war("KC 2C", "QD 3D", starter=0)
    for seat in SEATS:
        state = WAR.play(state, seat, DRAW, by[seat], CHANCE)
    assert WAR.history(state, 0, faces=False)[0].by == by


def test_history_since_gives_the_rest_with_their_own_numbers() -> None:
    state = ended(WAR.new(Options(), None, CHANCE))
    whole = WAR.history(state, 0, faces=True)
    assert [line.n for line in whole] == list(range(1, state.round + 1))
    for since in (0, 1, 7, state.round - 1, state.round, state.round + 5):
        assert WAR.history(state, since, faces=True) == whole[since:]


def reached(seed: int, steps: int, options: Options, solo: Seat | None = None) -> WarState:
    """The state after so many moves, sooner where the game is over."""
    chance = Chance(seed.to_bytes(32, "big"))
    state = WAR.new(options, solo, chance)
    for _ in range(steps):
        if state.outcome:
            break
        seat = WAR.owes(state)[-1]
        state = WAR.play(state, seat, WAR.legal(state, seat)[-1], H, chance)
    return state


def with_other_secrets(state: WarState, rng: random.Random) -> WarState:
    """The same position with every hidden thing changed: who holds which card, the order, faces of past rounds."""
    order = list(b"".join(state.decks))
    rng.shuffle(order)
    size = len(state.decks[0])
    lines = bytearray(state.lines)
    for at in range(0, len(lines), 6):
        lines[at + 1], lines[at + 2] = rng.randrange(52), rng.randrange(52)
    return replace(state, decks=(bytes(order[:size]), bytes(order[size:])), lines=bytes(lines))


def seen(state: WarState, seat: Seat | None) -> bytes:
    """Everything that leaves for a seat during play, as bytes."""
    return msgspec.json.encode(WAR.view(state, seat)) + msgspec.json.encode(WAR.history(state, 0, faces=False))


@given(
    st.integers(0, 2**64), st.integers(0, 120), st.sampled_from(("points", "classic")), st.sampled_from((None, 0, 1))
)
def test_non_interference_hidden_data_never_changes_a_view(
    seed: int, steps: int, preset: str, solo: Seat | None
) -> None:
    state = reached(seed, steps, Options(preset=preset), solo)
    rng, shown = random.Random(seed), {seat: seen(state, seat) for seat in WATCHING}
    for number in range(TWINS):
        twin, seat = with_other_secrets(state, rng), WATCHING[number % 3]
        assert seen(twin, seat) == shown[seat]
        if seat is not None and (legal := WAR.legal(state, seat)):
            assert WAR.legal(twin, seat) == legal
            assert choose("war", WAR.view(twin, seat), legal) == choose("war", WAR.view(state, seat), legal)


def test_non_interference_the_twin_really_is_another_deal() -> None:
    state = reached(1, 40, Options())
    twin = with_other_secrets(state, random.Random(1))
    assert twin.decks != state.decks
    assert WAR.history(twin, 0, faces=True) != WAR.history(state, 0, faces=True)
    leak = replace(WAR.view(state, 0), pot=twin.decks[0][0])
    assert msgspec.json.encode(leak) != msgspec.json.encode(WAR.view(state, 0))
