"""War Online over real sockets: its options, a game by quick match that is watched, the bot at a level, a replay."""

import asyncio
import urllib.request
from typing import Any

from caller import Caller, Callers, play_out
from twoseat import replay, verify, wire

ONLINE: dict[str, Any] = {"game": "war-online"}


def seen(caller: Caller) -> wire.WarOnlineView:
    """The table as this socket sees it."""
    assert caller.state is not None
    assert isinstance(caller.state.view, wire.WarOnlineView)
    return caller.state.view


async def fetched(call: Callers, match: str) -> replay.Replay:
    """The replay of a finished match, as the server gives it to anybody."""
    url = f"http://127.0.0.1:{call.port}/replay/{match}.json"
    return replay.read(await asyncio.to_thread(lambda: urllib.request.urlopen(url).read()))


async def test_two_meet_and_play_to_the_end_each_with_secrets_and_all_is_told_afterwards(call: Callers) -> None:
    other = await call()
    await other.say("quick", terms=ONLINE | {"limit": 20})
    players = await call(name="Ann"), await call(name="Bob")
    for player in players:
        await player.say("quick", terms=ONLINE | {"limit": 10})
    seated = [await player.hear(wire.Seated) for player in players]
    assert seated[0].options == wire.OptionsView("war-online", "objectives", 50, 120, 1, 1, 10, "middle")
    for player in players:
        await player.until(lambda state: state.phase == "playing")
    watcher = await call()
    await watcher.say("watch", code=seated[0].code)
    await watcher.until(lambda state: state.phase == "playing")
    objectives = {player.seat: seen(player).objective for player in players}
    assert len(set(objectives.values()) - {None}) == 2
    assert (seen(watcher).objective, seen(watcher).objectives) == (None, None)
    mine, yours = await play_out(*players)
    shown = await watcher.hear(wire.Results)
    assert mine == yours == shown
    for caller in (*players, watcher):
        assert seen(caller).objectives == (objectives[0], objectives[1])
    assert len(mine.rounds) == 20
    assert other.seated is None
    told = await fetched(call, mine.match)
    assert verify.verify(told).verified
    assert [line["n"] for line in told.rounds] == list(range(1, 21))
    (*_, (_, last)) = replay.messages(told)
    assert last == mine


async def test_the_bot_plays_its_turn_at_the_level_asked_for(call: Callers) -> None:
    ann = await call(name="Ann")
    await ann.say("bot", terms=ONLINE | {"level": "easy", "limit": 10})
    await ann.until(lambda state: state.phase == "playing")
    assert seen(ann).level == "easy"
    assert ann.seat == 0
    while True:
        state = await ann.until(lambda state: bool(state.legal[0]) or state.chairs[1].number > 2)
        assert state.legal[1] == ()
        if state.chairs[1].number > 2:
            break
        await ann.draw()
    await ann.say("resign")
    results = await ann.hear(wire.Results)
    assert results.outcome == wire.Outcome(1, wire.Termination.RESIGNED)
    assert seen(ann).objectives is not None
    assert seen(ann).shown is not None


async def test_options_that_are_not_this_game_s_are_refused_in_words(call: Callers) -> None:
    ann = await call()
    for terms, word in (
        ({"target": 20}, "target"),
        ({"preset": "points"}, "preset"),
        ({"turn_seconds": 20}, "turn_seconds"),
        ({"level": "strong", "game": "war"}, "level"),
    ):
        await ann.say("bot", terms=ONLINE | terms)
        error = await ann.hear(wire.Error)
        assert error.code == "bad_options"
        assert word in (error.detail or "")
    for terms, field in (({"limit": 5}, "bot.terms.limit"), ({"level": "expert"}, "bot.terms.level")):
        await ann.say("bot", terms=ONLINE | terms)
        error = await ann.hear(wire.Error)
        assert (error.code, error.field) == ("malformed", field)
