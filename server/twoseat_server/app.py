"""One node, put together: the only module that knows everybody. It starts, runs until told to stop, and drains."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Collection, Iterable
from contextlib import asynccontextmanager

import structlog

from twoseat import wire
from twoseat.games import GAMES
from twoseat.games.game import SEATS
from twoseat.ids import SHARDS, shard_of
from twoseat.match import MatchId
from twoseat_server import metrics
from twoseat_server.background import Background
from twoseat_server.clock import Clock
from twoseat_server.dialogue import Dialogue
from twoseat_server.drain import drain
from twoseat_server.gateway import Gateway
from twoseat_server.listener import Listener
from twoseat_server.lobby import Lobby
from twoseat_server.origins import networks
from twoseat_server.pages import Pages
from twoseat_server.presence import Presence
from twoseat_server.push import Push
from twoseat_server.referee import NoSuchMatch, Referee
from twoseat_server.replays import Replays
from twoseat_server.seating import Seating
from twoseat_server.sessions import Sessions
from twoseat_server.settings import Settings
from twoseat_server.store.audience import Audience
from twoseat_server.store.link import Link, StoreAway
from twoseat_server.store.matches import Matches
from twoseat_server.store.news import News
from twoseat_server.store.nodes import Nodes
from twoseat_server.store.tickets import Tickets
from twoseat_server.waiting import VOUCH_EVERY, Waiting

JOBS_WITHIN = 1.0
"""Seconds that work under way may still take when a node stops."""

LOOK_EVERY = 0.025
"""Seconds between two looks at how late the loop is."""

log = structlog.get_logger()


class Node:
    """A running node."""

    def __init__(self, settings: Settings, url: str) -> None:
        self.name = f"{settings.node}-{secrets.token_hex(4)}"
        self._serving = False
        self._shared_port = settings.reuse_port
        self._background = Background()
        self._link = Link(url, settings.wait_replicas)
        self._sessions = Sessions()
        nodes = Nodes(self._link)
        matches = Matches(self._link, GAMES, self.name, settings.retention_ms)
        tickets = Tickets(self._link)
        self._clock = Clock(nodes)
        self._referee = Referee(matches, self._clock, GAMES, self._background)
        self._push = Push(self._sessions, self._referee, self._clock)
        self._matches = matches
        self._news = News(self._link, self.name, self._hear)
        audience = Audience(self._link, self.name)
        self._seating = Seating(
            self._sessions, self._referee, self._push, matches, tickets, audience, self._background, self.name
        )
        self._waiting = Waiting(tickets, self._referee, self._seating, self._background, self.name)
        lobby = Lobby(
            tickets,
            self._referee,
            self._seating,
            self._waiting,
            self._clock,
            GAMES,
            self._background,
            self.name,
            self._news.tell,
        )
        dialogue = Dialogue(
            self._sessions,
            tickets,
            self._referee,
            self._seating,
            lobby,
            self._waiting,
            self._push,
            audience,
            GAMES,
            matches_per_minute=settings.max_matches,
            moves_per_second=settings.moves_per_second,
        )
        self._presence = Presence(nodes, matches, self._referee, self._background, self.name)
        pages = Pages(lambda: self.ready, settings.public_url, Replays(matches).find)
        self._gateway = Gateway(settings, dialogue, pages, networks(settings.trusted_proxies), self._background)
        self._push.ended = self._waiting.ended
        self._presence.fewer = self._recount
        self._clock.changed = self._storage
        self._news.missed = self._reread

    @property
    def ready(self) -> bool:
        """Whether new sockets do well to come here."""
        # One that may not hear or tell looks well and leaves people on other nodes waiting for each other's moves.
        return self._serving and len(self._clock.away) < SHARDS and not self._news.refused

    @property
    def away(self) -> float:
        """The share of the store that does not do what it should: its shards, the lobby, and, as all, the news."""
        return 1.0 if self._news.refused else (len(self._clock.away) + bool(self._presence.away)) / (SHARDS + 1)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Listener]:
        """Run the node for as long as the block does. Raises StoreAway and OSError where it cannot start."""
        try:
            await self._link.load()
            await self._clock.sweep()
            server = await self._gateway.listen()
            for loop in (
                self._clock.run,
                self._news.listen,
                self._presence.run,
                self._every_second,
                self._vouch,
                self._watch_loop,
            ):
                self._background.keep(loop)
            metrics.STORE_AWAY.set(self.away)
            self._serving = True
            log.info("node runs", node=self.name)
            try:
                yield server
            finally:
                self._serving = False
                self._gateway.draining = True
                await drain(server, shared=self._shared_port)
        finally:
            await self._background.stop(within=JOBS_WITHIN)
            await self._presence.leave()
            await self._link.close()

    def _hear(self, hint: bytes) -> None:
        word, _, rest = hint.partition(b" ")
        match word:
            case b"match":
                self._referee.learn(self._matches.decode(rest))
            case b"called":
                self._waiting.hear(rest)
            case b"reacted":
                match_id, seat, reaction = rest.decode().split()
                self._push.tell(MatchId(match_id), wire.Reacted(SEATS[int(seat)], wire.Reaction(reaction)))
            case b"watchers":
                self._seating.count_watchers(MatchId(rest.decode()))
            case _:
                log.debug("hint from a newer node", word=word.decode(errors="replace"))

    def _recount(self) -> None:
        """A node is gone, and with it those who watched there."""
        for match_id in tuple(self._sessions.matches()):
            self._seating.count_watchers(match_id)

    def _storage(self, shards: Collection[int], away: bool) -> None:
        metrics.STORE_AWAY.set(self.away)
        matches = [match_id for match_id in self._sessions.matches() if shard_of(match_id) in shards]
        self._push.storage(matches, away=away)
        if not away:
            self._reread(matches)

    def _reread(self, matches: Iterable[MatchId] | None = None) -> None:
        """Hints may have been lost: read the truth about these matches, or every one that is looked at here."""
        for match_id in tuple(self._sessions.matches() if matches is None else matches):
            self._background.start(self._load(match_id))

    async def _load(self, match_id: MatchId) -> None:
        try:
            await self._referee.load(match_id)
        except (NoSuchMatch, StoreAway) as error:
            log.debug("match not read", match=match_id, error=type(error).__name__)

    async def _every_second(self) -> None:
        while True:
            self._push.sweep()
            metrics.STORE_AWAY.set(self.away)
            metrics.MATCHES.set(len(self._sessions.matches()))
            await asyncio.sleep(1.0)

    async def _watch_loop(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LOOK_EVERY
            await asyncio.sleep(LOOK_EVERY)
            metrics.LOOP_LATE.observe(max(0.0, loop.time() - due))

    async def _vouch(self) -> None:
        while True:
            try:
                await self._waiting.vouch()
            except StoreAway as error:
                log.debug("not vouched", why=error.why)
            await asyncio.sleep(VOUCH_EVERY)
