"""Finished matches as replays, each folded from its log once and kept for a while; a running one is never shown."""

import asyncio
import re
from collections import OrderedDict
from http import HTTPStatus

import structlog

from twoseat import replay, rerun
from twoseat.games import GAMES
from twoseat.match import MatchId, Rejected
from twoseat_server.pages import NotHere
from twoseat_server.store.link import StoreAway
from twoseat_server.store.matches import Matches

KEPT = 64
"""Replays kept ready; a popular one is folded once."""
_ID = re.compile(r"[0-9a-f]{34}")

log = structlog.get_logger()


class Replays:
    """Answers for one node."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._ready: OrderedDict[str, bytes] = OrderedDict()
        self._one_at_a_time = asyncio.Lock()

    async def find(self, name: str) -> bytes:
        """Return the replay of the match with this id as JSON. Raises NotHere, in words."""
        if not _ID.fullmatch(name):
            raise NotHere(HTTPStatus.NOT_FOUND, "A replay is at /replay/ID.json; an ID has 34 digits and letters a-f.")
        try:
            return await self._found(MatchId(name))
        except StoreAway:
            raise NotHere(HTTPStatus.SERVICE_UNAVAILABLE, "Storage is away. Try again in a moment.") from None

    async def _found(self, match_id: MatchId) -> bytes:
        match = await self._matches.load(match_id)
        if match is None:
            self._ready.pop(match_id, None)
            raise NotHere(HTTPStatus.NOT_FOUND, "There is no such game, or it was so long ago that it is forgotten.")
        if match.outcome is None:
            raise NotHere(HTTPStatus.NOT_FOUND, "This game is still being played. Its replay is here when it is over.")
        if match_id in self._ready:
            self._ready.move_to_end(match_id)
            return self._ready[match_id]
        # Folding takes tens of milliseconds of one core: beside the games, and one at a time.
        async with self._one_at_a_time:
            entries = await self._matches.log(match_id)
            try:
                told = await asyncio.to_thread(rerun.export, entries)
            except (Rejected, rerun.Unfinished, LookupError):
                told = None
        if told is None or told.rounds != tuple(rerun.rounds(GAMES[match.options.game], match)):
            log.warning("no replay of a game played by other rules", match=match_id)
            raise NotHere(HTTPStatus.NOT_FOUND, "This game was played with another version of the rules.")
        data = self._ready[match_id] = replay.write(told)
        if len(self._ready) > KEPT:
            self._ready.popitem(last=False)
        return data
