"""What a client makes of seats, turns, the line and the server's other words, as a table of cases."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from table_talk import CHAIR, CODE, SERIES, away, by_bot, chair, fought, over, results, seated, state, waiting, welcome
from twoseat import wire
from twoseat_client import events as vocabulary
from twoseat_client.facts import Lag, Lost, Sent, Stopped, Trying
from twoseat_client.model import KEPT_NEWS, Model, fold
from twoseat_client.table import Table
from twoseat_client.text import Words

NOW = 5_000
MOVE = wire.PlayMove(type="play", id="m1", number=0, move="draw")


def after(*items: Any, now: int = NOW) -> tuple[Model, list[Any]]:
    model, happened = Model(), list[Any]()
    for item in items:
        model, fresh = fold(model, item, now, lambda code: f"http://here/j/{code}")
        happened += fresh
    return model, happened


def said(happened: list[Any]) -> list[str]:
    return [Words("en").tell(sentence) for event in happened for sentence in event.says]


def table(*items: Any) -> Table:
    model, _ = after(welcome(), *items)
    assert model.table is not None
    return model.table


TIME_UP = "Time's up: the bot plays for you. Press any key to take the seat back."
CHANGES: list[tuple[str, tuple[Any, Any], tuple[Any, Any], list[str]]] = [
    ("my clock ran out", (CHAIR, CHAIR), (by_bot(), CHAIR), [TIME_UP]),
    ("her clock ran out", (CHAIR, CHAIR), (CHAIR, by_bot()), ["Time's up: the bot plays for Bo."]),
    ("she goes", (CHAIR, CHAIR), (CHAIR, away()), ["Bo is away."]),
    ("she goes in her turn", (CHAIR, CHAIR), (CHAIR, away(due=9_500)), ["Bo is away. The bot takes over in 0:10."]),
    ("the bot takes over", (CHAIR, away()), (CHAIR, away(driver=wire.Driver.BOT)), ["The bot plays for Bo."]),
    (
        "she leaves for good",
        (CHAIR, CHAIR),
        (CHAIR, away(driver=wire.Driver.BOT)),
        ["Bo has left. The bot finishes the game."],
    ),
    ("she is here again in time", (CHAIR, away()), (CHAIR, CHAIR), ["Bo is here again."]),
    (
        "she is back while the bot plays",
        (CHAIR, away(driver=wire.Driver.BOT)),
        (CHAIR, by_bot(back=True)),
        ["Bo is here again.", "Bo is back and plays from the next turn."],
    ),
    ("she plays again", (CHAIR, by_bot(back=True)), (CHAIR, CHAIR), ["Bo plays again."]),
    (
        "I am back",
        (by_bot(), CHAIR),
        (by_bot(back=True), CHAIR),
        ["Your seat is yours again from your next turn."],
    ),
    ("I play again", (by_bot(back=True), CHAIR), (CHAIR, CHAIR), ["You are playing yourself again."]),
    ("she offers a new deal", (CHAIR, CHAIR), (CHAIR, chair(rematch=True)), ["Bo offers a new deal."]),
    ("I offer a new deal", (CHAIR, CHAIR), (chair(rematch=True), CHAIR), ["You offered a new deal."]),
]


@pytest.mark.parametrize(("before", "now", "words"), [case[1:] for case in CHANGES], ids=[case[0] for case in CHANGES])
def test_a_change_of_a_seat_is_told_once(before: Any, now: Any, words: list[str]) -> None:
    known = (welcome(), seated(), state(1, chairs=before))
    _, first = after(*known)
    _, both = after(*known, state(2, chairs=now), state(3, chairs=now))
    assert said(both)[len(said(first)) :] == words


def test_a_new_client_is_told_who_is_away_and_whom_the_bot_plays_for() -> None:
    _, happened = after(welcome(), seated(), state(4, chairs=(CHAIR, away(driver=wire.Driver.BOT))))
    assert said(happened)[1:3] == ["Bo is away.", "The bot plays for Bo."]


def test_a_bot_by_choice_is_no_news() -> None:
    _, happened = after(welcome(), seated(bot=True), state(1, chairs=(CHAIR, away(driver=wire.Driver.BOT))))
    assert said(happened) == ["You are playing the bot.", "Round 1. You draw first."]


def test_nobody_is_called_away_before_the_game_begins() -> None:
    before = state(1, phase="waiting", chairs=(CHAIR, away()), turn=None)
    _, happened = after(welcome(), seated(), before, state(2))
    assert said(happened)[1:] == ["The game begins.", "Round 1. You draw first."]


TURNS = [
    (0, state(1, turn=0), "Round 1. You draw first."),
    (0, state(1, turn=1), "Round 1. Bo draws first."),
    (0, state(1, turn=1, drawn=(True, False)), "Bo to draw."),
    (1, state(1, turn=1, drawn=(True, False)), "Your draw."),
    (None, state(1, turn=0), "Round 1. Ana draws first."),
]


@pytest.mark.parametrize(("seat", "now", "words"), TURNS)
def test_whose_draw_it_is_is_told(seat: wire.Seat | None, now: wire.State, words: str) -> None:
    _, happened = after(welcome(), seated(seat), now)
    assert said(happened)[-1] == words
    assert happened[-1].name == "turn"


def test_a_card_laid_is_told_of_the_other_side_only() -> None:
    _, happened = after(welcome(), seated(), state(1), state(2, turn=1, drawn=(True, False)))
    assert [event.data for event in happened if event.name == "drawn"] == [{"round": 1, "seat": 0}]
    _, happened = after(welcome(), seated(1), state(1), state(2, turn=1, drawn=(True, False)))
    assert "Ana has drawn." in said(happened)


AFTER_THE_GAME = [
    ((CHAIR, chair(rematch=True)), "Bo wants a rematch."),
    ((chair(rematch=True), CHAIR), "You offered a rematch."),
    ((CHAIR, away()), "Bo has gone. There will be no rematch."),
]


@pytest.mark.parametrize(("chairs", "words"), AFTER_THE_GAME)
def test_a_rematch_is_offered_wished_for_or_gone(chairs: Any, words: str) -> None:
    ended = (welcome(), seated(), over(2, [fought(1)]), results([fought(1)]))
    _, happened = after(*ended, over(3, [], chairs=chairs))
    assert said(happened)[-1] == words


BETWEEN_GAMES = [
    ((CHAIR, chair(rematch=True)), "Bo is ready for the next game."),
    ((chair(rematch=True), CHAIR), "You are ready for the next game."),
    ((CHAIR, away()), "Bo is away."),
]


@pytest.mark.parametrize("next_in", [8_000, None], ids=["in a while", "made already"])
@pytest.mark.parametrize(("chairs", "words"), BETWEEN_GAMES)
def test_between_the_games_of_a_series_nobody_speaks_of_a_rematch(chairs: Any, words: str, next_in: int | None) -> None:
    result = results([fought(1)], series=structs.replace(SERIES, best_of=3), decided=False)
    ended = (welcome(), seated(), over(2, [fought(1)], next_in=9_000), result)
    _, happened = after(*ended, over(3, [], chairs=chairs, next_in=next_in))
    assert said(happened)[-1] == words


def test_the_next_game_of_a_series_is_announced_once() -> None:
    _, happened = after(welcome(), seated(), over(2, [fought(1)], next_in=10_000), over(3, [], next_in=9_000))
    assert [event.data for event in happened if event.name == "next"] == [{"game": 2, "in": 10_000}]


def test_a_late_move_is_told_as_such() -> None:
    late = wire.RejectedMessage(wire.Reason.STALE, "m1", by_bot=True)
    model, happened = after(welcome(), seated(), state(), Sent(MOVE), late)
    assert said(happened)[-1] == "Too late: the bot made this move for you."
    assert happened[-1].name == "late"
    assert model.table is not None
    assert model.table.sent is None


def test_another_rejection_says_what_to_do() -> None:
    _, happened = after(
        welcome(), seated(), state(), wire.RejectedMessage(wire.Reason.NOT_YOUR_TURN, "m1", by_bot=False)
    )
    assert said(happened)[-1] == "It is not your turn yet. Wait for the other side."


def test_a_replaced_seat_is_told_by_the_close_alone() -> None:
    replaced = wire.RejectedMessage(wire.Reason.REPLACED, None, by_bot=False)
    _, happened = after(welcome(), seated(), replaced, Stopped(4409))
    assert said(happened)[-1] == (
        "Your seat was opened in another window or on another device. Play on there, or take it back here."
    )
    assert [event.name for event in happened].count("rejected") == 0


def test_a_move_on_its_way_closes_the_others_until_it_is_known() -> None:
    running = (seated(), state())
    assert table(*running).open_moves == ("draw",)
    assert table(*running, Sent(MOVE)).open_moves == ()
    assert table(*running, Sent(MOVE), wire.Done("m1", 2)).open_moves == ("draw",)
    known = state(2, chairs=(chair(last="m1", number=1), CHAIR))
    assert table(*running, Sent(MOVE), known).open_moves == ("draw",)


def test_a_seat_the_bot_drives_has_no_open_moves_but_can_be_taken_back() -> None:
    assert table(seated(), state(chairs=(by_bot(), CHAIR))).kept_by_bot
    assert table(seated(), state(chairs=(by_bot(), CHAIR))).open_moves == ()
    assert not table(seated(), state(chairs=(by_bot(back=True), CHAIR))).kept_by_bot
    assert not table(seated(None), state(chairs=(by_bot(), CHAIR))).kept_by_bot


def test_remaining_time_runs_on_the_local_clock() -> None:
    here = table(seated(), state(chairs=(chair(due=9_000), CHAIR)))
    assert here.remaining(0, NOW) == 9_000
    assert here.remaining(0, NOW + 2_500) == 6_500
    assert here.remaining(0, NOW + 60_000) == 0
    assert here.remaining(1, NOW) is None


def test_the_line_is_lost_tried_and_regained() -> None:
    model, happened = after(welcome(), seated(), state(), Lost(1006), Trying(1, 250))
    assert said(happened)[-1] == "Connection lost."
    assert (model.link.up, model.link.attempt, model.link.retry_at) == (False, 1, NOW + 250)
    assert model.table is not None
    _, happened = after(welcome(), seated(), Lost(1006), Trying(1, 250), welcome())
    assert [event.name for event in happened][-2:] == ["regained", "welcome"]


def test_a_line_that_never_was_is_not_called_regained() -> None:
    _, happened = after(Trying(1, 250), welcome())
    assert "regained" not in [event.name for event in happened]


def test_degraded_is_told_when_it_changes() -> None:
    _, happened = after(welcome(), wire.Degraded(True), wire.Degraded(True), wire.Degraded(False))
    assert [event.data["on"] for event in happened if event.name == "degraded"] == [True, False]


def test_watchers_are_counted_in_words() -> None:
    _, happened = after(welcome(), seated(), wire.Watchers(0), wire.Watchers(1), wire.Watchers(1), wire.Watchers(0))
    assert said(happened)[1:] == ["1 person is watching.", "Nobody is watching now."]


def test_what_is_called_across_the_table_is_told_on_both_sides() -> None:
    called = wire.Reacted(1, wire.Reaction.WELL_PLAYED)
    assert said(after(welcome(), seated(0), called)[1])[-1] == "Bo calls: Well played!"
    assert said(after(welcome(), seated(1), called)[1])[-1] == "You call: Well played!"
    assert after(welcome(), called)[1][-1].name == "welcome"


def test_waiting_knows_since_when_and_gives_the_link() -> None:
    model, happened = after(welcome(), waiting(CODE, waited=2_000))
    assert model.waiting_since == NOW - 2_000
    assert happened[-1].data["link"] == f"http://here/j/{CODE}"
    assert said(happened)[-1] == f"Your table is open. The code is {CODE}."


def test_a_refused_request_stays_until_a_place_is_reached() -> None:
    model, happened = after(welcome(), wire.Error(wire.ErrorCode.NOT_FOUND))
    assert model.problem == wire.Error(wire.ErrorCode.NOT_FOUND)
    assert said(happened)[-1].startswith("There is no table with this code.")
    model, _ = after(welcome(), wire.Error(wire.ErrorCode.NOT_FOUND), waiting())
    assert model.problem is None


@pytest.mark.parametrize("code", [None, *map(int, wire.Close), 1006, 4999])
def test_every_way_a_line_ends_has_words(code: int | None) -> None:
    model, happened = after(Stopped(code))
    assert model.link.stopped
    assert said(happened)


def test_the_lag_is_kept_while_the_line_is_up() -> None:
    model, _ = after(welcome(), Lag(42))
    assert model.link.lag == 42
    model, _ = after(welcome(), Lag(42), Lost(1006))
    assert model.link.lag is None


def test_only_the_last_news_is_kept() -> None:
    model, _ = after(welcome(), seated(), *[state(n, turn=n % 2) for n in range(1, 30)])  # type: ignore[arg-type]
    assert len(model.news) == KEPT_NEWS


def test_leaving_empties_the_table() -> None:
    model, happened = after(welcome(), seated(), wire.Idle())
    assert model.table is None
    assert happened[-1].name == "idle"


def test_a_message_of_another_match_is_passed_over() -> None:
    model, happened = after(welcome(), seated(), results([fought(1)], match="9" * 34))
    assert model.table is not None
    assert model.table.results is None
    assert happened[-1].name == "seated"
    assert after(state())[0] == Model()


def test_every_event_is_in_the_table_of_its_vocabulary_and_is_json() -> None:
    documented = {
        line.split("|")[1].strip(): {name.strip() for name in line.split("|")[2].split(",")}
        for line in (vocabulary.__doc__ or "").splitlines()
        if line.startswith("| ") and not line.startswith("| |")
    }
    source = "".join(path.read_text("utf-8") for path in Path(vocabulary.__file__).parent.glob("*.py"))
    named = set(re.findall(r'\bevent\(\s*"(\w+)"', source))
    assert named == set(documented) - {"event", "---"}
    _, happened = after(welcome(), seated(), state(), over(2, [fought(1)]), results([fought(1)]))
    for event in happened:
        json.dumps(event.data)
        fields = replace(event).data.keys()
        if event.name != "result":
            assert set(fields) <= {name.strip(" `") for name in documented[event.name]}, event.name
