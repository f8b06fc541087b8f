"""After a game, and in the middle of one: rematches, new deals, series; the same people, the same link."""

import asyncio

import pytest

from caller import Caller, Callers, play_out
from twoseat import match as core
from twoseat import wire
from twoseat_server import referee


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A series' next game starts almost at once."""
    for module in (core, referee):
        monkeypatch.setattr(module, "NEXT_GAME_AFTER", 300)


async def next_match(*callers: Caller) -> str:
    """The next game's match, once everybody plays it."""
    found = {(await caller.hear(wire.Seated)).match for caller in callers}
    assert len(found) == 1
    for caller in callers:
        await caller.until(lambda state: state.phase == "playing")
    return found.pop()


async def test_a_rematch_asked_for_twice_asks_nothing_of_the_next_game(call: Callers) -> None:
    person = await call()
    await person.say("bot", terms={"target": 5})
    first = (await person.hear(wire.Seated)).match
    await person.until(lambda state: state.phase == "playing")
    for _ in range(2):
        await person.say("rematch", match=first)
    second = await person.hear(wire.Seated)
    assert second.match != first
    await person.say("ping", n=1)
    await person.hear(wire.Pong)
    assert (await person.until(lambda state: state.phase == "playing")).outcome is None
    await person.say("rematch", match=second.match)
    assert (await person.hear(wire.Seated)).match not in (first, second.match)


async def test_a_rematch_needs_both_and_keeps_score_and_link(call: Callers) -> None:
    host, guest = await call.pair(target=1)
    assert host.seated is not None
    first = host.seated
    results, _ = await play_out(host, guest)
    await host.say("rematch")
    assert (await guest.until(lambda state: state.chairs[0].rematch)).phase == "over"
    await guest.say("rematch")
    assert await next_match(host, guest) != first.match
    assert host.seated.code == first.code
    assert host.seated.series.score == results.series.score
    assert host.seated.series.game == 2
    watcher = await call()
    await watcher.say("watch", code=first.code)
    assert (await watcher.hear(wire.Seated)).match == host.seated.match
    await play_out(host, guest)


async def test_both_asking_at_once_and_twice_makes_one_game(call: Callers) -> None:
    for _ in range(5):
        host, guest = await call.pair(target=1)
        await play_out(host, guest)
        await asyncio.gather(*(caller.say("rematch") for caller in (host, guest)))
        await next_match(host, guest)
        for caller in (host, guest):
            assert not any(isinstance(message, wire.RejectedMessage) for message in caller.heard)
            assert sum(isinstance(message, wire.Seated) for message in caller.heard) == 2


async def test_an_offer_ends_with_the_one_who_made_it(call: Callers) -> None:
    host, guest = await call.pair(target=1)
    await play_out(host, guest)
    await host.say("rematch")
    await guest.until(lambda state: state.chairs[0].rematch)
    await host.hang_up()
    state = await guest.until(lambda state: not state.chairs[0].present)
    assert not state.chairs[0].rematch


async def test_the_bot_always_wants_another_game(call: Callers) -> None:
    person = await call()
    await person.say("bot", terms={"target": 1})
    await person.hear(wire.Seated)
    await person.results()
    await person.say("rematch")
    await next_match(person)


async def test_a_new_deal_in_mid_game_counts_for_nobody(call: Callers) -> None:
    host, guest = await call.pair(preset="classic")
    assert host.seated is not None
    first = host.seated.match
    await host.say("rematch")
    await guest.until(lambda state: state.chairs[0].rematch)
    await guest.say("rematch")
    results = await host.hear(wire.Results)
    assert results.outcome == wire.Outcome(None, wire.Termination.REDEALT)
    assert await next_match(host, guest) != first
    assert host.seated.series.score == (0, 0)


async def test_a_series_goes_on_by_itself_until_it_is_decided(call: Callers) -> None:
    host, guest = await call.pair(target=1, games=3)
    watcher = await call()
    assert host.seated is not None
    await watcher.say("watch", code=host.seated.code)
    await watcher.hear(wire.Seated)
    matches = {host.seated.match}
    while True:
        results, _ = await play_out(host, guest)
        if results.decided:
            break
        assert (await host.until(lambda state: state.phase == "over")).next_in is not None
        matches.add(await next_match(host, guest))
        assert (await watcher.hear(wire.Seated)).match in matches
    assert max(results.series.score) == 4
    assert 2 <= len(matches) <= 3
    assert len(results.series.winners) == len(matches)


async def test_who_is_away_when_the_next_game_starts_finds_it(call: Callers) -> None:
    host, guest = await call.pair(target=1, games=3)
    assert host.seated is not None
    first = host.seated
    await play_out(host, guest)
    await host.hang_up()
    await guest.hear(wire.Seated)
    assert guest.seated is not None
    again = await call(host.token)
    welcome = again.heard[0]
    assert isinstance(welcome, wire.Welcome)
    assert welcome.resume is not None
    assert welcome.resume.match == guest.seated.match
    by_match = await call(host.token, match=first.match)
    assert (await by_match.hear(wire.Seated, lambda seated: seated.match != first.match)).match == guest.seated.match
    by_code = await call(host.token)
    await by_code.say("join", code=first.code)
    assert (await by_code.hear(wire.Seated)).match == guest.seated.match
