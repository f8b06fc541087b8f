"""All a client knows: messages and facts are folded in one at a time and give a new Model and events; pure."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from msgspec import to_builtins

from twoseat import wire
from twoseat_client import changes, fairness, turns
from twoseat_client.events import Event, event
from twoseat_client.facts import Lag, Lost, Millis, Sent, Stopped, Trying
from twoseat_client.rounds import FACES, ended, fought
from twoseat_client.table import Table
from twoseat_client.text import Sentence, say

KEPT_NEWS = 5


@dataclass(frozen=True, slots=True)
class Link:
    """The line to the server. `stopped`: given up, with the close code (None: no answer) in `code`."""

    up: bool = False
    ever: bool = False
    attempt: int = 0
    retry_at: Millis = 0
    lag: Millis | None = None
    stopped: bool = False
    code: int | None = None


@dataclass(frozen=True, slots=True)
class News:
    """Something worth telling, and when it was heard."""

    sentence: Sentence
    at: Millis


@dataclass(frozen=True, slots=True)
class Model:
    """What the screen is a function of. At most one of `waiting` and `table` is set."""

    link: Link = field(default_factory=Link)
    name: str = ""
    resume: wire.Resumable | None = None
    waiting: wire.Waiting | None = None
    waiting_since: Millis = 0
    table: Table | None = None
    games: tuple[Table, ...] = ()
    """The finished games before this one at the same table, in this sitting."""
    fair: fairness.Memory = field(default_factory=fairness.Memory)
    """What was promised and shown of this match, to be checked at its end."""
    degraded: bool = False
    problem: wire.Error | None = None
    """The last request the server refused, until the next place is reached."""
    news: tuple[News, ...] = ()
    """The last things that happened, without the faces of past rounds."""


Step = tuple[Model, tuple[Event, ...]]


def fold(model: Model, item: Any, now: Millis, link: Callable[[str], str] = str) -> Step:
    """Return the model after an item heard at local time `now`, and what happened; `link` makes a link of a code."""
    memory, checked = fairness.heard(model.fair, item)
    model, events = _folded(replace(model, fair=memory), item, now, link)
    events = (*checked, *events)
    fresh = tuple(News(sentence, now) for happened in events for sentence in happened.says if sentence.key not in FACES)
    return replace(model, news=(*model.news, *fresh)[-KEPT_NEWS:]), events


def _folded(model: Model, item: Any, now: Millis, link: Callable[[str], str]) -> Step:  # noqa: C901 one line a message
    match item:
        case wire.State():
            return _state(model, item, now)
        case wire.Seated():
            return _seated(model, item)
        case wire.Results():
            return _results(model, item)
        case wire.Welcome():
            return _welcome(model, item)
        case wire.Waiting():
            return _waiting(model, item, now, link)
        case wire.Idle():
            return replace(model, waiting=None, table=None), (event("idle"),)
        case wire.Done(id=name):
            return _answered(model, name), ()
        case wire.RejectedMessage():
            return _rejected(model, item)
        case wire.Error(code=code, field=where, detail=detail):
            model = replace(model, problem=item)
            return model, (event("error", say(f"error.{code}"), code=code, field=where, detail=detail),)
        case wire.Degraded(on=on):
            sentence = say("say.degraded.on" if on else "say.degraded.off")
            events = (event("degraded", sentence, on=on),) if on is not model.degraded else ()
            return replace(model, degraded=on), events
        case wire.Watchers(count=count):
            return _watchers(model, count)
        case wire.Reacted(seat=seat, reaction=reaction):
            return model, _reacted(model, seat, reaction)
        case Lag(ms=ms):
            return replace(model, link=replace(model.link, lag=ms)), ()
        case Sent(move=move):
            table = model.table and replace(model.table, sent=move)
            return replace(model, table=table), (event("sent", id=move.id, number=move.number, move=move.move),)
        case Lost() | Trying() | Stopped():
            return _line(model, item, now)
        case _:
            return model, ()


def _reacted(model: Model, seat: wire.Seat, reaction: wire.Reaction) -> tuple[Event, ...]:
    if model.table is None:
        return ()
    what = say(f"word.react.{reaction}")
    mine = seat == model.table.mine
    sentence = (
        say("say.reacted.me", what=what) if mine else say("say.reacted.them", name=model.table.name(seat), what=what)
    )
    return (event("reacted", sentence, seat=seat, reaction=reaction),)


def _line(model: Model, fact: Lost | Trying | Stopped, now: Millis) -> Step:
    match fact:
        case Lost(code=code):
            lost = replace(model.link, up=False, code=code, lag=None)
            says = (say("say.lost"),) if model.link.up else ()
            return replace(model, link=lost, degraded=False), (event("lost", *says, code=code),)
        case Trying(attempt=attempt, wait=wait):
            trying = replace(model.link, up=False, attempt=attempt, retry_at=now + wait)
            return replace(model, link=trying), (event("trying", attempt=attempt, **{"in": wait}),)
        case Stopped(code=code):
            stopped = replace(model.link, up=False, stopped=True, code=code)
            return replace(model, link=stopped), (event("stopped", stop_sentence(code), code=code),)


def stop_sentence(code: int | None) -> Sentence:
    """Return why the line was given up, with the next step."""
    if code is None:
        return say("error.unreachable")
    known = code in {int(close) for close in wire.Close}
    return say(f"error.close.{code}") if known else say("error.close.other", code=code)


def _welcome(model: Model, message: wire.Welcome) -> Step:
    again = model.link.ever and not model.link.up
    model = replace(model, link=Link(up=True, ever=True), name=message.name, resume=message.resume)
    hello = event("welcome", server=message.server, name=message.name, protocol=message.protocol)
    return model, (event("regained", say("say.regained")), hello) if again else (hello,)


def _waiting(model: Model, message: wire.Waiting, now: Millis, link: Callable[[str], str]) -> Step:
    code = message.code
    sentence = say("say.waiting.host", code=code) if code else say("say.waiting.quick")
    data = {"kind": message.kind, "code": code, "link": link(code) if code else None, "waited": message.waited}
    options = to_builtins(message.options)
    model = replace(model, waiting=message, waiting_since=now - message.waited, table=None, problem=None)
    return model, (event("waiting", sentence, **data, options=options),)


def _seated(model: Model, message: wire.Seated) -> Step:
    last = model.table
    old = last if last is not None and last.seated.match == message.match else None
    games = model.games
    if last is not None and old is None:
        onward = last.seated.code == message.code and last.results is not None
        games = (*games, last) if onward else ()
    table = Table(message, tuple(message.rounds))
    if old is not None:
        table = replace(table, state=old.state, heard=old.heard, results=old.results, watchers=old.watchers)
        table = replace(table, sent=old.sent, recapped=old.recapped)
    data = to_builtins(message)
    data.pop("type")
    events = [event("seated", *(() if old else _greeting(table)), **data, again=old is not None)]
    if old is not None:
        since = len(old.done)
        told = fought(table, table.rounds[since:], (), None) if table.rounds else turns.finished(table.done[since:])
        events += [replace(happened, says=()) for happened in told]
    return replace(model, waiting=None, table=table, games=games, problem=None), tuple(events)


def _greeting(table: Table) -> tuple[Sentence, ...]:
    if table.mine is None:
        return (say("say.watching", a=table.name(0), b=table.name(1)),)
    if table.chosen_bot(table.top):
        return (say("say.seated.bot"),)
    return (say("say.seated", name=table.name(table.top)),)


def _state(model: Model, state: wire.State, now: Millis) -> Step:
    old = model.table
    if old is None or (old.state is not None and state.version < old.state.version):
        return model, ()
    known = len(old.done)
    fresh = tuple(done for done in state.rounds if done.n > known)
    if fresh and fresh[0].n != known + 1:
        return replace(model, table=replace(old, gap=True)), ()
    sent = old.sent
    if sent is not None and old.mine is not None and state.chairs[old.mine].last == sent.id:
        sent = None
    fought_at = now if fresh else old.fought
    new = replace(old, state=state, done=(*old.done, *fresh), heard=now, fought=fought_at, sent=sent)
    events = tuple(changes.between(old, new))
    recaps = [happened.data["last"] for happened in events if happened.name == "recap"]
    return replace(model, table=replace(new, recapped=max([new.recapped, *recaps]))), events


def _results(model: Model, results: wire.Results) -> Step:
    table = model.table
    if table is None or table.seated.match != results.match:
        return model, ()
    known = table.results is not None
    table = replace(table, results=results, done=tuple(results.rounds), sent=None)
    return replace(model, table=table), () if known else (ended(table, results),)


def _answered(model: Model, name: str | None) -> Model:
    table = model.table
    if table is None or table.sent is None or table.sent.id != name:
        return model
    return replace(model, table=replace(table, sent=None))


def _rejected(model: Model, message: wire.RejectedMessage) -> Step:
    model = _answered(model, message.id)
    if message.by_bot and message.reason is wire.Reason.STALE:
        return model, (event("late", say("say.late"), id=message.id),)
    if message.id is None and message.reason is wire.Reason.REPLACED:
        return model, ()  # the socket is closed with the same news at once
    data = {"id": message.id, "reason": message.reason, "by_bot": message.by_bot}
    return model, (event("rejected", say(f"error.reason.{message.reason}"), **data),)


def _watchers(model: Model, count: int) -> Step:
    if model.table is None or model.table.watchers == count:
        return model, ()
    sentence = say("say.watchers", count=count) if count else say("say.watchers.none")
    return replace(model, table=replace(model.table, watchers=count)), (event("watchers", sentence, count=count),)
