"""War Online in words: every move of a game, turns, what the bot did meanwhile, and the end, in three languages."""

from typing import Any

import pytest
from msgspec.structs import replace

from online import ONLINE, play, position, winning
from online_talk import at, course, ended, table
from table_talk import by_bot, chair, welcome
from twoseat import wire
from twoseat.games.war_online.state import WarOnlineState
from twoseat_client import fairness
from twoseat_client.atlas import percent
from twoseat_client.model import Model, fold
from twoseat_client.text import LANGUAGES, Words


def told(*items: Any, lang: str = "en") -> list[str]:
    """Everything that is said about these messages."""
    model, said = Model(), []
    for item in items:
        model, events = fold(model, item, 0)
        said += [Words(lang).tell(sentence) for event in events for sentence in event.says]
    return said


def moved(before: WarOnlineState, *moves: str, seat: wire.Seat = 0) -> list[str]:
    """What is said about the last of these moves of seat 0, to one seat."""
    *first, last = moves
    chance = winning((3, 1))
    middle = play(before, *first, chance=chance)
    after = play(middle, last, chance=chance)
    heard = (welcome(), at(seat), table(middle, 1, seat=seat), table(after, 2, seat=seat))
    return told(*heard)[len(told(*heard[:3])) :]


BONUS = "Brazil gets two more armies, because its card was traded."
MOVES = [
    (("place brasil 2",), ["You place 2: Brazil."], ["Bo places 2: Brazil."]),
    (("place brasil 2", "undo"), ["You take the last placing back."], ["Bo takes the last placing back."]),
    (
        ("trade alaska brasil mexico",),
        ["You trade three cards for 4 armies: Alaska, Brazil, Mexico.", BONUS],
        ["Bo trades three cards for 4 armies: Alaska, Brazil, Mexico.", BONUS],
    ),
    (
        ("place brasil 3", "attack brasil argelia"),
        [
            "You attack from Brazil, Algeria defends: {dice} against {die}.",
            "Attack lost 0, defence 1.",
            "Algeria is yours.",
        ],
        [
            "Bo attacks from Brazil, Algeria defends: {dice} against {die}.",
            "Attack lost 0, defence 1.",
            "Algeria falls to Bo.",
        ],
    ),
    (
        ("place brasil 3", "attack brasil argelia until 1"),
        ["You attack from Brazil, Algeria defends: 1 throw.", "Attack lost 0, defence 1.", "Algeria is yours."],
        ["Bo attacks from Brazil, Algeria defends: 1 throw.", "Attack lost 0, defence 1.", "Algeria falls to Bo."],
    ),
    (
        ("place brasil 3", "attack brasil argelia", "advance 2"),
        ["You move in with 2 armies."],
        ["Bo moves in with 2 armies."],
    ),
    (("place brasil 3", "done"), ["You attack no more."], ["Bo attacks no more."]),
    (
        ("place brasil 3", "done", "move brasil argentina 1"),
        ["You move 1 army: Brazil to Argentina."],
        ["Bo moves 1 army: Brazil to Argentina."],
    ),
]


@pytest.mark.parametrize(("moves", "mine", "hers"), MOVES, ids=lambda value: value[-1] if value else "")
def test_what_a_move_did_is_said_to_both(moves: tuple[str, ...], mine: list[str], hers: list[str]) -> None:
    start = position("brasil 4, argentina", "argelia, japao", cards="alaska brasil mexico", step=wire.Step.PLACE)
    last = play(start, *moves, chance=winning((3, 1))).last
    assert last is not None
    dice = [" ".join(map(str, side)) for side in (last.throws[-1] if last.throws else ((), ()))]
    assert moved(start, *moves) == [line.format(dice=dice[0], die=dice[1]) for line in mine]
    other = [line.replace("Bo ", "Ana ").replace("to Bo.", "to Ana.") for line in hers]
    assert moved(start, *moves, seat=1) == [line.format(dice=dice[0], die=dice[1]) for line in other]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_whole_game_can_be_told(lang: str, seat: wire.Seat | None) -> None:
    states = [table(state, n, seat=seat) for n, state in enumerate(course()[:-1], 1)]
    results = ended()[1]
    said = told(welcome(), at(seat), *states, replace(ended()[0], version=len(states) + 1), results, lang=lang)
    assert len(said) > len(states)
    words = Words(lang)
    assert words(f"word.objective.{course()[-1].objectives[0]}") in said[-2 if seat != 1 else -1]


def test_a_turn_that_begins_tells_what_there_is_to_place() -> None:
    asia = "orientemedio, aral, omsk, dudinka, siberia, tchita, mongolia, vladivostok, china, india, japao, vietna"
    begun = position(asia, "brasil", step=wire.Step.PLACE)
    assert told(welcome(), at(), table(begun))[-3:] == [
        "Round 2: your turn.",
        "You have 13 armies to place.",
        "7 armies only in Asia.",
    ]


def test_the_opening_is_told_once_and_each_turn_of_mine_however_it_came() -> None:
    start = course()[0]
    first: wire.Seat = start.first
    second: wire.Seat = 1 if first == 0 else 0
    half = play(start, "play", seat=second)
    begun = play(half, "play", seat=first)
    opened = told(welcome(), at(first), *(table(each, n, seat=first) for n, each in enumerate((start, half, begun), 1)))
    assert sum(line.startswith("Your secret objective") for line in opened) == 1
    turn = ["Round 1: your turn.", "You have 7 armies to place."]
    assert opened[-2:] == turn
    skipped = replace(begun, turn=begun.turn + 2)
    assert told(welcome(), at(first), table(begun, 1, seat=first), table(skipped, 2, seat=first))[-2] == (
        "Round 2: your turn."
    )
    waits = told(welcome(), at(second), table(start, 1, seat=second), table(begun, 2, seat=second))
    assert waits[-1] == f"Round 1: {'Ana' if second else 'Bo'} has the turn."


def test_who_comes_back_hears_what_the_bot_did() -> None:
    played = next(s for s in course() if ONLINE.rounds(s) == 6)
    history = ONLINE.history(played, 0, faces=False)
    turns = [replace(turn, by=wire.Driver.BOT if turn.n > 2 else turn.by) for turn in history]
    kept = replace(table(played), chairs=(by_bot(back=True), chair()))
    said = told(welcome(), at(rounds=turns), kept)
    assert "While you were away the bot played 2 turns for you." in said
    assert any(line.startswith("You have 1") and "the other side" in line for line in said)


def test_turns_whose_battles_are_forgotten_are_no_broken_promise() -> None:
    seated = at(rounds=ONLINE.history(course()[-2], 0, faces=False))
    memory, _ = fairness.heard(fairness.Memory(), seated)
    bare = replace(seated, rounds=[replace(turn, battles=()) for turn in seated.rounds if isinstance(turn, wire.Turn)])
    again, _ = fairness.heard(memory, bare)
    assert not again.broken
    other = [replace(turn, conquests=9) for turn in bare.rounds if isinstance(turn, wire.Turn)]
    assert fairness.heard(memory, replace(bare, rounds=other))[0].broken


def test_online_13_no_attack_is_said_to_be_certain_or_in_vain() -> None:
    assert [percent(chance) for chance in (1, 0.9999, 0.996, 0.5, 0.0001, 0)] == [99, 99, 99, 50, 1, 1]
