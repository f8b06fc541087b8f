"""Series (rules, Series 1 to 6): half points, who leads, when it is decided, and what a rematch goes on with."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twoseat.games.game import Outcome, Seat, Termination
from twoseat.series import Series

Winner = Seat | None
WINNERS: tuple[Winner, ...] = (0, 1, None)


def played(best_of: int, *winners: Winner) -> Series:
    """A series in which these games were played."""
    series = Series(best_of)
    for winner in winners:
        series = series.after(Outcome(winner, Termination.POINTS))
    return series


def test_series_1_a_new_one_is_a_single_game_with_no_score() -> None:
    assert Series() == Series(1, (), (0, 0), 0)
    assert (Series().score, Series().games, Series().decided) == ((0, 0), 0, False)


@pytest.mark.parametrize(
    ("winners", "score"),
    [
        ((), (0, 0)),
        ((0,), (2, 0)),
        ((1,), (0, 2)),
        ((None,), (1, 1)),
        ((0, 1, None), (3, 3)),
        ((None, None, 1), (2, 4)),
    ],
)
def test_series_2_a_win_is_two_half_points_a_draw_one_each(winners: tuple[Winner, ...], score: tuple[int, int]) -> None:
    series = played(5, *winners)
    assert (series.score, series.games, series.winners) == (score, len(winners), winners)


@pytest.mark.parametrize(
    ("best_of", "winners", "decided"),
    [
        (1, (), False),
        (1, (0,), True),
        (1, (None,), True),
        (3, (0,), False),
        (3, (0, 0), True),
        (3, (1, 1), True),
        (3, (0, 1), False),
        (3, (0, None), False),
        (3, (None, None), False),
        (3, (None, 1, None), True),
        (3, (0, 1, None), True),
        (5, (0, 0), False),
        (5, (0, 0, None), False),
        (5, (0, 0, 0), True),
        (5, (0, 0, None, 1), False),
        (5, (0, 0, None, None), True),
        (5, (1, 1, 0, None), False),
        (5, (0, 1, 0, 1, None), True),
    ],
)
def test_series_3_decided_by_more_than_half_or_by_all_games(
    best_of: int, winners: tuple[Winner, ...], *, decided: bool
) -> None:
    assert played(best_of, *winners).decided is decided


@pytest.mark.parametrize(
    ("termination", "counts"),
    [(termination, termination not in (Termination.REDEALT, Termination.VOID)) for termination in Termination],
)
def test_series_4_what_is_no_result_counts_for_nobody(termination: Termination, *, counts: bool) -> None:
    series = played(3, 1)
    after = series.after(Outcome(0, termination))
    assert after == (played(3, 1, 0) if counts else series)
    assert Outcome(0, termination).counts is counts


def test_series_6_an_undecided_series_goes_on_as_it_is() -> None:
    series = played(3, 0)
    assert series.onward() is series


def test_series_6_after_a_decided_one_a_new_one_begins_and_the_score_goes_on() -> None:
    again = played(3, 0, None, 0).onward()
    assert again == Series(3, (), (5, 1), 3)
    assert (again.decided, again.score, again.games) == (False, (5, 1), 3)
    again = again.after(Outcome(1, Termination.RESIGNED))
    assert (again.score, again.games, again.decided) == ((5, 3), 4, False)
    again = again.after(Outcome(1, Termination.POINTS))
    assert (again.score, again.decided) == ((5, 5), True)
    assert again.onward() == Series(3, (), (5, 5), 5)


@given(st.sampled_from((1, 3, 5)), st.lists(st.sampled_from(WINNERS), max_size=12))
def test_series_3_it_is_decided_exactly_when_the_rest_can_change_nothing(best_of: int, winners: list[Winner]) -> None:
    series = Series(best_of)
    for winner in winners:
        if series.decided:
            break
        series = series.after(Outcome(winner, Termination.POINTS))
        left = 2 * (best_of - series.games)
        lead = abs(series.score[0] - series.score[1])
        assert series.decided is (left == 0 or lead > left)
        assert sum(series.score) == 2 * series.games
