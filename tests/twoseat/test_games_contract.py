"""The one contract every game keeps (the Game protocol's own words), tried on whole games played at random.

A new game needs a line in TERMS, nothing else.
"""

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import fields, replace

from relay import RELAY
from twoseat.bots import choose
from twoseat.fair import Chance
from twoseat.games import GAMES
from twoseat.games.game import SEATS, BadOptions, Driver, Game, IllegalMove, Move, Options, Outcome, Seat, allows
from twoseat.values import Value

TERMS: dict[str, tuple[Options, ...]] = {
    "war": (Options(), Options(target=3), Options(preset="classic")),
    "relay": (Options(game="relay"),),
    "war-online": (Options(game="war-online", preset="objectives", turn_seconds=120, limit=10),),
}
MOST_MOVES = 5000
NO_MOVES = ("", " ", "fly", "draw draw", "turn 11", "DRAW", "pass\n", "run\0", "ход", "x" * 500)
ALL: dict[str, Game[Any]] = {**GAMES, "relay": RELAY}
CASES = [
    pytest.param(ALL[name], options, solo, id=f"{name}-{number}-solo {solo}")
    for name in ALL
    for number, options in enumerate(TERMS[name])
    for solo in (None, 0, 1)
]
each_case = pytest.mark.parametrize(("game", "options", "solo"), CASES)


def test_every_game_is_tried_under_its_own_name() -> None:
    assert set(TERMS) == set(ALL)
    assert all(game.name == name for name, game in ALL.items())


def named(pattern: Move, rng: random.Random) -> Move:
    """One of the moves a legal move stands for: `place brasil 1-7` is `place brasil` with any of these numbers."""
    form, _, last = pattern.rpartition(" ")
    low, dash, high = last.partition("-")
    if not (dash and low.isdecimal() and high.isdecimal()):
        return pattern
    return Move(f"{form} {rng.randint(int(low), int(high))}")


def course(game: Game[Any], options: Options, solo: Seat | None, seed: int) -> Iterator[tuple[Any, Seat, Move, Chance]]:
    """Every position of a game played at random with the move made in it, and last the position at its end."""
    chance, rng = Chance(seed.to_bytes(32, "big")), random.Random(seed)
    state = game.new(options, solo, chance)
    for _ in range(MOST_MOVES):
        owing = game.owes(state)
        if not owing:
            yield state, 0, Move(""), chance
            return
        seat = rng.choice(owing)
        move = named(rng.choice(game.legal(state, seat)), rng)
        yield state, seat, move, chance
        state = game.play(state, seat, move, rng.choice(tuple(Driver)), chance)
    pytest.fail(f"no end after {MOST_MOVES} moves")


@each_case
def test_owes_legal_and_outcome_agree(game: Game[Any], options: Options, solo: Seat | None) -> None:
    outcome: Outcome | None = None
    for state, _, _, _ in course(game, options, solo, 1):
        owing, outcome = game.owes(state), game.outcome(state)
        assert list(owing) == sorted(set(owing))
        assert (outcome is None) is bool(owing)
        for seat in SEATS:
            legal = game.legal(state, seat)
            assert bool(legal) is (seat in owing)
            assert len(set(legal)) == len(legal)
            assert not legal or allows(legal, named(legal[0], random.Random(0)))
    assert isinstance(outcome, Outcome)
    assert outcome.counts
    assert outcome.winner in (None, *SEATS)


@each_case
def test_every_legal_move_can_be_played_and_gives_the_same_state_each_time(
    game: Game[Any], options: Options, solo: Seat | None
) -> None:
    rng = random.Random(2)
    for state, _, _, chance in course(game, options, solo, 2):
        before = game.encode(state)
        for seat in SEATS:
            for pattern in rng.sample(legal := game.legal(state, seat), min(len(legal), 4)):
                move = named(pattern, rng)
                after = game.play(state, seat, move, Driver.HUMAN, chance)
                assert game.play(state, seat, move, Driver.HUMAN, chance) == after != state
        assert game.encode(state) == before


@each_case
def test_what_is_not_legal_is_illegal_and_changes_nothing(game: Game[Any], options: Options, solo: Seat | None) -> None:
    for number, (state, seat, move, chance) in enumerate(course(game, options, solo, 3)):
        before = game.encode(state)
        for each in SEATS:
            if each not in game.owes(state):
                for refused in (move, *NO_MOVES):
                    with pytest.raises(IllegalMove):
                        game.play(state, each, Move(refused), Driver.HUMAN, chance)
        if number % 20 == 0 and game.owes(state):
            for refused in (*NO_MOVES, f"{move} ", f" {move}", move.upper(), f"{move}\n"):
                with pytest.raises(IllegalMove):
                    game.play(state, seat, Move(refused), Driver.BOT, chance)
        assert game.encode(state) == before


@each_case
def test_turns_are_numbered_from_one_and_only_go_forward(game: Game[Any], options: Options, solo: Seat | None) -> None:
    turns = [game.turn(state) for state, _, _, _ in course(game, options, solo, 4)]
    assert turns[0] == 1
    assert turns == sorted(turns)
    assert turns[-1] > 1


@each_case
def test_who_drives_is_history_and_never_changes_the_course(
    game: Game[Any], options: Options, solo: Seat | None
) -> None:
    for state, seat, move, chance in course(game, options, solo, 5):
        if game.owes(state):
            human, bot = (game.play(state, seat, move, by, chance) for by in Driver)
            assert game.owes(human) == game.owes(bot)
            assert game.turn(human) == game.turn(bot)
            assert game.outcome(human) == game.outcome(bot)
            for each in (*SEATS, None):
                assert game.view(human, each) == game.view(bot, each)


@each_case
def test_states_never_change_and_survive_being_written_down(
    game: Game[Any], options: Options, solo: Seat | None
) -> None:
    for state, _, _, _ in course(game, options, solo, 6):
        assert isinstance(state, Value)
        with pytest.raises(AttributeError, match="immutable"):
            setattr(state, fields(state)[0].name, None)
        written = game.encode(state)
        assert isinstance(written, bytes)
        again = game.decode(written)
        assert again == state
        assert game.encode(again) == written
        for seat in (*SEATS, None):
            assert game.view(again, seat) == game.view(state, seat)


@each_case
def test_views_are_json_and_shared_where_the_game_says_so(game: Game[Any], options: Options, solo: Seat | None) -> None:
    before = game.before_deal(options, solo)
    as_bytes = msgspec.json.encode
    assert as_bytes(before)
    differ = False
    for state, _, _, _ in course(game, options, solo, 7):
        views = [as_bytes(game.view(state, seat)) for seat in (*SEATS, None)]
        assert type(game.view(state, None)) is type(before)
        differ = differ or len(set(views)) > 1
    assert differ is not game.shared_view
    assert as_bytes(game.view(state, None, over=True))


@each_case
def test_the_history_only_grows_and_is_numbered_by_rounds(game: Game[Any], options: Options, solo: Seat | None) -> None:
    shown: list[Any] = []
    for number, (state, _, _, _) in enumerate(course(game, options, solo, 8)):
        rounds = game.rounds(state)
        assert rounds >= len(shown)
        if rounds != len(shown) or number % 50 == 0:
            lines = game.history(state, 0, faces=False)
            assert len(lines) == rounds
            assert lines[: len(shown)] == shown
            for since in (0, rounds // 2, max(0, rounds - 1), rounds):
                assert game.history(state, since, faces=False) == lines[since:]
            shown = lines
    assert len(game.history(state, 0, faces=True)) == game.rounds(state) > 0


@each_case
def test_the_deal_is_a_function_of_the_chance(game: Game[Any], options: Options, solo: Seat | None) -> None:
    deals = [game.new(options, solo, Chance(bytes(31) + bytes([number]))) for number in range(8)]
    assert deals[0] == game.new(options, solo, Chance(bytes(32)))
    assert len({game.encode(deal) for deal in deals}) > 1


@each_case
def test_its_bot_only_makes_legal_moves_and_finishes_the_game(
    game: Game[Any], options: Options, solo: Seat | None
) -> None:
    chance = Chance(b"\x09" * 32)
    state = game.new(options, solo, chance)
    for _ in range(MOST_MOVES):
        owing = game.owes(state)
        if not owing:
            break
        legal = game.legal(state, owing[0])
        move = choose(game.name, game.view(state, owing[0]), legal)
        assert allows(legal, move)
        state = game.play(state, owing[0], move, Driver.BOT, chance)
    assert game.outcome(state) is not None


@pytest.mark.parametrize("game", ALL.values(), ids=list(ALL))
def test_options_that_no_game_can_take_are_refused(game: Game[Any]) -> None:
    good = TERMS[game.name][0]
    game.check(good)
    with pytest.raises(BadOptions):
        game.check(replace(good, preset="no such"))
