"""Secrets and hostile text are planted wherever a client can put them, and looked for wherever they should not be."""

import argparse
import asyncio
import hashlib
import importlib
import re
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs
from websockets.asyncio.client import connect

from caller import Callers
from nodes import run_node
from stores import raw
from twoseat import wire
from twoseat.ids import new_token, player_of
from twoseat_client.address import Server
from twoseat_server.__main__ import _MODULES
from twoseat_server.gateway import HELLO_WITHIN
from twoseat_server.listener import SWEEP_EVERY
from twoseat_server.patience import Limits
from twoseat_server.settings import Settings
from twoseat_server.store.embedded import EmbeddedStore

WEB = Path(__file__).parents[2] / "client" / "twoseat_client" / "web"
MARK = "planted-mark"
KEY = re.compile(
    r"\{s\d\d\}:(?:due|clock|(?:match|log|at|watch):[0-9a-f]{34}|held:node-[0-9a-f]{8})"
    r"|\{lobby\}:(?:nodes|pool:[a-z0-9:_-]+|ticket:[0-9a-f]{16}|code:[A-Z0-9]{6}|player:[0-9a-f]{64})"
)
HOSTILE = (f"\r\n[error] {MARK}", f"\x1b[2J{MARK}", f"{{lobby}}:{MARK}", f'"}}{MARK}', f"${MARK}\0")


async def hostile(call: Callers) -> set[str]:
    """Say hostile things in every field that takes text, then play a game; returns the tokens that were given."""
    tokens = set()
    for text in HOSTILE:
        caller = await call.connect(additional_headers={"User-Agent": MARK, "Cookie": MARK})
        await caller.say("hello", protocol=wire.PROTOCOL_VERSION, name=text[:80], client=text[:40])
        await caller.hear(wire.Welcome)
        tokens.add(caller.token)
        for kind, fields in (
            ("join", {"code": text[:16]}),
            ("watch", {"code": text[:16]}),
            ("play", {"id": text, "number": 0, "move": text}),
            ("react", {"reaction": text}),
            ("commit", {"digest": text}),
            ("quick", {"terms": {"preset": text[:20]}}),
            (text, {text: text}),
        ):
            await caller.say(kind, **fields)
            await caller.hear(wire.Error, lambda error: error.code != "bad_name")
        await caller.socket.send(text)
        await caller.refused()
    host, guest = await call.pair(target=1)
    await asyncio.gather(host.results(), guest.results())
    return tokens | {host.token, guest.token}


async def listening(url: str, heard: list[str]) -> None:
    """Write down every command the store runs."""
    async with raw(url) as store, store.monitor() as monitor:
        heard.append("monitor stands")
        while True:
            heard.append(str(await monitor.next_command()))


async def compression_is_never_agreed_to(call: Callers) -> None:
    """A client that offers it gets none, so nothing can be sent that grows when it is read."""
    async with connect(f"ws://127.0.0.1:{call.port}/ws", compression="deflate", proxy=None) as socket:
        assert socket.protocol.extensions == []


async def test_a_hostile_evening_leaves_no_secret_and_no_foreign_text_anywhere(tmp_path: Path) -> None:
    settings = Settings(host="127.0.0.1", port=0, max_matches=1_000)
    heard: list[str] = []
    async with EmbeddedStore(tmp_path) as url:
        monitor = asyncio.create_task(listening(url, heard))
        async with asyncio.timeout(10):
            while not heard:  # noqa: ASYNC110 the store is another process
                await asyncio.sleep(0.01)
        with capture_logs() as logged:
            async with run_node(settings, url) as (_, call):
                tokens = await hostile(call)
                page = await asyncio.to_thread(_get, call.port, f"/j/BCDFGH?{MARK}")
                await compression_is_never_agreed_to(call)
        async with raw(url) as store:
            keys = await store.keys()
        monitor.cancel()
        await asyncio.wait((monitor,))
    assert len(tokens) == len(HOSTILE) + 2
    assert len(heard) > 50
    everywhere = {"monitor": "\n".join(heard), "log": repr(logged), "page": page}
    for place, text in everywhere.items():
        assert [token for token in tokens if token in text] == [], place
    assert MARK not in everywhere["log"]
    assert MARK not in everywhere["page"]
    assert "set-cookie" not in page.lower()
    assert [key for key in keys if not KEY.fullmatch(key)] == []


def _get(port: int, path: str) -> str:
    """A page, with its head."""
    import http.client

    line = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    line.request("GET", path)
    answer = line.getresponse()
    text = "\n".join(f"{name}: {value}" for name, value in answer.getheaders()) + answer.read().decode()
    line.close()
    return text


def test_no_command_takes_a_token_and_no_page_keeps_a_cookie() -> None:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers()
    for module in dict.fromkeys(_MODULES.values()):
        importlib.import_module(module).add_parser(commands)
    flags = [flag for each in commands.choices.values() for action in each._actions for flag in action.option_strings]
    assert "--name" in flags
    assert [flag for flag in flags if "token" in flag or "secret" in flag] == []
    assert Server("http://127.0.0.1:1").socket == "ws://127.0.0.1:1/ws", "an address that holds no token"
    assert [path.name for path in WEB.rglob("*.js") if "document.cookie" in path.read_text()] == []


def test_a_token_is_looked_up_by_its_hash_alone() -> None:
    token = new_token()
    assert len(token) == 43, "256 bits"
    assert player_of(token) == hashlib.sha256(token.encode()).hexdigest()


def test_whoever_keeps_a_connection_for_nothing_is_gone_within_six_seconds() -> None:
    limits = Limits()
    assert max(limits.opening, limits.half, HELLO_WITHIN) + SWEEP_EVERY <= 6


@pytest.mark.parametrize("path", sorted(WEB.rglob("*.js")), ids=lambda path: path.name)
def test_the_page_never_makes_markup_of_text(path: Any) -> None:
    made = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc|javascript:"
    assert re.findall(made, path.read_text()) == []
