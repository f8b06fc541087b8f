"""The line to a server over a real socket: greeting, pings, reconnects, moves that must not get lost; in still time."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from line_scene import TOKEN, Partner, closing, listening, stays, welcomes
from scripted_server import Peer, scripted, until
from table_talk import MATCH, seated
from twoseat import wire
from twoseat_client.address import Server
from twoseat_client.backoff import CEILINGS
from twoseat_client.connection import PATIENCE, Unreachable, dial
from twoseat_client.facts import Lag, Lost, Stopped, Trying


async def test_hello_comes_first_with_version_name_token_and_match() -> None:
    said: list[dict[str, Any]] = []

    async def dialogue(peer: Peer) -> None:
        said.append(await peer.hears())

    async with scripted(dialogue) as server, listening(server, name="Ana", token=TOKEN, match=MATCH):
        await until(lambda: bool(said))
    assert said[0]["protocol"] == wire.PROTOCOL_VERSION
    assert (said[0]["type"], said[0]["name"], said[0]["token"], said[0]["match"]) == ("hello", "Ana", TOKEN, MATCH)


async def test_the_next_socket_greets_with_the_token_and_the_match_it_was_given() -> None:
    said: list[dict[str, Any]] = []

    async def first(peer: Peer) -> None:
        await welcomes(peer)
        await peer.says(seated())
        peer.drops()

    async def second(peer: Peer) -> None:
        said.append(await peer.hears())

    async with scripted(first, second) as server, listening(server) as heard:
        await heard.gets(Trying)
        heard.clock.move(0.3)
        await until(lambda: bool(said))
    assert (said[0]["token"], said[0]["match"]) == (TOKEN, MATCH)


@pytest.mark.parametrize("code", [1001, 1011, 1012, 1013])
async def test_it_comes_back_after_a_close_that_promises_return(code: int) -> None:
    async with scripted(closing(code), stays) as server, listening(server) as heard:
        assert await heard.gets(Lost) == Lost(code)
        await heard.gets(Trying)
        heard.clock.move(0.3)
        await heard.gets(wire.Welcome)


async def test_it_comes_back_after_a_line_that_broke_without_a_word() -> None:
    async def dropping(peer: Peer) -> None:
        await peer.hears("hello")
        peer.drops()

    async with scripted(dropping, stays) as server, listening(server) as heard:
        assert await heard.gets(Lost) == Lost(1006)
        await heard.gets(Trying)
        heard.clock.move(0.3)
        await heard.gets(wire.Welcome)


@pytest.mark.parametrize("code", [1000, 1007, 1008, 1009, 4401, 4408, 4409, 4426])
async def test_it_stops_after_a_close_that_is_meant_for_good(code: int) -> None:
    async with scripted(closing(code), stays) as server, listening(server) as heard:
        assert await heard.gets(Stopped) == Stopped(code)
        assert not heard.of(Trying)


@pytest.mark.parametrize("message", [{"type": "pong"}, {"type": "rejected", "reason": "tired", "id": "1"}])
async def test_a_known_message_in_an_unknown_shape_stops_it_for_good(message: dict[str, Any]) -> None:
    codes: list[int | None] = []

    async def newer(peer: Peer) -> None:
        await welcomes(peer)
        await peer.says(message)
        codes.append(await peer.stays())

    async with scripted(newer, stays) as server, listening(server) as heard:
        assert await heard.gets(Stopped) == Stopped(wire.Close.FOREIGN)
        assert not heard.of(Trying)
        await until(lambda: codes == [wire.Close.FOREIGN])


async def test_the_waits_grow_to_ten_seconds_and_begin_again_after_a_line_that_held() -> None:
    waits = [*CEILINGS, CEILINGS[-1]]
    async with scripted(*[closing(1013)] * len(waits), stays) as server, listening(server) as heard:
        for attempt, wait in enumerate(waits, 1):
            assert await heard.gets(Trying, attempt) == Trying(attempt, wait)
            heard.clock.move(wait / 1000)
        await heard.gets(wire.Welcome)
        heard.clock.move(3)
        heard.connection.drop()
        assert await heard.gets(Trying, len(waits) + 1) == Trying(1, 300)


async def greets_and_drops(peer: Peer) -> None:
    await welcomes(peer)
    peer.drops()


async def test_a_server_that_greets_and_drops_at_once_is_not_hammered() -> None:
    async with scripted(*[greets_and_drops] * 3) as server, listening(server) as heard:
        for attempt, wait in enumerate([300, 1_000, 2_000], 1):
            assert await heard.gets(Trying, attempt) == Trying(attempt, wait)
            heard.clock.move(wait / 1000)


async def test_the_wait_is_anything_up_to_its_ceiling() -> None:
    async with scripted(closing(1012), stays) as server, listening(server, draw=lambda: 0.5) as heard:
        assert await heard.gets(Trying) == Trying(1, 150)


async def test_a_wish_to_hurry_ends_the_wait() -> None:
    async with scripted(closing(1012), stays) as server, listening(server) as heard:
        await heard.gets(Trying)
        await until(lambda: 0.3 in heard.clock.slept)
        heard.connection.hurry()
        await heard.gets(wire.Welcome)


def unreachable(*, for_good: bool = False) -> Callable[[Server], Any]:
    async def dial(server: Server) -> Any:
        raise Unreachable(for_good=for_good)

    return dial


async def test_an_address_where_nobody_answers_is_given_up_after_three_attempts() -> None:
    async with listening(Server("http://127.0.0.1:1"), open_socket=unreachable()) as heard:
        for attempt, wait in ((1, 300), (2, 1_000)):
            assert await heard.gets(Trying, attempt) == Trying(attempt, wait)
            heard.clock.move(wait / 1000)
        assert await heard.gets(Stopped) == Stopped(None)


async def test_a_refusal_that_will_not_change_is_given_up_at_once() -> None:
    async with listening(Server("http://127.0.0.1:1"), open_socket=unreachable(for_good=True)) as heard:
        assert await heard.gets(Stopped) == Stopped(None)
        assert not heard.of(Trying)


async def test_a_server_that_once_answered_is_waited_for_ten_minutes() -> None:
    async with scripted(greets_and_drops) as server:
        asked = 0

        async def dial_once(server: Server) -> Any:
            nonlocal asked
            asked += 1
            if asked > 1:
                raise Unreachable
            return await dial(server)

        async with listening(server, open_socket=dial_once) as heard:
            await heard.gets(wire.Welcome)
            moved = 0.0
            while not heard.of(Stopped):
                await until(lambda: len(heard.of(Trying)) == asked or bool(heard.of(Stopped)))
                heard.clock.move(10)
                moved += 10
                await asyncio.sleep(0.002)
            assert PATIENCE / 1000 <= moved <= PATIENCE / 1000 + 60


async def test_silence_of_four_seconds_is_asked_about_and_a_lag_of_twenty_and_nothing_else() -> None:
    partner = Partner()
    async with scripted(partner.dialogue) as server, listening(server) as heard:
        await heard.gets(wire.Welcome)
        heard.clock.move(4)
        assert await heard.gets(Lag) == Lag(0), "a first figure soon"
        for _ in range(4):
            heard.clock.move(3)
            await partner.speaks(heard, wire.Idle())
        assert await partner.heard_all(heard, "ping") == 1
        heard.clock.move(4)
        await heard.gets(Lag, 2)
        for _ in range(6):
            heard.clock.move(3)
            await partner.speaks(heard, wire.Idle())
        assert await partner.heard_all(heard, "ping") == 2
        heard.clock.move(2)
        await heard.gets(Lag, 3)
        assert await partner.heard_all(heard, "ping") == 3


async def test_a_line_that_fell_silent_is_lost_after_eight_seconds_and_whatever_is_heard_keeps_it() -> None:
    partner = Partner()
    partner.answers = False
    async with scripted(partner.dialogue, stays) as server, listening(server) as heard:
        await heard.gets(wire.Welcome)
        for pings in (1, 2):
            heard.clock.move(4)
            await partner.hears("ping", pings)
            heard.clock.move(3.875)
            assert await partner.heard_all(heard, "ping") == pings, "it lives"
            if pings == 1:
                await partner.speaks(heard, wire.Idle())
        assert not heard.of(Lost)
        heard.clock.move(0.125)
        assert await heard.gets(Lost) == Lost(1006)


async def test_a_program_that_stood_still_asks_before_it_gives_a_line_up() -> None:
    partner = Partner()
    async with scripted(partner.dialogue) as server, listening(server) as heard:
        await heard.gets(wire.Welcome)
        for times in (1, 2):
            heard.clock.move(3_600)
            assert await heard.gets(Lag, times) == Lag(0)
        assert not heard.of(Lost)


async def test_an_answer_to_an_older_ping_tells_no_lag() -> None:
    partner = Partner()
    partner.answers = False
    async with scripted(partner.dialogue) as server, listening(server) as heard:
        await heard.gets(wire.Welcome)
        heard.clock.move(4)
        await partner.hears("ping", 1)
        heard.clock.move(1)
        await partner.speaks(heard, wire.Idle())
        heard.clock.move(4)
        await partner.hears("ping", 2)
        heard.clock.move(1)
        await partner.says(wire.Pong(1), wire.Pong(2))
        await heard.gets(Lag)
        assert heard.of(Lag) == [Lag(1_000)]
