"""CONTRIBUTING.md names every dependency and every command, and no other."""

import json
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def wanted() -> set[str]:
    listed = [
        *PROJECT["project"]["dependencies"],
        *(package for extra in PROJECT["project"]["optional-dependencies"].values() for package in extra),
        *(package for group in PROJECT["dependency-groups"].values() for package in group),
    ]
    return {re.split(r"[\[><=~;! ]", package)[0] for package in listed}


def test_every_dependency_says_why() -> None:
    told = re.findall(r"^\| `([a-z-]+)` \| .{5,} \|$", TEXT, re.MULTILINE)
    assert sorted(told) == sorted(wanted())


def test_every_npm_package_says_why() -> None:
    packages = json.loads((ROOT / "tests" / "page" / "package.json").read_text())["devDependencies"]
    section = TEXT.partition("And from npm")[2].partition("\n\n")[0]
    assert set(re.findall(r"`([@a-z/-]+)` \(", section)) == set(packages)


def test_every_dev_command_is_told() -> None:
    usage = (ROOT / "dev").read_text().partition("cat <<'END'")[2].partition("\nEND")[0]
    told = re.findall(r"^\| `(\./dev [a-z]+)` \|", TEXT, re.MULTILINE)
    assert told == re.findall(r"^(\./dev [a-z]+)", usage, re.MULTILINE)


def test_every_file_named_is_there() -> None:
    paths = re.findall(r"`([\w./]+/[\w./]*)`", TEXT.replace("`./dev", "`dev"))
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []
