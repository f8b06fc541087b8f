"""Every installed package is pinned and hashed, and no lock says where it is to be fetched from."""

import json
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PIN = re.compile(r"^([a-z0-9-]+)(?:\[[a-z,]+\])?==(\S+)(?: ; [^\\]+)? \\$")
HASH = re.compile(r"^    --hash=sha256:[0-9a-f]{64}(?: \\)?$")


def pins(name: str) -> dict[str, str]:
    """Package to version; fails at the first line that is neither pin, hash nor comment."""
    found: dict[str, str] = {}
    hashes: dict[str, int] = {}
    package = ""
    for line in (ROOT / "requirements" / f"{name}.txt").read_text().splitlines():
        if pin := PIN.match(line):
            package = pin[1]
            found[package] = pin[2]
        elif HASH.match(line):
            hashes[package] = hashes.get(package, 0) + 1
        else:
            assert line.lstrip().startswith("#"), line
    assert found.keys() == hashes.keys()
    return found


@pytest.mark.parametrize("name", ["run", "dev"])
def test_a_lock_holds_pins_and_hashes_and_no_address_or_path(name: str) -> None:
    assert pins(name)
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    assert "://" not in text
    assert not re.search(r"(^|[\s=])/", text, re.MULTILINE)
    assert "--index" not in text
    assert "--find-links" not in text
    assert "--trusted-host" not in text


def test_the_dev_lock_holds_the_very_versions_of_the_run_lock() -> None:
    assert pins("run").items() <= pins("dev").items()


def test_every_wanted_package_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    build = project["build-system"]["requires"]
    assert project["dependency-groups"]["build"] == build
    for name, wanted in (
        ("run", project["project"]["dependencies"] + build),
        ("dev", project["project"]["optional-dependencies"]["dev"]),
    ):
        names = {re.split(r"[\[><=~;! ]", requirement)[0] for requirement in wanted}
        assert names <= pins(name).keys()


def test_the_page_lock_has_integrity_and_no_address() -> None:
    text = (ROOT / "tests" / "page" / "package-lock.json").read_text()
    packages = json.loads(text)["packages"]
    assert all("integrity" in package for name, package in packages.items() if name)
    assert "resolved" not in text
    assert "://" not in text
