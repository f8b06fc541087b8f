"""What an embedded store has written is brought to disk by its server, beside it."""

import asyncio
from pathlib import Path

import pytest

from stores import raw
from twoseat_server.store.embedded import EmbeddedStore
from twoseat_server.store.flush import AppendOnlyFile


async def test_what_was_written_is_brought_to_disk_within_a_second_or_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: asyncio.Queue[list[Path]] = asyncio.Queue()
    flush, loop = AppendOnlyFile.flush, asyncio.get_running_loop()

    def told(self: AppendOnlyFile) -> list[Path]:
        grown = flush(self)
        loop.call_soon_threadsafe(flushed.put_nowait, grown)
        return grown

    monkeypatch.setattr(AppendOnlyFile, "flush", told)
    async with asyncio.timeout(20), EmbeddedStore(tmp_path) as url, raw(url) as store:
        while await flushed.get():
            pass
        await store.set("move", "stored")
        while not (grown := await flushed.get()):
            pass
        assert [path.suffixes[-2:] for path in grown] == [[".incr", ".aof"]]
        assert await flushed.get() == [], "nothing new, nothing to do"


async def test_a_disk_that_takes_nothing_is_said_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tries: asyncio.Queue[None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def fails(self: AppendOnlyFile) -> list[Path]:
        loop.call_soon_threadsafe(tries.put_nowait, None)
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(AppendOnlyFile, "flush", fails)
    async with asyncio.timeout(20), EmbeddedStore(tmp_path):
        for _ in range(2):
            await tries.get()
    assert "storage not brought to disk" in capsys.readouterr().out
