"""The referee sends to the store at once, together with all of its turn of the loop, what waits for nothing else."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from stores import Join
from twoseat import record
from twoseat.inputs import Rematch
from twoseat.match import Match
from twoseat_server import metrics
from twoseat_server import referee as referees
from twoseat_server.chaos.way import Way
from twoseat_server.referee import Referee
from virtual import Bench, Time, begun, benches, draw, fail_for


@pytest.fixture
async def two(join: Join) -> AsyncIterator[tuple[Time, Bench, Bench]]:
    async with benches(join) as (time, (a, b)):
        yield time, a, b


async def at_once(bench: Bench, match: Match) -> tuple[bool, int] | None:
    """Whether a move that was sent at once is stored, and how often the match had been shown when that was said; None
    where it is not sent at all.
    """

    def sent() -> asyncio.Future[tuple[bool, int]]:
        said = asyncio.get_running_loop().create_future()
        bench.referee.apply_at_once(match.id, draw(match), lambda stored: said.set_result((stored, len(bench.shown))))
        return said

    first, second = sent(), sent()
    await asyncio.sleep(0)
    assert not second.result()[0], "one at a time"
    if first.done():
        assert not first.result()[0]
        return None
    return await first


def counted(before: dict[str, int]) -> dict[str, int]:
    """How many commits came to what since then."""
    return {
        outcome: count - before[outcome]
        for outcome, count in metrics.COMMITS._counts.items()
        if count != before[outcome]
    }


async def test_a_move_that_is_sent_at_once_is_stored_then_said_to_be_and_shown(two: tuple[Time, Bench, Bench]) -> None:
    time, a, _ = two
    match = await begun(a.peer, time.ms)
    await a.referee.load(match.id)
    before = dict(metrics.COMMITS._counts)
    assert await at_once(a, match) == (True, 1)
    assert await a.peer.matches.load(match.id) == a.shown[-1] == a.referee.copy(match.id)
    assert await at_once(a, match) is None, "it has been made"
    assert await at_once(a, a.shown[-1]) == (True, 2)
    assert counted(before) == {"stored": 2}


async def test_nothing_is_sent_at_once_where_more_than_the_store_s_answer_is_waited_for(
    two: tuple[Time, Bench, Bench],
) -> None:
    time, a, _ = two
    match = await begun(a.peer, time.ms)
    assert await at_once(a, match) is None, "no copy here"
    await a.referee.load(match.id)
    time.ms += 1_000
    assert await at_once(a, match) is None, "no time is known"
    await a.swept()
    a.peer.matches.confirmed = True
    assert await at_once(a, match) is None, "a replica is waited for"
    assert (await a.referee.apply(match.id, draw(match))).version == match.version + 1


async def test_what_is_sent_at_once_on_an_old_copy_is_not_stored_and_the_copy_forgotten(
    two: tuple[Time, Bench, Bench],
) -> None:
    time, a, b = two
    match = await begun(a.peer, time.ms)
    await a.referee.load(match.id)
    await b.referee.apply(match.id, Rematch(0, match.chairs[0].connection))
    before = dict(metrics.COMMITS._counts)
    assert await at_once(a, match) == (False, 1)
    assert a.referee.copy(match.id) is None
    assert (await a.referee.apply(match.id, draw(match))).version == match.version + 2
    assert counted(before) == {"conflict": 1, "stored": 1}


async def test_where_nobody_knows_what_came_of_a_move_it_is_made_once(join: Join, url: str) -> None:
    async with Way(url).opened() as way, benches(join, "ab", way.url, url) as (time, (a, b)):
        match = await begun(b.peer, time.ms)
        await a.referee.load(match.id)
        before = dict(metrics.COMMITS._counts)
        way.swallow(b"EVALSHA")
        assert await at_once(a, match) == (False, 1)
        assert a.referee.copy(match.id) is None
        assert counted(before) == {"unknown": 1}
        waits = asyncio.create_task(a.referee.apply(match.id, draw(match)))
        while not waits.done():
            await a.swept()
            await asyncio.sleep(0.02)
        assert (await waits).version == match.version + 1
        assert len(await b.peer.matches.log(match.id)) == match.version + 1


@pytest.mark.parametrize(
    ("where", "name", "comes_of_it"),
    [(referees, "step", [None]), (record, "encode", [None]), (Referee, "_note", [True])],
    ids=["step", "write", "pass on"],
)
async def test_a_move_that_fails_is_alone_among_those_of_its_turn(
    two: tuple[Time, Bench, Bench], monkeypatch: pytest.MonkeyPatch, where: object, name: str, comes_of_it: list[Any]
) -> None:
    time, a, _ = two
    matches = [await begun(a.peer, time.ms) for _ in range(3)]
    for match in matches:
        await a.referee.load(match.id)
    shown = len(a.shown)
    fail_for(matches[1], monkeypatch, where, name)
    came = await asyncio.gather(*(at_once(a, match) for match in matches))
    assert [told and told[0] for told in came] == [True, *comes_of_it, True]
    assert {match.id for match in a.shown[shown:]} == {matches[0].id, matches[2].id}
    monkeypatch.undo()
    async with asyncio.timeout(5):
        stored = await a.referee.load(matches[1].id)
        await a.referee.apply(stored.id, draw(stored, move_id="again"))
