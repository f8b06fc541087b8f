"""Receipts of deals: what was promised before each one, in files, so that a later run can hold the end against it."""

import contextlib
from pathlib import Path

import msgspec
from pydantic import TypeAdapter, ValidationError

from twoseat.verify import Promise

KEPT = 200
"""Receipts kept, the newest ones. Nothing in them is secret once the deal is made."""
_PROMISE = TypeAdapter(Promise)


class Receipts:
    """The receipts in a folder, a file a match. Where the folder cannot be written there simply are none."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, promise: Promise) -> None:
        """Write a receipt, unless there is one: the first promise counts."""
        with contextlib.suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._file(promise.match).open("x", encoding="utf-8") as file:
                file.write(msgspec.json.encode(promise).decode())
            oldest = sorted(self._folder.glob("*.json"), key=lambda path: path.stat().st_mtime)[:-KEPT]
            for path in oldest:
                path.unlink(missing_ok=True)

    def find(self, match: str) -> Promise | None:
        """Return the promise made before this match's deal, None where this machine has not seen it."""
        try:
            return _PROMISE.validate_json(self._file(match).read_bytes(), strict=True)
        except (OSError, ValidationError):
            return None

    def _file(self, match: str) -> Path:
        # The name comes from a server: nothing in it may lead out of the folder.
        return self._folder / f"{''.join(letter for letter in match if letter.isalnum())[:64]}.json"
