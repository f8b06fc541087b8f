"""The floors hold, and the contracts would notice if they did not."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOTS = ("shared", "server", "client")


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A copy of the sources and their contracts."""
    for root in ROOTS:
        shutil.copytree(ROOT / root, tmp_path / root, ignore=shutil.ignore_patterns("__pycache__", "web"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def lint(house: Path) -> str:
    path = os.pathsep.join(str(house / root) for root in ROOTS)
    run = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=house,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    return run.stdout


def test_no_import_goes_up(house: Path) -> None:
    assert "BROKEN" not in lint(house)


@pytest.mark.parametrize(
    ("module", "imported"),
    [
        ("shared/twoseat/games/war.py", "twoseat.match"),
        ("shared/twoseat/chair.py", "time"),
        ("shared/twoseat/bots.py", "twoseat_server"),
        ("server/twoseat_server/store/link.py", "twoseat_server.referee"),
        ("server/twoseat_server/push.py", "twoseat_client.model"),
        ("client/twoseat_client/model.py", "twoseat_server.app"),
        ("client/twoseat_client/model.py", "twoseat.games.war"),
        ("client/twoseat_client/model.py", "twoseat_client.sitting"),
    ],
)
def test_an_import_that_goes_up_is_noticed(house: Path, module: str, imported: str) -> None:
    with (house / module).open("a") as file:
        file.write(f"\nimport {imported}\n")
    importer = ".".join(Path(module).with_suffix("").parts[1:])
    assert f"{importer} -> {imported}" in lint(house)
