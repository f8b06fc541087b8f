"""The table of threats names tests that are there."""

import ast
from pathlib import Path

import pytest

from security.threats import THREATS

TESTS = Path(__file__).parents[1]


def names_in(path: Path) -> set[str]:
    """The tests of a file, as pytest names them."""
    found = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.ClassDef):
            inner = (each for each in node.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))
            found |= {f"{node.name}::{each.name}" for each in inner}
    return found


@pytest.mark.parametrize("threat", THREATS)
def test_every_threat_has_tests_and_they_are_there(threat: str) -> None:
    assert THREATS[threat]
    for named in THREATS[threat]:
        path, _, name = named.partition("::")
        assert name in names_in(TESTS / path), named
