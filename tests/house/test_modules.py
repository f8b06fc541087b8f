"""What every source file keeps to: it says what it is, stays small, and is named for what it does."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = sorted(
    path
    for root in ("shared", "server", "client", "tests", "bench")
    for path in (ROOT / root).rglob("*")
    if path.suffix in {".py", ".js", ".css", ".lua"} and "node_modules" not in path.parts
)
PYTHON = [path for path in SOURCES if path.suffix == ".py"]
LONGEST = 350
VAGUE = re.compile(r"(?:^|_)(?:manager|handler|helper|util|service|base)s?(?:$|_)|Manager|Handler|Helper|Service|Base$")


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_every_module_opens_by_saying_what_it_is() -> None:
    openings = {name(path): ast.get_docstring(ast.parse(path.read_text())) or "" for path in PYTHON}
    assert [path for path, opening in openings.items() if not re.search(r"[.:]$", opening.split("\n\n")[0])] == []


def test_no_source_file_is_long() -> None:
    lines = {name(path): len(path.read_text().splitlines()) for path in SOURCES}
    assert {path: count for path, count in lines.items() if count > LONGEST} == {}


def test_names_say_what_a_thing_does() -> None:
    vague = [
        f"{name(path)}: {node.name}"
        for path in PYTHON
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and VAGUE.search(node.name)
    ]
    assert vague == []
    assert [name(path) for path in SOURCES if VAGUE.search(path.stem)] == []


def test_nothing_is_left_for_later() -> None:
    later = re.compile(r"\b(?:TODO|FIXME|XXX)\b|pytest\.mark\.(?:skip|xfail)")
    this = Path(__file__)
    assert [name(path) for path in SOURCES if path != this and later.search(path.read_text())] == []
