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


def lint(house: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(str(house / root) for root in ROOTS)
    return subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=house,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("shared/twoseat/games/war.py", "import twoseat.match"),
        ("shared/twoseat/chair.py", "import time"),
        ("shared/twoseat/bots.py", "import twoseat_server"),
        ("server/twoseat_server/store/link.py", "import twoseat_server.referee"),
        ("server/twoseat_server/push.py", "import twoseat_client.model"),
        ("client/twoseat_client/model.py", "import twoseat_server.app"),
        ("client/twoseat_client/model.py", "import twoseat.games.war"),
    ],
)
def test_an_import_that_goes_up_is_noticed(house: Path, module: str, line: str) -> None:
    assert lint(house).returncode == 0
    with (house / module).open("a") as file:
        file.write(f"\n{line}\n")
    assert "BROKEN" in lint(house).stdout
