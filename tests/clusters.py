"""What tests do to the servers of a cluster, and ask them: slots moved by hand, who copies whom."""

import asyncio
from typing import Any

from twoseat_server.chaos.cluster import Cluster, Server


class Move:
    """A slot on its way from its master to another."""

    def __init__(self, cluster: Cluster, slot: int) -> None:
        self.slot = slot
        self._cluster = cluster

    async def begin(self) -> None:
        """Open the slot at both ends: keys that are not at the old master any more are to be asked for at the new."""
        self.source = await self._cluster.master_of(self.slot)
        others = [await self._cluster.master_of(slot) for slot in (0, 8_000, 16_000)]
        self.target = next(other for other in others if other is not self.source)
        self._ids = {each: await ask(each, "CLUSTER", "MYID") for each in (self.source, self.target)}
        await self._say(self.target, "IMPORTING", self._ids[self.source])
        await self._say(self.source, "MIGRATING", self._ids[self.target])

    async def carry(self, *names: str) -> None:
        """Take these keys over, or all there are."""
        found = names or await ask(self.source, "CLUSTER", "GETKEYSINSLOT", self.slot, 1_000)
        for name in found:
            await ask(self.source, "MIGRATE", "127.0.0.1", self.target.port, name, 0, 5_000)

    async def end(self) -> None:
        """Give the slot to the new master."""
        await self.carry()
        for each in (self.target, self.source):
            await self._say(each, "NODE", self._ids[self.target])

    async def _say(self, at: Server, *words: str) -> None:
        await ask(at, "CLUSTER", "SETSLOT", self.slot, *words)


async def replica_of(cluster: Cluster, master: Server) -> Server:
    """The server that has what this master has."""
    _, _, ((_, port, _),) = await ask(master, "ROLE")
    return next(server for server in cluster.servers if server.port == int(port))


async def replicated(master: Server) -> None:
    """Return once a master's replica has had everything until now."""
    async with master.asked() as client:
        offset = (await client.info("replication"))["master_repl_offset"]
        async with asyncio.timeout(15):
            while (await client.info("replication"))["slave0"]["offset"] < offset:  # noqa: ASYNC110 another process
                await asyncio.sleep(0.01)


async def ask(server: Server, *words: str | int) -> Any:
    """Return what a server answers to a command."""
    async with server.asked() as client:
        return await client.execute_command(*words)
