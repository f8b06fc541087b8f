"""The one way a match changes: step on the nearest copy, commit by compare-and-set, again on the stored one where
they differ.

It knows no socket; whoever shows matches is told of each new version. A rejection or no-op found on a cached copy is
decided again on the stored match before anybody is told.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeVar

import structlog

from twoseat.bots import choose
from twoseat.chair import Millis
from twoseat.fair import fresh_seed
from twoseat.games.game import Driver, Game, Move, Seat
from twoseat.ids import next_match_id
from twoseat.inputs import Input, Play, Tick
from twoseat.match import NEXT_GAME_AFTER, Match, MatchId, Rejected, create, step
from twoseat_server import metrics
from twoseat_server.background import Background
from twoseat_server.batch import Batch
from twoseat_server.clock import Clock
from twoseat_server.locks import Locks
from twoseat_server.store.link import StoreAway
from twoseat_server.store.matches import Holding, Matches

SHAKE_WITHIN: Millis = 2_000
"""How long a person's program may take to commit to a nonce, and again to open it: it delays nobody by more."""
_CONFLICTS = 50
_AWAY_PAUSE = 0.05
_THINKING = 1.0
"""Seconds a bot may think before its first legal move is played."""

Answer = TypeVar("Answer")

log = structlog.get_logger()


class NoSuchMatch(Exception):
    """There is no match with this id, or none any more."""


class _Asked(NamedTuple):
    """An input that is to be applied at once, and who hears whether it was."""

    match_id: MatchId
    event: Input
    done: Callable[[bool], None]


class Referee:
    """Applies inputs to stored matches, in order for each match."""

    def __init__(self, matches: Matches, clock: Clock, games: dict[str, Game[Any]], background: Background) -> None:
        self._matches = matches
        self._clock = clock
        self._games = games
        self._copies: dict[MatchId, Match] = {}
        self._locks = Locks()
        self._background = background
        self._asked = Batch(self._step_all)
        self._answers = Batch(self._answer_all)
        self.show: Callable[[list[Match]], None] = lambda matches: None
        """Told of stored versions that are new here."""
        self.keeps: Callable[[MatchId], bool] = lambda match_id: False
        """Whether this node holds sockets of a match, and therefore a copy and an alarm."""
        self.opened: Callable[[Match, Match], None] = lambda match, following: None
        """Told of each next game, so that those at the old one are seated in it."""
        clock.fire = self.fire
        clock.deadline_of = self._deadline_of

    def game(self, match: Match) -> Game[Any]:
        """Return the rules this match is played by."""
        return self._games[match.options.game]

    async def apply(self, match_id: MatchId, event: Input, holding: Holding | None = None) -> Match:
        """Return the stored match after `event`. Raises Rejected or NoSuchMatch; waits while the store is away."""
        async with self._locks.holding(match_id):
            conflicts = 0
            while conflicts < _CONFLICTS:
                try:
                    match = await self._try(match_id, event, holding)
                except StoreAway:
                    await self._until_back(match_id)
                    continue
                if match is not None:
                    return match
                conflicts += 1
        raise RuntimeError(f"match changed {_CONFLICTS} times under one input")

    def apply_at_once(self, match_id: MatchId, event: Input, done: Callable[[bool], None]) -> None:
        """Do what `apply` does, without a task and together with all inputs of this turn of the loop, where only the
        store's answer is to be waited for. `done` hears soon whether the outcome is stored.

        Where it is not, or nobody knows, `apply` is to be asked: more is to be waited for, or the copy at hand refuses
        the input, and it decides on the stored match, which knows a move that it has had (law 7).
        """
        self._asked.add(_Asked(match_id, event, done))

    def _step_all(self, inputs: list[_Asked]) -> None:
        changes = [(asked, self._stepped(asked)) for asked in inputs]
        for asked, change in changes:
            if change is None or not self._sent(asked, *change):
                asked.done(False)

    def _stepped(self, asked: _Asked) -> tuple[Match, Millis] | None:
        copy, now = self._copies.get(asked.match_id), self._clock.shown(asked.match_id)
        if copy is None or now is None or self._matches.confirmed:
            return None
        try:
            after = step(self._games[copy.options.game], copy, asked.event, now)
        except Exception:  # noqa: BLE001 refused, or whatever it is: `apply` meets it again and has it told
            return None
        return None if after is copy else (after, now)

    def _sent(self, asked: _Asked, after: Match, now: Millis) -> bool:
        if not self._locks.take(after.id):
            return False
        try:
            self._matches.send(after, asked.event, now, lambda answer: self._answers.add((asked, after, answer)))
        except Exception:  # noqa: BLE001 as above
            self._locks.release(after.id)
            return False
        return True

    def _answer_all(self, answers: list[tuple[_Asked, Match, Any]]) -> None:
        new = []
        for asked, after, answer in answers:
            try:
                if self._answered(asked, after, answer):
                    new.append(after)
            except Exception:  # the others wait for theirs
                log.exception("answer not passed on", match=after.id, version=after.version)
        self.show(new)

    def _answered(self, asked: _Asked, after: Match, answer: Any) -> bool:
        """Pass an answer of the store on; whether there is a new version to show."""
        self._locks.release(after.id)
        known = not isinstance(answer, BaseException)
        stored = known and bool(answer)
        asked.done(stored)
        if stored:
            metrics.COMMITS.inc("stored")
            return self._note(after)
        metrics.COMMITS.inc("conflict" if known else "unknown")
        self._copies.pop(after.id, None)
        return False

    async def patiently(self, match_id: MatchId, ask: Callable[[], Awaitable[Answer]]) -> Answer:
        """Return what `ask` answers, asked again each time the store was away."""
        while True:
            try:
                return await ask()
            except StoreAway:
                await self._until_back(match_id)

    async def _until_back(self, match_id: MatchId) -> None:
        self._copies.pop(match_id, None)
        await asyncio.sleep(_AWAY_PAUSE)
        await self._clock.now(match_id)

    async def _try(self, match_id: MatchId, event: Input, holding: Holding | None) -> Match | None:
        copy = self._copies.get(match_id)
        if copy is not None:
            now = await self._clock.now(match_id)
            try:
                after = step(self._games[copy.options.game], copy, event, now)
            except Rejected:
                after = copy
            if after is not copy:
                return await self._commit(after, event, now, holding)
        stored = await self.load(match_id)
        now = await self._clock.now(match_id)  # not sooner: this node may have stood still meanwhile
        after = step(self.game(stored), stored, event, now)
        return stored if after is stored else await self._commit(after, event, now, holding)

    async def _commit(self, after: Match, event: Input, now: Millis, holding: Holding | None) -> Match | None:
        try:
            stored = await self._matches.commit(after, event, now, holding)
        except StoreAway:
            metrics.COMMITS.inc("unknown")
            await self._until_back(after.id)
            stored = await self.patiently(after.id, lambda: self._matches.is_stored(after))
        if not stored:
            metrics.COMMITS.inc("conflict")
            self._copies.pop(after.id, None)
            return None
        metrics.COMMITS.inc("stored")
        self.learn(after)
        return after

    async def load(self, match_id: MatchId) -> Match:
        """Return the stored match and remember it. Raises NoSuchMatch, StoreAway."""
        match = await self._matches.load(match_id)
        if match is None:
            self._copies.pop(match_id, None)
            raise NoSuchMatch(match_id)
        self.learn(match)
        return match

    def learn(self, match: Match) -> None:
        """Take note of a stored version: this node's own commit, or another's announcement."""
        if self._note(match):
            self.show([match])

    def _note(self, match: Match) -> bool:
        """Keep a stored version; False where it is not to be shown here."""
        known = self._copies.get(match.id)
        if known is not None and known.version >= match.version:
            return False
        if not self.keeps(match.id):
            self.forget(match.id)
            return False
        self._copies[match.id] = match
        if (deadline := match.deadline) is not None:
            self._clock.arm(match.id, deadline)
        if match.next:
            self._background.start(self._open_next(match))
        return True

    def forget(self, match_id: MatchId) -> None:
        """Drop the copy and the alarm of a match this node holds no socket of any more."""
        self._copies.pop(match_id, None)
        self._clock.disarm(match_id)
        self._matches.forget(match_id)

    def copy(self, match_id: MatchId) -> Match | None:
        """Return the nearest copy, which may be old."""
        return self._copies.get(match_id)

    async def create(self, match: Match) -> Match:
        """Store a new match, or return the one that has its id already. Raises StoreAway."""
        if await self._matches.create(match):
            return match
        return await self.load(match.id)

    def fire(self, match_id: MatchId) -> None:
        """Let the time that has passed do what it does to this match."""
        self._background.start(self.tick(match_id))

    async def tick(self, match_id: MatchId) -> None:
        """Apply a Tick and make the moves that bots owe now."""
        try:
            match = await self.apply(match_id, Tick())
        except NoSuchMatch:
            await self.patiently(match_id, lambda: self._matches.disarm(match_id))
            return
        for seat in match.bots_due(await self._clock.now(match_id)):
            await self._play_bot(match, seat)
        if match.next and not self.keeps(match_id):  # else it was opened when this was learned
            await self._open_next(match)

    async def _play_bot(self, match: Match, seat: Seat) -> None:
        game = self.game(match)
        legal = game.legal(match.state, seat)
        move = legal[0] if len(legal) == 1 else await self._think(game, match, seat, legal)
        play = Play(seat, match.chairs[seat].number, move, by=Driver.BOT)
        try:
            await self.apply(match.id, play)
        except Rejected as error:
            log.debug("bot move lost", match=match.id, seat=seat, version=match.version, reason=error.reason)

    async def _think(self, game: Game[Any], match: Match, seat: Seat, legal: tuple[Move, ...]) -> Move:
        view = game.view(match.state, seat)
        try:
            async with asyncio.timeout(_THINKING):
                return await asyncio.to_thread(choose, match.options.game, view, legal)
        except TimeoutError:
            log.warning("bot too slow", match=match.id, seat=seat, version=match.version)
        except Exception:  # whatever is wrong with a bot, the game goes on
            log.exception("bot failed", match=match.id, seat=seat, version=match.version)
        return legal[0]

    async def _open_next(self, match: Match) -> None:
        """Make the game after `match`; every node may, the first one's deal counts."""
        now = await self._clock.now(match.id)
        series = match.series.after(match.outcome) if match.outcome else match.series
        first, second = match.chairs
        following = create(
            self.game(match),
            next_match_id(match),
            match.code,
            match.options,
            ((first.player, first.name), (second.player, second.name)),
            fresh_seed(),
            now,
            series=series.onward(),
            start_within=NEXT_GAME_AFTER,
            shake_within=SHAKE_WITHIN,
        )
        self.opened(match, await self.patiently(match.id, lambda: self.create(following)))

    def _deadline_of(self, match_id: MatchId) -> Millis | None:
        match = self._copies.get(match_id)
        return None if match is None else match.deadline
