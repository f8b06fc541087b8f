"""What people type as a server, a link or a code, and how long a client waits before it tries again."""

import pytest

from twoseat_client.address import BadAddress, Server, read_code, read_server
from twoseat_client.backoff import CEILINGS, wait
from twoseat_client.lan import shared


@pytest.mark.parametrize(
    ("typed", "origin", "code"),
    [
        ("http://127.0.0.1:8765", "http://127.0.0.1:8765", None),
        ("127.0.0.1:8765", "http://127.0.0.1:8765", None),
        ("play.example", "http://play.example", None),
        ("https://play.example/", "https://play.example", None),
        ("https://play.example:443/j/K7RP2M", "https://play.example", "K7RP2M"),
        ("wss://play.example/ws", "https://play.example", None),
        ("ws://play.example:80", "http://play.example", None),
        ("http://play.example:8765/j/k7r-p2m/", "http://play.example:8765", "K7RP2M"),
        ("http://[::1]:8765", "http://[::1]:8765", None),
    ],
)
def test_an_address_in_any_shape_is_understood(typed: str, origin: str, code: str | None) -> None:
    assert read_server(typed) == (Server(origin), code)


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "ftp://play.example",
        "http://",
        "http://play.example:port",
        "http://play.example/j/AEIOU1",
        "http://play.example/j/",
        "http://play.example/j",
        # No name of a host: bytes that are no text, and what no resolver takes.
        "jos\udce9.example",
        "http://play.example/j/K7RP2\udce9",
        "play..example",
        f"{'a' * 64}.example",
        "http://play example",
        "http://play\x7f.example",
    ],
)
def test_what_is_no_address_is_said_with_an_example(typed: str) -> None:
    with pytest.raises(BadAddress, match=r"http|link"):
        read_server(typed)


@pytest.mark.parametrize("typed", ["K7RP2M", "k7rp2m", "k7r p2m", " K7R-P2M "])
def test_a_code_may_be_typed_in_any_case_with_spaces_and_dashes(typed: str) -> None:
    assert read_code(typed) == "K7RP2M"


@pytest.mark.parametrize("typed", ["", "K7RP2", "K7RP2MM", "K0RP2M", "KARP2M", "localhost"])
def test_what_is_no_code_is_none(typed: str) -> None:
    assert read_code(typed) is None


def test_socket_and_link_follow_from_the_origin() -> None:
    assert Server("https://play.example").socket == "wss://play.example/ws"
    assert Server("http://h:1").socket == "ws://h:1/ws"
    assert Server("http://h:1").link("K7RP2M") == "http://h:1/j/K7RP2M"


def test_no_proxy_stands_before_this_machine() -> None:
    assert Server("http://127.0.0.1:8765").local
    assert Server("http://[::1]:8765").local
    assert not Server("http://play.example").local


def test_a_link_of_another_machine_is_shared_as_it_is() -> None:
    assert shared(Server("https://play.example")) == Server("https://play.example")


def test_a_link_of_this_machine_keeps_its_port() -> None:
    assert shared(Server("http://127.0.0.1:8765")).origin.endswith(":8765")


def test_waits_are_anywhere_up_to_their_ceiling() -> None:
    for attempt in range(1, 40):
        ceiling = CEILINGS[min(attempt, len(CEILINGS)) - 1]
        assert wait(attempt, lambda: 0.0) == 0
        assert wait(attempt, lambda: 0.999) <= ceiling <= 10_000


def test_for_some_twenty_seconds_nobody_waits_more_than_two_then_it_gets_seldom() -> None:
    waits = [wait(attempt, lambda: 1.0) for attempt in range(1, 40)]
    assert waits[:2] == [300, 1_000]
    assert set(waits[2:22]) == {2_000}
    assert sum(waits[:22]) / 2 == pytest.approx(20_000, rel=0.05)
    assert waits[22:25] == [4_000, 8_000, 10_000]
    assert set(waits[25:]) == {10_000}
