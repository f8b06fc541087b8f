"""Where the other servers of a cluster are, as one of them tells: the same account and options, another place."""

import pytest

from twoseat_server.store.slots import at


@pytest.mark.parametrize(
    ("url", "place", "other"),
    [
        ("redis://10.0.0.1:6379", "10.0.0.2:6380", "redis://10.0.0.2:6380"),
        ("redis://ann:secret@10.0.0.1", "10.0.0.2:6379", "redis://ann:secret@10.0.0.2:6379"),
        (
            "rediss://:secret@one.example.org:6379/0?ssl_ca_certs=ca.pem",
            "two.example.org:6379",
            "rediss://:secret@two.example.org:6379?ssl_ca_certs=ca.pem",
        ),
        ("redis://10.0.0.1:6379", "fe80::1:6380", "redis://[fe80::1]:6380"),
        ("unix://ann:secret@/run/redis.sock", "10.0.0.2:6379", "redis://ann:secret@10.0.0.2:6379"),
        # A server that does not know its own address says nothing: it is where it was asked.
        ("redis://10.0.0.1:6379", ":6380", "redis://10.0.0.1:6380"),
        ("redis://ann:secret@10.0.0.1", ":6380", "redis://ann:secret@10.0.0.1:6380"),
        ("redis://[fe80::1]:6379", ":6380", "redis://[fe80::1]:6380"),
        ("redis://[fe80::1]", ":6380", "redis://[fe80::1]:6380"),
        ("unix:///run/redis.sock", ":6380", "redis://127.0.0.1:6380"),
    ],
)
def test_another_server_is_reached_as_the_first_was(url: str, place: str, other: str) -> None:
    assert at(url, place) == other
