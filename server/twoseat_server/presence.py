"""Beats this node's heart, and declares away whom a dead node held; it knows sockets only as connection numbers."""

import asyncio
from collections.abc import Callable

import structlog

from twoseat.inputs import Disconnect
from twoseat.match import Rejected
from twoseat_server.background import Background
from twoseat_server.referee import NoSuchMatch, Referee
from twoseat_server.store.link import Away, StoreAway
from twoseat_server.store.matches import Holding, Matches
from twoseat_server.store.nodes import Held, Nodes

BEAT_EVERY = 1.0
_AWAY_AFTER = 1.5
"""Seconds without a beat after which the lobby counts as away: one that fails may be an accident."""
_AT_ONCE = 32
"""Seats of a dead node looked after at the same time."""

log = structlog.get_logger()


class Presence:
    """Who is alive among the nodes."""

    def __init__(self, nodes: Nodes, matches: Matches, referee: Referee, background: Background, node: str) -> None:
        self._nodes = nodes
        self._matches = matches
        self._referee = referee
        self._background = background
        self._node = node
        self._known: set[str] = set()
        self._burying: set[str] = set()
        self.away: Away | None = None
        """Why the lobby, where beats go, does not answer: nobody meets then, and nobody new can start a game."""
        self.fewer: Callable[[], None] = lambda: None
        """Called when a node is there no more: what it counted counts no longer."""

    async def run(self) -> None:
        """Beat and look after the dead until cancelled."""
        loop = asyncio.get_running_loop()
        answered = loop.time()
        while True:
            try:
                await self._beat()
            except StoreAway as error:
                if loop.time() - answered > _AWAY_AFTER:
                    self._absent(error)
            else:
                answered = loop.time()
                if self.away is not None:
                    log.warning("storage is back: people can start games")
                    self.away = None
            await asyncio.sleep(BEAT_EVERY)

    async def leave(self) -> None:
        """Take this node from the list, unless it still holds seats: those are for others to look after."""
        try:
            if await self._nodes.held_by(self._node) == ([], True):
                await self._nodes.forget(self._node)
        except StoreAway as error:
            log.debug("left without a word", why=error.why)

    def _absent(self, error: StoreAway) -> None:
        if self.away is not error.why:
            log.error("storage is away: nobody can start a game until it answers", why=error.why, said=error.text)
        self.away = error.why

    async def _beat(self) -> None:
        silent, living = await self._nodes.beat(self._node)
        known = living.union(silent)
        for node in silent:
            # Not awaited: a node that looks after many seats must not fall silent itself.
            if node not in self._burying:
                self._burying.add(node)
                self._background.start(self._bury(node))
        if not self._known <= known:
            self.fewer()
        self._known = known

    async def _bury(self, node: str) -> None:
        try:
            held, all_read = await self._nodes.held_by(node)
            log.warning("node is dead", dead=node, seats=len(held))
            for start in range(0, len(held), _AT_ONCE):
                await asyncio.gather(*(self._away(node, seat) for seat in held[start : start + _AT_ONCE]))
            if all_read:
                await self._nodes.forget(node)
        except StoreAway as error:
            log.debug("node not looked after", dead=node, why=error.why)
        finally:
            self._burying.discard(node)

    async def _away(self, node: str, held: Held) -> None:
        gone = Disconnect(held.seat, held.connection, node_died=True)
        holding = Holding(node, held.seat, held.connection, held=False)
        try:
            await self._referee.apply(held.match, gone, holding)
        except (NoSuchMatch, Rejected) as error:
            log.debug("seat gone before its node", match=held.match, seat=held.seat, error=type(error).__name__)
        await self._matches.release(held.match, holding)
