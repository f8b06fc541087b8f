"""What is overdue of a connection at which moment, by a test's clock. Against an echo over real sockets."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
from websockets.frames import CloseCode
from websockets.http11 import Request

from echo import SOON, UPGRADE, Echo, EchoLine, echoing, masked, raw_socket, until
from twoseat_server import metrics
from twoseat_server.frames import PING, text_frame
from twoseat_server.listener import Listener
from twoseat_server.patience import Limits
from twoseat_server.transport import Connection

START = 1_000.0
PONG = masked(10, b"")


@dataclass
class Scene:
    """A socket that was opened at `START`, where time stands still."""

    line: EchoLine
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    connection: Connection = field(init=False)

    def __post_init__(self) -> None:
        self.connection = self.line.connection

    def look(self, after: float) -> float:
        """Look so many seconds after the start, and return after how many to look again."""
        return self.connection.look(START + after) - START

    async def closed_with(self) -> int:
        """Answer the close and return its code; nothing but a close was sent."""
        frame = await self.reader.readexactly(2)
        assert frame[0] == 0x88
        payload = await self.reader.readexactly(frame[1])
        self.writer.write(masked(8, payload[:2]))
        assert await self.reader.read() == b""
        return int.from_bytes(payload[:2], "big")


@asynccontextmanager
async def scene(limits: Limits) -> AsyncIterator[Scene]:
    async with (
        echoing(limits, lambda: START) as (echo, port),
        raw_socket(port) as (reader, writer),
        asyncio.timeout(SOON),
    ):
        await until(lambda: bool(echo.lines))
        yield Scene(echo.lines[0], reader, writer)


async def test_silence_is_asked_about_at_its_moment_and_no_answer_taken_for_death_after_its_own() -> None:
    async with scene(Limits(ping_after=8, pong_within=5)) as here:
        assert here.look(7) == 8
        assert here.connection._pinged is None
        assert here.look(8) == 13
        assert await here.reader.readexactly(2) == PING
        assert here.look(13) == 13
        assert here.connection._is_open
        assert here.look(13.5) <= 13.5
        assert await here.closed_with() == CloseCode.INTERNAL_ERROR
    async with scene(Limits(ping_after=8, pong_within=60)) as here:
        assert here.look(8) == 16, "the next ping, should this one be answered"
        assert here.look(60) == 16
        assert not here.line.is_lost
        assert here.look(68.5) <= 68.5
        here.look(68.5)
        await until(lambda: here.line.is_lost)


HALF = masked(1, b"half")


@pytest.mark.parametrize(
    "begun", [*(HALF[:cut] for cut in (1, 2, 6, 9)), masked(1, b"a piece", fin=False), masked(2, b"whole") + HALF[:3]]
)
async def test_half_a_message_is_waited_for_to_its_moment_and_no_longer_than_to_the_next_ping(begun: bytes) -> None:
    for half, again in ((5, 5), (20, 8)):
        async with scene(Limits(ping_after=8, pong_within=60, half=half)) as here:
            here.writer.write(begun)
            await until(lambda: here.connection._half_since is not None)
            assert here.look(half if half < 8 else 1) == again
            assert not here.connection._transport.is_closing()
            here.look(half + 0.5)
            assert here.connection._transport.is_closing()


async def test_half_a_message_is_timed_from_its_first_byte() -> None:
    now = START
    async with echoing(Limits(), lambda: now) as (echo, port), raw_socket(port) as (_, writer), asyncio.timeout(SOON):
        await until(lambda: bool(echo.lines))
        connection = echo.lines[0].connection
        for read in (1, 2):
            writer.write(HALF[:7] if read == 1 else HALF[7:8])
            await until(lambda: len(connection._protocol.reader.buffer) == read)  # noqa: B023 it is over by then
            assert connection._half_since == START
            now += 1


async def test_what_is_expected_is_looked_for_at_its_moment_and_puts_no_ping_off() -> None:
    async with scene(Limits(ping_after=8)) as here:
        here.connection.expect(30, CloseCode.GOING_AWAY)
        assert here.look(1) == 8
        here.connection.expected()
        here.connection.expect(3, CloseCode.GOING_AWAY)
        assert here.look(2) == 3
        here.look(3)
        assert await here.closed_with() == CloseCode.GOING_AWAY


async def test_silence_is_counted_from_the_answer_to_the_request(monkeypatch: pytest.MonkeyPatch) -> None:
    now = START

    async def slowly(self: Echo, request: Request) -> None:
        nonlocal now
        now += 4

    monkeypatch.setattr(Echo, "admit", slowly)
    async with echoing(Limits(ping_after=8), lambda: now) as (echo, port), raw_socket(port):
        await until(lambda: bool(echo.lines))
        assert echo.lines[0].connection.look(now) == now + 8


async def test_fifty_frames_that_are_no_message_are_borne_from_look_to_look_and_one_more_is_not() -> None:
    async with scene(Limits()) as here:
        for _ in range(2):
            here.writer.write(PONG)  # alone, as an answer to a ping would be
            await until(lambda: here.connection._loose == 1)
            here.writer.write(masked(1, b"", fin=False) + masked(9, b"") * 48 + masked(0, b"end"))
            await until(lambda: here.connection._loose == 50)
            here.look(1)
            assert (await here.reader.readexactly(2 * 48 + 5))[-5:] == text_frame(b"end")
        here.writer.write(masked(10, b"") * 51)
        await until(lambda: here.connection._loose == 51)
        here.look(1)
        assert await here.closed_with() == CloseCode.POLICY_VIOLATION


async def test_a_closing_connection_is_asked_nothing_more() -> None:
    async with scene(Limits(ping_after=8, closing=60)) as here:
        here.connection.close(CloseCode.GOING_AWAY)
        here.look(9)
        here.connection.expected()
        assert here.look(10) == 8, "a ping is due, but not sent"
        here.look(59)
        assert await here.closed_with() == CloseCode.GOING_AWAY


async def test_whoever_does_not_answer_the_close_is_dropped_at_its_moment_whatever_else_came() -> None:
    async with scene(Limits(ping_after=80, closing=2)) as here:
        here.connection.close(CloseCode.GOING_AWAY)
        here.connection.expected()
        assert here.look(1) == 2
        here.look(2)
        await until(lambda: here.line.is_lost)


async def test_a_message_right_behind_a_pong_is_heard() -> None:
    async with scene(Limits(ping_after=8)) as here:
        here.look(8)
        here.writer.write(PONG + masked(1, b"here"))
        assert await here.reader.readexactly(8) == PING + text_frame(b"here")
        assert here.connection._pinged is None


INNER = b"-" + masked(1, b"a frame in a frame")


async def test_what_is_inside_a_message_is_none_however_it_is_cut() -> None:
    async with scene(Limits()) as here:
        here.writer.write(masked(2, INNER)[:7])
        await until(lambda: here.connection._half_since is not None)
        here.writer.write(INNER[1:])
        await until(lambda: bool(here.line.heard))
        assert here.line.heard == [INNER]


async def test_a_message_whose_beginning_came_with_the_request_is_read_to_its_end() -> None:
    async with echoing(Limits()) as (echo, port), asyncio.timeout(SOON):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(UPGRADE + masked(2, INNER)[:7])
        await reader.readuntil(b"\r\n\r\n")
        writer.write(INNER[1:])
        await until(lambda: bool(echo.lines[0].heard))
        assert echo.lines[0].heard == [INNER]
        writer.close()


async def test_each_who_asks_whether_she_is_alive_has_an_answer_of_its_own_and_who_is_lost_is_not() -> None:
    async with scene(Limits()) as here:
        first, second = (asyncio.create_task(here.connection.alive(60)) for _ in range(2))
        assert await here.reader.readexactly(18) == b"\x89\x07alive 1\x89\x07alive 2"
        here.writer.write(masked(9, b"alive 1") + masked(10, b"alive 2"))
        assert await second
        assert not first.done()
        here.connection.abort()
        assert not await first
        assert here.connection._pongs == {}


async def test_who_is_lost_is_not_kept_and_sent_nothing() -> None:
    async with scene(Limits()) as here:
        watch = here.connection._watch
        assert isinstance(watch, Listener)
        assert watch.connections == {here.connection}
        here.connection.abort()
        await until(lambda: here.line.is_lost)
        sent = dict(metrics.FRAMES._counts)
        here.connection.send(text_frame(b"too late"))
        assert metrics.FRAMES._counts == sent
        assert watch.connections == set()


async def test_who_is_gone_is_looked_at_no_more() -> None:
    watch = Listener(Echo(), Limits(), lambda: START)
    here = Connection(watch)
    watch.arrived(here, START + 5)
    watch.departed(here)
    assert not any(watch._looks.values())
