"""`twoseat serve` as a process: it stops as it should, says in one line why it cannot start, and logs no secret."""

import asyncio
import json
import os
import socket
import sys
import time
from pathlib import Path

import pytest

from caller import Callers, calling, play_out
from e2e.nodes import ENVIRONMENT, ServerProcess, serving
from stores import peer
from twoseat import wire
from twoseat.games.war import WarState
from twoseat.match import MatchId
from twoseat_server.__main__ import main

ANY_PORT = ("--host", "127.0.0.1", "--port", "0")


async def refused(*flags: str) -> tuple[int, str]:
    """The exit code of a server that cannot start, and the one line it says."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "twoseat_server", "serve", *flags),
        env=ENVIRONMENT | {"TWOSEAT_LOG_LEVEL": "error"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(30):
        said, complained = await process.communicate()
    assert said == b""
    lines = complained.decode().splitlines()
    assert len(lines) == 1, complained.decode()
    assert process.returncode is not None
    return process.returncode, lines[0]


async def test_a_busy_port_is_named_with_another_to_try(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, line = await refused("--host", "127.0.0.1", "--port", str(port), "--data", str(tmp_path))
    assert code == 69
    assert f"port {port} is taken" in line
    assert f"--port {port + 1}" in line


async def test_a_redis_that_does_not_answer_is_named(tmp_path: Path) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        url = f"redis://:secret@127.0.0.1:{silent.getsockname()[1]}"
        code, line = await refused(*ANY_PORT, "--redis", url)
    assert code == 69
    assert "--redis" in line
    assert "secret" not in line


async def test_a_database_that_is_not_there_is_named(redis_url: str, cluster_url: str) -> None:
    for url in (f"{redis_url}?db=99", f"{cluster_url.partition(',')[0]}/99"):
        code, line = await refused(*ANY_PORT, "--redis", url)
        assert code == 2
        assert "database" in line


async def test_an_account_that_is_none_is_named_without_its_password(redis_url: str) -> None:
    code, line = await refused(*ANY_PORT, "--redis", redis_url.replace("unix://", "unix://nobody:secret@"))
    assert code == 69
    assert "storage refuses the account" in line
    assert "redis.sock" in line
    assert "secret" not in line


async def test_a_replica_and_its_primary_are_no_cluster(valkey_url: str, redis_url: str) -> None:
    code, line = await refused(*ANY_PORT, "--redis", f"{valkey_url},{redis_url}")
    assert code == 69
    assert "give --redis one address" in line


async def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    code, line = await refused(*ANY_PORT, "--data", str(tmp_path / "file"))
    assert code == 69
    assert "--data DIR" in line


@pytest.mark.parametrize(
    ("flag", "value"),
    [
        ("--port", "lots"),
        ("--port", "70000"),
        ("--redis", "http://127.0.0.1"),
        ("--redis", "redis://host:port"),
        ("--public-url", "play.example"),
        ("--trusted-proxies", "10.0.0.0/40"),
        ("--log-level", "loud"),
        ("--node", "two words"),
        ("--max-sockets", "0"),
        ("--wait-replicas", "1"),
        ("--redis", "redis://u:SECRET/w#x@host:6379"),
        ("--redis", "redis://u:12/SECRET@host:6379"),
        ("--redis", "redis://u:12#SECRET@host:6379"),
        ("--redis", "redis://u:12?SECRET@host:6379"),
        ("--redis", "redis://u:SECRET?w@host:6379"),
        ("--redis", "redis://u:SECRET,w@host:6379"),
        ("--redis", "redis://u:SECRET[w@host:6379"),
        ("--redis", "redis://u:SECRET\u2100@host:6379"),
        ("--redis", "redis://u:SECRET@host:6379/games"),
    ],
)
def test_a_setting_that_is_no_good_is_named(flag: str, value: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", *ANY_PORT, flag, value]) == 2
    said, complained = capsys.readouterr()
    assert said == ""
    assert complained.count("\n") == 1
    assert flag in complained
    assert "SECRET" not in complained
    assert "Value error" not in complained
    assert "Input should" not in complained


async def test_sigterm_sends_everybody_on_and_ends_within_five_seconds(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, calling(server.port) as call:
        host, guest = await call.pair()
        stalled = await call()
        stalled.freeze()
        ready = await readiness(server.port)
        assert ready == 200
        began = time.monotonic()
        stopping = asyncio.create_task(server.stop())
        seen = set()
        while True:
            try:
                seen.add(await readiness(server.port))
            except OSError:
                break
        assert await host.closed() == await guest.closed() == wire.Close.RESTART
        assert await stopping == 0
        assert time.monotonic() - began < 5
        assert 503 in seen
    text = server.log.read_text()
    assert "Traceback" not in text
    assert "never" not in text, "a task or coroutine was forgotten"


async def readiness(port: int) -> int:
    """The status of /readyz."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(b"GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        return int((await reader.readline()).split()[1])
    except IndexError:
        raise ConnectionResetError from None
    finally:
        writer.close()


@pytest.mark.parametrize("form", ["text", "json"])
async def test_the_log_of_whole_games_tells_no_token_seed_nonce_or_deck(tmp_path: Path, form: str) -> None:
    async with serving(tmp_path, "--log-format", form, "--moves-per-second", "500") as server:
        async with calling(server.port) as call:
            secrets = await eventful(call)
            secrets |= await stored(server, [MatchId(name) for name in secrets if len(name) == 34])
        text = server.log.read_text()
    secrets = {secret for secret in secrets if len(secret) != 34}
    assert len(secrets) > 20
    assert [secret for secret in secrets if secret in text] == []
    assert [line for line in text.splitlines() if '"chairs"' in line or "drawn" in line] == []
    assert "Traceback" not in text
    for word in ("rejected", "replaced", "seated", "match made"):
        lines = [line for line in text.splitlines() if word in line]
        assert lines, f"nothing is said of {word}"
    for word in ("rejected", "replaced"):
        for line in (line for line in text.splitlines() if f"] {word} " in line or f'"event": "{word}"' in line):
            assert all(name in line for name in ("match", "seat", "version")), line
    if form == "json":
        assert all(json.loads(line)["event"] for line in text.splitlines())


async def eventful(call: Callers) -> set[str]:
    """Games with all that can go wrong in them; returns what must not be told, and the ids of the matches."""
    host, guest = await call.pair(target=2)
    assert host.seated is not None
    newer = await call(host.token, match=host.seated.match)
    await host.closed()
    await newer.play(99)
    await newer.rejected()
    await newer.socket.send("nonsense " + host.token)
    await newer.refused()
    results, _ = await play_out(newer, guest)
    running, _ = await call.pair()
    await running.draw() if (await running.until(lambda state: True)).legal[0] else None
    watcher = await call(name="\u202e" + "x" * 20)
    await watcher.say("join", code=host.seated.code)
    queued = await call()
    await queued.say("quick")
    await queued.say("cancel")
    await queued.hear(wire.Idle)
    callers = (host, guest, newer, running, watcher, queued)
    assert running.seated is not None
    return {
        *(caller.token for caller in callers),
        *(caller.nonce for caller in callers),
        results.seed,
        host.seated.match,
        running.seated.match,
    }


async def stored(server: ServerProcess, matches: list[MatchId]) -> set[str]:
    """The seeds of these matches, and cards that lie next to each other in their decks, as they might be printed."""
    at = peer(server.store)
    secrets: set[str] = set()
    for match_id in matches:
        match = await at.matches.load(match_id)
        assert match is not None
        secrets |= {match.seed.hex(), str(match.seed)}
        assert isinstance(match.state, WarState)
        for deck in match.state.decks:
            if len(deck) > 4:
                secrets |= {str(deck), deck.hex(), str(list(deck)), deck[:4].hex(), str(deck[:4])[2:-1]}
    await at.link.close()
    return secrets


SCRIPT = """
import sys
import structlog
from twoseat_server import logs
logs.configure(sys.argv[1], "debug")
def fail(token):
    local = token + "-local"
    raise ValueError("something broke")
try:
    fail("planted-" + "secret")
except ValueError:
    structlog.get_logger().exception("caught", known="told")
    import logging
    logging.getLogger("library").exception("foreign")
"""


@pytest.mark.parametrize("form", ["text", "json"])
async def test_a_traceback_in_the_log_shows_no_values(form: str) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", SCRIPT, form), env=ENVIRONMENT, stderr=asyncio.subprocess.PIPE
    )
    _, raw = await process.communicate()
    text = raw.decode()
    assert process.returncode == 0, text
    assert text.count("something broke") >= 2
    assert "told" in text
    assert "planted-secret" not in text
    assert os.linesep not in text.strip() or form == "text" or len(text.strip().splitlines()) == 2
