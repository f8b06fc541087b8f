"""A move goes to the store at once; what is said behind it has its turn, and nothing is lost whatever comes of it."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from caller import Caller, Callers
from nodes import run_node
from twoseat import views, wire
from twoseat.games import GAMES
from twoseat.games.game import Seat, Termination, other
from twoseat.inputs import Rematch
from twoseat.match import Match, MatchId
from twoseat_server import visit as visits
from twoseat_server.app import Node
from twoseat_server.limits import Bucket
from twoseat_server.sessions import Session
from twoseat_server.settings import Settings
from twoseat_server.transport import Connection
from twoseat_server.visit import Visit
from virtual import fail_for


@dataclass
class Table:
    """A table at a node, and the socket whose move it is: what is said there is taken at once, not when a line brings
    it.
    """

    node: Node
    match_id: MatchId
    caller: Caller
    across: Caller
    session: Session
    visit: Visit

    @property
    def seat(self) -> Seat:
        assert self.caller.seat is not None
        return self.caller.seat

    def is_idle(self) -> bool:
        return self.visit._serving is None and not self.visit._sent

    def says(self, kind: str, **fields: object) -> None:
        self.visit.received(json.dumps({"type": kind, **fields}))

    def moves(self, number: int = 0) -> None:
        self.says("play", id="mine", number=number, move="draw")

    async def moved(self) -> wire.State:
        return await self.caller.until(lambda state: state.chairs[self.seat].number == 1)

    async def heard_it_moved_and_then_all_anew(self) -> None:
        await self.caller.hear(wire.State, lambda state: state.chairs[self.seat].number == 1)
        await self.caller.hear(wire.Seated)


@pytest.fixture
async def table(settings: Settings, url: str) -> AsyncIterator[Table]:
    async with run_node(settings, url) as (node, call):
        yield await sat_down(node, call)


async def sat_down(node: Node, call: Callers) -> Table:
    ann, bob = await call.pair()
    mover, across = (ann, bob) if (await ann.until(lambda state: True)).legal[0] else (bob, ann)
    assert mover.seated is not None
    match_id = MatchId(mover.seated.match)
    session = next(one for one in node._sessions.at(match_id) if one.seat == mover.seat)
    assert isinstance(session.socket, Connection)
    visit = session.socket._visitor
    assert isinstance(visit, Visit)
    visit._rate = Bucket(0, 1_000)
    return Table(node, match_id, mover, across, session, visit)


async def test_a_move_is_sent_without_a_task_and_what_is_said_behind_it_has_its_turn(table: Table) -> None:
    table.visit._rate, table.session.moves = Bucket(0, 2), Bucket(1e-9, 1)
    table.moves()
    table.says("sync")
    assert table.visit._sent
    assert table.visit._serving is None
    await table.heard_it_moved_and_then_all_anew()
    assert table.is_idle()
    assert [table.visit._rate.take(), table.visit._rate.take()] == [True, False], "an accepted move costs nothing"
    assert not table.session.moves.take(), "but it is one of so many a second"


async def test_a_move_with_nothing_behind_it_makes_no_task(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    referee, idle = table.node._referee, []
    show = referee.show

    def shown(matches: list[Match]) -> None:
        idle.append(table.is_idle())
        show(matches)

    monkeypatch.setattr(referee, "show", shown)
    table.moves()
    await table.moved()
    assert idle == [True]


async def test_a_move_overtakes_nothing(table: Table) -> None:
    table.says("sync")
    serving = table.visit._serving
    table.moves()
    assert not table.visit._sent
    assert table.visit._serving is serving
    await table.caller.hear(wire.Seated)
    await table.moved()


async def test_nothing_overtakes_a_move(table: Table) -> None:
    table.moves()
    for _ in range(2):
        table.moves()
        assert table.visit._sent
        assert table.visit._serving is None
    for _ in range(2):
        assert (await table.caller.hear(wire.Done)).id == "mine"
    assert (await table.moved()).chairs[table.seat].last == "mine"


async def test_a_move_that_the_nearest_copy_refuses_has_spent_nothing_before_it_has_its_turn(table: Table) -> None:
    table.visit._rate, table.session.moves = Bucket(0, 2), Bucket(1e-9, 1)
    table.moves(number=1)
    await asyncio.sleep(0)
    assert isinstance(table.visit._serving, asyncio.Task)
    assert (await table.caller.rejected()).reason == "stale"
    assert [table.visit._rate.take(), table.visit._rate.take()] == [True, False]


@pytest.mark.parametrize("why", ["she is being brought to her place", "she has made all moves of this second"])
async def test_a_move_that_has_to_wait_waits_in_its_turn(table: Table, why: str) -> None:
    if why == "she is being brought to her place":
        async with table.session.moving:
            table.moves()
            waits = table.visit._serving
    else:
        table.session.moves = Bucket(20, 1)
        assert table.session.moves.take()
        table.moves()
        waits = table.visit._serving
    assert isinstance(waits, asyncio.Task)
    await table.moved()


async def test_a_move_on_an_old_copy_is_made_on_the_stored_match_before_what_was_said_behind_it(table: Table) -> None:
    referee, seat = table.node._referee, other(table.seat)
    old = referee.copy(table.match_id)
    assert old is not None
    await referee.apply(table.match_id, Rematch(seat, old.chairs[seat].connection))
    referee._copies[table.match_id] = old
    table.visit._rate, table.session.moves = Bucket(0, 2), Bucket(1e-9, 2)
    table.moves()
    assert table.visit._sent
    table.says("sync")
    state = await table.moved()
    assert state.version == old.version + 2
    await table.heard_it_moved_and_then_all_anew()
    assert [table.visit._rate.take(), table.visit._rate.take()] == [True, False]
    assert [table.session.moves.take(), table.session.moves.take()] == [True, False], "it was one move"


async def test_a_move_that_cannot_be_served_closes_its_socket_and_the_match_goes_on(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*asked: object) -> None:
        raise RuntimeError("as planned")

    monkeypatch.setattr(GAMES["war"], "play", fails)
    table.moves()
    assert await table.caller.closed() == wire.Close.FAULT
    await table.across.until(lambda state: not state.chairs[table.seat].present)


async def test_no_more_waits_behind_a_move_than_may_be_said_at_once(table: Table) -> None:
    table.moves()
    for _ in range(visits.MESSAGE_BURST):
        table.says("cancel")
    assert not any(isinstance(message, wire.Error) for message in table.caller.heard)
    table.says("cancel")
    assert await table.caller.refused() == "slow_down"
    table.says("ping", n=7)
    assert (await table.caller.hear(wire.Pong)).n == 7


async def test_what_was_said_behind_a_move_before_the_socket_was_gone_is_done_at_the_table(table: Table) -> None:
    table.moves()
    for _ in range(3):
        table.says("sync")
    table.says("resign")
    table.session.socket.abort()
    results = await table.across.hear(wire.Results)
    assert results.outcome == wire.Outcome(other(table.seat), Termination.RESIGNED)
    last = await table.across.until(lambda state: state.outcome is not None)
    assert last.chairs[table.seat].number == 1
    await table.across.until(lambda state: not state.chairs[table.seat].present)


async def test_a_move_is_shown_although_nobody_waits_for_it_any_more_where_it_was_made(table: Table) -> None:
    table.moves()
    ending = asyncio.create_task(table.visit.end())
    await asyncio.sleep(0)
    ending.cancel()
    await table.across.until(lambda state: state.chairs[table.seat].number == 1)


async def test_who_comes_or_asks_for_all_anew_is_shown_nothing_older_than_is_known(table: Table) -> None:
    read = table.node._referee.copy(table.match_id)
    assert read is not None
    table.moves()
    await table.moved()
    table.node._push.introduce(table.session, read)
    await table.caller.hear(wire.Seated)
    assert (await table.caller.hear(wire.State)).version == read.version + 1


async def test_a_version_that_cannot_be_shown_keeps_no_other_of_its_turn_from_being_shown(
    settings: Settings, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with run_node(settings, url) as (node, call):
        first, second = await sat_down(node, call), await sat_down(node, call)
        bad, good = (node._referee.copy(table.match_id) for table in (first, second))
        assert bad is not None
        assert good is not None
        fail_for(bad, monkeypatch, views, "state")
        await first.caller.hear(wire.State, lambda state: state.version == bad.version)
        await second.caller.hear(wire.State, lambda state: state.version == good.version)
        for table in (first, second):
            table.session.version -= 1  # as if it had not been shown
        node._push.show([bad, good])
        await second.caller.hear(wire.State, lambda state: state.version == good.version)
        monkeypatch.undo()
        node._push.show([bad])
        await first.caller.hear(wire.State, lambda state: state.version == bad.version)
