"""What holds in every game of War, tried on many deals."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from dealt import WAR, rounds_of
from twoseat.fair import Chance
from twoseat.games import cards
from twoseat.games.battle import Decks, fight
from twoseat.games.game import SEATS, Driver, Options, Outcome, Seat, Termination
from twoseat.games.war import CLASSIC_LIMIT, WarState, begin, deal

PRESETS = st.sampled_from(("points", "classic"))
TARGETS = st.sampled_from((1, 2, 10, 49, 50))
SEATS_OR_NONE: tuple[Seat | None, ...] = (None, 0, 1)
SOLO = st.sampled_from(SEATS_OR_NONE)
KEYS = st.binary(min_size=32, max_size=32)


@st.composite
def part_decks(draw: st.DrawFn) -> Decks:
    """Any two decks from one pack, down to a card each, with ranks often equal."""
    order = draw(st.permutations(range(52)))
    cut = draw(st.integers(1, 51))
    end = draw(st.integers(cut + 1, 52))
    return bytes(order[:cut]), bytes(order[cut:end])


@st.composite
def games(draw: st.DrawFn) -> tuple[WarState, Chance]:
    """The beginning of any game."""
    options = Options(preset=draw(PRESETS), target=draw(TARGETS))
    chance = Chance(draw(KEYS))
    return WAR.new(options, draw(SOLO), chance), chance


def positions(start: WarState, chance: Chance, by: Driver = Driver.HUMAN) -> list[WarState]:
    """Every state of the game, draw by draw."""
    states = [start]
    while states[-1].outcome is None:
        assert len(states) <= 2 * CLASSIC_LIMIT, "no end"
        seat = WAR.owes(states[-1])[-1]
        states.append(WAR.play(states[-1], seat, WAR.legal(states[-1], seat)[-1], by, chance))
    return states


@given(games())
def test_52_different_cards_at_every_moment(game: tuple[WarState, Chance]) -> None:
    for state in positions(*game):
        assert sorted(b"".join(state.decks)) == list(range(52))
        view = WAR.view(state, None)
        assert sum(view.counts) + view.pot == 52


@given(games())
def test_encode_and_decode_give_the_same_state_back(game: tuple[WarState, Chance]) -> None:
    for state in positions(*game):
        assert WAR.decode(WAR.encode(state)) == state


@given(part_decks(), PRESETS, SOLO)
def test_encode_and_decode_on_decks_of_any_size(both: Decks, preset: str, solo: Seat | None) -> None:
    chance = Chance(b"\x02" * 32)
    for state in positions(begin(Options(preset=preset), solo, both, chance), chance, Driver.BOT):
        assert WAR.decode(WAR.encode(state)) == state


def mirrored(outcome: Outcome | None) -> Outcome | None:
    if outcome is None or outcome.winner is None:
        return outcome
    return Outcome(0 if outcome.winner else 1, outcome.termination)


@given(part_decks(), PRESETS, TARGETS, KEYS)
def test_swapping_the_decks_mirrors_every_round(both: Decks, preset: str, target: int, key: bytes) -> None:
    chance, options = Chance(key), Options(preset=preset, target=target)
    here = rounds_of(begin(options, None, both, chance))
    there = rounds_of(begin(options, None, (both[1], both[0]), chance))
    for state, twin in zip(here, there, strict=True):
        assert state.decks == twin.decks[::-1]
        assert state.won == twin.won[::-1]
        assert state.outcome == mirrored(twin.outcome)


@given(part_decks(), KEYS, KEYS)
def test_the_starter_never_changes_the_result(both: Decks, key: bytes, other_key: bytes) -> None:
    finals = [positions(begin(Options(), None, both, Chance(k)), Chance(k))[-1] for k in (key, other_key)]
    assert finals[0].decks == finals[1].decks
    assert finals[0].won == finals[1].won
    assert finals[0].outcome == finals[1].outcome


@given(games())
def test_who_drives_never_changes_the_course(game: tuple[WarState, Chance]) -> None:
    human, bot = (positions(*game, by)[-1] for by in Driver)
    assert (human.decks, human.won, human.outcome) == (bot.decks, bot.won, bot.outcome)


@given(KEYS, PRESETS)
def test_all_cards_only_after_an_even_number_of_rounds_of_the_whole_deck(key: bytes, preset: str) -> None:
    chance = Chance(key)
    last = list(rounds_of(WAR.new(Options(preset=preset), None, chance)))[-1]
    assert last.outcome is not None
    if last.outcome.termination is Termination.ALL_CARDS:
        assert last.round % 2 == 0


@given(part_decks())
def test_both_short_leaves_the_decks_as_they_were_and_only_both_short_does(both: Decks) -> None:
    battle = fight(both)
    assert (battle.winner is None) is (battle.decks == both) is (battle.won == 0)


@given(part_decks())
def test_a_battle_moves_cards_from_the_loser_to_the_winner_and_loses_none(both: Decks) -> None:
    battle = fight(both)
    assert sorted(b"".join(battle.decks)) == sorted(b"".join(both))
    assert len(battle.pairs) % 2 == 0
    *tied, deciding = zip(battle.pairs[::2], battle.pairs[1::2], strict=True)
    assert all(cards.rank(a) == cards.rank(b) for a, b in tied)
    assert (cards.rank(deciding[0]) == cards.rank(deciding[1])) is battle.short
    assert battle.wars == len(tied) + battle.short
    if battle.winner is not None:
        loser = 1 - battle.winner
        assert len(battle.decks[loser]) < len(both[loser])
        assert set(battle.decks[loser]) <= set(both[loser])


@given(part_decks(), st.integers(1, 50))
def test_war_6_99_rounds_are_a_theorem(both: Decks, target: int) -> None:
    chance = Chance(b"\x03" * 32)
    last = list(rounds_of(begin(Options(target=target), None, both, chance)))[-1]
    assert last.round <= 2 * target - 1 <= 99


@given(games())
def test_points_and_rounds_add_up(game: tuple[WarState, Chance]) -> None:
    last = positions(*game)[-1]
    lines = WAR.history(last, 0, faces=True)
    assert last.outcome is not None
    assert [sum(line.winner == seat for line in lines) for seat in SEATS] == list(last.won)
    assert sum(last.won) + sum(line.winner is None for line in lines) == len(lines) == last.round
    assert [line.counts for line in lines][-1] == tuple(map(len, last.decks))
    if last.preset == "points":
        assert max(last.won) <= last.target
        assert last.outcome.termination is not Termination.LIMIT
    else:
        assert last.round <= CLASSIC_LIMIT


@given(games())
def test_turns_only_go_forward(game: tuple[WarState, Chance]) -> None:
    turns = [WAR.turn(state) for state in positions(*game)]
    assert turns[0] == 1
    assert all(before <= after for before, after in pairwise(turns))


@given(KEYS)
def test_the_deal_depends_on_the_seed_alone(key: bytes) -> None:
    assert deal(Chance(key)) == deal(Chance(bytes(key)))
    assert deal(Chance(key)) != deal(Chance(bytes(32 * [key[0] ^ 1])))
