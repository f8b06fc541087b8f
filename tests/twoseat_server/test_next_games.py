"""After a game, and in the middle of one: rematches, new deals, series; the same people, the same link."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest

from caller import WITHIN, Caller, Callers, play_out
from nodes import run_node
from stores import raw
from twoseat import match as core
from twoseat import record, wire
from twoseat.games.game import Seat
from twoseat.match import Match, MatchId
from twoseat_server import referee
from twoseat_server.app import Node
from twoseat_server.sessions import Session
from twoseat_server.settings import Settings
from twoseat_server.store.audience import Audience
from twoseat_server.store.matches import Matches
from twoseat_server.store.tickets import Tickets


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


@dataclass
class Over:
    """A game that is over at a node, and those who played it."""

    node: Node
    call: Callers
    url: str
    host: Caller
    guest: Caller
    match: MatchId

    def session(self, seat: Seat) -> Session:
        return next(one for one in self.node._sessions.at(self.match) if one.seat == seat)

    async def both_ask(self) -> None:
        for caller in (self.host, self.guest):
            await caller.say("rematch")

    async def happened(self, match: str) -> list[str]:
        """The names of what is in a match's log."""
        entries = await self.node._matches.log(MatchId(match))
        return [type(record.decode_entry(entry)[0]).__name__ for entry in entries[1:]]

    async def hangs_up(self) -> None:
        """Let the host's socket be closed, and her node know it."""
        session = self.session(0)
        await self.host.hang_up()

        async def known() -> bool:
            return session.lost

        await come_true(known)

    async def finds(self, match: str) -> bool:
        """Whether the host who comes back is offered this match."""
        welcome = (await self.call(self.host.token)).heard[0]
        assert isinstance(welcome, wire.Welcome)
        return welcome.resume is not None and welcome.resume.match == match

    async def held(self, match: str) -> set[str]:
        """The seats of a match that any node holds sockets for."""
        async with raw(self.url) as store:
            members = [await store.smembers(key) for key in await store.keys("*:held:*")]
        return {member for each in members for member in each if member.startswith(match)}


@pytest.fixture
async def over(settings: Settings, url: str) -> AsyncIterator[Over]:
    async with run_node(settings, url) as (node, call):
        host, guest = await call.pair(target=1)
        assert host.seated is not None
        await play_out(host, guest)
        yield Over(node, call, url, host, guest, MatchId(host.seated.match))


async def come_true(holds: Callable[[], Awaitable[bool]]) -> None:
    """Wait for what another part of this process does."""
    async with asyncio.timeout(WITHIN):
        while not await holds():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_who_goes_on_to_the_next_game_is_not_said_to_be_away_from_the_last(over: Over) -> None:
    await over.both_ask()
    following = await next_match(over.host, over.guest)
    assert (await over.happened(over.match))[-2:] == ["Rematch", "Rematch"]
    assert await over.happened(following) == ["Connect"] * 2 + ["Commit"] * 2 + ["Open"] * 2
    assert len(await over.held(following)) == 2

    async def let_go() -> bool:
        return not await over.held(over.match)

    await come_true(let_go)


async def test_a_next_game_asks_the_store_for_nothing_that_is_at_hand(
    over: Over, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: Counter[str] = Counter()

    def counted(kind: type, *names: str) -> None:
        for name in names:
            does = getattr(kind, name)

            def once_more(*args: Any, name: str = name, does: Any = does, **named: Any) -> Any:
                asked[name] += name != "count" or over.match not in args
                return does(*args, **named)

            monkeypatch.setattr(kind, name, once_more)

    counted(Matches, "load", "create", "next_connection")
    counted(Tickets, "place", "move", "put", "onward")
    counted(Audience, "count", "join")
    await over.both_ask()
    await next_match(over.host, over.guest)

    async def all_is_done() -> bool:
        return asked["count"] > 0

    await come_true(all_is_done)
    assert +asked == {"create": 1, "onward": 1, "next_connection": 2, "count": 1}


async def test_who_goes_away_before_she_is_brought_to_the_next_game_finds_it(over: Over) -> None:
    await over.host.say("rematch")
    await over.guest.until(lambda state: state.chairs[0].rematch)
    async with over.session(0).moving:
        await over.hangs_up()
        await over.guest.say("rematch")
        following = (await over.guest.hear(wire.Seated)).match
    await come_true(lambda: over.finds(following))
    assert await over.happened(following) == ["Connect"]
    assert (await over.happened(over.match))[-1] == "Rematch"


async def test_who_goes_away_while_she_is_brought_to_the_next_game_takes_no_seat_and_finds_it(
    over: Over, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, numbered = over.session(0), Matches.next_connection

    async def gone_by_then(matches: Matches, match_id: MatchId) -> int | None:
        if not session.lost:
            await over.host.hang_up()
            await come_true(gone)
        return await numbered(matches, match_id)

    async def gone() -> bool:
        return session.lost

    async def moved() -> bool:
        return not session.moving.locked()

    monkeypatch.setattr(Matches, "next_connection", gone_by_then)
    await over.both_ask()
    following = (await over.guest.hear(wire.Seated)).match
    await come_true(moved)
    assert await over.happened(following) == ["Connect"]
    assert await over.finds(following)


async def test_a_series_next_game_is_made_once(call: Callers, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    create = Matches.create

    async def once_more(matches: Matches, match: Match) -> bool:
        made.append(match.id)
        return await create(matches, match)

    host, guest = await call.pair(target=1, games=3)
    await play_out(host, guest)
    monkeypatch.setattr(Matches, "create", once_more)
    assert [await next_match(host, guest)] == made
