"""War Online in words: what a move did, whose turn it is, turns that are over, how a game ended; pure."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import to_builtins

from twoseat.wire import ArmiesView, Driver, Moved, Outcome, Results, Round, Seat, Step, Termination, Turn
from twoseat_client.events import Event, event
from twoseat_client.table import SEATS, Table, online
from twoseat_client.text import Sentence, say

_ALONE = frozenset({"play", "undo", "done"})
"""Moves of one word that need no more words."""


def place(name: str) -> Sentence:
    """Return a territory's name, or the joker's."""
    return say("word.symbol.joker") if name == "joker" else say(f"word.territory.{name}")


def armies(count: int) -> Sentence:
    """Return a number of armies."""
    return say("word.armies", count=count)


def territories(count: int) -> Sentence:
    """Return a number of territories."""
    return say("word.territories", count=count)


def objective(name: str) -> Sentence:
    """Return what an objective asks for."""
    return say(f"word.objective.{name}")


def happened(old: Table, new: Table) -> Iterator[Event]:
    """Return the turns that ended between two states, the last move, and the table where it looks different now."""
    if new.state is None:
        return
    yield from finished(new.turns[len(old.turns) :])
    before, now = old.state, new.state
    last = online(now).last
    if before is not None and last is not None and before.chairs[last.seat].number != now.chairs[last.seat].number:
        data = to_builtins(last) | {"throws": [[list(dice) for dice in throw] for throw in last.throws]}
        yield event("moved", *told(new, last), **data)
    if before is None or (before.view, before.legal) != (now.view, now.legal):
        legal = () if new.mine is None else now.legal[new.mine]
        yield event("board", view=to_builtins(online(now)), legal=list(legal))


def finished(turns: Sequence[Round | Turn]) -> Iterator[Event]:
    """Return a `turned` event for each turn that is over; the moves in it have been told one by one."""
    for turn in turns:
        if isinstance(turn, Turn):
            yield event("turned", **{key: value for key, value in to_builtins(turn).items() if key != "card"})


def told(table: Table, move: Moved) -> tuple[Sentence, ...]:
    """Return in words what a move did."""
    who = _Who(table, move.seat)
    match move.move.split():
        case [word] if word in _ALONE:
            return (who.says(word),)
        case ["end"]:
            return (who.says("end"), who.says("card")) if move.drew else (who.says("end"),)
        case ["place", target, count]:
            return (who.says("place", n=int(count), target=place(target)),)
        case ["trade", *cards]:
            names = dict(zip("abc", map(place, cards), strict=True))
            given = online(table.state).traded if table.state else 0
            bonus = (say("say.online.bonus", target=place(name)) for name in move.bonus)
            return (who.says("trade", armies=armies(given), **names), *bonus)
        case ["attack", source, target, *until]:
            return _attack(who, move, source, target, once=not until)
        case ["advance", count]:
            return (who.says("advance", armies=armies(int(count))),)
        case ["move", source, target, count]:
            return (who.says("move", armies=armies(int(count)), source=place(source), target=place(target)),)
        case _:
            return ()


def _attack(who: "_Who", move: Moved, source: str, target: str, *, once: bool) -> tuple[Sentence, ...]:
    where = {"source": place(source), "target": place(target)}
    if once:
        dice, against = (" ".join(map(str, side)) for side in move.throws[-1])
        first = who.says("attack", **where, dice=dice, against=against)
    else:
        first = who.says("until", **where, count=len(move.throws))
    losses = say("say.online.losses", lost=move.lost[0], killed=move.lost[1])
    return (first, losses, who.says("taken", target=place(target))) if move.conquered else (first, losses)


class _Who:
    """Says what a seat did, as `me` or by its name."""

    def __init__(self, table: Table, seat: Seat) -> None:
        self._end = "me" if seat == table.mine else "them"
        self._name: dict[str, Any] = {} if seat == table.mine else {"name": table.name(seat)}

    def says(self, word: str, **params: Any) -> Sentence:
        return say(f"say.online.{word}.{self._end}", **params, **self._name)


def whose(table: Table, owed: Sequence[Seat], *, owed_before: Sequence[Seat]) -> tuple[Sentence, ...]:
    """Return in words who has a move to make; who is still to open the game is told so once."""
    if table.state is None:
        return ()
    view = online(table.state)
    mine = table.mine is not None and table.mine in owed
    if view.step is Step.OPENING:
        if not mine or not view.objective or table.mine in owed_before:
            return ()
        return say("say.online.objective", objective=objective(view.objective)), say("say.online.opening")
    if not mine:
        return (say("say.online.turn.them", n=view.round, name=table.name(owed[0])),)
    return say("say.online.turn.me", n=view.round), *granted(view.to_place)


def granted(left: ArmiesView | None) -> tuple[Sentence, ...]:
    """Return in words what is left to place."""
    if left is None:
        return ()
    total = left.free + sum(left.continents.values())
    inside = (
        say("say.online.grant.inside", armies=armies(count), continent=say(f"word.continent.{name}"))
        for name, count in left.continents.items()
    )
    return say("say.online.grant", armies=armies(total)), *inside


def missed(table: Table) -> tuple[Turn, ...]:
    """Return the turns since my last own one that the bot played for me and no recap has covered yet."""
    run: list[Turn] = []
    for turn in reversed(table.turns):
        if turn.n <= table.recapped or (turn.seat == table.mine and turn.by is not Driver.BOT):
            break
        if turn.seat == table.mine:
            run.insert(0, turn)
    return tuple(run)


def recap(table: Table, turns: Sequence[Turn]) -> Event:
    """Return `while you were away` for these turns, at least one."""
    last = table.turns[-1]
    counts = {"mine": territories(last.territories[table.bottom]), "theirs": territories(last.territories[table.top])}
    return event(
        "recap",
        say("say.online.recap", count=len(turns)),
        say("say.online.recap.now", **counts),
        first=turns[0].n,
        last=turns[-1].n,
        rounds=len(turns),
        conquests=sum(turn.conquests for turn in turns),
        territories=list(last.territories),
        armies=list(last.armies),
    )


def verdict(table: Table, outcome: Outcome) -> Sentence:
    """Return the winner in words."""
    if not outcome.counts:
        return say("say.no_result")
    if outcome.winner is None:
        return say("say.online.draw")
    if table.mine is None:
        return say("say.online.win.watch", name=table.name(outcome.winner))
    return say("say.online.win" if outcome.winner == table.mine else "say.online.lose")


def reason(outcome: Outcome) -> Sentence:
    """Return why the game is over."""
    ended = outcome.termination
    return say("word.end.turns" if ended is Termination.LIMIT else f"word.end.{ended}")


def objectives(table: Table) -> tuple[Sentence, ...]:
    """Return both seats' objectives, once nothing is hidden any more."""
    if table.state is None:
        return ()
    shown = online(table.state).objectives
    if shown is None:
        return ()
    return tuple(
        say("say.online.objective.of", name=table.name(seat), objective=objective(shown[seat]))
        for seat in (table.bottom, table.top)
    )


def result_data(table: Table, results: Results) -> dict[str, Any]:
    """Return those fields of the `result` event that are War Online's."""
    view = online(table.state) if table.state else None
    last = table.turns[-1] if table.turns else None
    return {
        "territories": list(last.territories) if last else None,
        "armies": list(last.armies) if last else None,
        "objectives": list(view.objectives) if view and view.objectives else None,
        "rounds": [to_builtins(turn) for turn in table.turns],
        "bot_rounds": [sum(turn.seat == seat and turn.by is Driver.BOT for turn in table.turns) for seat in SEATS],
    }
