"""Work nobody waits for: a failure is told, a loop begins again, and all of it ends when the node does."""

import asyncio

import pytest
from structlog.testing import capture_logs

from twoseat_server import background
from twoseat_server.background import Background


async def test_a_job_that_fails_is_told_and_harms_nobody() -> None:
    work, done = Background(), asyncio.Event()

    async def fails() -> None:
        raise RuntimeError("broken")

    async def works() -> None:
        done.set()

    with capture_logs() as logs:
        work.start(fails())
        work.start(works())
        await work.stop(within=1)
    assert done.is_set()
    assert [entry["event"] for entry in logs] == ["background work failed"]


async def test_a_loop_that_falls_over_or_ends_begins_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "_PAUSE", 0.01)
    work, rounds, thrice = Background(), 0, asyncio.Event()

    async def loop() -> None:
        nonlocal rounds
        rounds += 1
        if rounds == 3:
            thrice.set()
        if rounds == 1:
            raise RuntimeError("broken")

    with capture_logs() as logs:
        work.keep(loop)
        async with asyncio.timeout(5):
            await thrice.wait()
        await work.stop(within=0)
    assert [entry["log_level"] for entry in logs] == ["error"]


async def test_jobs_and_what_they_start_come_to_their_end_before_a_stop() -> None:
    work, ended = Background(), []

    async def job(name: str) -> None:
        await asyncio.sleep(0.01)
        ended.append(name)
        if name == "first":
            work.start(job("second"))

    work.start(job("first"))
    await work.stop(within=5)
    assert ended == ["first", "second"]


async def test_what_does_not_end_is_cancelled_and_nothing_starts_after_that() -> None:
    work, ended = Background(), []

    async def for_ever() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")
            work.start(late())

    async def late() -> None:
        ended.append("late")

    work.start(for_ever())
    await asyncio.sleep(0)
    await work.stop(within=0.01)
    await asyncio.sleep(0.01)
    assert ended == ["cancelled"]


async def test_a_cancelling_that_got_lost_is_said_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "_TRY", 0.01)
    work, heard = Background(), 0

    async def deaf() -> None:
        nonlocal heard
        while heard < 2:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                heard += 1

    work.start(deaf())
    await asyncio.sleep(0)
    await work.stop(within=0)
    assert heard == 2
