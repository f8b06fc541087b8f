"""`python -m twoseat_docs`: write what follows from the code; with --check only name what is old."""

import argparse
import re
import sys
from pathlib import Path

from twoseat_docs import asyncapi, fairness, page, pictures, settings_table

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def documents() -> dict[Path, str]:
    """Return what each such document should hold."""
    return {
        DOCS / "protocol" / "asyncapi.json": asyncapi.document(),
        DOCS / "protocol" / "README.md": page.page(),
        DOCS / "fairness_vectors.json": fairness.as_file(),
        DOCS / "fairness.md": _filled(DOCS / "fairness.md", "vector", fairness.as_block()),
        ROOT / "README.md": _filled(ROOT / "README.md", "settings", settings_table.table()),
    }


def _filled(path: Path, name: str, text: str) -> str:
    """Return a document with `text` in its place of that name. Raises LookupError where it has none."""
    place = rf"(?<=<!-- {name}: written by \./dev docs -->\n).*?(?=<!-- end of {name} -->)"
    filled, count = re.subn(place, lambda _: f"\n{text}\n", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    if count != 1:
        raise LookupError(f"{path} has no one place for {name}")
    return filled


def main() -> int:
    """Write, or with --check compare; returns 1 where a document is old."""
    parser = argparse.ArgumentParser(prog="python -m twoseat_docs", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; name what is old")
    parser.add_argument("--pictures", action="store_true", help="take the pictures of README.md anew too")
    args = parser.parse_args()
    old = {path: text for path, text in documents().items() if not path.exists() or path.read_text("utf-8") != text}
    for path, text in old.items():
        if not args.check:
            path.write_text(text, encoding="utf-8")
        sys.stdout.write(f"{'old' if args.check else 'written'}: {path.relative_to(ROOT)}\n")
    for path in pictures.take(DOCS / "img") if args.pictures else ():
        sys.stdout.write(f"taken: {path.relative_to(ROOT)}\n")
    return 1 if old and args.check else 0


if __name__ == "__main__":
    sys.exit(main())
