"""One connection: what is answered, what is passed on, and who is sent away. Against an echo over real sockets."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from enum import IntEnum

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from echo import MASK, SOON, UPGRADE, Echo, client, echoing, masked, raw_socket, until
from twoseat_server.frames import text_frame, whole_frames, whole_texts
from twoseat_server.patience import Limits


class Code(IntEnum):
    """A close code for these tests."""

    LATE = 4408


async def ask(port: int, request: bytes) -> bytes:
    """Send bytes and return all that comes until the other side closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    async with asyncio.timeout(SOON):
        answer = await reader.read()
    writer.close()
    return answer


@pytest.mark.parametrize("length", [0, 1, 125, 126, 65_535, 65_536])
async def test_a_frame_of_any_length_is_read_by_a_client(length: int) -> None:
    async with echoing(Limits(message_bytes=1 << 20)) as (_, port), client(port) as socket:
        await socket.send("x" * length)
        assert await socket.recv() == "x" * length
        await socket.send(b"y" * length)
        assert await socket.recv() == b"y" * length


async def test_pieces_are_one_message_and_split_frames_too() -> None:
    async with echoing(Limits()) as (_, port), client(port) as socket:
        await socket.send(["one ", "message", " ✓"])
        assert await socket.recv() == "one message ✓"
    async with echoing(Limits()) as (echo, port), raw_socket(port) as (_, writer):
        for byte in masked(1, b"slowly") + masked(1, b"at once") + masked(1, b"three"):
            writer.write(bytes((byte,)))
            await writer.drain()
            await asyncio.sleep(0)
        await until(lambda: len(echo.lines[0].heard) == 3)
        assert echo.lines[0].heard == ["slowly", "at once", "three"]


async def test_what_was_said_before_the_close_is_heard() -> None:
    async with echoing(Limits()) as (echo, port), raw_socket(port) as (_, writer):
        writer.write(masked(1, b"last word") + masked(8, b"\x03\xe8"))
        await until(lambda: echo.lines[0].is_lost)
        assert echo.lines[0].heard == ["last word"]


async def test_nothing_is_heard_after_this_side_closed() -> None:
    async with echoing(Limits()) as (echo, port), raw_socket(port) as (_, writer):
        await until(lambda: bool(echo.lines))
        echo.lines[0].connection.close(Code.LATE)
        writer.write(masked(1, b"too late"))
        await asyncio.sleep(0.05)
        assert echo.lines[0].heard == []


async def test_whole_texts_are_read_without_the_library_and_nothing_else_is() -> None:
    one, two = masked(1, b"one"), masked(1, "zwei ✓".encode())
    long = b"\x81\xfe\x00\x7e" + MASK + b"x" * 126
    assert whole_texts(one + two, 10) == ["one", "zwei ✓"]
    assert whole_texts(one + long + two, 126) == ["one", "x" * 126, "zwei ✓"]
    others = (
        one[:-1],
        one + two[:1],
        masked(2, b"binary"),
        masked(1, b"piece", fin=False),
        masked(9, b"ping"),
        b"\x81\x03one",  # not masked
        b"\xc1" + one[1:],  # a reserved bit
        masked(1, b"\xff\xfe"),  # no UTF-8
        b"\x81\xfe\x00\x03" + MASK + b"one",  # its length in two bytes
        b"\x81\xff" + bytes(6) + b"\x00\x03" + MASK + b"one",  # in eight
        b"\x81\x7e\x00\x7e" + bytes(130),  # long and not masked
        masked(1, b"x" * 101),  # too large here
        long,
        long[:-1],
        long[:3],
    )
    for first in (b"\x81\x03", b"\x81\xff"):  # neither is a length of 131 or 127 bytes, whatever its bits make of it
        length = first[1] ^ 0x80
        assert whole_texts(first + bytes(4 + length), 200) is None
    assert [whole_texts(data, 100) for data in others] == [None] * len(others)
    assert whole_texts(long[:-1], 126) is None
    assert whole_texts(long[:3], 126) is None


@pytest.mark.parametrize(
    ("data", "ends"),
    [
        (masked(10, b"pong"), True),
        (masked(1, b"one"), True),
        (masked(10, b"pong") + masked(1, b"one") + masked(2, b""), True),
        (masked(10, b"pong")[:-1], False),
        (masked(10, b"pong") + masked(1, b"one")[:3], False),
        (masked(10, b"pong") + masked(1, b"piece", fin=False), False),
        (b"\x82\xfe\x00\x7c" + MASK + b"x" * 124, False),  # as long as one of 126 bytes would be
        (b"\x8a\x00" + bytes(4), False),  # not masked
    ],
)
def test_a_message_begins_behind_whole_frames_that_end_theirs(data: bytes, ends: bool) -> None:
    assert whole_frames(data) is ends


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"GET /plain HTTP/1.1\r\n\r\n", b"200"),
        (b"GET /plain HTTP/1.1\r\n\r\nGET /plain HTTP/1.1\r\n\r\n", b"200"),
        (b"GET /broken HTTP/1.1\r\n\r\n", b"500"),
        (b"no request at all\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nCookie: " + b"x" * 9000 + b"\r\n\r\n", b"431"),
        (b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\n\r\n", b"414"),
        (b"GET / HTTP/1.1\r\n\r\n", b"426"),
        (b"POST / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", b"405"),
        (UPGRADE.replace(b"13", b"12"), b"400"),
        (UPGRADE.replace(b"AAAA==", b""), b"400"),
    ],
)
async def test_every_request_is_answered_and_the_connection_closed(request_bytes: bytes, status: bytes) -> None:
    async with echoing(Limits()) as (_, port):
        answer = await ask(port, request_bytes)
    assert answer.startswith(b"HTTP/1.1 " + status)
    assert b"Connection: close\r\n" in answer
    assert answer.count(b"HTTP/1.1") == 1


async def test_head_gets_no_body() -> None:
    async with echoing(Limits()) as (_, port):
        full, head = await ask(port, b"GET /plain HTTP/1.1\r\n\r\n"), await ask(port, b"HEAD /plain HTTP/1.1\r\n\r\n")
    assert full == head + b"nothing but HTTP\n"


async def quiet_from_the_start(port: int) -> bytes:
    return await ask(port, b"")


async def half_a_request(port: int) -> bytes:
    return await ask(port, b"GET /ws HTTP/1.1\r\nHost: lo")


async def half_a_frame(port: int) -> bytes:
    async with raw_socket(port) as (reader, writer):
        writer.write(masked(1, b"never finished")[:9])
        return await reader.read()


async def a_message_in_pieces_without_end(port: int) -> bytes:
    async with raw_socket(port) as (reader, writer):
        reading = asyncio.create_task(reader.read())
        writer.write(masked(1, b"a", fin=False))
        while not reading.done():
            writer.write(masked(0, b"b", fin=False))
            await asyncio.sleep(0.05)
        return await reading


async def without_end(port: int, frame: bytes) -> bytes:
    async with raw_socket(port) as (reader, writer):
        reading = asyncio.create_task(reader.read())
        while not reading.done():
            writer.write(frame * 20)
            await asyncio.sleep(0.01)
        return await reading


async def pings_without_end(port: int) -> bytes:
    return await without_end(port, masked(9, b"ping"))


async def pongs_nobody_asked_for(port: int) -> bytes:
    return await without_end(port, masked(10, b""))


async def no_answer_to_pings(port: int) -> bytes:
    async with raw_socket(port) as (reader, _):
        return await reader.read()


@pytest.mark.parametrize(
    "rude",
    [
        quiet_from_the_start,
        half_a_request,
        half_a_frame,
        a_message_in_pieces_without_end,
        pings_without_end,
        pongs_nobody_asked_for,
        no_answer_to_pings,
    ],
)
async def test_whoever_keeps_a_connection_for_nothing_is_sent_away(rude: Callable[[int], Awaitable[bytes]]) -> None:
    limits = Limits(opening=0.2, half=0.2, ping_after=0.2, pong_within=0.4, closing=0.2, loose=50)
    async with echoing(limits) as (echo, port), asyncio.timeout(SOON):
        with suppress(ConnectionResetError):
            await rude(port)
        await until(lambda: all(line.is_lost for line in echo.lines))


async def test_whoever_answers_no_ping_is_not_waited_for_once_more() -> None:
    limits = Limits(ping_after=0.2, pong_within=0.4, closing=60)
    async with echoing(limits) as (echo, port), asyncio.timeout(SOON), raw_socket(port):
        await until(lambda: bool(echo.lines) and all(line.is_lost for line in echo.lines))


async def test_who_answers_pings_may_be_silent() -> None:
    limits = Limits(ping_after=0.1, pong_within=0.6)
    async with echoing(limits) as (_, port), client(port) as socket:
        await asyncio.sleep(2)
        await socket.send("still here")
        assert await socket.recv() == "still here"


async def test_a_message_too_large_closes_with_1009() -> None:
    async with echoing(Limits(message_bytes=1000)) as (_, port), client(port) as socket:
        await socket.send("x" * 1001)
        assert await closed_with(socket) == 1009


async def test_text_that_is_no_utf8_closes_with_1007() -> None:
    async with echoing(Limits()) as (_, port), client(port) as socket:
        await socket.send(b"\xff\xff", text=True)
        assert await closed_with(socket) == 1007


async def test_what_was_expected_and_did_not_come_closes_with_its_code() -> None:
    async with echoing(Limits()) as (echo, port), client(port) as socket:
        await opened(echo)
        echo.lines[0].connection.expect(0.1, Code.LATE)
        assert await closed_with(socket) == Code.LATE


async def test_what_was_expected_and_came_is_forgotten() -> None:
    async with echoing(Limits()) as (echo, port), client(port) as socket:
        await opened(echo)
        echo.lines[0].connection.expect(0.1, Code.LATE)
        echo.lines[0].connection.expected()
        await asyncio.sleep(1)
        await socket.send("here")
        assert await socket.recv() == "here"


async def test_who_does_not_answer_the_close_is_dropped() -> None:
    async with echoing(Limits(closing=0.2)) as (echo, port), raw_socket(port):
        await opened(echo)
        echo.lines[0].connection.close(Code.LATE)
        await until(lambda: echo.lines[0].is_lost)


async def test_alive_is_who_answers_a_ping() -> None:
    async with echoing(Limits()) as (echo, port):
        async with client(port):
            await opened(echo)
            assert await echo.lines[0].connection.alive(SOON)
        await until(lambda: echo.lines[0].is_lost)
        assert not await echo.lines[0].connection.alive(SOON)
        async with raw_socket(port):
            await until(lambda: len(echo.lines) == 2)
            assert not await echo.lines[1].connection.alive(0.1)


async def test_who_does_not_read_is_not_read_from() -> None:
    async with echoing(Limits(message_bytes=1 << 20)) as (echo, port), raw_socket(port) as (_, writer):
        await opened(echo)
        big = text_frame(b"x" * (1 << 20))
        connection = echo.lines[0].connection
        while connection.unsent() < 1 << 20:
            connection.send(big)
            await asyncio.sleep(0)
        writer.write(masked(1, b"hear me"))
        await asyncio.sleep(0.1)
        assert echo.lines[0].heard == []
        connection.abort()
        await until(lambda: echo.lines[0].is_lost)


async def opened(echo: Echo) -> None:
    await until(lambda: bool(echo.lines))


async def closed_with(socket: ClientConnection) -> int | None:
    with pytest.raises(ConnectionClosed):
        async with asyncio.timeout(SOON):
            await socket.recv()
    return socket.close_code
