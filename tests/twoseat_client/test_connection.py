"""The line to a server over a real socket: greeting, pings, reconnects, moves that must not get lost; in still time."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from line_scene import TOKEN, closing, listening, stays, welcomes
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


async def test_a_ping_goes_every_four_seconds_and_its_answer_tells_the_lag() -> None:
    numbers: list[int] = []

    async def dialogue(peer: Peer) -> None:
        await welcomes(peer)
        for _ in range(2):
            ping = await peer.hears("ping")
            numbers.append(ping["n"])
            await peer.says(wire.Pong(ping["n"]))
        await peer.stays()

    async with scripted(dialogue) as server, listening(server) as heard:
        await heard.gets(wire.Welcome)
        for times in (1, 2):
            heard.clock.move(4)
            assert await heard.gets(Lag, times) == Lag(0)
    assert numbers == [1, 2]


async def test_a_line_that_fell_silent_is_lost_within_ten_seconds() -> None:
    async with scripted(stays, stays) as server, listening(server) as heard:
        await heard.gets(wire.Welcome)
        for seconds in (4, 4, 0.9):
            heard.clock.move(seconds)
            await asyncio.sleep(0.02)
        assert not heard.of(Lost)
        heard.clock.move(0.2)
        assert await heard.gets(Lost) == Lost(1006)
