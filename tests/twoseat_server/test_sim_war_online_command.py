"""`twoseat sim --game war-online` as it is typed: one JSON object, equal for equal seeds, and refusals with exit 2."""

import argparse
import json

import pytest
from msgspec.structs import fields

from twoseat.sim_war_online import Tally
from twoseat_server import sim_command

Said = pytest.CaptureFixture[str]


def twoseat(*words: str) -> int:
    parser = argparse.ArgumentParser(prog="twoseat")
    sim_command.add_parser(parser.add_subparsers())
    args = parser.parse_args(["sim", "--game", "war-online", *words])
    code: int = args.run(args)
    return code


def test_win_rates_length_and_objectives_come_as_one_json_object(capsys: Said) -> None:
    assert twoseat("--games", "4", "--level", "easy,random", "--seed", "3") == 0
    said = capsys.readouterr()
    told = json.loads(said.out)
    assert list(told) == [field.name for field in fields(Tally)]
    assert (told["games"], told["levels"], said.err) == (4, ["easy", "random"], "")
    assert told["win_rates"][0] > told["win_rates"][1]
    assert sum(objective["dealt"] for objective in told["objectives"].values()) == 8


def test_a_seed_plays_the_same_games_again_and_another_one_others(capsys: Said) -> None:
    tallies = []
    for seed in ("3", "3", "4"):
        assert twoseat("--games", "2", "--level", "easy,easy", "--seed", seed) == 0
        tallies.append(capsys.readouterr().out)
    assert tallies[0] == tallies[1] != tallies[2]


@pytest.mark.parametrize("level", ["strong", "strong,", "strong,best", "easy,middle,strong", "strong,best,easy", ""])
def test_two_levels_are_needed(level: str, capsys: Said) -> None:
    with pytest.raises(SystemExit) as stopped:
        twoseat("--level", level)
    assert stopped.value.code == 2
    assert "write two of random, easy, middle, strong" in capsys.readouterr().err


@pytest.mark.parametrize("words", [("--preset", "points"), ("--pickup", "winner_first"), ("--decks", "-")])
def test_what_only_war_has_is_refused(words: tuple[str, ...], capsys: Said) -> None:
    assert twoseat(*words) == 2
    assert "leave the rest out" in capsys.readouterr().err
