"""`python -m twoseat_docs`: write what follows from the code; with --check only name what is old."""

import argparse
import asyncio
import re
import sys
from pathlib import Path

from twoseat_docs import asyncapi, fairness, page, pictures, screens, settings_table, terminal, tour

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
TOUR_SCREENS = ("menu-80x24-en", "double-war-80x24-en", "bot-plays-for-me-80x24-en", "results-80x24-en", "war-40x12-bg")


def documents() -> dict[Path, str]:
    """Return what each such document should hold."""
    return {
        DOCS / "protocol" / "asyncapi.json": asyncapi.document(),
        DOCS / "protocol" / "README.md": page.page(),
        DOCS / "fairness_vectors.json": fairness.as_file(),
        DOCS / "fairness.md": _filled(DOCS / "fairness.md", {"vector": fairness.as_block()}),
        DOCS / "tour.md": _tour(),
        ROOT / "README.md": _filled(ROOT / "README.md", {"settings": settings_table.table()}),
    }


def _tour() -> str:
    """Return the tour with the terminal's screens and lines as they are now."""
    blocks = {f"screen {name}": terminal.screen(name) for name in TOUR_SCREENS}
    return _filled(DOCS / "tour.md", blocks | {f"plain {lang}": terminal.plain(lang) for lang in ("en", "bg")})


def _filled(path: Path, texts: dict[str, str]) -> str:
    """Return a document with each text in its place of that name. Raises LookupError where it has none."""
    filled = path.read_text(encoding="utf-8")
    for name, text in texts.items():
        place = rf"(?<=<!-- {name}: written by \./dev docs -->\n).*?(?=<!-- end of {name} -->)"
        filled, count = re.subn(place, f"\n{text}\n".replace("\\", r"\\"), filled, flags=re.DOTALL)
        if count != 1:
            raise LookupError(f"{path} has no one place for {name}")
    return filled


async def _pictures() -> dict[str, bytes]:
    return await pictures.take() | await tour.take()


async def _screens(folder: Path) -> None:
    async for screen in screens.take(folder):
        sys.stdout.write(f"taken: {screen}\n")


def main() -> int:
    """Write, or with --check compare; returns 1 where a document is old."""
    parser = argparse.ArgumentParser(prog="python -m twoseat_docs", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; name what is old")
    parser.add_argument("--pictures", action="store_true", help="take the pictures of README.md and the tour anew too")
    parser.add_argument("--screens", type=Path, metavar="FOLDER", help="take every screen in every look into a folder")
    args = parser.parse_args()
    old = {path: text for path, text in documents().items() if not path.exists() or path.read_text("utf-8") != text}
    for path, text in old.items():
        if not args.check:
            path.write_text(text, encoding="utf-8")
        sys.stdout.write(f"{'old' if args.check else 'written'}: {path.relative_to(ROOT)}\n")
    for name, picture in asyncio.run(_pictures()).items() if args.pictures else ():
        (DOCS / "img" / name).write_bytes(picture)
        sys.stdout.write(f"taken: {name}\n")
    if args.screens:
        args.screens.mkdir(parents=True, exist_ok=True)
        asyncio.run(_screens(args.screens))
    return 1 if old and args.check else 0


if __name__ == "__main__":
    sys.exit(main())
