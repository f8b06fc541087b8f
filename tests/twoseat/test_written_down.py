"""Whatever of a match is set is written down and read again; and its deadline is the sooner of both seats' clocks."""

import pytest
from msgspec.structs import replace

from script import Script
from twoseat import record
from twoseat.chair import Pause
from twoseat.games import GAMES
from twoseat.games.game import Outcome, Termination
from twoseat.match import Match
from twoseat.series import Series
from twoseat.shake import Shake

MATCH = Script().seated().match
WAR = GAMES["war"]


@pytest.mark.parametrize(
    "match",
    [
        MATCH,
        replace(MATCH, state=None, shake=Shake((True, False), 2_000)),
        replace(MATCH, pause=Pause(5, 7), started=False),
        replace(MATCH, outcome=Outcome(1, Termination.RESIGNED), next_at=0, next=True),
        replace(MATCH, outcome=Outcome(None, Termination.VOID), next_at=9_000, version=1_000),
        replace(MATCH, series=Series(3, (0, None, 1), (2, 1), 4)),
        replace(MATCH, seed=bytes(range(32)), code="ZZZZZZ"),
    ],
)
def test_a_match_is_read_as_it_was_written(match: Match) -> None:
    written = record.encode(WAR, match)
    assert record.decode(GAMES, written) == match
    assert record.encode(WAR, match, record.lasting(match)) == written


@pytest.mark.parametrize(
    ("dues", "deadline"), [((5, 7), 5), ((7, 5), 5), ((0, 7), 0), ((None, 7), 7), ((7, None), 7), ((None, None), None)]
)
def test_the_sooner_of_both_seats_clocks_is_the_deadline(
    dues: tuple[int | None, int | None], deadline: int | None
) -> None:
    first, second = MATCH.chairs
    assert replace(MATCH, chairs=(replace(first, due=dues[0]), replace(second, due=dues[1]))).deadline == deadline
