"""How two people find each other, over real sockets: the queue, tables with codes, the bot, and every way out again."""

import asyncio
from typing import Any

import pytest

from caller import Caller, Callers
from nodes import run_node
from stores import everlasting, raw
from twoseat import wire
from twoseat_server import app, lobby, waiting
from twoseat_server.settings import Settings
from twoseat_server.store import keys


async def in_queue(caller: Caller, **terms: object) -> Caller:
    await caller.say("quick", terms=terms)
    await caller.hear(wire.Waiting)
    return caller


async def met(*callers: Caller) -> str:
    """The match these are seated at."""
    matches = {(await caller.hear(wire.Seated)).match for caller in callers}
    assert len(matches) == 1
    assert {caller.seat for caller in callers} == {0, 1}
    return matches.pop()


async def test_two_who_want_the_same_meet_and_play_to_the_end(call: Callers) -> None:
    first = await in_queue(await call(name="Ann"), target=3)
    second = await call(name="Bob")
    await second.say("quick", terms={"target": 3})
    await met(first, second)
    mine, yours = await asyncio.gather(first.results(), second.results())
    assert mine == yours
    assert max(mine.series.score) >= 1
    assert first.seated is not None
    assert first.seated.names == ("Ann", "Bob")


async def test_different_wishes_do_not_meet(call: Callers) -> None:
    alone = await in_queue(await call(), target=3)
    other = await in_queue(await call(), target=4)
    third = await call()
    await third.say("quick", terms={"target": 4})
    await met(other, third)
    assert alone.seated is None


async def test_one_token_on_two_sockets_never_meets_itself(call: Callers) -> None:
    first = await in_queue(await call())
    second = await call(first.token)
    await second.say("quick")
    welcome = await second.hear(wire.Welcome)
    assert welcome.token not in (None, first.token), "who starts something new on a second socket is a new player"
    await met(first, second)


async def test_a_new_hello_takes_the_place_of_ones_own_dead_wait(call: Callers) -> None:
    first = await in_queue(await call())
    await first.hang_up()
    again = await call(first.token)
    await in_queue(again)
    assert not any(isinstance(message, wire.Welcome) for message in again.heard[1:]), "she is still the same player"


async def test_cancel_ends_a_wait_and_the_next_meets_nobody(call: Callers) -> None:
    first = await in_queue(await call())
    await first.say("cancel")
    await first.hear(wire.Idle)
    await in_queue(await call())


async def test_cancel_against_a_pairing_leaves_nobody_between(call: Callers) -> None:
    """Whoever cancels is either idle, and the other waits on; or she sits, and so does the other."""
    for number in range(20):
        first, second = await call(), await call()
        await in_queue(first, target=number + 1)
        await asyncio.gather(second.say("quick", terms={"target": number + 1}), first.say("cancel"))
        answer = await first.hear(object, lambda message: isinstance(message, wire.Idle | wire.Seated))
        if isinstance(answer, wire.Seated):
            assert (await second.hear(wire.Seated)).match == answer.match
        else:
            await second.hear(wire.Waiting)
        await asyncio.gather(first.hang_up(), second.hang_up())


async def test_a_half_open_socket_is_found_and_the_living_one_waits_on(
    call: Callers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "ALIVE_WITHIN", 0.2)
    monkeypatch.setattr(lobby, "QUICK_START", 500)
    dead = await in_queue(await call())
    dead.freeze()
    living = await call()
    await living.say("quick")
    await living.hear(wire.Results, lambda results: results.outcome.termination == "void")
    again = await living.hear(wire.Waiting)
    assert again.waited >= 500, "she has not lost her place in the queue"
    third = await call()
    await third.say("quick")
    await met(living, third)


async def test_a_call_that_got_lost_is_found_by_vouching(call: Callers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "VOUCH_EVERY", 0.2)
    monkeypatch.setattr(waiting.Waiting, "hear", lambda self, hint: None)
    monkeypatch.setattr(lobby.Lobby, "_call", lambda self, node, name, match_id: asyncio.sleep(0))
    first = await in_queue(await call())
    await asyncio.sleep(0.3)  # the next round of vouching is the one with the shorter pause
    second = await call()
    await second.say("quick")
    await met(first, second)


async def test_a_pairing_that_takes_its_time_is_waited_for(
    call: Callers, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the pairing and the match somebody may vouch, or cancel: neither queues again, neither is idle."""
    code = lobby.Lobby._code

    async def slowly(self: lobby.Lobby, *args: Any) -> str:
        await asyncio.sleep(0.6)
        return await code(self, *args)

    monkeypatch.setattr(lobby.Lobby, "_code", slowly)
    monkeypatch.setattr(app, "VOUCH_EVERY", 0.1)
    async with run_node(Settings(host="127.0.0.1", port=0), url) as (_, often):
        for says in ("ping", "cancel"):
            first, second = await in_queue(await often()), await call()
            await second.say("quick")
            await asyncio.sleep(0.2)
            await first.say(says, **({"n": 1} if says == "ping" else {}))
            await met(first, second)
            assert sum(isinstance(message, wire.Waiting) for message in first.heard) == 1
            assert not any(isinstance(message, wire.Idle) for message in first.heard)


async def test_a_ticket_the_store_lost_goes_on_with_its_wait(
    call: Callers, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "VOUCH_EVERY", 0.2)
    first = await in_queue(await call())
    async with raw(url) as store:
        for key in await store.keys("{lobby}:ticket:*"):
            await store.delete(key)
    await first.hear(wire.Waiting)
    second = await call()
    await second.say("quick")
    await met(first, second)


async def test_a_code_is_read_in_any_case_with_spaces_and_dashes(call: Callers) -> None:
    host, guest = await call(), await call()
    await host.say("host")
    code = (await host.hear(wire.Waiting)).code
    assert code is not None
    await guest.say("join", code=f" {code[:3].lower()} - {code[3:].lower()} ")
    await met(host, guest)


async def test_joining_ones_own_code_is_waiting_at_ones_own_table(call: Callers) -> None:
    host = await call()
    await host.say("host", terms={"games": 3})
    code = (await host.hear(wire.Waiting)).code
    await host.say("join", code=code)
    waits = await host.hear(wire.Waiting)
    assert (waits.code, waits.options.games) == (code, 3)
    guest = await call()
    await guest.say("join", code=code)
    await met(host, guest)


async def test_a_host_whose_line_broke_waits_at_her_table_again(call: Callers) -> None:
    host = await call()
    await host.say("host")
    code = (await host.hear(wire.Waiting)).code
    host.vanish()
    again = await call(host.token)
    await again.say("join", code=code)
    assert (await again.hear(wire.Waiting)).code == code
    guest = await call()
    await guest.say("join", code=code)
    await met(again, guest)


async def test_a_host_on_a_second_socket_is_told_on_the_first(call: Callers) -> None:
    host = await call()
    await host.say("host")
    code = (await host.hear(wire.Waiting)).code
    again = await call(host.token)
    await again.say("join", code=code)
    await again.hear(wire.Waiting)
    assert (await host.rejected()).reason == "replaced"
    assert await host.closed() == wire.Close.REPLACED
    guest = await call()
    await guest.say("join", code=code)
    await met(again, guest)


async def test_a_cancelled_table_is_gone(call: Callers) -> None:
    host, guest = await call(), await call()
    await host.say("host")
    code = (await host.hear(wire.Waiting)).code
    await host.say("cancel")
    await host.hear(wire.Idle)
    await guest.say("join", code=code)
    assert await guest.refused() == "not_found"


async def test_leaving_while_one_waits_ends_the_wait(call: Callers) -> None:
    host, guest = await call(), await call()
    await host.say("host")
    code = (await host.hear(wire.Waiting)).code
    await host.say("leave")
    await host.hear(wire.Idle)
    await guest.say("join", code=code)
    assert await guest.refused() == "not_found"


@pytest.mark.parametrize("code", ["BCDFGH", "AEIOUA", "000000", "bcd fgh"])
async def test_a_code_that_leads_nowhere_is_not_found(call: Callers, code: str) -> None:
    guest = await call()
    for word in ("join", "watch"):
        await guest.say(word, code=code)
        assert await guest.refused() == "not_found"


async def test_codes_cannot_be_guessed_for_long(call: Callers) -> None:
    guest = await call()
    answers = []
    for _ in range(30):
        await guest.say("join", code="BCDFGH")
        answers.append(await guest.refused())
    assert set(answers) == {"not_found", "slow_down"}
    assert answers.index("slow_down") >= 20


async def test_at_a_full_table_a_third_watches_and_at_a_finished_one_nobody_sits_down(call: Callers) -> None:
    host, guest = await call.pair(target=1)
    assert host.seated is not None
    third = await call()
    await third.say("join", code=host.seated.code)
    assert (await third.hear(wire.Seated)).seat is None
    await asyncio.gather(host.results(), guest.results(), third.hear(wire.Results))
    late = await call()
    await late.say("join", code=host.seated.code)
    assert await late.refused() == "finished"


async def test_a_table_that_waits_for_somebody_to_play_cannot_be_watched_yet_and_says_so(call: Callers) -> None:
    host, guest = await call(), await call()
    await host.say("host")
    code = (await host.hear(wire.Waiting)).code
    await guest.say("watch", code=code)
    assert await guest.refused() == "not_started"
    await guest.say("join", code=code)
    assert (await guest.hear(wire.Seated)).seat is not None


async def test_the_bot_is_there_at_once_and_plays_to_the_end(call: Callers) -> None:
    person = await call(name="Ann")
    await person.say("bot", terms={"preset": "classic"})
    seated = await person.hear(wire.Seated)
    assert seated.bots == (False, True)
    state = await person.my_turn()
    while state.outcome is None:
        await person.play(state.chairs[0].number, "turn 10")
        version = state.version
        state = await person.until(lambda state: state.version > version)  # noqa: B023
    assert len((await person.hear(wire.Results)).rounds) == state.view.round


async def test_who_plays_cannot_start_something_else_and_the_game_goes_on(call: Callers) -> None:
    host, guest = await call.pair(target=1)
    for word in ("quick", "host", "bot"):
        await host.say(word)
        assert await host.refused() == "already_seated"
    other, _ = await call.pair()
    assert other.seated is not None
    await host.say("watch", code=other.seated.code)
    assert await host.refused() == "already_seated"
    await asyncio.gather(host.results(), guest.results())


async def test_after_the_end_the_next_thing_starts_on_the_same_socket(call: Callers) -> None:
    host, guest = await call.pair(target=1)
    await asyncio.gather(host.results(), guest.results())
    for caller in (host, guest):
        await caller.say("quick", terms={"target": 2})
    await met(host, guest)


@pytest.mark.parametrize(
    "terms",
    [{"preset": "poker"}, {"turn_seconds": 600}, {"timer": 2}],
)
async def test_terms_that_do_not_fit_are_refused_in_words(call: Callers, terms: dict[str, object]) -> None:
    caller = await call()
    await caller.say("quick", terms=terms)
    error = await caller.hear(wire.Error)
    assert error.code == "bad_options"
    assert error.detail


async def test_everything_a_meeting_leaves_in_the_store_ends_by_itself(call: Callers, url: str) -> None:
    host, guest = await call.pair(target=1, games=3)
    assert host.seated is not None
    third = await call()
    await third.say("watch", code=host.seated.code)
    await third.hear(wire.Seated)
    await in_queue(await call())
    await (await call()).say("host")
    bot = await call()
    await bot.say("bot")
    await bot.my_turn()
    await asyncio.gather(host.results(), guest.results())
    lasting = {key for key in await everlasting(url) if not key.endswith((":clock", ":due"))}
    assert lasting == {keys.NODES}
