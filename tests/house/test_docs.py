"""What the documents tell a reader to type or to open is there."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    *ROOT.glob("*.md"),
    # A text beside Python code is what a document is made from.
    *(path for path in (ROOT / "docs").rglob("*.md") if not (path.parent / "__init__.py").exists()),
]
CODE = re.compile(r"`([^`\n]+)`|^(?: {4}|\t)(.+)$|^(\$? ?(?:\./dev|twoseat) .+)$", re.MULTILINE)


def commands(program: str) -> set[str]:
    """The first word after `program` wherever a document shows it as code."""
    shown = {
        word
        for document in DOCUMENTS
        for match in CODE.finditer(document.read_text())
        for word in re.findall(rf"(?:^|\s){re.escape(program)} ([a-z]+)\b", next(filter(None, match.groups())))
    }
    assert shown, f"no document shows {program}"
    return shown


def test_every_dev_command_shown_is_one() -> None:
    known = subprocess.run([ROOT / "dev"], capture_output=True, text=True, check=False).stderr
    assert commands("./dev") <= set(re.findall(r"^\./dev ([a-z]+)", known, re.MULTILINE))


def test_every_twoseat_command_shown_is_one() -> None:
    for command in commands("twoseat"):
        program = [sys.executable, "-m", "twoseat_server", command, "--help"]
        shown = subprocess.run(program, capture_output=True, text=True, check=False)
        assert shown.returncode == 0, shown.stderr


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", document.read_text()):
        assert "://" in target or (document.parent / target).exists(), target
