"""Beats this node's heart, and declares away whom a dead node held; it knows sockets only as connection numbers."""

import asyncio

import structlog

from twoseat.inputs import Disconnect
from twoseat.match import Rejected
from twoseat_server.referee import NoSuchMatch, Referee
from twoseat_server.store.link import StoreAway
from twoseat_server.store.matches import Holding
from twoseat_server.store.nodes import Nodes

BEAT_EVERY = 1.0

log = structlog.get_logger()


class Presence:
    """Who is alive among the nodes."""

    def __init__(self, nodes: Nodes, referee: Referee, node: str) -> None:
        self._nodes = nodes
        self._referee = referee
        self._node = node

    async def run(self) -> None:
        """Beat and look after the dead until cancelled."""
        while True:
            try:
                for silent in await self._nodes.beat(self._node):
                    await self._bury(silent)
            except StoreAway as error:
                log.debug("no beat", why=error.why)
            await asyncio.sleep(BEAT_EVERY)

    async def _bury(self, node: str) -> None:
        held = await self._nodes.held_by(node)
        log.warning("node is dead", dead=node, seats=len(held))
        for seat in held:
            gone = Disconnect(seat.seat, seat.connection, node_died=True)
            holding = Holding(node, seat.seat, seat.connection, held=False)
            try:
                await self._referee.apply(seat.match, gone, holding)
            except (NoSuchMatch, Rejected) as error:
                log.debug("seat gone before its node", match=seat.match, seat=seat.seat, error=type(error).__name__)
            await self._nodes.release(node, seat)
        await self._nodes.forget(node)
