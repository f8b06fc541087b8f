"""What the account of a node lacks is said before it serves, by the server and the command; nothing is left behind."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from nodes import run_node
from stores import raw, redis_server
from twoseat_server.settings import Settings
from twoseat_server.store import news, rights
from twoseat_server.store.link import Away, StoreAway

HOSTING = Path(__file__).parents[2] / "docs" / "hosting.md"
RULE = next(line for line in HOSTING.read_text().splitlines() if line.startswith("user twoseat")).split()[2:]
KEPT = [word for word in RULE if word != "+client|setinfo"]
"""The account of docs/hosting.md, as Redis 7.0 knows it."""
UNTRIED = {"+ping", "+select", "+client|setinfo"}
"""What goes without saying: a server that answers PING with no right to it answers, and the others are not needed."""
COMMANDS = [word for word in KEPT if word.startswith("+") and word not in UNTRIED]


@pytest.fixture
async def account(tmp_path: Path) -> AsyncIterator[str]:
    """A Redis with the account of docs/hosting.md, to be spoiled."""
    with redis_server(tmp_path) as url:
        async with raw(url) as store:
            await store.execute_command("ACL", "SETUSER", "twoseat", *KEPT)
        yield url.replace("unix://", "unix://twoseat:CHANGE-ME@")


async def test_each_right_that_is_missing_is_named(account: str) -> None:
    await rights.check(account)
    async with raw(account.replace("twoseat:CHANGE-ME@", "")) as store:
        for right in COMMANDS:
            await store.execute_command("ACL", "SETUSER", "twoseat", f"-{right[1:]}")
            denied = await _denied(account)
            assert re.search(rf"\b{right[1:].partition('|')[0]}\b", denied.lower()), (right, denied)
            assert "CHANGE-ME" not in denied
            assert "redis.sock: " in denied
            await store.execute_command("ACL", "SETUSER", "twoseat", right)
        for pattern in ("~{s*}:*", "~{lobby}:*", "&{s*}:news:*", "&{lobby}:news:*"):
            others = [word for word in KEPT if word != pattern]
            await store.execute_command("ACL", "SETUSER", "twoseat", "reset", "on", *others)
            await _denied(account)
        assert [key for key in await store.keys() if await store.pttl(key) == -1] == [], "for ever"


async def test_a_right_taken_away_under_play_shows_in_log_metric_and_readiness(
    account: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(news, "BEAT_EVERY", 0.1)
    monkeypatch.setattr(news, "SILENCE", 1.0)
    with capture_logs() as logged:
        async with run_node(settings, account) as (node, _), raw(account.replace("twoseat:CHANGE-ME@", "")) as store:

            async def set_rights(*changes: str) -> None:
                await store.execute_command("ACL", "SETUSER", "twoseat", *changes)
                await store.execute_command("CLIENT", "KILL", "TYPE", "pubsub")

            for right in ("spublish", "ssubscribe"):
                await set_rights(f"-{right}")
                await _until(lambda: not node.ready and node.away == 1.0)
                await set_rights(f"+{right}")
                await _until(lambda: node.ready and node.away == 0.0)
            others = [word for word in KEPT if word != "~{lobby}:*"]
            await set_rights("reset", "on", *others)
            await _until(lambda: node.away == 1 / 65 and node.ready)  # who plays may come back here
            await _until(lambda: REGISTRY.get_sample_value("twoseat_store_away") == 1 / 65)
            await set_rights("~{lobby}:*")
            await _until(lambda: node.away == 0.0)
    said = ("news are refused", "storage is away: nobody can start")
    errors = [line for line in logged if line["log_level"] == "error" and line["event"].startswith(said)]
    for line in errors:
        assert "redis.sock: " in line["said"]
        assert "CHANGE-ME" not in line["said"]
    for word in ("spublish", "ssubscribe", "keys"):
        assert any(word in line["said"] for line in errors)


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not holds():  # noqa: ASYNC110 the node looks by itself
            await asyncio.sleep(0.02)


async def _denied(url: str) -> str:
    with pytest.raises(StoreAway) as caught:
        await rights.check(url)
    assert caught.value.why is Away.DENIED
    return str(caught.value)


async def test_a_right_that_one_master_denies_is_named_with_that_master(cluster_url: str) -> None:
    last = cluster_url.rpartition(",")[2]
    rule = [word.replace("-@all", "+@all") for word in KEPT if word.startswith((">", "~", "&", "-"))]
    try:
        for url in cluster_url.split(","):
            async with raw(url) as store:
                await store.execute_command("ACL", "SETUSER", "spare", "on", *rule, *["-ssubscribe"] * (url == last))
        denied = await _denied(cluster_url.replace("://", "://spare:CHANGE-ME@"))
        assert last.removeprefix("redis://") in denied
        assert "ssubscribe" in denied.lower()
    finally:
        for url in cluster_url.split(","):
            async with raw(url) as store:
                await store.execute_command("ACL", "DELUSER", "spare")


async def test_a_store_that_lacks_a_command_is_named(tmp_path: Path) -> None:
    with (
        redis_server(tmp_path, "--rename-command", "SSUBSCRIBE", "") as url,
        pytest.raises(rights.UnknownCommand, match=r"redis\.sock does not know SSUBSCRIBE"),
    ):
        await rights.check(url)
