"""Mistakes as they are really made, to be planted in the server, or in its store, for one simulated run."""

from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from simulation import run, scripts
from simulation.world import World
from twoseat import chair, views
from twoseat import match as core
from twoseat.games.game import Outcome, Termination
from twoseat.inputs import Play
from twoseat.match import Reason, Rejected
from twoseat_server.push import Push
from twoseat_server.referee import Referee
from twoseat_server.store import keys
from twoseat_server.store.link import StoreAway
from twoseat_server.store.matches import Matches
from twoseat_server.store.nodes import Nodes, Part, Sweep
from twoseat_server.store.scripts import SCRIPTS

Patch = pytest.MonkeyPatch


def shown_before_it_is_stored(patch: Patch, world: World) -> None:
    commit = Referee._commit

    async def early(self: Any, after: Any, *rest: Any) -> Any:
        self.learn(after)
        return await commit(self, after, *rest)

    patch.setattr(Referee, "_commit", early)


def an_unknown_outcome_counts_as_stored(patch: Patch, world: World) -> None:
    async def stored(self: Any, match: Any) -> bool:
        return True

    patch.setattr(Matches, "is_stored", stored)


def an_unknown_outcome_counts_as_refused(patch: Patch, world: World) -> None:
    commit = Matches.commit

    async def refused(self: Any, match: Any, event: Any, *rest: Any) -> bool:
        try:
            return await commit(self, match, event, *rest)
        except StoreAway:
            if isinstance(event, Play) and event.id:
                raise Rejected(Reason.STALE) from None
            raise

    patch.setattr(Matches, "commit", refused)
    _move_as_all_else(patch)


def a_commit_is_tried_again_without_a_look(patch: Patch, world: World) -> None:
    commit = Matches.commit

    async def again(self: Any, match: Any, *rest: Any) -> bool:
        try:
            return await commit(self, match, *rest)
        except StoreAway:
            stored = await self.load(match.id)
            return await commit(self, structs.replace(match, version=stored.version + 1), *rest)

    patch.setattr(Matches, "commit", again)


def timers_live_in_memory_only(patch: Patch, world: World) -> None:
    sweep = Nodes.sweep

    async def nothing_due(self: Any, part: Part) -> Sweep:
        return replace(await sweep(self, part), due=())

    patch.setattr(Nodes, "sweep", nothing_due)


def a_commit_arms_no_deadline(patch: Patch, world: World) -> None:
    commit = scripts.MODELS["commit"]
    _script(patch, "commit", lambda store, keys, args: commit(store, keys, (*args[:7], b"", *args[8:])))


def a_view_shows_too_much(patch: Patch, world: World) -> None:
    state = views.state

    def leaky(game: Any, match: Any, *rest: Any) -> Any:
        shown: Any = state(game, match, *rest)
        return structs.replace(
            shown, view=structs.replace(shown.view, pot=match.state.decks[0][0] if match.state.decks[0] else 0)
        )

    patch.setattr(views, "state", lambda g, m, *r: leaky(g, m, *r) if m.state is not None else state(g, m, *r))


def the_seed_is_shown_with_the_promise(patch: Patch, world: World) -> None:
    fair = views.fair
    patch.setattr(views, "fair", lambda match, now: structs.replace(fair(match, now), seed_digest=match.seed.hex()))


def results_are_told_too_soon(patch: Patch, world: World) -> None:
    def show(self: Any, session: Any, version: Any) -> None:
        shown(self, session, version)
        match = version.match
        if match.outcome is None and match.state is not None:
            over = structs.replace(match, outcome=Outcome(0, Termination.RESIGNED))
            session.send(views.results(self._referee.game(match), over))

    shown = Push._show_to
    patch.setattr(Push, "_show_to", show)


def an_old_tab_may_still_move(patch: Patch, world: World) -> None:
    patch.setattr(core, "_current", lambda match, seat, connection: match.chairs[seat])
    patch.setattr(Push, "replaced", lambda session: None, raising=False)
    show = Push._show_to

    def newest_or_not(self: Any, session: Any, version: Any) -> None:
        self.replaced = lambda session: None
        show(self, session, version)

    patch.setattr(Push, "_show_to", newest_or_not)
    patch.setattr(run.Story, "kinds", lambda story: [story.tab])


def log_and_state_go_in_two_calls(patch: Patch, world: World) -> None:
    commit = scripts.MODELS["commit"]

    def without_log(store: Any, names: Any, args: Any) -> int:
        before = store.do_lrange(names[1], 0, -1)
        done = commit(store, names, args)
        if done and args[5] != b"1":
            store.do_del(names[1])
            for entry in before:
                store.do_rpush(names[1], entry)
        return int(done)

    _script(patch, "commit", without_log)
    written = Matches._written

    async def twice(self: Any, match: Any, call: Any) -> bool:
        done = await written(self, match, call)
        if done and match.version > 1:
            await self._link.run("RPUSH", keys.log(match.id), call[1][-1])
        return done

    patch.setattr(Matches, "_written", twice)
    _move_as_all_else(patch)


def the_store_compares_no_version(patch: Patch, world: World) -> None:
    commit = scripts.MODELS["commit"]

    def blind(store: Any, names: Any, args: Any) -> Any:
        if store.do_hget(names[0], "v") is not None:
            store.do_hset(names[0], "v", b"%d" % (int(args[5]) - 1))
        return commit(store, names, args)

    _script(patch, "commit", blind)


def the_store_forgets_running_matches(patch: Patch, world: World) -> None:
    commit = scripts.MODELS["commit"]
    _script(patch, "commit", lambda store, names, args: commit(store, names, (*args[:3], b"1500", *args[4:])))


def an_outage_costs_time(patch: Patch, world: World) -> None:
    """The gap between two sweeps is taken for time that the players had."""
    _script(patch, "sweep", _sweep_without_stops(jumps_too=False))


def a_jump_of_the_clock_is_believed(patch: Patch, world: World) -> None:
    _script(patch, "sweep", _sweep_without_stops(jumps_too=True))


def _sweep_without_stops(*, jumps_too: bool) -> Any:
    sweep = scripts.MODELS["sweep"]

    def swept(store: Any, names: Any, args: Any) -> Any:
        now = store.now()
        for clock in names[::2]:
            gap = now - int(store.do_hget(clock, "stamp") or now)
            if jumps_too or 0 < gap < 60_000:
                store.do_hset(clock, "stamp", now)
        return sweep(store, names, args)

    return swept


def the_clock_runs_out_too_soon(patch: Patch, world: World) -> None:
    reached = chair.reached
    for module in ("chair", "match"):
        patch.setattr(f"twoseat.{module}.reached", lambda moment, now: reached(moment, now + 3_000))
    patch.setattr("twoseat_server.store.nodes.ORPHAN_GRACE", -3_000)


def older_hints_are_believed(patch: Patch, world: World) -> None:
    def learn(self: Any, match: Any) -> None:
        self._copies[match.id] = match
        if match.deadline is not None:
            self._clock.arm(match.id, match.deadline)
        self.show(match)
        if match.next:
            self._background.start(self._open_next(match))

    def show(self: Any, match: Any) -> None:
        for session in tuple(self._sessions.at(match.id)):
            if session.seated:
                self._show_to(session, match, {})

    patch.setattr(Referee, "learn", learn)
    patch.setattr(Push, "show", show)
    init = Push.__init__

    def shown(self: Any, sessions: Any, referee: Any, clock: Any) -> None:
        init(self, sessions, referee, clock)
        referee.show = self.show

    patch.setattr(Push, "__init__", shown)


def rounds_are_lost_when_a_hint_is(patch: Patch, world: World) -> None:
    """Each state tells the rounds since the version before it, not since what was last shown."""
    show = Push._show_to

    def since_the_last_version(self: Any, session: Any, version: Any) -> None:
        session.rounds = max(session.rounds, version.rounds - 1)
        show(self, session, version)
        if world.chance.random() < 0.2:
            session.rounds += 1

    patch.setattr(Push, "_show_to", since_the_last_version)


def a_line_of_the_log_is_written_twice(patch: Patch, world: World) -> None:
    commit = scripts.MODELS["commit"]

    def twice(store: Any, names: Any, args: Any) -> Any:
        done = commit(store, names, args)
        if done and b'"in":"disconnect"' in args[8]:
            store.do_rpush(names[1], args[8])
        return done

    _script(patch, "commit", twice)


def _move_as_all_else(patch: Patch) -> None:
    """Let moves be made by `apply` alone, where the mistake is."""
    patch.setattr(Referee, "apply_at_once", lambda self, match_id, event, done: done(False))


def _script(patch: Patch, name: str, does: Any) -> None:
    patch.setitem(scripts.SCRIPTS_BY_SHA, SCRIPTS[name].sha, does)


PLANTS = [
    shown_before_it_is_stored,
    an_unknown_outcome_counts_as_stored,
    an_unknown_outcome_counts_as_refused,
    a_commit_is_tried_again_without_a_look,
    timers_live_in_memory_only,
    a_view_shows_too_much,
    the_seed_is_shown_with_the_promise,
    results_are_told_too_soon,
    an_old_tab_may_still_move,
    log_and_state_go_in_two_calls,
    the_store_compares_no_version,
    an_outage_costs_time,
    a_jump_of_the_clock_is_believed,
    older_hints_are_believed,
    rounds_are_lost_when_a_hint_is,
]
"""Fifteen that show within a seed or two."""
SLOW_PLANTS = [
    a_commit_arms_no_deadline,
    a_line_of_the_log_is_written_twice,
    the_clock_runs_out_too_soon,
    the_store_forgets_running_matches,
]
"""Those that need a longer search: tests/long/simulation.py."""
