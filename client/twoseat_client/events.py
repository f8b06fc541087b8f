"""What can happen at a table, as data and as sentences: the vocabulary of --json and --plain; it sees no socket.

Every line of `--json` is one event: an object whose `event` is a name below. Fields are only ever added. Seats are 0
and 1, times are milliseconds still left, never a clock's reading; a token is in no line.

| event | fields | when |
|---|---|---|
| welcome | server, name, protocol | the server knows us |
| waiting | kind, code, link, waited, options | in the queue, or at one's own table |
| idle | | waiting for nothing |
| seated | match, code, seat, names, bots, options, series, rounds, again | `seat` null: watching; `again`: as before |
| fair | stage, match, shares, seed_digest, digests, nonces | `dealt`: what each seat put into the deal |
| | stage, match, shares, verified, early, checks | `over`: whether the game was what was promised |
| phase | phase | `waiting`, `playing`, `paused` or `over` |
| turn | round, seats, due | these seats owe a move |
| sent | id, number, move | my move is on its way |
| drawn | round, seat | a card lies face down |
| round | n, starter, winner, wars, won, counts, by, pairs | a round is over; `pairs` (up cards) where seen |
| board | view, legal | War Online: the table and my open moves, whenever they are new |
| moved | seat, move, bonus, throws, lost, conquered, drew | War Online: the last move |
| turned | n, round, seat, by, territories, armies, traded, | War Online: a turn is over |
| | conquests, fought, luck, battles, drew | |
| presence | seat, present, due | somebody went or came |
| driver | seat, driver | `human` or `bot` makes this seat's moves |
| back | seat | this person plays again from the next turn |
| recap | first, last, rounds, won, lost, wars, counts | what the bot did while I was away |
| | first, last, rounds, conquests, territories, armies | the same in War Online, where rounds are turns |
| late | id | my move came after the bot's |
| rejected | id, reason, by_bot | the match refused something else |
| rematch | seat | this seat offers another game |
| next | game, in | a series' next game starts by itself |
| watchers | count | how many watch |
| reacted | seat, reaction | a seat calls something across the table |
| degraded | on | storage is away, or back |
| lost | code | the line broke |
| trying | attempt, in | the next attempt to reach the server |
| regained | | the line is back |
| error | code, field, detail | a request was refused |
| result | match, code, seat, names, winner, termination, won, | a game is over; |
| | rounds, bot_rounds, series, decided, seed, replay | `rounds` have `cards` now; `replay`: a link |
| | territories, armies, objectives | War Online, in place of `won` |
| stopped | code | the line is given up (null: no answer) |
"""

from dataclasses import dataclass
from typing import Any

from twoseat_client.text import Sentence


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: its name, its JSON fields, and what a person is told about it."""

    name: str
    data: dict[str, Any]
    says: tuple[Sentence, ...] = ()


def event(name: str, /, *says: Sentence, **data: Any) -> Event:
    """Return an event."""
    return Event(name, data, says)
