"""The embedded store on real processes: nothing is lost, one owner a folder, orphans adopted, refusals in one line."""

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import redis.asyncio as redis
from redis.exceptions import RedisError

from twoseat_server.store.embedded import PID_FILE, EmbeddedStore, EmbeddedStoreError, server_binary
from twoseat_server.store.folder import SOCKET

OWNER = Path(__file__).with_name("embedded_owner.py")


@pytest.fixture
async def folder(tmp_path: Path) -> AsyncIterator[Path]:
    """A data folder; whatever lives on it is shut down after the test."""
    path = tmp_path / "data"
    yield path
    async with EmbeddedStore(path):
        pass


@asynccontextmanager
async def client(url: str) -> AsyncIterator[redis.Redis]:
    store = redis.Redis.from_url(url, decode_responses=True, protocol=2)
    try:
        yield store
    finally:
        await store.aclose()


@asynccontextmanager
async def owning(*paths: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    """Another process that opens a folder (with a server program, if one is given), killed with SIGKILL at the end."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(OWNER), *map(str, paths), stdout=subprocess.PIPE, env=environment
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@asynccontextmanager
async def owner(folder: Path) -> AsyncIterator[str]:
    """The same once the folder is open or refused, and what it says: the URL, or why there is none."""
    async with owning(folder) as process:
        assert process.stdout is not None
        yield (await process.stdout.readline()).decode().strip()


async def until(holds: Callable[[], Awaitable[bool]], *, within: float = 20) -> None:
    ends = time.monotonic() + within
    while not await holds():
        assert time.monotonic() < ends, f"not within {within} s"
        await asyncio.sleep(0.02)


def pid_on(folder: Path) -> int:
    return int((folder / PID_FILE).read_text())


def starts(folder: Path) -> Callable[[], Awaitable[bool]]:
    """Whether a Valkey listens on the folder, be it still loading."""

    async def is_listening() -> bool:
        return (folder / SOCKET).exists() and (folder / PID_FILE).exists()

    return is_listening


async def refused(store: EmbeddedStore) -> str:
    with pytest.raises(EmbeddedStoreError) as caught:
        await store.__aenter__()
    text = str(caught.value)
    assert "\n" not in text
    assert text.endswith(caught.value.next_step)
    return text


async def test_settings_are_the_promised_ones(folder: Path) -> None:
    async with EmbeddedStore(folder) as url, client(url) as store:
        settings = await store.config_get()
        expected = {
            "appendonly": "yes",
            "appendfsync": "no",
            "maxmemory-policy": "noeviction",
            "port": "0",
            "save": "",
        }
        assert expected.items() <= settings.items()
        assert settings["dir"] == str(folder.resolve())
        assert (folder / SOCKET).stat().st_mode & 0o777 == 0o700
        assert folder.stat().st_mode & 0o777 == 0o700
        assert os.getsid(pid_on(folder)) != os.getsid(0), "a Ctrl-C in our terminal must not reach it"


async def test_data_survives_a_clean_stop_which_leaves_nothing_running(folder: Path) -> None:
    async with EmbeddedStore(folder) as url, client(url) as store:
        await store.set("move", "stored")
        pid = pid_on(folder)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    async with EmbeddedStore(folder) as url, client(url) as store:
        assert await store.get("move") == "stored"


async def test_a_killed_parent_leaves_an_orphan_that_the_next_adopts(folder: Path) -> None:
    async with owner(folder) as url, client(url) as store:
        await store.set("move", "stored")
        orphan = pid_on(folder)
    embedded = EmbeddedStore(folder)
    async with embedded as url, client(url) as store:
        assert embedded.adopted
        assert pid_on(folder) == orphan
        assert await store.get("move") == "stored"
    async with EmbeddedStore(folder):
        assert pid_on(folder) != orphan, "our clean stop ends an adopted one too"


async def test_acknowledged_writes_survive_kill_9_of_parent_and_valkey(folder: Path) -> None:
    async with owner(folder) as url, client(url) as store:
        for number in range(200):
            await store.rpush("log", number)
        os.kill(pid_on(folder), signal.SIGKILL)
    embedded = EmbeddedStore(folder)
    async with embedded as url, client(url) as store:
        assert not embedded.adopted
        assert await store.lrange("log", 0, -1) == [str(number) for number in range(200)]


@pytest.mark.parametrize("adopted", [False, True])
async def test_a_valkey_that_dies_is_started_again_with_its_data(folder: Path, adopted: bool) -> None:
    if adopted:
        async with owner(folder):
            pass
    async with EmbeddedStore(folder) as url, client(url) as store:
        await store.set("move", "stored")
        os.kill(pid_on(folder), signal.SIGKILL)

        async def is_back() -> bool:
            try:
                return await store.get("move") == "stored"
            except RedisError:
                return False

        await until(is_back)


async def test_a_second_process_on_the_folder_is_refused_with_the_next_step(folder: Path) -> None:
    async with EmbeddedStore(folder) as url, owner(folder) as said, client(url) as store:
        assert f"another twoseat (process {os.getpid()})" in said
        assert "--data DIR" in said
        assert await store.ping()


async def test_a_second_store_in_one_process_is_refused(folder: Path) -> None:
    async with EmbeddedStore(folder) as url, client(url) as store:
        assert "another twoseat" in await refused(EmbeddedStore(folder))
        assert await store.ping()


async def test_stale_files_stop_nobody(folder: Path) -> None:
    folder.mkdir()
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(folder / SOCKET))
    for name in ("twoseat.lock", "valkey.lock", PID_FILE):
        (folder / name).write_text(f"{os.getpid()}\n")
    embedded = EmbeddedStore(folder)
    async with embedded as url, client(url) as store:
        assert await store.ping()
        assert not embedded.adopted


async def test_a_silent_orphan_is_named_and_never_doubled(folder: Path) -> None:
    async with owner(folder):
        orphan = pid_on(folder)
    os.kill(orphan, signal.SIGSTOP)
    try:
        assert f"kill {orphan}" in await refused(EmbeddedStore(folder, patience=0.1))
    finally:
        os.kill(orphan, signal.SIGCONT)
    async with EmbeddedStore(folder):
        assert pid_on(folder) == orphan


@pytest.fixture
async def slow(folder: Path, tmp_path: Path) -> Path:
    """A server program that takes about two seconds to load the folder, and says so meanwhile."""
    async with EmbeddedStore(folder) as url, client(url) as store:
        await store.mset({f"key{number}": "value" for number in range(8000)})
        await store.bgrewriteaof()

        async def is_rewritten() -> bool:
            return not (await store.info("persistence"))["aof_rewrite_in_progress"]

        await until(is_rewritten)
    program = tmp_path / "slow-server"
    delays = "--key-load-delay 200 --loading-process-events-interval-bytes 1024"
    program.write_text(f'#!/bin/sh\nexec "{server_binary()}" "$@" {delays}\n')
    program.chmod(0o755)
    return program


async def test_a_valkey_that_loads_is_waited_for(folder: Path, slow: Path) -> None:
    async with EmbeddedStore(folder, server=slow, patience=1) as url, client(url) as store:
        assert await store.dbsize() == 8000


async def test_an_orphan_that_loads_is_waited_for_and_adopted(folder: Path, slow: Path) -> None:
    async with owning(folder, slow):
        await until(starts(folder))
        orphan = pid_on(folder)
    embedded = EmbeddedStore(folder, patience=1)
    async with embedded as url, client(url) as store:
        assert embedded.adopted
        assert pid_on(folder) == orphan
        assert await store.dbsize() == 8000


async def test_a_start_that_is_broken_off_leaves_nothing_running(folder: Path, slow: Path) -> None:
    start = asyncio.create_task(EmbeddedStore(folder, server=slow).__aenter__())
    await until(starts(folder))
    start.cancel()
    with pytest.raises(asyncio.CancelledError):
        await start
    embedded = EmbeddedStore(folder)
    async with embedded as url, client(url) as store:
        assert not embedded.adopted
        assert await store.dbsize() == 8000


async def test_a_path_too_long_for_a_socket_works_and_is_adopted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / ("long" * 30) / "data"
    with tempfile.TemporaryDirectory() as cache:
        monkeypatch.setenv("XDG_CACHE_HOME", cache)
        async with owner(folder) as url, client(url) as store:
            await store.set("move", "stored")
        embedded = EmbeddedStore(folder)
        async with embedded as url, client(url) as store:
            assert embedded.adopted
            assert (folder / SOCKET).is_socket()
            assert await store.get("move") == "stored"
        assert list((Path(cache) / "twoseat").iterdir()) == []


async def test_any_name_of_a_folder_works(tmp_path: Path) -> None:
    async with EmbeddedStore(tmp_path / "игра 100%? #1 'x'") as url, client(url) as store:
        assert await store.ping()


async def test_a_relative_folder_stays_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    embedded = EmbeddedStore(Path("data"))
    monkeypatch.chdir("/")
    async with embedded as url, client(url) as store:
        assert await store.ping()
    assert (tmp_path / "data" / "appendonlydir").is_dir()


@pytest.mark.parametrize("place", ["file", "nobody"])
async def test_a_folder_that_cannot_be_written_is_refused_with_the_next_step(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()
    folder = tmp_path / "file" if place == "file" else Path("/proc/twoseat")
    text = await refused(EmbeddedStore(folder))
    assert str(folder) in text
    assert "--data DIR" in text


async def test_a_full_disk_is_refused_and_leaves_the_folder_free(folder: Path) -> None:
    assert "free some space" in await refused(EmbeddedStore(folder, min_free=1 << 62))
    async with EmbeddedStore(folder) as url, client(url) as store:
        assert await store.ping()


async def test_a_damaged_file_is_refused_with_the_servers_own_reason(tmp_path: Path) -> None:
    (tmp_path / "appendonlydir").mkdir()
    (tmp_path / "appendonlydir" / "appendonly.aof.manifest").write_text("not a manifest\n")
    text = await refused(EmbeddedStore(tmp_path))
    assert "did not start" in text
    assert str(tmp_path / "valkey.log") in text


async def test_a_program_that_cannot_run_is_refused(tmp_path: Path) -> None:
    program = tmp_path / "valkey-server"
    program.write_text("not a program")
    assert "redis-server" in await refused(EmbeddedStore(tmp_path / "data", server=program))


def test_the_bundled_program_goes_first_then_valkey_then_redis(tmp_path: Path) -> None:
    bundled = server_binary()
    assert bundled.parent.parent.name == "_binaries"
    for name in ("redis-server", "valkey-server"):
        shutil.copy(bundled, tmp_path / name)
        assert server_binary("no_such_package", str(tmp_path)) == tmp_path / name


def test_without_any_program_the_error_says_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(EmbeddedStoreError, match="apt-get install redis-server"):
        server_binary("no_such_package", str(tmp_path))
