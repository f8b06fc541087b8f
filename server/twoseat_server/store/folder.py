"""The data folder of one server: who owns it and how its socket is reached; it knows nothing of what is kept there.

Both locks are let go by the kernel however a process ends, so neither is ever stale.
"""

import fcntl
import hashlib
import os
from pathlib import Path
from typing import IO

from platformdirs import user_cache_path

SOCKET = "valkey.sock"
OTHER_FOLDER = "choose another folder with --data DIR"

_OWNER_LOCK = "twoseat.lock"
_PATH_LIMIT = 100
"""Bytes of a socket's path: 108 on Linux and 104 on macOS, less the closing zero and a little room."""


class EmbeddedStoreError(Exception):
    """The embedded store cannot run. The text is one line: what is wrong, and the next step."""

    def __init__(self, problem: str, next_step: str) -> None:
        super().__init__(f"{problem}: {next_step}")
        self.problem = problem
        self.next_step = next_step


def own(folder: Path) -> IO[bytes]:
    """Make the folder ours until the returned file is closed.

    Raises EmbeddedStoreError where another has it, OSError where it cannot be written.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / _OWNER_LOCK
    lock = try_lock(path)
    if lock is None:
        holder = path.read_text(errors="replace").strip() or "?"
        raise EmbeddedStoreError(
            f"another twoseat (process {holder}) uses the folder {folder}", f"stop it, or {OTHER_FOLDER}"
        )
    lock.truncate(0)
    lock.write(f"{os.getpid()}\n".encode())
    lock.flush()
    return lock


def try_lock(path: Path) -> IO[bytes] | None:
    """Return a file that holds the lock until it is closed here and in every process that inherited it; None if taken.

    Raises OSError where the file cannot be written.
    """
    file = path.open("a+b")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    except BaseException:
        file.close()
        raise
    return file


def reachable_socket(folder: Path) -> Path:
    """Return a path to the folder's socket short enough to connect to: its own, else by a link in the user's cache."""
    if len(os.fsencode(folder / SOCKET)) < _PATH_LIMIT:
        return folder / SOCKET
    # The socket stays in the folder, and only its user writes to the cache: the link can be made anew at any time.
    link = user_cache_path("twoseat") / hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    if len(os.fsencode(link / SOCKET)) >= _PATH_LIMIT:
        raise EmbeddedStoreError(f"the path of the data folder {folder} is too long", OTHER_FOLDER)
    link.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(folder)
    return link / SOCKET


def forget_socket(socket: Path, folder: Path) -> None:
    """Take back what reachable_socket() made."""
    if socket.parent != folder:
        socket.parent.unlink(missing_ok=True)


def disk_full(folder: Path, how: str) -> EmbeddedStoreError:
    """Return the error for a disk without room, `how` full it is."""
    return EmbeddedStoreError(
        f"the disk of the data folder {folder} is full ({how})", f"free some space, or {OTHER_FOLDER}"
    )
