"""The one way to the store: `call` for scripts, `run` for plain commands, each sent to the master that has its key.

It knows no match. A store alone is a master with every slot. One that says it is a Redis Cluster is asked which master
has which, again whenever a master fails or says that it has a slot no more. A call that was sent elsewhere (MOVED, ASK)
or put off (TRYAGAIN) was not carried out, so it is sent again; one that got no answer may have been, and never is.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from redis import exceptions

from twoseat_server.store.away import Away, StoreAway, named
from twoseat_server.store.line import Arg, command, pack
from twoseat_server.store.master import Master, Sent, telling
from twoseat_server.store.scripts import Begun, beginning, slot_of
from twoseat_server.store.slots import SLOTS, Shares, at, shares

__all__ = ["Away", "Link", "StoreAway", "named", "pairs"]

_TRIES = 16
"""How often a call is sent elsewhere or again before its caller hears that its slot is on the move."""
_PAUSE = 0.06
"""Seconds before a call that was put off is sent again; also between two looks at who has which slot."""


class Link:
    """The lines to one store, however many masters it has. `urls`: its address, or several of a cluster; `replicas`:
    how many must have a change before it is answered.
    """

    def __init__(self, urls: str, replicas: int = 0) -> None:
        self.replicas = replicas
        self._seeds = urls.split(",")
        self._masters: dict[str, Master] = {}
        self._of: list[Master] = []
        """Who has a slot; empty until the store was asked."""
        self._waiting: list[Sent] = []
        """Calls that came before."""
        self._learning: asyncio.Task[None] | None = None
        self._closing: set[asyncio.Task[None]] = set()
        self._homes: dict[tuple[str, ...], dict[str, tuple[str, ...]]] = {}
        self.clustered = False
        """Whether it is a Redis Cluster, where each call keeps to one slot."""

    async def load(self) -> None:
        """Learn who has which slot, and send all scripts there; a master of several that is away gets them when they
        are called. Raises StoreAway where none is there.
        """
        await self.known()
        loads = [master.load() for master in self._masters.values()]
        failures = [failure for failure in await asyncio.gather(*loads, return_exceptions=True) if failure is not None]
        for failure in failures:
            if len(failures) == len(loads) or not isinstance(failure, StoreAway):
                raise failure

    async def known(self) -> None:
        """Return once it is known who has which slot. Raises StoreAway."""
        if not self._of:
            await self._learn()

    async def run(self, *words: Arg) -> Any:
        """Return what the store answers to one plain command, as it says it. Raises StoreAway."""
        return await self._said(words)

    async def run_all(self, commands: Iterable[Sequence[Arg]]) -> list[Any]:
        """Run plain commands one after another, in one write to each master. Raises StoreAway."""
        return list(await asyncio.gather(*[self._said(words) for words in commands]))

    async def everywhere(self, *words: Arg) -> list[Any]:
        """Return what each master answers to a command without a key. Raises StoreAway."""
        await self.known()
        answers = [asyncio.get_running_loop().create_future() for _ in self._masters]
        for master, answer in zip(self._masters.values(), answers, strict=True):
            master.send(Sent(command(words), 0, telling(answer), _plainly))
        return list(await asyncio.gather(*answers))

    def _said(self, words: Sequence[Arg]) -> asyncio.Future[Any]:
        # A command without a key is for any master.
        return self._asked(command(tuple(words)), slot_of(str(words[1])) if len(words) > 1 else 0)

    def call(self, name: str, names: Sequence[str], args: tuple[Arg, ...]) -> asyncio.Future[Any]:
        """Return the answer of a script to come, which may be StoreAway."""
        return self.call_again(beginning(name, names, (), len(args)), args)

    def call_again(self, begun: Begun, args: tuple[Arg, ...]) -> asyncio.Future[Any]:
        """Return the answer of a script to come whose beginning() is kept. All calls of one loop tick travel in one
        write to each master, in order.
        """
        return self._asked(begun.packed + pack(args), begun.slot)

    def tell_again(self, begun: Begun, args: tuple[Arg, ...], told: Callable[[Any], None]) -> None:
        """Do the same for somebody who waits for nothing: `told` hears the answer, or StoreAway, as it comes."""
        self._send(Sent(begun.packed + pack(args), begun.slot, told, self._refused))

    def _asked(self, packed: bytes, slot: int) -> asyncio.Future[Any]:
        answer = asyncio.get_running_loop().create_future()
        self._send(Sent(packed, slot, telling(answer), self._refused))
        return answer

    def _send(self, call: Sent) -> None:
        if self._of:
            self._of[call.slot].send(call)
        else:
            self._waiting.append(call)
            self._doubt()

    def homes(self, names: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
        """Return which of these keys or channels each master has, by its URL; nothing until that is known."""
        if not self._of:
            return {}
        if names not in self._homes:
            found: dict[str, list[str]] = {}
            for name in names:
                found.setdefault(self._of[slot_of(name)].url, []).append(name)
            self._homes[names] = {url: tuple(its) for url, its in found.items()}
        return self._homes[names]

    def _refused(self, call: Sent, error: BaseException) -> None:
        word, *rest = str(error).split(" ") if isinstance(error, exceptions.ResponseError) else [""]
        call.tries += 1
        if word not in _AGAIN or call.tries > _TRIES:
            # Nobody was asked where it is not known yet who has the slot.
            failure = named(error, self._of[call.slot].url if self._of else "")
            if self.clustered and isinstance(failure, StoreAway):
                self._doubt()
            call.told(failure)
        elif word == "NOSCRIPT":
            self._of[call.slot].send_loaded(call)
        elif word == "TRYAGAIN":
            asyncio.get_running_loop().call_later(_PAUSE, self._of[call.slot].send, call)
        else:
            before = self._of[call.slot]
            master = self._at(at(before.url, rest[1]))
            if word == "ASK":
                master.send_asking(call)
            else:
                self._of[call.slot] = master
                self._homes.clear()
                self.clustered = True
                self._doubt()
                master.send(call)

    def _at(self, url: str) -> Master:
        master = self._masters.get(url)
        if master is None:
            master = self._masters[url] = Master(url, self.replicas)
        return master

    def _doubt(self) -> None:
        """Ask anew who has which slot, soon and once for all who doubt."""
        if self._learning is None:
            self._learning = asyncio.get_running_loop().create_task(self._ask())

    async def _ask(self) -> None:
        failure: BaseException | None = None
        try:
            if self._of:
                await asyncio.sleep(_PAUSE)
            await self._learn()
        except BaseException as error:  # noqa: BLE001 whatever it is, no caller may wait for ever
            failure = error
        calls, self._waiting, self._learning = self._waiting, [], None
        for call in calls:
            if failure is not None:
                call.answered(failure)
            else:
                self._of[call.slot].send(call)

    async def _learn(self) -> None:
        """Ask one after another who has which slot, those first who were there just now. Raises StoreAway."""
        living = [url for url, master in self._masters.items() if master.stands]
        failure: BaseException = StoreAway(Away.UNREACHABLE)
        for url in dict.fromkeys((*living, *self._seeds, *self._masters)):
            try:
                self._share(url, await shares(url))
            except StoreAway as error:
                failure = error
            else:
                return
        raise failure

    def _share(self, url: str, found: Shares | None) -> None:
        if found is None and len(self._seeds) > 1:
            # Whoever finds the first away would go to the second: nodes would be at different stores.
            raise StoreAway(Away.NO_CLUSTER, "several addresses are those of one cluster, and this store is none")
        self.clustered = found is not None
        if not self._of:
            self._of = [self._at(url)] * SLOTS
        for master_url, first, last in found or ():
            self._of[first : last + 1] = [self._at(master_url)] * (last + 1 - first)
        self._homes.clear()
        for gone in set(self._masters) - {master.url for master in self._of}:
            task = asyncio.get_running_loop().create_task(self._masters.pop(gone).close())
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)

    async def close(self) -> None:
        """Finish what is under way and close all lines."""
        if self._learning is not None:
            await asyncio.wait([self._learning])
        await asyncio.gather(*(master.close() for master in self._masters.values()), *self._closing)


def _plainly(call: Sent, error: BaseException) -> None:
    call.told(named(error))


_AGAIN = {"NOSCRIPT", "MOVED", "ASK", "TRYAGAIN"}
"""First words of errors that say: not carried out."""


def pairs(flat: Sequence[bytes]) -> Iterable[tuple[bytes, bytes]]:
    """Return the fields and values of a hash, which come in turn."""
    return zip(flat[::2], flat[1::2], strict=True)
