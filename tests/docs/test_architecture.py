"""ARCHITECTURE.md speaks of the code as it is: its tests, files, keys, scripts, modules and laws are there."""

import inspect
import re
import tomllib
from pathlib import Path

import pytest

from twoseat.match import MatchId
from twoseat_server.store import keys
from twoseat_server.store.scripts import SCRIPTS

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "ARCHITECTURE.md").read_text()
SOURCES = [path for root in ("shared", "server", "client", "docs", "tests") for path in (ROOT / root).rglob("*")]
TESTS = "".join(path.read_text() for path in SOURCES if path.suffix == ".py" and path.is_relative_to(ROOT / "tests"))
CODE = re.findall(r"`([^`\n]+)`", TEXT)


def test_every_test_named_is_there() -> None:
    named = re.findall(r"`(test_\w+)`", TEXT)
    assert [name for name in named if f"def {name}(" not in TESTS] == []


@pytest.mark.parametrize("law", range(1, 11))
def test_every_law_is_told_with_a_test_of_its_own(law: int) -> None:
    rows = re.findall(rf"^\| {law} \| .+ \| `test_law_(\d+)_\w+` \|$", TEXT, re.MULTILINE)
    assert rows == [str(law)]


def test_every_file_named_is_there() -> None:
    paths = {code for code in CODE if re.fullmatch(r"[\w./]+(?:\.(?:py|lua|md|json)|/)", code)}
    assert paths
    missing = [
        path for path in paths if not any(found.as_posix().endswith(f"/{path.rstrip('/')}") for found in SOURCES)
    ]
    assert [path for path in missing if not (ROOT / path).exists()] == []


def test_the_table_of_keys_is_the_store_s() -> None:
    rows = re.findall(r"^\| (`[^|]+`) \|", TEXT, re.MULTILINE)
    shown = {_kind(key) for row in rows for key in re.findall(r"`([^`]+)`", row) if ":" in key}
    assert shown == {_kind(key) for key in _keys()}


def _keys() -> list[str]:
    made = [keys.NODES]
    for name, make in inspect.getmembers(keys, inspect.isfunction):
        if make.__module__ == keys.__name__ and name != "shards" and not name.startswith("_"):
            arguments = [
                0 if parameter == "shard" else MatchId("00" * 17) for parameter in inspect.signature(make).parameters
            ]
            made.append(make(*arguments))
    return made


def _kind(key: str) -> str:
    """The part of a key that says what it is, and its tag."""
    tag, word, *_ = key.split(":")
    return f"{re.sub(r's(?:NN|[0-9]+)', 's', tag)}:{word}"


def test_every_script_is_named() -> None:
    assert {f"{name}.lua" for name in SCRIPTS} == {code for code in CODE if re.fullmatch(r"\w+\.lua", code)}


@pytest.mark.parametrize("contract", ["core", "server", "client"])
def test_the_floors_drawn_are_the_floors_held(contract: str) -> None:
    drawn = re.search(rf"^{contract}  (.+?)(?:\n\n|\n```)", TEXT, re.MULTILINE | re.DOTALL)
    assert drawn is not None
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(held["layers"] for held in contracts if held["id"] == contract)
    held = [set(re.findall(r"\w+", layer)) for layer in layers]
    assert [set(re.findall(r"\w+", floor)) for floor in drawn[1].split(">")] == held
