"""Who is silent is pinged, at next to no cost, and looked at when it is time. Against an echo over real sockets."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import pairwise

import pytest
from websockets.frames import CloseCode
from websockets.server import ServerProtocol

from echo import SOON, Echo, EchoLine, client, echoing, masked, raw_socket, until
from twoseat_server import listener
from twoseat_server.frames import PING, is_pong, text_frame
from twoseat_server.listener import Listener
from twoseat_server.patience import Limits
from twoseat_server.transport import Connection

SWEEP_EVERY = 1 / 16
OFTEN = Limits(ping_after=0.1, pong_within=60, half=60, closing=0.1)
PONG = masked(10, b"")


@pytest.fixture(autouse=True)
def swept_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "SWEEP_EVERY", SWEEP_EVERY)


@pytest.fixture
def read_by_library(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What went through the library, requests too."""
    read: list[bytes] = []
    receive_data = ServerProtocol.receive_data

    def noted(self: ServerProtocol, data: bytes) -> None:
        read.append(data)
        receive_data(self, data)

    monkeypatch.setattr(ServerProtocol, "receive_data", noted)
    return read


@asynccontextmanager
async def pinged() -> AsyncIterator[tuple[EchoLine, asyncio.StreamReader, asyncio.StreamWriter]]:
    """Run with a socket that was pinged and has not answered."""
    async with echoing(OFTEN) as (echo, port), raw_socket(port) as (reader, writer), asyncio.timeout(SOON):
        assert await reader.readexactly(2) == PING
        yield echo.lines[0], reader, writer


async def next_but_pings(reader: asyncio.StreamReader, length: int) -> bytes:
    """Return so many bytes behind any pings."""
    got = PING
    while got == PING:
        got = await reader.readexactly(2)
    return got + await reader.readexactly(length - 2)


async def test_a_client_of_the_library_answers_pings_and_neither_goes_through_the_library_here(
    read_by_library: list[bytes],
) -> None:
    async with echoing(OFTEN) as (echo, port), client(port) as socket:
        await until(lambda: bool(echo.lines))
        connection = echo.lines[0].connection
        opened = connection._heard
        await until(lambda: connection._heard > opened)
        await socket.send("still here")
        assert await socket.recv() == "still here"
    assert [data for data in read_by_library if is_pong(data)] == []


async def test_long_messages_and_frames_of_all_kinds_leave_the_short_way_open(read_by_library: list[bytes]) -> None:
    async with echoing(Limits()) as (_, port), client(port) as socket:
        for message in ("x" * 200, b"binary", "y" * 1_000):
            await socket.send(message)
            assert await socket.recv() == message
        await (await socket.ping())
        read_by_library.clear()
        await socket.send("short")
        assert await socket.recv() == "short"
        assert read_by_library == []


async def test_a_pong_in_two_pieces_is_a_pong() -> None:
    async with pinged() as (line, reader, writer):
        writer.write(PONG[:1])
        await until(lambda: line.connection._half_since is not None)
        assert line.connection._pinged is not None
        writer.write(PONG[1:] + masked(1, b"here"))
        assert await next_but_pings(reader, 6) == text_frame(b"here")
        assert line.connection._half_since is None


@pytest.mark.parametrize("payload", [b"", b"not what was sent"])
async def test_any_pong_is_a_sign_of_life(payload: bytes) -> None:
    async with pinged() as (line, reader, writer):
        heard = line.connection._heard
        writer.write(masked(10, payload))
        await until(lambda: line.connection._heard > heard)
        writer.write(masked(1, b"here"))
        assert await next_but_pings(reader, 6) == text_frame(b"here")


async def test_whoever_is_asked_whether_she_is_alive_says_so_with_the_pong_to_that_ping_alone() -> None:
    async with pinged() as (line, reader, writer):
        asked = asyncio.create_task(line.connection.alive(SOON))
        ping = await next_but_pings(reader, 9)
        assert ping == b"\x89\x07alive 1"
        heard = line.connection._heard
        writer.write(PONG)
        await until(lambda: line.connection._heard > heard)
        assert not asked.done()
        writer.write(masked(10, b"alive 1"))
        assert await asked


@pytest.mark.parametrize("pong", [b"\x8a\x00", b"\x8a\x04four"])
async def test_a_pong_that_is_not_masked_closes_with_1002(pong: bytes) -> None:
    async with pinged() as (line, reader, writer):
        writer.write(pong)
        assert (await next_but_pings(reader, 4))[2:] == (1002).to_bytes(2, "big")
        await until(lambda: line.is_lost)


async def test_a_pong_between_the_pieces_of_a_message_is_no_piece_of_it() -> None:
    async with echoing(OFTEN) as (echo, port), raw_socket(port) as (reader, writer), asyncio.timeout(SOON):
        writer.write(masked(1, b"one ", fin=False))
        assert await reader.readexactly(2) == PING
        writer.write(PONG)
        writer.write(masked(0, b"message"))
        assert await next_but_pings(reader, 13) == text_frame(b"one message")
        assert echo.lines[0].heard == ["one message"]


async def test_nothing_is_heard_after_the_other_side_closed() -> None:
    async with echoing(Limits()) as (echo, port), raw_socket(port) as (reader, writer), asyncio.timeout(SOON):
        writer.write(masked(8, b"\x03\xe8"))
        assert await reader.read() == b"\x88\x02\x03\xe8"
        writer.write(masked(1, b"too late"))
        writer.close()
        await until(lambda: echo.lines[0].is_lost)
        assert echo.lines[0].heard == []


async def test_what_is_heard_puts_the_ping_off_by_as_much() -> None:
    now = 1_000.0
    async with (
        echoing(Limits(ping_after=60, opening=600), lambda: now) as (echo, port),
        raw_socket(port) as (reader, writer),
        asyncio.timeout(SOON),
    ):
        await until(lambda: bool(echo.lines))
        now += 50
        writer.write(masked(1, b"here"))
        assert await reader.readexactly(6) == text_frame(b"here")
        now += 50
        writer.write(masked(1, b"here"))
        assert await reader.readexactly(6) == text_frame(b"here")
        now += 59
        swept_by = echo.lines[0].connection._watch
        assert isinstance(swept_by, Listener)
        await until(lambda: swept_by._swept * SWEEP_EVERY == now)
        assert echo.lines[0].connection._pinged is None
        now += 2
        assert await reader.readexactly(2) == PING
        writer.write(PONG)
        await until(lambda: echo.lines[0].connection._pinged is None)


def half_a_message(line: EchoLine, writer: asyncio.StreamWriter) -> None:
    writer.write(masked(1, b"half")[:-1])


def a_flood(line: EchoLine, writer: asyncio.StreamWriter) -> None:
    writer.write(masked(9, b"") * 51)


def a_close_without_answer(line: EchoLine, writer: asyncio.StreamWriter) -> None:
    line.connection.close(CloseCode.GOING_AWAY)


def nothing_of_what_was_expected(line: EchoLine, writer: asyncio.StreamWriter) -> None:
    line.connection.expect(0.1, CloseCode.GOING_AWAY)


@pytest.mark.parametrize("due", [half_a_message, a_flood, a_close_without_answer, nothing_of_what_was_expected])
async def test_what_is_due_sooner_than_the_next_ping_is_done_in_time(
    due: Callable[[EchoLine, asyncio.StreamWriter], None],
) -> None:
    limits = Limits(ping_after=600, half=0.1, closing=0.1)
    async with echoing(limits) as (echo, port), raw_socket(port) as (_, writer):
        await until(lambda: bool(echo.lines))
        due(echo.lines[0], writer)
        await until(lambda: echo.lines[0].is_lost)


class Patient(Connection):
    """A connection of which nothing is due for ten sweeps, again and again."""

    looks = 0

    def look(self, now: float) -> float:
        self.looks += 1
        return now + 10 * SWEEP_EVERY


async def test_who_is_silent_is_looked_at_when_it_is_time_and_a_thousand_leave_turns_for_others() -> None:
    at_once = Listener(Echo(), Limits())
    at_once.now = lambda: (at_once._swept + 1) * SWEEP_EVERY
    many = [Patient(at_once) for _ in range(1_000)]
    for connection in many:
        at_once.arrived(connection, 0)
    first = at_once._swept
    sweeping = asyncio.create_task(at_once._sweep())
    seen = [0]
    while at_once._swept < first + 32:
        await asyncio.sleep(0)
        seen.append(sum(connection.looks for connection in many))
    sweeping.cancel()
    assert {connection.looks for connection in many} == {3}
    assert set(at_once._looks) == {many[0].sweep}, "nothing is kept of a sweep that is over"
    assert max(after - before for before, after in pairwise(seen)) <= 100


async def test_who_is_to_be_looked_at_sooner_is_and_who_is_gone_is_not() -> None:
    at_once = Listener(Echo(), Limits())
    at_once.now = lambda: (at_once._swept + 1) * SWEEP_EVERY
    sooner, gone, never, later = (Patient(at_once) for _ in range(4))
    far = at_once.now() + 100 + SWEEP_EVERY / 2
    for connection in (sooner, gone, never, later):
        at_once.arrived(connection, far)
    planned = later.sweep
    assert 0 <= planned * SWEEP_EVERY - far < SWEEP_EVERY
    at_once.look(sooner, 0)
    at_once.look(later, far + 100)
    at_once.departed(never)
    at_once.look(never, 0)
    at_once.look(gone, 0)
    at_once.departed(gone)
    at_once.look(gone, 0)
    first = at_once._swept
    sweeping = asyncio.create_task(at_once._sweep())
    while at_once._swept < first + 3:  # noqa: ASYNC110 a sweep is no event
        await asyncio.sleep(0)
    sweeping.cancel()
    assert (sooner.looks, gone.looks, never.looks, later.looks) == (1, 0, 0, 0)
    assert [sum(one in due for due in at_once._looks.values()) for one in (sooner, gone, never, later)] == [1, 0, 0, 1]
    assert later.sweep == planned, "who is to be looked at sooner is not put off"
    assert at_once.connections == {sooner, later}
