"""What happened between two states of one table: the differences as events; pure, and blind to language and sockets."""

from collections.abc import Iterator

from twoseat.wire import ChairView, Driver, Seat, State
from twoseat_client.events import Event, event
from twoseat_client.rounds import fought, missed, recap
from twoseat_client.table import SEATS, Table
from twoseat_client.text import Sentence, minutes, say

_SETTLED = ChairView(present=True, driver=Driver.HUMAN, back=False, due=None, number=0, last="", rematch=False)
"""What a client that has seen nothing yet takes for granted."""


def between(old: Table, new: Table) -> Iterator[Event]:
    """Return what happened from `old` to `new`, whose state is the newer one, in the order people care about it."""
    before, now = old.state, new.state
    if now is None:
        return
    yield from _drawn_in_last(old, new)
    fresh = new.rounds[len(old.rounds) :]
    if fresh:
        yield from fought(new, fresh, now.view.pairs, now.outcome)
    if before is None or before.phase != now.phase:
        says = {"playing": say("say.started"), "paused": say("say.paused")} if before else {}
        yield event("phase", *filter(None, [says.get(now.phase)]), phase=now.phase)
    for seat in SEATS:
        if not new.chosen_bot(seat):
            yield from _chair(old, new, seat)
    if (before is None or _came_back(old, new)) and (run := missed(new)):
        yield recap(new, run)
    yield from _turn(before, new)
    if now.next_in is not None and (before is None or before.next_in is None):
        game = new.seated.series.game + 1
        yield event("next", say("say.series.next", n=game, time=minutes(now.next_in)), game=game, **{"in": now.next_in})


def _came_back(old: Table, new: Table) -> bool:
    """Whether I have just got, or asked for, my seat."""
    if new.mine is None or old.state is None or new.state is None:
        return False
    before, after = old.state.chairs[new.mine], new.state.chairs[new.mine]
    kept_by_bot = before.driver is Driver.BOT and not before.back
    return kept_by_bot and (after.back or after.driver is Driver.HUMAN)


def _drawn_in_last(old: Table, new: Table) -> Iterator[Event]:
    """Cards that were laid: in the running round, if nobody had laid that one before."""
    now = new.state
    if now is None or now.outcome is not None:
        return
    before = old.state.view if old.state and old.state.view.round == now.view.round else None
    for seat in SEATS:
        if now.view.drawn[seat] and not (before and before.drawn[seat]):
            says = () if seat == new.mine else (say("say.drawn.them", name=new.name(seat)),)
            yield event("drawn", *says, round=now.view.round, seat=seat)


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
        key = "say.rematch" if now.outcome is not None else "say.redeal"
        yield event("rematch", say(f"{key}.me") if me else say(f"{key}.them", name=name), seat=seat)


def _presence(table: Table, seat: Seat, *, left: bool) -> Sentence:
    chair, name = table.chair(seat), table.name(seat)
    if chair is None or chair.present:
        return say("say.here.them", name=name)
    if table.phase == "over":
        return say("say.rematch.gone", name=name)
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
    owed = [seat for seat in SEATS if now.legal[seat]]
    same = before is not None and before.legal == now.legal and before.view.round == now.view.round
    if not owed or same:
        return
    me, name = new.mine in owed, new.name(owed[0])
    opens = now.view.starter is not None and not any(now.view.drawn)
    key = "say.starter" if opens else "say.turn"
    params = {"n": now.view.round} if opens else {}
    says = say(f"{key}.me", **params) if me else say(f"{key}.them", **params, name=name)
    dues = [now.chairs[seat].due for seat in owed]
    yield event("turn", says, round=now.view.round, seats=owed, due=dues)
