"""`twoseat chaos` in its short form: servers and store are killed and stopped, and the judge finds nothing."""

import argparse
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from chaos_scene import chaos
from recorded import quiet_game
from twoseat import record
from twoseat_server import chaos_command
from twoseat_server.__main__ import main
from twoseat_server.chaos.history import History
from twoseat_server.chaos.plan import Fault, strikes
from twoseat_server.chaos.run import Order, Run
from twoseat_server.chaos.score import score

DOCUMENT = Path(__file__).parents[2] / "docs" / "reliability.md"
COUNTS = {Fault.NODE_KILL: 7, Fault.STORE_STOP: 3}


async def test_what_is_killed_stopped_and_cut_off_loses_and_doubles_nothing(tmp_path: Path) -> None:
    order = (
        "--nodes 2 --matches 4 --game both --kills 1 --restarts 1 --store-kills 1 --cuts 1 --answers 2 --lines 1 "
        "--longest-stop 2 --seconds 5 --think 50 --seed 7"
    )
    found = await chaos(order, tmp_path)
    faults = ("kills", "restarts", "store_kills", "cuts", "answers", "lines")
    assert [found[fault] for fault in faults] == [1, 1, 1, 1, 2, 1]
    assert (found["seed"], found["games"]) == (7, ["war", "war-online"])
    assert (found["lost"], found["doubled"], found["violations"], found["broken"]) == (0, 0, 0, [])
    assert found["matches_finished"] == found["matches"] >= 3
    assert found["acked"] > 100
    assert found["resume_p50_s"] <= found["resume_p99_s"] <= found["resume_max_s"]


def test_a_broken_match_is_told_and_counts(tmp_path: Path) -> None:
    play = quiet_game()
    honest = History(play.match.id, tuple(play.log), record.encode(play.game, play.match), ())
    run = Run(Order(2, 1, 5, (), 0.0, 1.0), tmp_path)
    assert score(run, [replace(honest, log=())], 1.0).violations == 1
    found = score(run, [honest, replace(honest, log=honest.log[:-1])], 1.0)
    assert (found.matches, found.matches_finished) == (2, 1)
    assert found.violations >= len(found.broken) > 0
    assert all(play.match.id in line for line in found.broken)
    assert chaos_command.exit_code(found) == chaos_command.BROKEN


def test_a_folder_that_is_no_new_one_is_refused_and_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "twoseat.aof").write_text("of a server")
    for folder, why in ((tmp_path, "is not empty"), (tmp_path / "twoseat.aof", "cannot be used (File exists)")):
        assert main(["chaos", "--data", str(folder)]) == 2
        said = capsys.readouterr().err
        assert said == f"twoseat chaos: the folder {folder} {why}: name a new or empty one with --data\n"
    assert main(["chaos", "--data", str(tmp_path / "twoseat.aof" / "inside")]) == 2
    assert "cannot be used (Not a directory)" in capsys.readouterr().err
    assert [path.read_text() for path in tmp_path.iterdir()] == ["of a server"]


def test_a_plan_follows_from_its_seed() -> None:
    plan = strikes(3, 60, 3, COUNTS, 8)
    assert plan == strikes(3, 60, 3, COUNTS, 8)
    assert plan != strikes(4, 60, 3, COUNTS, 8)
    assert Counter(strike.fault for strike in plan) == COUNTS
    assert [strike.at for strike in plan] == sorted(strike.at for strike in plan)
    assert all(0 <= strike.at <= 60 and 2 <= strike.lasts <= 8 and strike.node in range(3) for strike in plan)
    assert strikes(3, 60, 3, {}, 8) == []


@pytest.mark.parametrize(
    ("flag", "value"), [("--nodes", "1"), ("--kills", "many"), ("--seconds", "0"), ("--seed", "-1")]
)
def test_a_number_that_is_no_good_is_named(flag: str, value: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["chaos", flag, value])
    assert ended.value.code == 2
    assert f"{flag}: a whole number from" in capsys.readouterr().err


def test_every_run_shown_is_understood() -> None:
    shown = re.findall(r"`twoseat (chaos (?!--help)[^`]+)`", DOCUMENT.read_text())
    assert shown
    parser = argparse.ArgumentParser()
    chaos_command.add_parser(parser.add_subparsers(required=True))
    for line in shown:
        parser.parse_args(line.split())
