"""`python -m twoseat_docs`: write what follows from the code; with --check only name what is old."""

import argparse
import re
import sys
from pathlib import Path

from twoseat_docs import asyncapi, page, settings_table

ROOT = Path(__file__).parents[2]
_SETTINGS = re.compile(r"(?<=<!-- settings: written by \./dev docs -->\n).*?(?=<!-- end of settings -->)", re.DOTALL)


def documents() -> dict[Path, str]:
    """Return what each such document should hold."""
    written = {
        ROOT / "docs" / "protocol" / "asyncapi.json": asyncapi.document(),
        ROOT / "docs" / "protocol" / "README.md": page.page(),
    }
    readme = ROOT / "README.md"
    text, count = _SETTINGS.subn(lambda _: f"\n{settings_table.table()}\n", readme.read_text(encoding="utf-8"))
    if count != 1:
        raise LookupError(f"{readme} has no place for the settings")
    return written | {readme: text}


def main() -> int:
    """Write, or with --check compare; returns 1 where a document is old."""
    parser = argparse.ArgumentParser(prog="python -m twoseat_docs", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; name the documents that are old")
    check = parser.parse_args().check
    old = [path for path, text in documents().items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in old:
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(documents()[path], encoding="utf-8")
        sys.stdout.write(f"{'old' if check else 'written'}: {path.relative_to(ROOT)}\n")
    return 1 if old and check else 0


if __name__ == "__main__":
    sys.exit(main())
