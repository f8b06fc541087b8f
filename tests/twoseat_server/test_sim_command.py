"""`twoseat sim` as it is typed: files, flags, standard input, tables, JSON, and refusals in one line with exit 2."""

import argparse
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from dealt import oracle
from twoseat import sim
from twoseat_server import sim_command

CASES = oracle("war_golden.json")["cases"] + oracle("war_golden.json")["alt_pickup_cases"]
SHORT = CASES[3]
Said = pytest.CaptureFixture[str]


def twoseat(*words: str) -> int:
    parser = argparse.ArgumentParser(prog="twoseat")
    sim_command.add_parser(parser.add_subparsers())
    args = parser.parse_args(["sim", *words])
    code: int = args.run(args)
    return code


def written(folder: Path, content: Any) -> str:
    path = folder / "deal.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_case_of_the_oracle_is_played_with_its_own_preset_and_pickup(case: Any, tmp_path: Path, capsys: Said) -> None:
    assert twoseat("--decks", written(tmp_path, case)) == 0
    said = capsys.readouterr()
    assert (json.loads(said.out), said.err) == (case["expect"], "")
    assert list(json.loads(said.out)) == list(case["expect"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_two_lists_or_an_object_with_decks_are_enough(case: Any, tmp_path: Path, capsys: Said) -> None:
    for content in (case["decks"], {"decks": case["decks"]}):
        words = ("--preset", case["preset"], "--pickup", case["pickup"])
        assert twoseat("--decks", written(tmp_path, content), *words) == 0
        assert json.loads(capsys.readouterr().out) == case["expect"]


def test_a_flag_wins_over_the_case(tmp_path: Path, capsys: Said) -> None:
    by_id = {case["id"]: case for case in CASES}
    file = written(tmp_path, by_id["p01"])
    assert twoseat("--decks", file, "--pickup", "winner_first") == 0
    assert json.loads(capsys.readouterr().out) == by_id["c21"]["expect"]
    assert twoseat("--decks", written(tmp_path, by_id["p02"]), "--preset", "points", "--pickup", "winner_first") == 0
    assert json.loads(capsys.readouterr().out) == by_id["c23"]["expect"]


def test_the_preset_is_points_where_nobody_says_otherwise(tmp_path: Path, capsys: Said) -> None:
    case = next(case for case in CASES if case["id"] == "c23")
    assert twoseat("--decks", written(tmp_path, case["decks"])) == 0
    assert json.loads(capsys.readouterr().out) == case["expect"]


def test_target(tmp_path: Path, capsys: Said) -> None:
    assert twoseat("--decks", written(tmp_path, [["KS", "KC"], ["2S", "2C"]]), "--target", "1") == 0
    played = json.loads(capsys.readouterr().out)
    assert (played["rounds"], played["reason"]) == (1, "points")


def test_a_dash_reads_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: Said) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(SHORT).encode())))
    assert twoseat("--decks", "-") == 0
    assert json.loads(capsys.readouterr().out) == SHORT["expect"]


@pytest.mark.parametrize(
    ("content", "next_step"),
    [
        ("", 'is not JSON; write [["AS","10H"],["KD","2C"]], top cards first'),
        ("not json", "is not JSON; write"),
        ("[" * 60_000, "is not JSON; write"),
        ("[" * 70_000, "is larger than 65536 bytes; write"),
        ({}, "two decks of at least one card each are needed; write"),
        ({"cases": []}, "two decks of at least one card each are needed; write"),
        ([["AS"]], "two decks of at least one card each are needed; write"),
        ([["AS"], []], "two decks of at least one card each are needed; write"),
        ([[], ["AS"]], "two decks of at least one card each are needed; write"),
        ([["AS"], ["KS"], ["QS"]], "two decks of at least one card each are needed; write"),
        ([["AS"], [5]], "two decks of at least one card each are needed; write"),
        (["AS", "KS"], "two decks of at least one card each are needed; write"),
        (7, "two decks of at least one card each are needed; write"),
        ([["1S"], ["KS"]], "no such card: '1S' (write rank then suit, such as 10S or QH)"),
        ([["AS"], ["KS", "AS"]], "AS is there twice; there is one deck of 52, so name each card once"),
        ({"decks": [["AS"], ["KS"]], "preset": "speed"}, "no such preset in the file; it is one of points, classic"),
        ({"decks": [["AS"], ["KS"]], "preset": ["points"]}, "no such preset in the file; it is one of points, classic"),
        (
            {"decks": [["AS"], ["KS"]], "pickup": "any"},
            "no such pickup in the file; it is one of winner_first, loser_first",
        ),
    ],
)
def test_a_bad_file_is_one_line_with_the_next_step(content: Any, next_step: str, tmp_path: Path, capsys: Said) -> None:
    assert twoseat("--decks", written(tmp_path, content)) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert re.fullmatch(r"twoseat sim: [^\n]+\n", said.err)
    assert next_step in said.err


@pytest.mark.parametrize("file", ["nowhere.json", "."])
def test_a_file_that_cannot_be_read(file: str, tmp_path: Path, capsys: Said) -> None:
    assert twoseat("--decks", str(tmp_path / file)) == 2
    assert re.fullmatch(
        r"twoseat sim: cannot read .+; name a JSON file, or - for standard input\n", capsys.readouterr().err
    )


def test_a_file_that_is_not_text(tmp_path: Path, capsys: Said) -> None:
    (tmp_path / "deal").write_bytes(b"\xff\xfe\x00")
    assert twoseat("--decks", str(tmp_path / "deal")) == 2
    assert "is not JSON" in capsys.readouterr().err


@pytest.mark.parametrize("words", [("--games", "5"), ("--seed", "0")])
def test_one_given_deal_takes_no_games_and_no_seed(words: tuple[str, str], capsys: Said) -> None:
    assert twoseat("--decks", "-", *words) == 2
    assert capsys.readouterr().err == "twoseat sim: --decks plays one given deal: leave out --games and --seed\n"


@pytest.mark.parametrize("words", [("--games", "0"), ("--games", "x"), ("--games", "9" * 5000), ("--target", "51")])
def test_numbers_out_of_range_are_refused(words: tuple[str, str], capsys: Said) -> None:
    with pytest.raises(SystemExit) as left:
        twoseat(*words)
    assert left.value.code == 2
    assert f"argument {words[0]}: a whole number from 1 to" in capsys.readouterr().err


def test_many_games_as_json_have_exactly_these_fields(capsys: Said) -> None:
    assert twoseat("--preset", "classic", "--games", "50", "--seed", "7", "--json") == 0
    said = capsys.readouterr()
    played = json.loads(said.out)
    assert list(played) == ["games", "mean_rounds", "ends", "wars_per_game", "deepest_war", "seat0_wins"]
    assert list(played["ends"]) == ["points", "all_cards", "shortage", "both_short", "limit"]
    tally = sim.tally(sim.courses("classic", 50, 7))
    assert (played["games"], played["mean_rounds"], played["seat0_wins"]) == (50, tally.mean_rounds, tally.seat0_wins)
    assert said.err == ""


def test_the_same_seed_prints_the_same_and_another_does_not(capsys: Said) -> None:
    said = []
    for seed in ("7", "7", "8"):
        twoseat("--games", "20", "--seed", seed, "--json")
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] != said[2]


def test_pickup_and_target_count_in_many_games_too(capsys: Said) -> None:
    twoseat("--games", "20", "--target", "1", "--json")
    assert json.loads(capsys.readouterr().out)["mean_rounds"] == 1
    twoseat("--games", "20", "--preset", "classic", "--pickup", "seat0_first", "--json")
    assert json.loads(capsys.readouterr().out)["ends"]["limit"] > 0.5


def test_the_table_is_aligned_and_says_what_was_played(capsys: Said) -> None:
    assert twoseat("--games", "40", "--seed", "7") == 0
    first, *rows = capsys.readouterr().out.splitlines()
    assert first == "War, points, seed 7"
    assert [row[:22].strip() for row in rows] == [
        "games",
        "rounds a game",
        "wars a game",
        "deepest war",
        "won by seat 0",
        "ended by points",
        "ended by all_cards",
        "ended by shortage",
        "ended by both_short",
        "ended by limit",
    ]
    assert {len(row.rstrip()) for row in rows[4:]} == {43}
    assert all(re.fullmatch(r"  .{20} *[\d.,]+( +[\d.]+%)?", row) for row in rows)


class Screen(io.StringIO):
    """A terminal that keeps what is written to it."""

    def isatty(self) -> bool:
        return True


def test_a_bar_only_on_a_terminal_and_only_in_a_long_run(monkeypatch: pytest.MonkeyPatch, capsys: Said) -> None:
    for seconds_a_look, shows in ((0.001, False), (0.4, True)):
        screen, clock = Screen(), iter(range(1000))
        monkeypatch.setattr("sys.stderr", screen)
        monkeypatch.setattr("time.monotonic", lambda clock=clock, step=seconds_a_look: next(clock) * step)
        twoseat("--games", "20", "--json")
        assert ("#] " in screen.getvalue()) is shows or "20 of 20" in screen.getvalue()
        assert bool(screen.getvalue()) is shows
        assert screen.getvalue() == "" or screen.getvalue().endswith("\r")
    assert json.loads(capsys.readouterr().out.splitlines()[0])["games"] == 20
