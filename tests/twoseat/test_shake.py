"""The shake alone: what is taken at which stage, in exact times; what the digests and the key are made of."""

import hashlib

import pytest

from script import NONCES
from twoseat.shake import (
    NO_SHAKE,
    BadNonce,
    Shake,
    Stage,
    TooLate,
    begin,
    commit,
    deal_key,
    done,
    expire,
    nonce_digest,
    open_nonce,
    seed_digest,
)

WITHIN = 2_000
FOR_TWO = Shake((True, True), WITHIN)
FOR_ONE = Shake((False, True), WITHIN)
DIGESTS = (nonce_digest(NONCES[0]), nonce_digest(NONCES[1]))


def asked(shake: Shake = FOR_TWO, now: int = 0) -> Shake:
    """Commitments are asked for."""
    return begin(shake, now)


def both_committed(now: int = 0) -> Shake:
    """Nonces are asked for."""
    return commit(commit(asked(now=now), 0, DIGESTS[0], now), 1, DIGESTS[1], now)


def test_it_waits_for_nothing_until_it_is_begun() -> None:
    assert (FOR_TWO.stage, FOR_TWO.until) == (Stage.WAITING, None)
    with pytest.raises(TooLate):
        commit(FOR_TWO, 0, DIGESTS[0], 0)
    begun = asked(now=500)
    assert (begun.stage, begun.until) == (Stage.COMMIT, 500 + WITHIN)


def test_with_the_last_commitment_nonces_are_asked_for_with_a_full_time() -> None:
    one = commit(asked(), 1, DIGESTS[1], 100)
    assert (one.stage, one.until, one.digests) == (Stage.COMMIT, WITHIN, ("", DIGESTS[1]))
    two = commit(one, 0, DIGESTS[0], 300)
    assert (two.stage, two.until, two.digests) == (Stage.OPEN, 300 + WITHIN, DIGESTS)


def test_with_the_last_nonce_it_is_done() -> None:
    one = open_nonce(both_committed(), 0, NONCES[0], 100)
    assert (one.stage, one.until, one.nonces) == (Stage.OPEN, WITHIN, (NONCES[0], ""))
    two = open_nonce(one, 1, NONCES[1], 200)
    assert (two.stage, two.until, two.nonces) == (Stage.DONE, None, NONCES)


def test_a_bot_s_seat_is_not_waited_for() -> None:
    opening = commit(asked(FOR_ONE), 1, DIGESTS[1], 0)
    assert opening.stage is Stage.OPEN
    done = open_nonce(opening, 1, NONCES[1], 0)
    assert (done.stage, done.nonces) == (Stage.DONE, ("", NONCES[1]))


@pytest.mark.parametrize("seat", [0, 1])
def test_no_nonce_is_taken_before_both_have_committed(seat: int) -> None:
    waiting = commit(asked(), 0, DIGESTS[0], 0)
    with pytest.raises(TooLate):
        open_nonce(waiting, 0 if seat == 0 else 1, NONCES[seat], 0)


def test_a_nonce_is_the_one_committed_to() -> None:
    opening = both_committed()
    for wrong in (NONCES[0], "00" * 32, NONCES[1][:-1] + "0"):
        with pytest.raises(BadNonce):
            open_nonce(opening, 1, wrong, 0)
    assert open_nonce(opening, 1, NONCES[1], 0).nonces == ("", NONCES[1])


def test_who_committed_to_nothing_has_nothing_to_open() -> None:
    opening = expire(commit(asked(), 0, DIGESTS[0], 0), WITHIN)
    assert opening.stage is Stage.OPEN
    with pytest.raises(BadNonce):
        open_nonce(opening, 1, NONCES[1], WITHIN)


def test_what_was_said_is_not_taken_back() -> None:
    one = commit(asked(), 0, DIGESTS[0], 0)
    with pytest.raises(TooLate):
        commit(one, 0, DIGESTS[1], 0)
    opened = open_nonce(both_committed(), 0, NONCES[0], 0)
    with pytest.raises(TooLate):
        open_nonce(opened, 0, NONCES[1], 0)


def test_what_is_said_twice_changes_nothing_at_any_stage() -> None:
    one = commit(asked(), 0, DIGESTS[0], 0)
    assert commit(one, 0, DIGESTS[0], 0) is one
    opening = both_committed()
    assert commit(opening, 0, DIGESTS[0], 9 * WITHIN) is opening
    opened = open_nonce(opening, 0, NONCES[0], 0)
    assert open_nonce(opened, 0, NONCES[0], 9 * WITHIN) is opened
    done = open_nonce(opened, 1, NONCES[1], 0)
    assert open_nonce(done, 0, NONCES[0], 0) is done


def test_a_commitment_just_in_time_counts_and_one_at_the_end_does_not() -> None:
    assert commit(asked(), 0, DIGESTS[0], WITHIN - 1).digests == (DIGESTS[0], "")
    with pytest.raises(TooLate):
        commit(asked(), 0, DIGESTS[0], WITHIN)


def test_a_nonce_just_in_time_counts_and_one_at_the_end_does_not() -> None:
    assert open_nonce(both_committed(), 0, NONCES[0], WITHIN - 1).nonces == (NONCES[0], "")
    with pytest.raises(TooLate):
        open_nonce(both_committed(), 0, NONCES[0], WITHIN)


@pytest.mark.parametrize(
    ("shake", "stage", "until"),
    [
        (asked(), Stage.DONE, None),
        (commit(asked(), 0, DIGESTS[0], 0), Stage.OPEN, 2 * WITHIN),
        (both_committed(), Stage.DONE, None),
        (open_nonce(both_committed(), 1, NONCES[1], 0), Stage.DONE, None),
    ],
    ids=["nobody committed", "one committed", "nobody opened", "one opened"],
)
def test_when_time_is_up_it_goes_on_without_what_did_not_come(shake: Shake, stage: Stage, until: int | None) -> None:
    on = expire(shake, WITHIN)
    assert (on.stage, on.until) == (stage, until)
    assert (on.digests, on.nonces) == (shake.digests, shake.nonces)


def test_a_settled_shake_asks_for_nothing_and_keeps_what_was_said() -> None:
    one = commit(asked(), 0, DIGESTS[0], 0)
    assert done(one) == Shake((True, True), WITHIN, Stage.DONE, None, (DIGESTS[0], ""))
    assert done(NO_SHAKE) is NO_SHAKE


def test_the_digests_are_of_a_word_a_zero_byte_and_the_bytes() -> None:
    assert seed_digest(b"\x07" * 32) == hashlib.sha256(b"twoseat seed\x00" + b"\x07" * 32).hexdigest()
    assert nonce_digest("a1" * 32) == hashlib.sha256(b"twoseat nonce\x00" + b"\xa1" * 32).hexdigest()


@pytest.mark.parametrize(
    ("nonces", "parts"),
    [
        (("a1" * 32, "b2" * 32), b"\x01" + b"\xa1" * 32 + b"\x01" + b"\xb2" * 32),
        (("a1" * 32, ""), b"\x01" + b"\xa1" * 32 + b"\x00"),
        (("", "b2" * 32), b"\x00\x01" + b"\xb2" * 32),
        (("", ""), b"\x00\x00"),
    ],
)
def test_the_key_is_made_of_the_seed_and_what_was_opened(nonces: tuple[str, str], parts: bytes) -> None:
    assert deal_key(b"\x07" * 32, nonces) == hashlib.sha256(b"twoseat deal\x00" + b"\x07" * 32 + parts).digest()


def test_the_key_tells_who_opened_what() -> None:
    seed, nonce = b"\x07" * 32, NONCES[0]
    said = [("", ""), (nonce, ""), ("", nonce), (nonce, nonce), NONCES, (NONCES[1], NONCES[0])]
    assert len({deal_key(seed, nonces) for nonces in said} | {deal_key(b"\x08" * 32, ("", ""))}) == len(said) + 1
