"""The deal over real sockets: who says what, who is silent, late or wrong, and what everybody is told of it."""

import asyncio
import time

import pytest

from e2e.bare import Bare, bare
from e2e.wiretap import Wiretap
from twoseat import verify
from twoseat.games.game import Options
from twoseat.shake import nonce_digest, seed_digest

TERMS = {"preset": "points", "target": 2}
NONCES = ("a1" * 32, "b2" * 32)
WITHIN = 2.0


async def seated(ann: Bare, bob: Bare) -> None:
    """Both meet in the queue."""
    await ann.says("quick", terms=TERMS)
    await ann.hears("waiting")
    await bob.says("quick", terms=TERMS)
    for client in (ann, bob):
        await client.hears("seated")


def shares(client: Bare) -> tuple[str, str]:
    """What each seat put into the deal, as this client was told."""
    fair = client.named("fair")[-1]
    first, second = verify.shares((False, False), tuple(fair["digests"]), tuple(fair["nonces"]))
    return first, second


async def test_both_nonces_are_in_and_the_seed_comes_at_the_end(tap: Wiretap) -> None:
    async with bare(tap.url, NONCES[0]) as ann, bare(tap.url, NONCES[1]) as bob:
        await seated(ann, bob)
        asked = [await client.hears("fair", stage="commit") for client in (ann, bob)]
        assert asked[0]["seed_digest"] == asked[1]["seed_digest"]
        for client in (ann, bob):
            await client.commits()
        for client in (ann, bob):
            opening = await client.hears("fair", stage="open")
            assert opening["nonces"] == [None, None]
            assert sorted(opening["digests"]) == sorted(map(nonce_digest, NONCES))
            await client.opens()
        async with asyncio.TaskGroup() as group:
            ends = [group.create_task(client.plays()) for client in (ann, bob)]
        for client, end in zip((ann, bob), ends, strict=True):
            results, fair = end.result(), client.named("fair")[-1]
            assert seed_digest(bytes.fromhex(results["seed"])) == asked[0]["seed_digest"] == fair["seed_digest"]
            assert sorted(fair["nonces"]) == sorted(NONCES)
            nonces = (fair["nonces"][0], fair["nonces"][1])
            dealt = verify.dealt(Options(target=2), (False, False), results["seed"], nonces)
            assert [list(line.cards) for line in dealt.rounds] == [line["cards"] for line in results["rounds"]]


@pytest.mark.parametrize(
    ("silent", "told"),
    [
        ("neither commits", ("silent", "silent")),
        ("one commits", ("in", "silent")),
        ("one opens", ("in", "withheld")),
    ],
)
async def test_a_silent_program_is_not_waited_for(tap: Wiretap, silent: str, told: tuple[str, str]) -> None:
    async with bare(tap.url, NONCES[0]) as ann, bare(tap.url, NONCES[1]) as bob:
        await seated(ann, bob)
        await ann.hears("fair", stage="commit")
        began = time.monotonic()
        if silent != "neither commits":
            await ann.commits()
        if silent == "one opens":
            await bob.commits()
        if silent != "neither commits":
            await ann.hears("fair", stage="open")
            await ann.opens()
        for client in (ann, bob):
            await client.hears("state", phase="playing")
            await client.hears("fair", stage="done")
        waited = time.monotonic() - began
        assert waited >= WITHIN - 0.1
        mine, theirs = ann.seat, 1 - ann.seat
        for client in (ann, bob):
            assert (shares(client)[mine], shares(client)[theirs]) == told


async def test_a_word_that_comes_too_late_is_nobody_s_news(tap: Wiretap) -> None:
    async with bare(tap.url, NONCES[0]) as ann, bare(tap.url, NONCES[1]) as bob:
        await seated(ann, bob)
        await ann.hears("state", phase="playing")
        await ann.commits()
        await ann.opens()
        await ann.says("ping", n=7)
        await ann.hears("pong", n=7)
        assert ann.named("rejected") == []
        assert shares(ann) == ("silent", "silent")


async def test_a_wrong_nonce_is_refused_and_the_right_one_still_counts(tap: Wiretap) -> None:
    async with bare(tap.url, NONCES[0]) as ann, bare(tap.url, NONCES[1]) as bob:
        await seated(ann, bob)
        for client in (ann, bob):
            await client.commits()
        await ann.hears("fair", stage="open")
        await ann.opens(NONCES[1])
        assert (await ann.hears("rejected"))["reason"] == "illegal"
        await ann.opens()
        await bob.opens()
        await ann.hears("state", phase="playing")
        await ann.hears("fair", stage="done")
        assert shares(ann) == ("in", "in")


async def test_a_watcher_is_told_of_the_deal_and_has_no_say_in_it(tap: Wiretap) -> None:
    async with bare(tap.url, NONCES[0]) as ann, bare(tap.url, NONCES[1]) as bob, bare(tap.url) as eve:
        await seated(ann, bob)
        await ann.hears("fair", stage="commit")
        await eve.says("watch", code=ann.named("seated")[0]["code"])
        await eve.hears("seated", seat=None)
        await eve.commits()
        assert (await eve.hears("error"))["code"] == "not_seated"
        for client in (ann, bob):
            await client.commits()
        for client in (ann, bob):
            await client.hears("fair", stage="open")
            await client.opens()
        await eve.hears("fair", stage="done")
        assert shares(eve) == ("in", "in")
