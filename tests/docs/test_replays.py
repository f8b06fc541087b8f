"""docs/replays.md tells of every field and event there is, and its way to put states together is the right one."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import fields

from recorded import lively_game, quiet_game
from script import BOT_AND_PERSON
from twoseat import record, replay, rerun
from twoseat.games.game import Options
from twoseat.replay import Entry, Replay, merged
from twoseat.series import Series

TEXT = (Path(__file__).parents[2] / "docs" / "replays.md").read_text()
ROWS = [re.findall(r"`(\w+)`", row.split("|")[1]) for row in TEXT.splitlines() if row.startswith("| `")]
NAMED = {name for row in ROWS for name in row}


def test_every_field_and_every_event_has_its_row() -> None:
    assert {part.name for part in fields(Replay)} | set(record.KINDS) == NAMED


def test_every_field_of_an_entry_and_of_a_series_is_told() -> None:
    told = set(re.findall(r"`(\w+)`", TEXT))
    assert {part.name for part in fields(Entry)} <= told
    assert {part.name for part in fields(Series)} <= told


@pytest.mark.parametrize(
    "told",
    [lively_game, lambda: quiet_game(Options(preset="classic"), players=BOT_AND_PERSON)],
)
def test_the_way_to_put_states_together_is_the_one_the_page_would_use(told: Any, tmp_path: Path) -> None:
    rule = re.search(r"^ {4}state = (.+?)\n\n", TEXT, re.MULTILINE | re.DOTALL)
    assert rule is not None
    states = rerun.export(told().log).states
    program = tmp_path / "merge.mjs"
    program.write_text(
        f"const whole = []; let before = {{}}; let state;\nfor (const fresh of {json.dumps(states)}) {{\n"
        f"  state = {rule[1]};\n  whole.push(state); before = state;\n}}\nconsole.log(JSON.stringify(whole));\n"
    )
    node = shutil.which("node")
    assert node, "node comes with the dev environment"
    whole = json.loads(subprocess.run([node, program], capture_output=True, text=True, check=True).stdout)
    before: dict[str, Any] = {}
    for ours, theirs in zip(states, whole, strict=True):
        before = merged(before, ours)
        assert theirs == before


def test_the_commands_shown_take_what_is_said() -> None:
    assert replay.FORMAT == replay.RULES == 1
    assert "`twoseat_replay` | 1," in TEXT
    assert "`rules` | 1," in TEXT
