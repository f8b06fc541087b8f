"""The line to a server over a real socket: greeting, pings, reconnects, moves that must not get lost; in still time."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from scripted_server import Dialogue, Peer, StillClock, scripted, until
from table_talk import MATCH, chair, seated, state, welcome
from twoseat import wire
from twoseat_client.address import Server
from twoseat_client.connection import PATIENCE, Connection, Unreachable, dial
from twoseat_client.facts import Lag, Lost, Sent, Stopped, Trying

TOKEN = "t" * 43
MOVE = wire.PlayMove(type="play", id="m1", number=0, move="draw")


class Heard:
    """What a connection reported, collected while it runs."""

    def __init__(self, connection: Connection, clock: StillClock) -> None:
        self.connection = connection
        self.clock = clock
        self.items: list[Any] = []

    def of(self, kind: type) -> list[Any]:
        return [item for item in self.items if isinstance(item, kind)]

    async def gets(self, kind: type, times: int = 1) -> Any:
        await until(lambda: len(self.of(kind)) >= times)
        return self.of(kind)[times - 1]


@asynccontextmanager
async def listening(server: Server, **options: Any) -> AsyncIterator[Heard]:
    clock = StillClock()
    options = {"clock": clock.read, "sleep": clock.sleep, "draw": lambda: 1.0} | options
    heard = Heard(Connection(server, **options), clock)

    async def collect() -> None:
        async for item in heard.connection.heard():
            heard.items.append(item)

    task = asyncio.create_task(collect())
    try:
        yield heard
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def welcomes(peer: Peer) -> None:
    await peer.hears("hello")
    await peer.says(welcome(token=TOKEN))


def closing(code: int) -> Dialogue:
    async def dialogue(peer: Peer) -> None:
        await peer.hears("hello")
        await peer.closes(code)

    return dialogue


async def stays(peer: Peer) -> None:
    await welcomes(peer)
    await peer.stays()


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


@pytest.mark.parametrize("code", [1000, 1008, 1009, 4401, 4408, 4409, 4426])
async def test_it_stops_after_a_close_that_is_meant_for_good(code: int) -> None:
    async with scripted(closing(code), stays) as server, listening(server) as heard:
        assert await heard.gets(Stopped) == Stopped(code)
        assert not heard.of(Trying)


async def test_the_waits_grow_to_ten_seconds_and_begin_again_after_a_line_that_held() -> None:
    async with scripted(*[closing(1013)] * 7, stays) as server, listening(server) as heard:
        for attempt, wait in enumerate([300, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000], 1):
            assert await heard.gets(Trying, attempt) == Trying(attempt, wait)
            heard.clock.move(wait / 1000)
        await heard.gets(wire.Welcome)
        heard.clock.move(3)
        heard.connection.drop()
        assert await heard.gets(Trying, 8) == Trying(1, 300)


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


async def playing(peer: Peer, *more: Any) -> None:
    await welcomes(peer)
    await peer.says(seated(), state(), *more)


async def test_a_move_without_an_answer_is_sent_again_the_same_on_the_next_socket() -> None:
    moves: list[dict[str, Any]] = []

    async def dialogue(peer: Peer) -> None:
        await playing(peer)
        moves.append(await peer.hears("play"))
        peer.drops()

    async def answering(peer: Peer) -> None:
        await playing(peer)
        moves.append(await peer.hears("play"))
        await peer.says(wire.Done("m1", 2))
        await peer.stays()

    async with scripted(dialogue, answering) as server, listening(server) as heard:
        await heard.gets(wire.State)
        assert await heard.connection.play(MOVE)
        await heard.gets(Trying)
        heard.clock.move(0.3)
        await heard.gets(wire.Done)
        assert await heard.connection.play(MOVE.model_copy(update={"id": "m2", "number": 1}))
    assert moves[0] == moves[1] == {"type": "play", "id": "m1", "number": 0, "move": "draw"}


ANSWERS = [
    state(2, chairs=(chair(last="m1", number=1), chair())),
    wire.Done("m1", 2),
    wire.RejectedMessage(wire.Reason.STALE, "m1", by_bot=True),
]


@pytest.mark.parametrize("answer", ANSWERS)
async def test_a_move_is_acknowledged_by_the_state_by_done_and_by_a_rejection(answer: Any) -> None:
    async def dialogue(peer: Peer) -> None:
        await playing(peer)
        await peer.hears("play")
        await peer.says(answer)
        await peer.hears("play")

    async with scripted(dialogue) as server, listening(server) as heard:
        await heard.gets(wire.State)
        assert await heard.connection.play(MOVE)
        await until(lambda: answer in heard.items)
        assert await heard.connection.play(MOVE.model_copy(update={"id": "m2"}))
        await heard.gets(Sent, 2)


async def test_a_second_move_is_refused_while_the_first_is_open() -> None:
    async def dialogue(peer: Peer) -> None:
        await playing(peer)
        await peer.stays()

    async with scripted(dialogue) as server, listening(server) as heard:
        await heard.gets(wire.State)
        assert await heard.connection.play(MOVE)
        assert not await heard.connection.play(MOVE.model_copy(update={"id": "m2"}))
        await heard.gets(Sent)
        assert len(heard.of(Sent)) == 1


async def test_a_state_of_the_next_socket_that_has_the_move_ends_the_matter() -> None:
    late: list[dict[str, Any]] = []

    async def dialogue(peer: Peer) -> None:
        await playing(peer)
        await peer.hears("play")
        peer.drops()

    async def knowing(peer: Peer) -> None:
        await welcomes(peer)
        await peer.says(seated(), state(2, chairs=(chair(last="m1", number=1), chair())))
        late.append(await peer.hears())

    async with scripted(dialogue, knowing) as server, listening(server) as heard:
        await heard.gets(wire.State)
        await heard.connection.play(MOVE)
        await heard.gets(Trying)
        heard.clock.move(0.3)
        await heard.gets(wire.State, 2)
        await heard.connection.send(wire.Cancel(type="cancel"))
        await until(lambda: bool(late))
    assert late[0]["type"] == "cancel"


async def test_a_move_that_nobody_answers_goes_again_with_the_next_ping() -> None:
    moves: list[dict[str, Any]] = []

    async def dialogue(peer: Peer) -> None:
        await playing(peer)
        moves.append(await peer.hears("play"))
        moves.append(await peer.hears("play"))

    async with scripted(dialogue) as server, listening(server) as heard:
        await heard.gets(wire.State)
        await heard.connection.play(MOVE)
        await until(lambda: len(moves) == 1)
        heard.clock.move(4)
        await until(lambda: len(moves) == 2)
    assert moves[0] == moves[1]


async def test_a_new_match_has_nothing_to_do_with_the_old_ones_open_move() -> None:
    async def dialogue(peer: Peer) -> None:
        await playing(peer)
        await peer.hears("play")
        await peer.says(seated(match="1" * 34), state())
        await peer.stays()

    async with scripted(dialogue) as server, listening(server) as heard:
        await heard.gets(wire.State)
        await heard.connection.play(MOVE)
        await heard.gets(wire.Seated, 2)
        assert await heard.connection.play(MOVE.model_copy(update={"id": "m2"}))


async def test_a_request_is_not_kept_for_a_line_that_is_down() -> None:
    async with scripted(closing(1012)) as server, listening(server) as heard:
        await heard.gets(Trying)
        assert not await heard.connection.send(wire.ResignMatch(type="resign"))


async def test_words_of_a_newer_server_are_passed_over() -> None:
    async def dialogue(peer: Peer) -> None:
        await welcomes(peer)
        await peer._socket.send('{"type": "confetti"}')
        await peer._socket.send('{"type": "idle", "mood": "calm"}')
        await peer.stays()

    async with scripted(dialogue) as server, listening(server) as heard:
        assert await heard.gets(wire.Idle) == wire.Idle()
        assert [type(item) for item in heard.items] == [wire.Welcome, wire.Idle]
