"""The people of a simulated run: the chaos run's own players on simulated sockets, at tables of every kind."""

import asyncio
from collections.abc import Awaitable, Callable

from pydantic import BaseModel

from simulation.wires import ClientEnd
from simulation.world import World
from twoseat import wire
from twoseat_client.address import Server
from twoseat_server.chaos.player import Player

_SERVER = Server("http://127.0.0.1:1")
_TURN = {"war": 5, "war-online": 30}
"""Seconds of a turn."""
_IDLE = 0.03
"""How often somebody lets her clock run out."""


class Crowd:
    """Everybody who plays; `enough` once the last game of each table is under way."""

    def __init__(self, world: World, game: str = "war") -> None:
        self.enough = False
        self.players: list[Player] = []
        self.ends: dict[int, ClientEnd] = {}
        """The newest socket of each player."""
        self._queued: list[Player] = []
        self._world = world
        self._game = game
        self._chance = world.chance
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def sit_down(self, tables: int) -> None:
        """Open this many tables: with a code, in the queue, against the bot."""
        for _ in range(tables):
            terms = self._terms()
            match self._chance.randrange(6):
                case 0:
                    self.join(_says(wire.Bot(type="bot", terms=terms)))
                case 1:
                    for _ in range(2):
                        self._queued.append(self.join(_says(wire.Quick(type="quick", terms=terms))))
                case kind:
                    untimed = terms.model_copy(update={"timer": 0 if kind == 2 else 1})
                    host = self.join(_says(wire.Host(type="host", terms=untimed)))
                    self.join(_joins(host))

    def _terms(self) -> wire.Terms:
        if self._game == "war":
            return wire.Terms(target=self._chance.randint(2, 5), turn_seconds=_TURN["war"], timer=1)
        return wire.Terms(game="war-online", turn_seconds=_TURN["war-online"], limit=10, level="easy", timer=1)

    def join(self, start: Callable[[], Awaitable[BaseModel]], seat: tuple[str, str] | None = None) -> Player:
        """Let one more player come."""
        number = len(self.players)

        async def dial(server: Server) -> ClientEnd:
            end = self.ends[number] = await self._world.dial(server)
            return end

        player = Player(
            _SERVER,
            f"P{number}",
            start,
            number=number,
            think=self._think,
            enough=lambda: self.enough,
            clock=self._world.loop.time,
            draw=self._chance.random,
            open_socket=dial,
            seat=seat,
        )
        self.players.append(player)
        people = self._world.loop.within("people")
        self._tasks[number] = self._world.loop.create_task(player.run(), context=people)
        return player

    def second_tab(self) -> None:
        """Let somebody open her match a second time."""
        seats = [(player, player.seat) for player in self.players if not player.done.is_set()]
        sitting = [(player, seat) for player, seat in seats if seat is not None]
        if sitting:
            player, seat = self._chance.choice(sitting)
            self.join(player._start, seat)

    def gone_for_good(self) -> None:
        """Let both players of a table vanish without a word."""
        sitting = [player for player in self.players if player.matches and not player.done.is_set()]
        if not sitting:
            return
        match = self._chance.choice(sitting).matches[-1]
        for number, player in enumerate(self.players):
            if player.matches[-1:] == [match]:
                self._tasks[number].cancel()
                player.done.set()
                self.ends[number].go_deaf()

    def all_done(self) -> bool:
        """Whether everybody has seen the end, but for who waits in a queue where nobody else is."""
        return not self._waiting()

    def _waiting(self) -> dict[int, Player]:
        left = [player for player in self._queued if not player.done.is_set() and not player.matches]
        alone = left if len(left) == 1 else []
        return {n: p for n, p in enumerate(self.players) if not p.done.is_set() and p not in alone}

    def stuck(self) -> list[str]:
        """Return what those who have not seen the end heard last."""
        heard = {n: [s.text for s in player.witness.spoken[-3:]] for n, player in self._waiting().items()}
        return [f"player {n} waits after {last}" for n, last in heard.items()]

    def last_round(self) -> None:
        """Let nobody begin another game."""
        self.enough = True
        for player in self.players:
            player.wake()

    def failures(self) -> list[str]:
        """What went wrong in a player's own program."""
        ended = [task for task in self._tasks.values() if task.done() and not task.cancelled()]
        return [repr(task.exception()) for task in ended if task.exception() is not None]

    def _think(self) -> float:
        if self.enough:
            return 0.0
        return _TURN[self._game] + 2.0 if self._chance.random() < _IDLE else self._chance.uniform(0.02, 0.4)


def _says(what: BaseModel) -> Callable[[], Awaitable[BaseModel]]:
    async def start() -> BaseModel:
        return what

    return start


def _joins(host: Player) -> Callable[[], Awaitable[BaseModel]]:
    async def start() -> BaseModel:
        return wire.Join(type="join", code=await host.code)

    return start
