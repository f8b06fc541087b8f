"""Brings an embedded store's append-only file to the disk once a second, so that the store need not wait for that.

A Valkey that does it by itself (`appendfsync everysec`) holds back what it writes, up to two seconds, while the disk is
slow, and has answered by then: killed just then, it has lost what it had acknowledged (docs/reliability.md). One that
leaves it to others writes before it answers; what is written survives its death.
"""

import os
from contextlib import suppress
from pathlib import Path

EVERY = 1.0
"""Seconds: what a power cut may cost."""
_FILES = "appendonlydir/*.aof"
_to_disk = getattr(os, "fdatasync", os.fsync)


class AppendOnlyFile:
    """The file of one data folder; Valkey begins a new one now and then."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sizes: dict[Path, int] = {}

    def flush(self) -> list[Path]:
        """Bring what has grown since the last time to the disk, and return it. Waits for the disk. Raises OSError."""
        grown = []
        for path in self._folder.glob(_FILES):
            with suppress(FileNotFoundError), path.open("rb") as file:  # a rewrite may have taken it away
                size = os.fstat(file.fileno()).st_size
                if self._sizes.get(path) != size:
                    _to_disk(file.fileno())
                    self._sizes[path] = size
                    grown.append(path)
        return grown
