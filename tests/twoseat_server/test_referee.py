"""The one way a match changes, on a real store by a test's time: nothing is lost, doubled or decided on old news."""

import asyncio
import time as real_time
from collections.abc import AsyncIterator, Awaitable
from typing import Any, TypeVar

import pytest
from msgspec.structs import replace

from stores import Join, due_at, raw
from twoseat import bots, record
from twoseat.games import GAMES
from twoseat.games.game import BOT_PACE, Driver, Move, Options
from twoseat.ids import shard_of
from twoseat.inputs import Connect, Disconnect, Input, Leave, Rematch, Resign, Tick
from twoseat.match import Match, MatchId, Reason, Rejected
from twoseat_server import referee
from twoseat_server.chaos.way import Way
from twoseat_server.referee import NoSuchMatch
from twoseat_server.store import keys
from virtual import Bench, Time, begun, benches, draw, folded, starter

Answer = TypeVar("Answer")


@pytest.fixture
async def two(join: Join) -> AsyncIterator[tuple[Time, Bench, Bench]]:
    async with benches(join) as (time, (a, b)):
        yield time, a, b


@pytest.fixture
async def apart(join: Join) -> AsyncIterator[tuple[tuple[Time, Bench], tuple[Time, Bench]]]:
    """Two nodes, each with a clock of its own."""
    async with benches(join, "a") as (here, (a,)), benches(join, "b") as (there, (b,)):
        yield (here, a), (there, b)


async def later(turns: int, what: Awaitable[Answer]) -> Answer:
    """Do it so many turns of the loop later."""
    for _ in range(turns):
        await asyncio.sleep(0)
    return await what


async def test_a_move_is_stored_and_shown(two: tuple[Time, Bench, Bench]) -> None:
    time, a, _ = two
    match = await begun(a.peer, time.ms)
    after = await a.referee.apply(match.id, draw(match))
    assert after.version == match.version + 1
    assert await a.peer.matches.load(match.id) == after
    assert a.shown[-1] == after


async def test_what_is_decided_on_the_stored_match_is_decided_at_the_time_at_which_that_is_known(
    two: tuple[Time, Bench, Bench], monkeypatch: pytest.MonkeyPatch
) -> None:
    time, a, _ = two
    match = await begun(a.peer, time.ms)
    load = a.peer.matches.load

    async def late(match_id: MatchId) -> Match | None:
        found = await load(match_id)
        time.ms += 500
        return found

    monkeypatch.setattr(a.peer.matches, "load", late)
    await a.referee.apply(match.id, draw(match))
    _, _, now = record.decode_entry((await a.peer.matches.log(match.id))[-1])
    assert now == time.ms


async def test_what_an_old_copy_rejects_is_decided_again_on_the_stored_match(two: tuple[Time, Bench, Bench]) -> None:
    time, a, b = two
    match = await begun(a.peer, time.ms)
    await b.referee.load(match.id)
    first = await a.referee.apply(match.id, draw(match))
    second = await b.referee.apply(match.id, draw(first, move_id="n"))
    assert second.version == first.version + 1
    with pytest.raises(Rejected) as refused:
        await a.referee.apply(match.id, draw(match, move_id="late"))
    assert refused.value.reason is Reason.STALE
    assert a.shown[-1] == second, "the one who was refused has seen why"


async def test_what_an_old_copy_takes_for_nothing_new_is_decided_again_too(two: tuple[Time, Bench, Bench]) -> None:
    time, a, b = two
    match = await begun(a.peer, time.ms)
    await b.referee.load(match.id)
    gone = await a.referee.apply(match.id, Disconnect(0, match.chairs[0].connection))
    back = await a.referee.apply(match.id, Connect(0, 9))
    assert gone.version < back.version
    assert (await b.referee.apply(match.id, Disconnect(0, 9))).version == back.version + 1


async def test_two_nodes_at_one_match_store_every_input_once(two: tuple[Time, Bench, Bench]) -> None:
    time, a, b = two
    match = await begun(a.peer, time.ms)
    events: list[tuple[Bench, Input]] = [
        (a, Rematch(0, match.chairs[0].connection)),
        (b, Disconnect(1, match.chairs[1].connection)),
        (b, draw(match)),
        (a, Connect(1, 9)),
    ]
    answers = await asyncio.gather(*(at.referee.apply(match.id, event) for at, event in events), return_exceptions=True)
    stored = await a.peer.matches.load(match.id)
    assert stored is not None
    accepted = sum(isinstance(answer, Match) for answer in answers)
    assert stored.version <= match.version + accepted
    assert await folded(a.peer, match) == stored


async def test_inputs_of_one_node_for_one_match_go_in_order(two: tuple[Time, Bench, Bench]) -> None:
    time, a, _ = two
    match = await begun(a.peer, time.ms)
    line = [Connect(0, 10 + number) for number in range(20)]
    answers = await asyncio.gather(*(a.referee.apply(match.id, event) for event in line))
    assert [answer.chairs[0].connection for answer in answers] == [event.connection for event in line]


async def test_a_match_that_is_gone_is_no_match_and_its_deadline_is_struck(two: tuple[Time, Bench, Bench]) -> None:
    time, a, _ = two
    match = await begun(a.peer, time.ms)
    async with raw(a.peer.url) as store:
        await store.delete(keys.match(match.id))
        with pytest.raises(NoSuchMatch):
            await a.referee.apply(match.id, draw(match))
        await a.referee.tick(match.id)
        assert await store.zscore(keys.due(shard_of(match.id)), match.id) is None


async def test_500_times_a_move_meets_its_time_out_within_5_ms_and_one_of_the_two_wins(
    apart: tuple[tuple[Time, Bench], tuple[Time, Bench]],
) -> None:
    """The seat's own node decides on the move, another fires the deadline; each by its own clock, so that it is the
    store that decides.
    """
    (here, a), (there, b) = apart
    moves, times_up = 0, 0
    for number in range(500):
        await asyncio.gather(a.swept(), b.swept())
        match = await begun(a.peer, max(here.ms, there.ms))
        seat = starter(match)
        due = match.chairs[seat].due
        assert due is not None
        await asyncio.gather(a.referee.load(match.id), b.referee.load(match.id))
        here.ms = due + number % 11 - 5
        there.ms = due - 5
        await asyncio.gather(a.swept(), b.swept())

        async def move(match: Match = match) -> Match | Rejected:
            try:
                return await a.referee.apply(match.id, draw(match))
            except Rejected as error:
                return error

        async def fire(match: Match = match, due: int = due) -> None:
            there.ms = due
            await b.swept()
            await b.referee.tick(match.id)

        lead = (0, 20, 60, 150)[number // 2 % 4]
        order = (move(), later(lead, fire())) if number % 2 else (fire(), later(lead, move()))
        answers = await asyncio.gather(*order)
        told = answers[0] if number % 2 else answers[1]
        stored = await a.peer.matches.load(match.id)
        assert stored is not None
        moved = isinstance(told, Match)
        assert stored.chairs[seat].number == moved
        assert (stored.chairs[seat].driver is Driver.BOT) is not moved
        if isinstance(told, Rejected):
            assert (told.reason, told.by_bot) == (Reason.STALE, True)
        assert await folded(a.peer, match) == stored
        moves, times_up = moves + moved, times_up + (not moved)
    assert moves + times_up == 500
    assert min(moves, times_up) > 50, "the race was none"


async def test_a_deadline_fired_by_everybody_makes_one_move(two: tuple[Time, Bench, Bench]) -> None:
    time, a, b = two
    match = await begun(a.peer, time.ms)
    seat = starter(match)
    time.ms = match.chairs[seat].due or 0
    await asyncio.gather(a.swept(), b.swept())
    await asyncio.gather(*(at.referee.tick(match.id) for at in (a, b, a, b)))
    time.ms += BOT_PACE
    await asyncio.gather(a.swept(), b.swept())
    await asyncio.gather(*(at.referee.tick(match.id) for at in (a, b, a, b)))
    stored = await a.peer.matches.load(match.id)
    assert stored is not None
    assert stored.chairs[seat].number == 1
    assert stored.version == match.version + 2
    assert await folded(a.peer, match) == stored


async def test_an_outage_loses_no_move(join: Join, url: str) -> None:
    async with Way(url).opened() as way, benches(join, "ab", way.url, url) as (time, (a, b)):
        match = await begun(b.peer, time.ms)
        await a.referee.load(match.id)
        for number, broken in enumerate((way.stop, way.cut, way.stop)):
            broken()
            waits = asyncio.create_task(a.referee.apply(match.id, draw(match, move_id=f"m{number}")))
            await asyncio.sleep(1.2)
            time.ms += 5_000
            assert not waits.done()
            way.go()
            await a.swept()
            async with asyncio.timeout(10):
                while not waits.done():
                    await a.swept()
                    await asyncio.sleep(0.02)
            after = await waits
            assert after.version == match.version + 1
            match = after
        stored = await b.peer.matches.load(match.id)
        assert stored == match
        assert await folded(b.peer, match) == stored


async def test_a_swallowed_answer_is_looked_up_and_the_move_done_once(join: Join, url: str) -> None:
    async with Way(url).opened() as way, benches(join, "ab", way.url, url) as (time, (a, b)):
        match = await begun(b.peer, time.ms)
        await a.referee.load(match.id)
        for event in (draw(match), Leave(0, match.chairs[0].connection), Resign(1, match.chairs[1].connection)):
            way.swallow(b"EVALSHA")
            waits = asyncio.create_task(a.referee.apply(match.id, event))
            while not waits.done():
                await a.swept()
                await asyncio.sleep(0.02)
            match = await waits
        assert way.swallowed == 3
        assert match.outcome is not None
        assert await folded(b.peer, match) == await b.peer.matches.load(match.id)
        assert len(await b.peer.matches.log(match.id)) == match.version


@pytest.mark.parametrize("fault", ["hangs", "fails", "nonsense"])
async def test_a_bot_that_is_no_good_makes_the_first_legal_move(
    two: tuple[Time, Bench, Bench], monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    def bad(view: Any, legal: Any) -> Move:
        if fault == "hangs":
            real_time.sleep(0.6)
        elif fault == "fails":
            raise RuntimeError(fault)
        return Move("turn everything")

    monkeypatch.setitem(bots.BOTS, "war", bad)
    monkeypatch.setattr(referee, "_THINKING", 0.1)
    time, a, _ = two
    match = await begun(a.peer, time.ms, Options(preset="classic"), bot=True)
    gone = await a.referee.apply(match.id, Leave(0, match.chairs[0].connection))
    assert gone.pause is not None
    time.ms = gone.pause.until
    await a.swept()
    await a.referee.tick(match.id)
    time.ms += BOT_PACE
    await a.swept()
    await a.referee.tick(match.id)
    stored = await a.peer.matches.load(match.id)
    assert stored is not None
    assert stored.chairs[0].number == 1
    assert GAMES["war"].rounds(stored.state) == 1, "one battle, not ten"


async def test_a_match_nobody_looks_at_here_leaves_nothing_behind(two: tuple[Time, Bench, Bench]) -> None:
    time, a, _ = two
    match = await begun(a.peer, time.ms)
    await a.referee.load(match.id)
    assert a.referee.copy(match.id) is not None
    a.referee.keeps = lambda match_id: False
    a.referee.learn(replace(match, version=match.version + 1))
    assert a.referee.copy(match.id) is None
    await a.peer.matches.commit(due_at(replace(match, version=match.version + 1), 1), Tick(), time.ms)
    await a.referee.tick(match.id)
    assert a.referee.copy(match.id) is None
    assert a.peer.matches._lasting == {}
