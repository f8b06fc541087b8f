"""One chaos run: nodes and a store as processes, tables of players, faults by plan, then peace, and the judgement.

It knows no rule of a match: what came of the run is judged by check().
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from twoseat import wire
from twoseat.games import GAMES
from twoseat.match import MatchId
from twoseat_client.address import Server
from twoseat_server.chaos.faults import Faults, Member
from twoseat_server.chaos.history import History
from twoseat_server.chaos.plan import Fault, Strike, chance_of, fraction
from twoseat_server.chaos.player import Player, witnesses_of
from twoseat_server.chaos.processes import NodeProcess, shared_port
from twoseat_server.chaos.stores import running
from twoseat_server.chaos.way import Way
from twoseat_server.store import keys
from twoseat_server.store.link import Link
from twoseat_server.store.matches import Matches
from twoseat_server.store.scripts import slot_of

_GAMES: dict[str, dict[str, Any]] = {
    "war": {"turn_seconds": 15, "target": 50},
    "war-online": {"turn_seconds": 30, "limit": 10, "level": "easy"},
}
"""What is played in each game: with as little time for a turn as the faults leave room for."""
_BOTS = 5
"""Every so many tables a person plays against the bot; War to a few points, because a bot takes its time."""
_BOT_TARGET = 3
_STORE = "store"


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be done. `games`: what is played, table by table in turn; `think`: mean seconds before a move;
    `patience`: seconds everything may take to end in peace.
    """

    nodes: int
    matches: int
    seed: int
    strikes: tuple[Strike, ...]
    think: float
    patience: float
    games: tuple[str, ...] = ("war",)
    cluster: bool = False
    """Whether the store is a cluster; a fault of the store strikes one master then."""
    wait_replicas: int = 0
    min_replicas: int = 0


class Run:
    """A run in one folder, from start to judgement."""

    def __init__(self, order: Order, folder: Path) -> None:
        self.order = order
        self.players: list[Player] = []
        self.faults = Faults()
        self._folder = folder
        self._ending = False
        self._store = ""

    async def play(self) -> list[History]:
        """Do it all and return the history of each match. Raises NotStarted, EmbeddedStoreError."""
        async with contextlib.AsyncExitStack() as stack:
            store = await stack.enter_async_context(
                running(self._folder / _STORE, cluster=self.order.cluster, min_replicas=self.order.min_replicas)
            )
            self._store = store.url
            port = stack.enter_context(shared_port())
            door = await stack.enter_async_context(Way(f"http://127.0.0.1:{port}").opened())
            server = Server(door.url if self._strikes(Fault.LINE) else f"http://127.0.0.1:{port}")
            await stack.enter_async_context(self.faults.among(await self._nodes(stack, port), door, store))
            async with asyncio.TaskGroup() as group:
                await self._seat_all(group, server)
                await self.faults.strike_all(self.order.strikes)
                self._ending = True
                for player in self.players:
                    player.wake()
                await self._all_over()
                for player in self.players:
                    player.done.set()
                    player.wake()
            return await self._histories()

    async def _nodes(self, stack: contextlib.AsyncExitStack, port: int) -> list[Member]:
        """Return the nodes to start, each with a way of its own to the store where that is to be cut."""
        members = []
        for number in range(self.order.nodes):
            cut = self._strikes(Fault.CUT, Fault.ANSWER)
            way = await stack.enter_async_context(Way(self._store).opened()) if cut else None
            flags = ("--wait-replicas", str(self.order.wait_replicas))
            node = NodeProcess(f"n{number}", way.url if way else self._store, port, self._folder, *flags)
            members.append(Member(node, way))
        return members

    def _strikes(self, *faults: Fault) -> bool:
        return any(strike.fault in faults for strike in self.order.strikes)

    async def _seat_all(self, group: asyncio.TaskGroup, server: Server) -> None:
        async with asyncio.timeout(self.order.patience):
            for table in range(self.order.matches):
                game = self.order.games[table % len(self.order.games)]
                if table // len(self.order.games) % _BOTS == _BOTS - 1:
                    short = {"target": _BOT_TARGET} if game == "war" else {}
                    self._join(group, server, wire.Bot(type="bot", terms=_terms(game, **short)))
                else:
                    host = self._join(group, server, wire.Host(type="host", terms=_terms(game)))
                    self._join(group, server, wire.Join(type="join", code=await host.code))
            await asyncio.gather(*(player.sits.wait() for player in self.players))

    def _join(self, group: asyncio.TaskGroup, server: Server, start: BaseModel) -> Player:
        number = len(self.players)
        chance, drawn = chance_of(self.order.seed), 0

        def draw() -> float:
            nonlocal drawn
            drawn += 1
            return fraction(chance, f"player/{number}/{drawn}")

        async def begin() -> BaseModel:
            return start

        player = Player(
            server,
            f"P{number}",
            begin,
            number=number,
            think=lambda: 0.0 if self._ending else 2 * draw() * self.order.think,
            enough=lambda: self._ending,
            clock=time.monotonic,
            draw=draw,
        )
        self.players.append(player)
        group.create_task(player.run())
        return player

    @contextlib.asynccontextmanager
    async def _link(self) -> AsyncIterator[Link]:
        link = Link(self._store)
        try:
            yield link
        finally:
            await link.close()

    async def _all_over(self) -> None:
        """Wait until every player has seen the end, and every match is at its end; not for ever."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self.order.patience), self._link() as link:
                await asyncio.gather(*(player.done.wait() for player in self.players))
                while not all([await _ended(link, match) for match in await _matches(link)]):  # noqa: ASYNC110 so is here
                    await asyncio.sleep(1.0)

    async def _histories(self) -> list[History]:
        async with self._link() as link:
            return [await self._history(link, match_id) for match_id in await _matches(link)]

    async def _history(self, link: Link, match_id: MatchId) -> History:
        stored, log = await link.run_all([("HGET", keys.match(match_id), "d"), ("LRANGE", keys.log(match_id), 0, -1)])
        witnesses = witnesses_of(match_id, self.players)
        outages = self.faults.outages_of(slot_of(keys.match(match_id)))
        return History(match_id, tuple(log), stored, witnesses, outages=outages)


async def _ended(link: Link, match_id: MatchId) -> bool:
    match = await Matches(link, GAMES, "", 0).load(match_id)
    return match is not None and match.outcome is not None


async def _matches(link: Link) -> list[MatchId]:
    found = await link.everywhere("KEYS", "*:log:*")
    return [MatchId(key.decode().rpartition(":")[2]) for keys_there in found for key in keys_there]


def _terms(game: str, **more: Any) -> wire.Terms:
    return wire.Terms.model_validate({"game": game, **_GAMES[game], **more})
