"""The wheel holds all that the sources hold, in three packages and nothing else, and one version number."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from zipfile import ZipFile

import twoseat

ROOT = Path(__file__).parents[2]


def test_the_wheel_holds_every_source_file(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
        assert any(name.endswith("licenses/LICENSE") for name in archive.namelist())
    sources = {
        str(path.relative_to(ROOT / root))
        for root in ("shared", "server", "client")
        for path in (ROOT / root).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert held == sources
    assert {name.partition("/")[0] for name in held} == {"twoseat", "twoseat_server", "twoseat_client"}
    assert wheel.name.startswith(f"twoseat-{twoseat.__version__}-")


def test_the_installed_version_is_the_one_number() -> None:
    assert version("twoseat") == twoseat.__version__
