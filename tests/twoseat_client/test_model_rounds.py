"""What a client makes of rounds: each is told once, with its faces only while they lie on the table."""

from typing import Any

from table_talk import BOT_AT_0, CHAIR, by_bot, fought, over, results, seated, state, welcome
from twoseat import wire
from twoseat_client.events import Event
from twoseat_client.facts import Lost
from twoseat_client.model import Model, fold
from twoseat_client.text import Words

NOW = 5_000


def after(*items: Any, model: Model | None = None) -> tuple[Model, list[Event]]:
    """Return the model after these items and all that happened."""
    model, happened = model or Model(), list[Event]()
    for item in items:
        model, events = fold(model, item, NOW)
        happened += events
    return model, happened


def told(events: list[Event], *names: str) -> list[str]:
    """Return what a person hears of events with these names."""
    return [Words("en").tell(sentence) for event in events if event.name in names for sentence in event.says]


def test_a_round_is_told_with_both_cards_and_the_counts() -> None:
    _, events = after(welcome(), seated(), state(), state(2, rounds=[fought(1, 0, (27, 25))], pairs=[("QH", "10S")]))
    assert told(events, "round") == ["You: queen. Opponent: ten. You win. 27 to 25."]


def test_the_other_seat_hears_it_from_her_side() -> None:
    _, events = after(welcome(), seated(1), state(), state(2, rounds=[fought(1, 0, (27, 25))], pairs=[("QH", "10S")]))
    assert told(events, "round") == ["You: ten. Opponent: queen. You lose. 25 to 27."]


def test_one_who_watches_hears_names() -> None:
    _, events = after(
        welcome(), seated(None), state(), state(2, rounds=[fought(1, 0, (27, 25))], pairs=[("QH", "10S")])
    )
    assert told(events, "round") == ["Ana: queen. Bo: ten. Ana wins. 27 to 25."]


def test_a_war_is_told_step_by_step() -> None:
    pairs = [("9H", "9C"), ("KH", "7S")]
    _, events = after(welcome(), seated(), state(), state(2, rounds=[fought(1, 0, (29, 23), wars=1)], pairs=pairs))
    assert told(events, "round") == [
        "You: nine. Opponent: nine. War!",
        "You: king. Opponent: seven. You win. 29 to 23.",
    ]


def test_a_double_war_is_told_again() -> None:
    pairs = [("9H", "9C"), ("KH", "KS"), ("2D", "AS")]
    _, events = after(welcome(), seated(), state(), state(2, rounds=[fought(1, 1, (21, 31), wars=2)], pairs=pairs))
    assert told(events, "round")[1] == "You: king. Opponent: king. War again!"


def test_a_war_that_cannot_be_paid_says_who_is_short() -> None:
    done = fought(1, 1, (0, 52), wars=1)
    ending = over(2, [done], 1, wire.Termination.SHORTAGE, pairs=[("7H", "7S")])
    _, mine = after(welcome(), seated(0), state(), ending)
    _, theirs = after(welcome(), seated(1), state(), ending)
    assert told(mine, "round")[1:] == ["You have too few cards for the war.", "Round 1: you lose. 0 to 52."]
    assert told(theirs, "round")[1:] == ["Ana has too few cards for the war.", "Round 1: you win. 52 to 0."]


def test_a_war_neither_side_can_pay_has_no_winner() -> None:
    done = fought(1, None, (26, 26), wars=1)
    ending = over(2, [done], None, wire.Termination.BOTH_SHORT, pairs=[("7H", "7S")])
    _, events = after(welcome(), seated(), state(), ending)
    assert told(events, "round")[1:] == [
        "Neither side has enough cards for the war.",
        "Round 1: nobody wins. 26 to 26.",
    ]


def test_of_many_rounds_at_once_only_the_last_has_faces() -> None:
    rounds = [fought(1, 0, (27, 25)), fought(2, 1, (26, 26))]
    _, events = after(welcome(), seated(), state(), state(2, rounds=rounds, pairs=[("2H", "9C")]))
    assert [event.data["pairs"] for event in events if event.name == "round"] == [None, [["2H", "9C"]]]
    assert told(events, "round")[0] == "Round 1: you win. 27 to 25."


def test_a_round_is_told_once_even_when_it_comes_twice() -> None:
    new = state(2, rounds=[fought(1)], pairs=[("QH", "10S")])
    _, events = after(welcome(), seated(), state(), new, new)
    assert len([event for event in events if event.name == "round"]) == 1


def test_rounds_that_passed_while_the_line_was_down_are_reported_without_words() -> None:
    rounds = [fought(1), fought(2)]
    _, events = after(welcome(), seated(), state(), Lost(1006), welcome(), seated(rounds=rounds), state(5, turn=0))
    passed = [event for event in events if event.name == "round"]
    assert [event.data["n"] for event in passed] == [1, 2]
    assert all(not event.says for event in passed)


def test_a_missing_round_is_a_gap_and_changes_nothing() -> None:
    model, events = after(welcome(), seated(), state(), state(4, rounds=[fought(3)]))
    assert model.table is not None
    assert model.table.gap
    assert not [event for event in events if event.name == "round"]
    model, _ = after(seated(rounds=[fought(1), fought(2), fought(3)]), model=model)
    assert model.table is not None
    assert not model.table.gap


def test_an_older_state_is_passed_over() -> None:
    model, _ = after(welcome(), seated(), state(5, turn=1), state(4, turn=0))
    assert model.table is not None
    assert model.table.owes(1)


def test_what_the_bot_did_meanwhile_is_recapped_once() -> None:
    rounds = [fought(1), fought(2, 1, (26, 26), by=BOT_AT_0), fought(3, 0, (29, 23), wars=1, by=BOT_AT_0)]
    back = state(9, chairs=(by_bot(back=True), CHAIR), round_number=4)
    model, events = after(welcome(), seated(rounds=rounds), back)
    assert told(events, "recap") == ["While you were away the bot played 2 rounds for you.", "Won 1, lost 1."]
    recap = next(event for event in events if event.name == "recap")
    assert recap.data == {"first": 2, "last": 3, "rounds": 2, "won": 1, "lost": 1, "wars": 1, "counts": [29, 23]}
    _, again = after(Lost(1006), welcome(), seated(rounds=rounds), back, model=model)
    assert told(again, "recap") == []


def test_one_who_idled_hears_the_recap_when_she_asks_for_the_seat() -> None:
    idle = state(3, rounds=[fought(1, by=BOT_AT_0)], pairs=[("QH", "10S")], chairs=(by_bot(), CHAIR))
    _, events = after(welcome(), seated(), state(), idle, state(4, chairs=(by_bot(back=True), CHAIR), round_number=2))
    assert told(events, "recap")[0] == "While you were away the bot played 1 round for you."


def test_a_seat_that_is_hers_again_at_once_has_its_recap_too() -> None:
    idle = state(3, rounds=[fought(1, by=BOT_AT_0)], pairs=[("QH", "10S")], chairs=(by_bot(), CHAIR))
    _, events = after(welcome(), seated(), state(), idle, state(4, turn=1, round_number=2))
    assert told(events, "recap")[0] == "While you were away the bot played 1 round for you."


def test_a_seat_that_was_always_hers_has_no_recap() -> None:
    _, events = after(welcome(), seated(rounds=[fought(1)]), state(2, round_number=2))
    assert told(events, "recap") == []


def test_the_result_names_the_winner_the_reason_and_every_card() -> None:
    rounds = [fought(1, 0, (27, 25), cards=("QH", "10S"))]
    _, events = after(welcome(), seated(), state(), over(2, [fought(1)]), results(rounds))
    assert told(events, "result") == ["You win the game, 1 to 0.", "How it ended: 50 rounds won."]
    result = events[-1].data
    assert (result["winner"], result["termination"], result["won"]) == (0, "points", [1, 0])
    assert result["rounds"][0]["cards"] == ("QH", "10S")
    assert result["decided"]


def test_the_result_is_told_once() -> None:
    ended = results([fought(1)])
    _, events = after(welcome(), seated(), over(2, [fought(1)]), ended, seated(), over(3, []), ended)
    assert len([event for event in events if event.name == "result"]) == 1


def test_a_series_adds_its_score_with_halves() -> None:
    series = wire.SeriesView(3, 2, (3, 1), (0, None))
    _, events = after(welcome(), seated(), over(2, [fought(1)]), results([fought(1)], series=series))
    assert told(events, "result")[-1] == "Games: 1½ to ½."


def test_the_games_of_a_sitting_are_kept_and_those_of_another_table_are_not() -> None:
    ended = (welcome(), seated(), over(2, [fought(1)]), results([fought(1)]))
    model, _ = after(*ended, seated(match="1" * 34))
    assert [table.seated.match for table in model.games] == ["0" * 34]
    model, _ = after(*ended, seated(match="2" * 34, code="ZZZZZZ"))
    assert model.games == ()


def test_faces_of_rounds_are_no_news() -> None:
    model, _ = after(welcome(), seated(), state(), state(2, rounds=[fought(1)], pairs=[("QH", "10S")]))
    assert all(not item.sentence.key.startswith(("say.round", "say.war")) for item in model.news)
