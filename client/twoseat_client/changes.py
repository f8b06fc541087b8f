"""What happened between two states of one table: the differences as events; pure, and blind to language and sockets."""

from collections.abc import Iterator

from twoseat.wire import ChairView, Driver, Seat, State, WarView
from twoseat_client import turns
from twoseat_client.events import Event, event
from twoseat_client.rounds import fought, missed, recap
from twoseat_client.table import SEATS, Table, at_war, owing
from twoseat_client.text import Sentence, minutes, say

_SETTLED = ChairView(present=True, driver=Driver.HUMAN, back=False, due=None, number=0, last="", rematch=False)
"""What a client that has seen nothing yet takes for granted."""


def between(old: Table, new: Table) -> Iterator[Event]:
    """Return what happened from `old` to `new`, whose state is the newer one, in the order people care about it."""
    before, now = old.state, new.state
    if now is None:
        return
    yield from _war(old, new, now) if isinstance(now.view, WarView) else turns.happened(old, new)
    if before is None or before.phase != now.phase:
        says = {"playing": say("say.started"), "paused": say("say.paused")} if before else {}
        yield event("phase", *filter(None, [says.get(now.phase)]), phase=now.phase)
    for seat in SEATS:
        if not new.chosen_bot(seat):
            yield from _chair(old, new, seat)
    if before is None or _came_back(old, new):
        yield from _recap(new)
    yield from _turn(before, new)
    if now.next_in is not None and (before is None or before.next_in is None):
        game = new.seated.series.game + 1
        yield event("next", say("say.series.next", n=game, time=minutes(now.next_in)), game=game, **{"in": now.next_in})


def _recap(table: Table) -> Iterator[Event]:
    """What the bot did on my seat while I was not there."""
    if table.mine is None:
        return
    if rounds := missed(table):
        yield recap(table, rounds)
    elif run := turns.missed(table):
        yield turns.recap(table, run)


def _came_back(old: Table, new: Table) -> bool:
    """Whether I have just got, or asked for, my seat."""
    if new.mine is None or old.state is None or new.state is None:
        return False
    before, after = old.state.chairs[new.mine], new.state.chairs[new.mine]
    kept_by_bot = before.driver is Driver.BOT and not before.back
    return kept_by_bot and (after.back or after.driver is Driver.HUMAN)


def _war(old: Table, new: Table, now: State) -> Iterator[Event]:
    """Cards that were laid in the running round, if nobody had laid them before, and rounds that were fought."""
    seen = at_war(now)
    before = at_war(old.state) if old.state and old.state.view.round == seen.round else None
    for seat in SEATS:
        if now.outcome is None and seen.drawn[seat] and not (before and before.drawn[seat]):
            says = () if seat == new.mine else (say("say.drawn.them", name=new.name(seat)),)
            yield event("drawn", *says, round=seen.round, seat=seat)
    fresh = new.rounds[len(old.rounds) :]
    if fresh:
        yield from fought(new, fresh, seen.pairs, now.outcome)


def _chair(old: Table, new: Table, seat: Seat) -> Iterator[Event]:
    now = new.state
    if now is None or now.phase == "waiting":
        return
    before = old.state.chairs[seat] if old.state and old.state.phase != "waiting" else _SETTLED
    after = now.chairs[seat]
    me, name = seat == new.mine, new.name(seat)
    left = before.present and not after.present and before.driver is not after.driver and old.state is not None
    if before.present is not after.present:
        says = () if me else (_presence(new, seat, left=left),)
        yield event("presence", *says, seat=seat, present=after.present, due=after.due)
    if before.driver is not after.driver and now.outcome is None:
        yield event("driver", *_driver(after, name, me=me, left=left), seat=seat, driver=after.driver)
    if after.back and not before.back:
        says = (say("say.back.me") if me else say("say.back.them", name=name),)
        yield event("back", *says, seat=seat)
    if after.rematch and not before.rematch:
        key = "say.redeal" if now.outcome is None else "say.next" if new.goes_on else "say.rematch"
        yield event("rematch", say(f"{key}.me") if me else say(f"{key}.them", name=name), seat=seat)


def _presence(table: Table, seat: Seat, *, left: bool) -> Sentence:
    chair, name = table.chair(seat), table.name(seat)
    if chair is None or chair.present:
        return say("say.here.them", name=name)
    if table.phase == "over":
        return say("say.away.them" if table.goes_on else "say.rematch.gone", name=name)
    if left:
        return say("say.left.them", name=name)
    if chair.due is not None and chair.driver is Driver.HUMAN:
        return say("say.away.bot_in", name=name, time=minutes(chair.due))
    return say("say.away.them", name=name)


def _driver(after: ChairView, name: str | Sentence, *, me: bool, left: bool) -> tuple[Sentence, ...]:
    if after.driver is Driver.HUMAN:
        return (say("say.human.me") if me else say("say.human.them", name=name),)
    if left or after.back:
        return ()
    if me:
        return (say("say.timeup.me"),)
    return (say("say.timeup.them" if after.present else "say.bot.them", name=name),)


def _turn(before: State | None, new: Table) -> Iterator[Event]:
    now = new.state
    if now is None:
        return
    owed = owing(now)
    same = before is not None and owing(before) == owed and before.view.round == now.view.round
    if not owed or same:
        return
    dues = [now.chairs[seat].due for seat in owed]
    if isinstance(now.view, WarView):
        says: tuple[Sentence, ...] = (_who_draws(new, now.view, owed),)
    else:
        says = turns.whose(new, owed, owed_before=() if before is None else owing(before))
    yield event("turn", *says, round=now.view.round, seats=list(owed), due=dues)


def _who_draws(table: Table, view: WarView, owed: tuple[Seat, ...]) -> Sentence:
    opens = view.starter is not None and not any(view.drawn)
    key = "say.starter" if opens else "say.turn"
    params = {"n": view.round} if opens else {}
    if table.mine in owed:
        return say(f"{key}.me", **params)
    return say(f"{key}.them", **params, name=table.name(owed[0]))
