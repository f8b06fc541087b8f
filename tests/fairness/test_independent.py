"""A program written from the documents alone, without a line of twoseat, deals a thousand games again exactly."""

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from recorded import lively_game, quiet_game, series_game
from script import BOT_AND_PERSON
from twoseat import replay, rerun
from twoseat.fair import Chance
from twoseat.games.game import Driver, Options
from twoseat.games.war import War
from twoseat.shake import deal_key, nonce_digest, seed_digest

pytestmark = pytest.mark.xdist_group("independent")  # one worker plays them all, once

PROGRAM = Path(__file__).with_name("independent.py")
GAMES = 1_000
WAR = War()


def checked(path: Path) -> tuple[int, list[str]]:
    """What the program says of a file, cut off from everything that is installed here but Python itself."""
    told = subprocess.run([sys.executable, "-I", "-S", PROGRAM, path], capture_output=True, text=True, check=False)
    assert told.stderr == ""
    return told.returncode, told.stdout.splitlines()


def game(number: int) -> dict[str, Any]:
    """A game by our rules: both presets, all targets, and every way to be silent come up again and again."""
    seed = seed_digest(b"seed %d" % number)
    both = [nonce_digest(f"{2 * number + seat:064x}") for seat in (0, 1)]
    nonces = ("" if number % 4 & 1 else both[0], "" if number % 4 & 2 else both[1])
    options = Options(preset="classic" if number % 5 == 0 else "points", target=50 - number % 50)
    chance = Chance(deal_key(bytes.fromhex(seed), nonces))
    state = WAR.new(options, None, chance)
    while state.outcome is None:
        seat = WAR.owes(state)[0]
        state = WAR.play(state, seat, WAR.legal(state, seat)[0], Driver.HUMAN, chance)
    return {
        "match": f"{number:034x}",
        "options": to_builtins(options),
        "seed": seed,
        "seed_digest": seed_digest(bytes.fromhex(seed)),
        "digests": [nonce_digest(nonce) if nonce else None for nonce in nonces],
        "nonces": [nonce or None for nonce in nonces],
        "rounds": [to_builtins(line) for line in WAR.history(state, 0, faces=True)],
        "outcome": to_builtins(state.outcome),
    }


@pytest.fixture(scope="module")
def thousand(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    """A thousand games, one a line."""
    played = [game(number) for number in range(GAMES)]
    path = tmp_path_factory.mktemp("games") / "games.jsonl"
    path.write_text("\n".join(map(json.dumps, played)))
    return path, played


def test_the_program_imports_nothing_but_python() -> None:
    imported: set[str] = set()
    for node in ast.walk(ast.parse(PROGRAM.read_text())):
        if isinstance(node, ast.Import):
            imported |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(str(node.module))
    assert imported == {"collections.abc", "hashlib", "hmac", "json", "pathlib", "sys", "typing"}


def test_a_thousand_games_are_dealt_again_exactly(thousand: tuple[Path, list[dict[str, Any]]]) -> None:
    path, played = thousand
    code, lines = checked(path)
    assert code == 0
    assert lines == [*(f"{told['match']}: follows" for told in played), f"{GAMES} of {GAMES} games follow"]
    ends = {told["outcome"]["termination"] for told in played}
    assert {"points", "all_cards", "shortage", "limit"} <= ends


def test_it_finds_the_one_game_of_a_thousand_that_was_changed(
    thousand: tuple[Path, list[dict[str, Any]]], tmp_path: Path
) -> None:
    _, played = thousand
    changed = json.loads(json.dumps(played))
    line = changed[617]["rounds"][3]
    line["cards"] = line["cards"][::-1]
    path = tmp_path / "changed.jsonl"
    path.write_text("\n".join(map(json.dumps, changed)))
    code, lines = checked(path)
    assert code == 1
    assert [text for text in lines if not text.endswith(": follows")] == [
        lines[617],
        f"{GAMES - 1} of {GAMES} games follow",
    ]
    assert "round 4: cards" in lines[617]


@pytest.mark.parametrize(
    "play",
    [
        lively_game,
        series_game,
        lambda: quiet_game(Options(preset="classic"), players=BOT_AND_PERSON),
        lambda: quiet_game(Options(target=5), 1),
    ],
)
def test_whole_replays_of_the_match_machine_follow(play: Any, tmp_path: Path) -> None:
    path = tmp_path / "replay.json"
    path.write_bytes(replay.write(rerun.export(play().log)))
    code, lines = checked(path)
    assert (code, lines[-1]) == (0, "1 of 1 games follow")
