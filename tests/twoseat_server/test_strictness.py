"""What a server takes from strangers: a right hello in time, small and known messages, not too many; typed answers."""

import asyncio
import json

import pytest
from websockets.exceptions import InvalidStatus

from caller import Callers, play_out
from twoseat import wire
from twoseat_server import dialogue, gateway
from twoseat_server.settings import Settings

HELLO = {"type": "hello", "protocol": wire.PROTOCOL_VERSION}


@pytest.mark.parametrize(
    ("first", "error", "close"),
    [
        ({**HELLO, "protocol": 0}, "old_client", wire.Close.OLD_CLIENT),
        ({**HELLO, "protocol": 99, "unheard": [1]}, "old_client", wire.Close.OLD_CLIENT),
        ({"type": "quick"}, "hello_first", wire.Close.NO_HELLO),
        ({**HELLO, "token": "x" * 42}, "malformed", wire.Close.NO_HELLO),
        ({**HELLO, "token": "x" * 42 + "!"}, "malformed", wire.Close.NO_HELLO),
        ({**HELLO, "match": "../" * 11 + "a"}, "malformed", wire.Close.NO_HELLO),
        ({**HELLO, "seat": 1}, "malformed", wire.Close.NO_HELLO),
        ("{", "malformed", wire.Close.NO_HELLO),
        (b"\x00\xff", "malformed", wire.Close.NO_HELLO),
        (json.dumps({**HELLO, "client": "x" * 5_000}), "too_large", wire.Close.NO_HELLO),
    ],
)
async def test_a_wrong_first_message_is_named_and_the_socket_closed(
    call: Callers, first: object, error: str, close: wire.Close
) -> None:
    caller = await call.connect()
    await caller.socket.send(first if isinstance(first, str | bytes) else json.dumps(first))
    assert await caller.refused() == error
    assert await caller.closed() == close


async def test_a_silent_socket_is_closed(call: Callers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway, "HELLO_WITHIN", 0.3)
    caller = await call.connect()
    assert await caller.closed() == wire.Close.SILENT


async def test_a_token_never_seen_is_a_new_player(call: Callers) -> None:
    caller = await call("t" * 43)
    assert caller.heard == [wire.Welcome(wire.PROTOCOL_VERSION, caller.heard[0].server, "Guest")]


async def test_a_match_that_is_gone_is_not_found_and_the_session_goes_on(call: Callers) -> None:
    caller = await call(match="0" * 34)
    assert await caller.refused() == "not_found"
    await caller.say("quick")
    await caller.hear(wire.Waiting)


MALFORMED: list[str | bytes] = [
    "",
    "null",
    "[]",
    "{}",
    "{",
    '{"type": "fly"}',
    '{"type": 7}',
    '{"type": "play"}',
    '{"type": "play", "id": "a", "number": -1, "move": "draw"}',
    '{"type": "play", "id": "a", "number": 1.5, "move": "draw"}',
    '{"type": "play", "id": "a", "number": "1", "move": "draw"}',
    '{"type": "play", "id": "a", "number": 1e400, "move": "draw"}',
    '{"type": "play", "id": "", "number": 0, "move": "draw"}',
    '{"type": "play", "id": "a\\u0000", "number": 0, "move": "draw"}',
    '{"type": "play", "id": "a", "number": 0, "move": "DROP TABLE"}',
    '{"type": "play", "id": "a", "number": 0, "move": "draw", "seat": 1}',
    '{"type": "quick", "terms": {"target": true}}',
    '{"type": "quick", "terms": {"game": "chess"}}',
    '{"type": "join", "code": 123456}',
    '{"type": "join", "code": "\\ud800BCDFG"}',
    '{"type": "ping", "n": 99999999999999999999}',
    '{"type": "hello", "protocol": 1}',
    '{"type": "commit", "digest": "ZZ"}',
    "[" * 4_000,
    '{"a":' * 800,
    '"' + "\\u0000" * 600 + '"',
    b"\x00" * 100,
    b'{"type": "resign"}',
]


async def test_whatever_is_malformed_gets_one_typed_answer_and_changes_nothing(call: Callers) -> None:
    host, guest = await call.pair(target=1)
    version = (await host.until(lambda state: True)).version
    for raw in MALFORMED:
        await host.socket.send(raw)
        error = await host.hear(wire.Error)
        assert error.code == "malformed", raw
        assert len(wire.encode(error)) < 300, "input is not echoed"
        await asyncio.sleep(0.1)  # as slow as the rate allows
    await host.socket.send('{"type": "ping", "n": 1, "x": "' + "y" * 5_000 + '"}')
    assert await host.refused() == "too_large"
    assert (await host.until(lambda state: True)).version == version
    mine, yours = await play_out(host, guest)
    assert mine == yours


async def test_a_message_beyond_all_bounds_closes_the_socket_and_the_game_goes_on(call: Callers) -> None:
    host, guest = await call.pair(target=1)
    await host.socket.send("x" * 100_000)
    assert await host.closed() == wire.Close.TOO_LARGE
    again = await call(host.token, match=host.seated.match if host.seated else "")
    await play_out(again, guest)


async def test_out_of_turn_late_and_illegal_moves_are_rejected_by_name(call: Callers) -> None:
    host, guest = await call.pair(target=1)
    first, second = (host, guest) if (await host.until(lambda s: True)).legal[0] else (guest, host)
    version = (await second.until(lambda state: True)).version
    for caller, number, move, reason in (
        (second, 0, "draw", "not_your_turn"),
        (first, 1, "draw", "stale"),
        (first, 0, "turn 10", "illegal"),
    ):
        move_id = await caller.play(number, move)
        rejected = await caller.rejected()
        assert (rejected.reason, rejected.id) == (reason, move_id)
    assert (await second.until(lambda state: True)).version == version
    await play_out(host, guest)
    await first.play(0)
    assert (await first.rejected()).reason == "over"


async def test_pings_are_answered_by_their_number(call: Callers) -> None:
    caller = await call()
    for n in (0, 7, 2**31):
        await caller.say("ping", n=n)
        assert (await caller.hear(wire.Pong)).n == n


async def test_a_flood_is_warned_then_closed_and_the_others_play_on(call: Callers) -> None:
    flooder = await call()
    host, guest = await call.pair(target=1)

    for n in range(500):
        await flooder.say("ping", n=n)
    assert await flooder.closed() == wire.Close.FLOOD
    warned = [message for message in flooder.heard if isinstance(message, wire.Error)]
    assert 20 <= len(warned) <= 25
    assert {error.code for error in warned} == {"slow_down"}
    await play_out(host, guest)


async def test_accepted_moves_cost_nothing_of_the_rate(call: Callers) -> None:
    host, guest = await call.pair()
    await play_out(host, guest)
    for caller in (host, guest):
        assert not any(isinstance(message, wire.Error) for message in caller.heard)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://["}, 403),
        ({"Host": "evil.example"}, 421),
        ({"Host": "[::bad"}, 421),
    ],
)
async def test_a_foreign_page_may_not_open_a_socket(call: Callers, headers: dict[str, str], status: int) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await call.connect(additional_headers=headers)
    assert refused.value.response.status_code == status


async def test_the_servers_own_page_and_a_program_may(call: Callers) -> None:
    for origin in (f"http://127.0.0.1:{call.port}", None):
        caller = await call.connect(origin=origin)
        await caller.say("hello", protocol=wire.PROTOCOL_VERSION)
        await caller.hear(wire.Welcome)


class TestFull:
    """A server with few sockets and few matches a minute."""

    @pytest.fixture
    def settings(self) -> Settings:
        return Settings(host="127.0.0.1", port=0, max_sockets=2, max_matches=3)

    async def test_a_full_server_says_so_and_has_room_again(self, call: Callers) -> None:
        first, _ = await call(), await call()
        with pytest.raises(InvalidStatus) as refused:
            await call.connect()
        assert refused.value.response.status_code == 503
        await first.hang_up()
        async with asyncio.timeout(5):
            while True:
                try:
                    await call()
                except InvalidStatus:
                    continue
                break

    async def test_nobody_starts_matches_without_end(self, call: Callers) -> None:
        caller = await call()
        for _ in range(3):
            await caller.say("host")
            await caller.hear(wire.Waiting)
        await caller.say("host")
        assert await caller.refused() == "busy"


class TestArrivals:
    """A server that soon has enough of an address, and believes a proxy on this machine."""

    @pytest.fixture
    def settings(self, monkeypatch: pytest.MonkeyPatch) -> Settings:
        monkeypatch.setattr(dialogue, "ARRIVALS_PER_SECOND", 1e-6)
        monkeypatch.setattr(dialogue, "ARRIVALS_AT_ONCE", 2)
        return Settings(host="127.0.0.1", port=0, trusted_proxies="127.0.0.1")

    async def test_an_address_that_comes_too_often_is_not_greeted_and_others_are(self, call: Callers) -> None:
        for address, greeted in (("203.0.113.5", 2), ("2001:db8::7", 2), ("203.0.113.5", 0)):
            for number in range(greeted + 1):
                caller = await call.connect(additional_headers={"X-Forwarded-For": address})
                await caller.say("hello", protocol=wire.PROTOCOL_VERSION)
                if number < greeted:
                    await caller.hear(wire.Welcome)
                else:
                    assert await caller.refused() == "slow_down"
                    assert await caller.closed() == wire.Close.BUSY

    async def test_who_is_on_this_machine_comes_as_often_as_she_likes(self, call: Callers) -> None:
        for _ in range(4):
            await call()


async def test_a_name_that_cannot_be_shown_is_answered_and_replaced(call: Callers) -> None:
    caller = await call(name="\u202eevil")
    assert await caller.refused() == "bad_name"
    assert caller.heard[0].name == "Guest"
