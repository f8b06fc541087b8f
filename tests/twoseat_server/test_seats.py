"""A seat and its sockets: refresh, a second tab, half-open lines, idling, leaving, resigning and watching."""

import asyncio

import pytest

from caller import WITHIN, Caller, Callers, play_out
from nodes import run_node
from twoseat import wire
from twoseat.chair import PlayerId
from twoseat.match import MatchId
from twoseat_server import seating
from twoseat_server.settings import Settings
from twoseat_server.store.matches import Matches
from twoseat_server.store.tickets import Place, Tickets

SHORT = {"target": 2, "turn_seconds": 5}


def never_gone(caller: Caller) -> bool:
    """Whether this side always saw seat 0 there, from the deal on."""
    return all(
        message.chairs[0].present
        for message in caller.heard
        if isinstance(message, wire.State) and message.phase != "waiting"
    )


def match_of(caller: Caller) -> str:
    assert caller.seated is not None
    return caller.seated.match


async def back(call: Callers, caller: Caller) -> Caller:
    """The same player on another socket, at the same match."""
    again = await call(caller.token, match=match_of(caller))
    await again.hear(wire.Seated)
    return again


async def test_a_refresh_shows_the_same_table(call: Callers) -> None:
    host, guest = await call.pair()
    first, second = (host, guest) if (await host.until(lambda s: True)).legal[0] else (guest, host)
    await first.draw()
    await second.draw()
    before = await host.until(lambda state: state.view.round == 2)
    await host.hang_up()
    await guest.until(lambda state: not state.chairs[0].present)
    again = await back(call, host)
    after = await again.until(lambda state: state.chairs[0].present)
    assert after.view == before.view
    assert again.seated is not None
    assert len(again.seated.rounds) == 1
    await guest.until(lambda state: state.chairs[0].present)


async def test_the_welcome_offers_the_running_match(call: Callers) -> None:
    host, _ = await call.pair()
    again = await call(host.token)
    welcome = again.heard[0]
    assert isinstance(welcome, wire.Welcome)
    assert welcome.resume is not None
    assert (welcome.resume.match, welcome.resume.present, welcome.name) == (match_of(host), True, "Ann")
    await again.say("join", code=welcome.resume.code)
    assert (await again.hear(wire.Seated)).seat == 0


async def test_the_newest_socket_has_the_seat_and_the_old_one_does_not_fight(call: Callers) -> None:
    host, guest = await call.pair(target=1)
    newer = await back(call, host)
    assert (await host.rejected()).reason == "replaced"
    assert await host.closed() == wire.Close.REPLACED
    assert (await newer.until(lambda state: state.chairs[0].present)).phase == "playing"
    await play_out(newer, guest)
    assert not any(isinstance(message, wire.RejectedMessage) for message in newer.heard)
    assert never_gone(guest)


async def test_a_half_open_old_socket_that_dies_late_changes_nothing(call: Callers) -> None:
    host, guest = await call.pair(target=1)
    host.freeze()
    newer = await back(call, host)
    host.vanish()
    await play_out(newer, guest)
    assert never_gone(guest)


async def test_a_socket_that_is_gone_before_it_has_the_seat_takes_it_from_no_newer_one(
    settings: Settings, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbered, on_its_way, newer_sits = Matches.next_connection, asyncio.Event(), asyncio.Event()

    async def late(matches: Matches, match_id: MatchId) -> int | None:
        monkeypatch.setattr(Matches, "next_connection", numbered)
        on_its_way.set()
        await newer_sits.wait()
        return await numbered(matches, match_id)

    async with run_node(settings, url) as (node, call):
        host, guest = await call.pair(target=1)
        match_id = MatchId(match_of(host))
        monkeypatch.setattr(Matches, "next_connection", late)
        older = await call(host.token, match=match_id)
        (session,) = [one for one in node._sessions.all if one.seat is None]
        await on_its_way.wait()
        older.vanish()
        async with asyncio.timeout(WITHIN):
            while not session.lost:  # noqa: ASYNC110 what another part of this process does is waited for
                await asyncio.sleep(0.01)
        newer = await back(call, host)
        newer_sits.set()
        async with asyncio.timeout(WITHIN):
            while session in node._sessions.all:  # noqa: ASYNC110 as above
                await asyncio.sleep(0.01)
        await play_out(newer, guest)
        assert [session.connection for session in node._sessions.at(match_id) if session.seat == 0] == [3]
        assert not any(isinstance(message, wire.RejectedMessage) for message in newer.heard)
    assert never_gone(guest)


async def test_a_socket_that_answers_nothing_takes_the_seat_from_nobody_who_sits_there(
    settings: Settings, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seating, "ALIVE_WITHIN", 0.2)
    async with run_node(settings, url) as (node, call):
        host, guest = await call.pair(target=1)
        silent = await call.connect()
        silent.freeze()
        await silent.say("hello", protocol=wire.PROTOCOL_VERSION, token=host.token, match=match_of(host))
        async with asyncio.timeout(WITHIN):
            for sockets in (3, 2):  # it has come, and is dropped
                while len(node._sessions.all) != sockets:  # noqa: ASYNC110 as above
                    await asyncio.sleep(0.01)
        await play_out(host, guest)
        assert not any(isinstance(message, wire.RejectedMessage) for message in host.heard)
    assert never_gone(guest)


async def test_coming_back_to_ones_own_socket_twice_is_no_going(call: Callers) -> None:
    host, guest = await call.pair()
    assert host.seated is not None
    await host.say("join", code=host.seated.code)
    await host.hear(wire.Seated)
    await host.say("resign")
    await guest.hear(wire.Results)
    assert never_gone(guest)


async def test_coming_back_to_ones_own_socket_shows_nothing_older(
    call: Callers, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, guest = await call.pair()
    assert host.seated is not None
    put = Tickets.put

    async def late(tickets: Tickets, player: PlayerId, place: Place) -> None:
        await guest.say("rematch")
        await host.until(lambda state: state.chairs[1].rematch)
        await put(tickets, player, place)

    monkeypatch.setattr(Tickets, "put", late)
    await host.say("join", code=host.seated.code)
    await host.hear(wire.Seated)
    await host.until(lambda state: True)
    versions = [message.version for message in host.heard if isinstance(message, wire.State)]
    assert versions == sorted(versions)


async def test_who_idles_is_played_for_until_she_takes_the_seat_back(call: Callers) -> None:
    host, guest = await call.pair(turn_seconds=5, target=50)
    idle, other = (host, guest) if (await host.until(lambda s: True)).legal[0] else (guest, host)
    assert idle.seat is not None
    seat = idle.seat
    late = await idle.until(lambda state: state.chairs[seat].driver == "bot")
    assert late.chairs[seat].present
    await idle.play(late.chairs[seat].number)
    rejected = await idle.rejected()
    assert (rejected.reason, rejected.by_bot) == ("stale", True)
    await idle.say("return")
    await other.until(lambda state: state.chairs[seat].back or state.chairs[seat].driver == "human")
    playing = asyncio.create_task(other.results())
    hers = await idle.until(lambda state: state.chairs[seat].driver == "human" and bool(state.legal[seat]))
    assert (hers.chairs[seat].due or 0) > 4_000, "a full clock"
    await idle.draw()
    playing.cancel()


async def test_who_leaves_is_played_for_and_finds_the_result(call: Callers) -> None:
    host, guest = await call.pair(target=1)
    await host.say("leave")
    await host.hear(wire.Idle)
    await guest.until(lambda state: state.chairs[0].driver == "bot")
    theirs = await guest.results()
    again = await back(call, host)
    assert (await again.hear(wire.Results)).rounds == theirs.rounds


async def test_who_resigns_has_lost(call: Callers) -> None:
    host, guest = await call.pair()
    await guest.say("resign")
    for caller in (host, guest):
        results = await caller.hear(wire.Results)
        assert results.outcome == wire.Outcome(0, wire.Termination.RESIGNED)
    await host.say("resign")
    assert (await host.rejected()).reason == "over"


async def test_a_refresh_after_the_end_still_shows_the_results(call: Callers) -> None:
    host, guest = await call.pair(target=1)
    mine, _ = await play_out(host, guest)
    await host.hang_up()
    again = await back(call, host)
    assert (await again.until(lambda state: state.phase == "over")).outcome == mine.outcome
    assert await again.hear(wire.Results) == mine


async def test_watchers_see_the_public_table_and_are_counted(call: Callers) -> None:
    host, guest = await call.pair(target=1)
    assert host.seated is not None
    watchers = [await call() for _ in range(2)]
    for number, watcher in enumerate(watchers, 1):
        await watcher.say("watch", code=host.seated.code)
        assert (await watcher.hear(wire.Seated)).seat is None
        for caller in (host, guest, watcher):
            await caller.hear(wire.Watchers, lambda message: message.count == number)  # noqa: B023
        await watcher.play(0)
        assert await watcher.refused() == "not_seated"
    again = await back(call, guest)
    await again.hear(wire.Watchers, lambda message: message.count == 2)
    await watchers[0].hang_up()
    await host.hear(wire.Watchers, lambda message: message.count == 1)
    await watchers[1].say("leave")
    await host.hear(wire.Watchers, lambda message: message.count == 0)


async def test_both_gone_the_match_waits_with_its_time(call: Callers) -> None:
    host, guest = await call.pair(turn_seconds=5)
    await host.hang_up()
    await guest.hang_up()
    again = await back(call, host)
    state = await again.until(lambda state: state.phase == "playing")
    assert [chair.driver for chair in state.chairs] == ["human", "human"]
    assert max(chair.due or 0 for chair in state.chairs) > 9_000, "a turn of 5 s goes on with at least 10"


async def test_a_message_said_just_before_the_socket_closed_counts(call: Callers) -> None:
    host, guest = await call.pair()
    await host.say("resign")
    await host.hang_up()
    assert (await guest.hear(wire.Results)).outcome.winner == 1


async def test_a_move_that_is_sent_twice_is_done_once(call: Callers) -> None:
    host, guest = await call.pair()
    first = host if (await host.until(lambda s: True)).legal[0] else guest
    await first.play(0, move_id="mine")
    await first.play(0, move_id="mine")
    done = await first.hear(wire.Done)
    assert done.id == "mine"
    assert first.seat is not None
    assert (await first.until(lambda state: True)).chairs[first.seat].number == 1
    await first.play(0, move_id="another")
    assert (await first.rejected()).reason == "stale"


@pytest.mark.parametrize("word", ["return", "rematch", "resign", "play"])
async def test_who_sits_nowhere_has_no_say(call: Callers, word: str) -> None:
    caller = await call()
    if word == "play":
        await caller.play(0)
    else:
        await caller.say(word)
    assert await caller.refused() == "not_seated"
