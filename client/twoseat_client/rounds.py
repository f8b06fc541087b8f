"""Finished rounds in words: what was just fought, what the bot did meanwhile, how a game ended; pure."""

from collections.abc import Sequence
from typing import Any

from msgspec import to_builtins

from twoseat.wire import Driver, Outcome, Results, Round, Termination
from twoseat_client import turns
from twoseat_client.events import Event, event
from twoseat_client.table import ONLINE, Table, across
from twoseat_client.text import Sentence, say

Pairs = tuple[tuple[str, str], ...]
"""Up cards of a round, seat 0's and seat 1's; the last pair decides."""
FACES = frozenset({"say.war", "say.war.again", "say.war.watch", "say.round.win", "say.round.lose", "say.round.watch"})
"""Sentences that name cards: told when the round is fought, and never shown again while the game runs."""


def rank(card: str) -> Sentence:
    """Return a card's rank as a word: `queen` for `QH`."""
    return say(f"word.rank.{card[:-1]}")


def fought(table: Table, finished: Sequence[Round], pairs: Pairs, ending: Outcome | None) -> tuple[Event, ...]:
    """Return a `round` event for each finished round; `pairs` belong to the last one."""
    events = []
    for done in finished:
        shown = pairs if done is finished[-1] else ()
        says = _played(table, done, shown, ending) if shown else (_counted(table, done),)
        data = {key: value for key, value in to_builtins(done).items() if key != "cards"}
        events.append(event("round", *says, **data, pairs=[list(pair) for pair in shown] or None))
    return tuple(events)


def _played(table: Table, done: Round, pairs: Pairs, ending: Outcome | None) -> tuple[Sentence, ...]:
    says = [_war(table, pair, again=at > 0) for at, pair in enumerate(pairs[: done.wars])]
    if done.wars < len(pairs):
        return (*says, _decided(table, done, pairs[-1]))
    if ending is not None and ending.termination is Termination.SHORTAGE and done.winner is not None:
        short = across(done.winner)
        mine = short == table.mine
        says.append(say("say.short.me") if mine else say("say.short.them", name=table.name(short)))
    else:
        says.append(say("say.short.both"))
    return (*says, _counted(table, done))


def _war(table: Table, pair: tuple[str, str], *, again: bool) -> Sentence:
    if table.mine is None:
        a, b = table.name(0), table.name(1)
        return say("say.war.watch", a=a, card_a=rank(pair[0]), b=b, card_b=rank(pair[1]))
    key = "say.war.again" if again else "say.war"
    return say(key, mine=rank(pair[table.bottom]), theirs=rank(pair[table.top]))


def _decided(table: Table, done: Round, pair: tuple[str, str]) -> Sentence:
    a, b = table.name(0), table.name(1)
    if table.mine is None and done.winner is not None:
        cards: dict[str, str | Sentence] = {"a": a, "card_a": rank(pair[0]), "b": b, "card_b": rank(pair[1])}
        winner = table.name(done.winner)
        return say("say.round.watch", **cards, winner=winner, count_a=done.counts[0], count_b=done.counts[1])
    return say(
        "say.round.win" if done.winner == table.mine else "say.round.lose",
        mine=rank(pair[table.bottom]),
        theirs=rank(pair[table.top]),
        **_counts(table, done),
    )


def _counted(table: Table, done: Round) -> Sentence:
    """Return a round without faces."""
    if done.winner is None:
        return say("say.hidden.none", n=done.n, **_counts(table, done))
    if table.mine is None:
        winner = table.name(done.winner)
        return say("say.hidden.watch", n=done.n, winner=winner, count_a=done.counts[0], count_b=done.counts[1])
    key = "say.hidden.win" if done.winner == table.mine else "say.hidden.lose"
    return say(key, n=done.n, **_counts(table, done))


def _counts(table: Table, done: Round) -> dict[str, int]:
    return {"my_count": done.counts[table.bottom], "their_count": done.counts[table.top]}


def missed(table: Table) -> tuple[Round, ...]:
    """Return the rounds at the end that the bot drew for me and no recap has covered yet."""
    if table.mine is None:
        return ()
    run: list[Round] = []
    for done in reversed(table.rounds):
        if done.n <= table.recapped or done.by[table.mine] is not Driver.BOT:
            break
        run.insert(0, done)
    return tuple(run)


def recap(table: Table, rounds: Sequence[Round]) -> Event:
    """Return `while you were away` for these rounds, at least one."""
    won = sum(done.winner == table.mine for done in rounds)
    lost = sum(done.winner == table.top for done in rounds)
    last = rounds[-1]
    return event(
        "recap",
        say("say.recap", count=len(rounds)),
        say("say.recap.score", won=won, lost=lost),
        first=rounds[0].n,
        last=last.n,
        rounds=len(rounds),
        won=won,
        lost=lost,
        wars=sum(done.wars for done in rounds),
        counts=list(last.counts),
    )


def verdict(table: Table, results: Results) -> Sentence:
    """Return the winner in words; `table` has the results' rounds."""
    outcome = results.outcome
    if table.seated.options.game == ONLINE:
        return turns.verdict(table, outcome)
    tally = tally_of(table.rounds)
    if not outcome.counts:
        return say("say.no_result")
    if outcome.winner is None:
        return say("say.draw", won=tally[table.bottom], lost=tally[table.top])
    won, lost = tally[outcome.winner], tally[1 - outcome.winner]
    if table.mine is None:
        return say("say.win.watch", winner=table.name(outcome.winner), won=won, lost=lost)
    return say("say.win" if outcome.winner == table.mine else "say.lose", won=won, lost=lost)


def reason(table: Table, outcome: Outcome) -> Sentence:
    """Return why the game is over."""
    if table.seated.options.game == ONLINE:
        return turns.reason(outcome)
    return say(f"word.end.{outcome.termination}", count=table.seated.options.target)


def tally_of(rounds: Sequence[Round]) -> tuple[int, int]:
    """Return the rounds won by each seat."""
    return (sum(done.winner == 0 for done in rounds), sum(done.winner == 1 for done in rounds))


def halves(score: int) -> str:
    """Return half points as people write them: 3 is `1½`."""
    whole, half = divmod(score, 2)
    return f"{whole or ''}½" if half else str(whole)


def ended(table: Table, results: Results) -> Event:
    """Return the `result` event, the last one of a game."""
    says = [verdict(table, results), say("say.reason", reason=reason(table, results.outcome))]
    if table.seated.options.game == ONLINE:
        says += turns.objectives(table)
    if results.series.best_of > 1 or results.series.game > 1:
        score = results.series.score
        says.append(say("say.series.score", mine=halves(score[table.bottom]), theirs=halves(score[table.top])))
    return event("result", *says, **result_data(table, results))


def result_data(table: Table, results: Results) -> dict[str, Any]:
    """Return the fields of the `result` event."""
    told = turns.result_data(table, results) if table.seated.options.game == ONLINE else _fought_data(table)
    return {
        "match": results.match,
        "code": table.seated.code,
        "seat": table.mine,
        "names": list(table.seated.names),
        "winner": results.outcome.winner,
        "termination": results.outcome.termination,
        **told,
        "series": to_builtins(results.series),
        "decided": results.decided,
        "seed": results.seed,
    }


def _fought_data(table: Table) -> dict[str, Any]:
    return {
        "won": list(tally_of(table.rounds)),
        "rounds": [to_builtins(done) for done in table.rounds],
        "bot_rounds": [sum(done.by[seat] is Driver.BOT for done in table.rounds) for seat in (0, 1)],
    }
