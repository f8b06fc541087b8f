"""docs/hosting.md: its settings, paths, metrics and log lines exist, and a game can be played with its ACL."""

import argparse
import asyncio
import json
import re
import shlex
from pathlib import Path

import prometheus_client
import pytest
from redis.asyncio import Redis
from websockets.asyncio.client import ClientConnection, connect

from twoseat_server import serve_command
from twoseat_server.app import Node
from twoseat_server.settings import Settings
from twoseat_server.store import embedded
from twoseat_server.store.scripts import SCRIPTS

ROOT = Path(__file__).parents[2]
SERVER = ROOT / "server" / "twoseat_server"
TEXT = (ROOT / "docs" / "hosting.md").read_text()
RULE = re.search(r"^user twoseat .+$", TEXT, re.MULTILINE)
OTHERS = re.search(r"^user default off\n(?:user .+\n)+", TEXT, re.MULTILINE)
SHOWN = re.findall(r"^ {4}(.*\btwoseat serve.*)$", TEXT, re.MULTILINE)


@pytest.mark.parametrize("line", SHOWN)
def test_every_server_shown_can_be_started_so(line: str) -> None:
    parser = argparse.ArgumentParser()
    serve_command.add_parser(parser.add_subparsers(required=True))
    given = vars(parser.parse_args(shlex.split(line)[1:]))
    Settings(**{name: given[name] for name in Settings.model_fields if given[name] is not None})


def test_every_setting_named_is_one() -> None:
    flags = {f"--{name.replace('_', '-')}" for name in Settings.model_fields}
    others = {"--build", "--profile", "--help", "--cluster", "--cluster-replicas", "--user"}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", TEXT)) - others <= flags
    variables = {f"TWOSEAT_{name.upper()}" for name in Settings.model_fields} | {"TWOSEAT_DOMAIN"}
    assert set(re.findall(r"TWOSEAT_[A-Z_]+", TEXT)) <= variables


def test_every_metric_is_told_and_counted() -> None:
    told = set(re.findall(r"^\| `(twoseat_\w+)` \|", TEXT, re.MULTILINE))
    exposed = re.findall(r"^# TYPE (twoseat_\w+) ", prometheus_client.generate_latest().decode(), re.MULTILINE)
    assert told == {name for name in exposed if not name.endswith("_created")}
    source = "".join(path.read_text() for path in SERVER.rglob("*.py"))
    for name in re.findall(r"^([A-Z_]+) = ", (SERVER / "metrics.py").read_text(), re.MULTILINE):
        assert f"metrics.{name}." in source, f"{name} is never counted"


def test_every_path_is_served() -> None:
    served = (SERVER / "pages.py").read_text()
    for path in re.findall(r"^\| `(/\w+)` \|", TEXT, re.MULTILINE):
        assert f'"{path}"' in served


def test_every_log_line_named_is_written() -> None:
    source = "".join(path.read_text() for path in SERVER.rglob("*.py"))
    named = re.search(r"Look for (.+?)\(report", TEXT, re.DOTALL)
    assert named is not None
    for line in re.findall(r"`([^`]+)`", named[1]):
        assert f'"{line}' in source


def test_the_acl_allows_every_command_of_the_store() -> None:
    assert RULE is not None
    allowed = set(re.findall(r"\+([a-z]+)", RULE[0]))
    lua = "".join(script.text.decode() for script in SCRIPTS.values())
    python = "".join(path.read_text() for path in (SERVER / "store").glob("*.py"))
    used = set(re.findall(r"redis\.call\('([A-Z]+)'", lua))
    used |= set(re.findall(r"""(?:\.run\(|\()\s*"([A-Z]{3,})(?: [A-Z]+)?",""", python))
    assert {"HSET", "HGET", "SPUBLISH", "SCRIPT", "CLUSTER"} <= used
    assert {command.lower() for command in used} <= allowed


async def test_a_game_is_played_with_the_acl(tmp_path: Path) -> None:
    assert RULE is not None
    assert OTHERS is not None
    socket = tmp_path / "store"
    (tmp_path / "users.acl").write_text(f"{OTHERS[0]}{RULE[0]}\n")
    store = await asyncio.create_subprocess_exec(
        *(str(embedded.server_binary()), "--port", "0", "--unixsocket", str(socket), "--save", ""),
        *("--appendonly", "yes", "--dir", str(tmp_path), "--aclfile", str(tmp_path / "users.acl")),
        stdout=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(20):
            while not socket.exists():  # noqa: ASYNC110 another process makes it
                await asyncio.sleep(0.01)
            await _play(f"unix://twoseat:CHANGE-ME@{socket}", tmp_path)
        admin = Redis(unix_socket_path=str(socket), protocol=2, username="admin", password="CHANGE-ME-2")
        refused = await admin.acl_log()
        await admin.aclose()
        assert refused == []
    finally:
        store.terminate()
        await store.wait()


async def _play(url: str, folder: Path) -> None:
    """Wait in the queue and cancel, then win or lose a bot game of one round."""
    node = Node(Settings(host="127.0.0.1", port=0, data=folder), url)
    async with node.running() as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with connect(f"ws://127.0.0.1:{port}/ws") as line:
            await _say(line, {"type": "hello", "protocol": 1})
            await _until(line, "welcome")
            await _say(line, {"type": "quick"})
            await _until(line, "waiting")
            await _say(line, {"type": "cancel"})
            await _until(line, "idle")
            await _say(line, {"type": "bot", "terms": {"target": 1}})
            moves = 0
            while (heard := json.loads(await line.recv()))["type"] != "results":
                if heard["type"] == "state" and heard["legal"][0] and heard["chairs"][0]["number"] == moves:
                    await _say(line, {"type": "play", "id": f"m{moves}", "number": moves, "move": "draw"})
                    moves += 1


async def _say(line: ClientConnection, message: dict[str, object]) -> None:
    await line.send(json.dumps(message))


async def _until(line: ClientConnection, kind: str) -> None:
    while (heard := json.loads(await line.recv()))["type"] != kind:
        assert heard["type"] != "error", heard
