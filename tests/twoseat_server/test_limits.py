"""Token buckets by an injected clock, and whose address a socket has behind proxies."""

import pytest

from twoseat_server.limits import Bucket, Buckets
from twoseat_server.origins import client_address, networks


class Time:
    """A clock that a test moves."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_at_once_and_the_rate_after_that() -> None:
    time = Time()
    bucket = Bucket(2, 3, time)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    time.now += 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]
    time.now += 60
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_what_is_given_back_can_be_taken_again_and_no_more_than_the_burst() -> None:
    bucket = Bucket(1, 1, Time())
    bucket.give_back()
    assert [bucket.take(), bucket.take()] == [True, False]
    bucket.give_back()
    assert bucket.take()


def test_a_part_of_one_is_not_one_yet_and_is_kept() -> None:
    time = Time()
    bucket = Bucket(2, 1, time)
    assert bucket.take()
    time.now += 0.25
    assert not bucket.take()
    time.now += 0.25
    assert bucket.take()


def test_waiting_spreads_moves_evenly() -> None:
    time = Time()
    bucket = Bucket(10, 1, time)
    waits = []
    for _ in range(4):
        waits.append(bucket.wait())
        time.now += waits[-1]
    assert waits == pytest.approx([0, 0.1, 0.1, 0.1])


def test_buckets_are_one_a_key_and_forgotten_when_they_are_full_again() -> None:
    time = Time()
    buckets = Buckets(1, 2, time)
    for number in range(1_002):
        assert buckets.take(number)
    assert buckets.take(0)
    assert not buckets.take(0)
    time.now += 10
    buckets.take("new")
    assert len(buckets) == 1
    buckets.give_back("never seen")


PROXIES = networks("10.0.0.0/8, fd00::/8")


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("203.0.113.5", [], "203.0.113.5"),
        ("203.0.113.5", ["198.51.100.1"], "203.0.113.5"),
        ("10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["6.6.6.6, 198.51.100.1, 10.0.0.2"], "198.51.100.1"),
        ("10.0.0.1", ["6.6.6.6", "198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["not an address"], "10.0.0.1"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("fd00::1", ["2001:db8::7"], "2001:db8::7"),
        ("10.0.0.1", ["10.0.0.9"], "10.0.0.9"),
    ],
)
def test_only_trusted_proxies_are_believed_from_the_right(peer: str, forwarded: list[str], address: str) -> None:
    assert client_address(peer, forwarded, PROXIES) == address
