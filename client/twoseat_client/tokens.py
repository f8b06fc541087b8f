"""The file with the player's secret tokens: mode 0600, written whole or not at all, shared safely by many processes.

It holds a token a match, because a terminal that starts something new is a new player. No token is ever an argument,
an environment variable or a line of output.
"""

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from platformdirs import user_state_path

try:
    import fcntl
except ImportError:  # Windows, where the last of two writers at the same instant wins
    fcntl = None  # type: ignore[assignment]

KEPT = 20
"""Matches remembered for each server, the newest first."""


def default_path(environ: dict[str, str] | os._Environ[str] = os.environ) -> Path:
    """Return where the file lives: in TWOSEAT_HOME, else in the user's state folder."""
    home = environ.get("TWOSEAT_HOME")
    return (Path(home) if home else user_state_path("twoseat", appauthor=False)) / "tokens.json"


@dataclass(frozen=True, slots=True)
class Claim:
    """A seat this machine may come back to."""

    match: str
    code: str
    token: str = field(repr=False)
    over: bool = False


class Tokens:
    """The tokens of one server in the file at `path`."""

    def __init__(self, path: Path, server: str) -> None:
        self._path = path
        self._server = server

    @property
    def folder(self) -> Path:
        """Where the file is, and other things this client remembers."""
        return self._path.parent

    def seats(self) -> tuple[Claim, ...]:
        """Return the remembered seats, the newest first; none where the file is missing or unreadable."""
        entries = self._read().get("servers", {}).get(self._server, [])
        return tuple(Claim(**entry) for entry in entries)

    def next_door(self) -> tuple[Claim, ...]:
        """Return the unfinished seats at this host's other ports, where another node of the same store may be. What
        another host gave is for that host alone.
        """
        host = urlsplit(self._server).hostname
        doors = (origin for origin in self._read().get("servers", {}) if urlsplit(origin).hostname == host)
        others = (Tokens(self._path, origin) for origin in doors if origin != self._server)
        return tuple(claim for other in others for claim in other.unfinished())

    def unfinished(self) -> tuple[Claim, ...]:
        """Return the seats whose match was not over when last seen, the newest first."""
        return tuple(claim for claim in self.seats() if not claim.over)

    def by_code(self, code: str) -> Claim | None:
        """Return the newest unfinished seat at the table with this code."""
        return next((claim for claim in self.unfinished() if claim.code == code), None)

    def remember(self, match: str, code: str, token: str) -> None:
        """Put this seat first. Raises OSError where the file cannot be written."""
        claim = Claim(match, code, token)
        with self._locked():
            self._replace((claim, *(c for c in self.seats() if (c.match, c.token) != (match, token))))

    def finish(self, match: str, token: str) -> None:
        """Note that this seat needs nobody any more: its match is over, or was left to the bot."""
        with self._locked():
            self._replace(
                tuple(replace(c, over=True) if (c.match, c.token) == (match, token) else c for c in self.seats())
            )

    def forget(self, match: str) -> None:
        """Drop the seats of a match the server no longer knows."""
        with self._locked():
            self._replace(tuple(claim for claim in self.seats() if claim.match != match))

    def preference(self, name: str) -> str | None:
        """Return a remembered preference, such as `name` or `lang`."""
        value = self._read().get("preferences", {}).get(name)
        return value if isinstance(value, str) else None

    def prefer(self, name: str, value: str) -> None:
        """Remember a preference."""
        with self._locked():
            data = self._read()
            data.setdefault("preferences", {})[name] = value
            self._store(data)

    def _replace(self, seats: tuple[Claim, ...]) -> None:
        data = self._read()
        data.setdefault("servers", {})[self._server] = [asdict(claim) for claim in seats[:KEPT]]
        self._store(data)

    def _read(self) -> dict[str, Any]:
        try:
            data = json.loads(self._path.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return data if isinstance(data, dict) else {}

    def _store(self, data: dict[str, Any]) -> None:
        # mkstemp makes the file 0600 before a byte is in it; the rename shows it whole.
        handle, temporary = tempfile.mkstemp(dir=self._path.parent, prefix=".tokens-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(data, file, ensure_ascii=False, indent=1)
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).replace(self._path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(self._path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if fcntl is not None:
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)
