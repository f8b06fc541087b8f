"""The client without a screen: one sentence or one JSON object a line, and words typed on standard input."""

import io
import json
import os
import threading
from typing import Any

import pytest

from table_talk import CHAIR, CODE, by_bot, fought, over, results, seated, state, waiting, welcome
from twoseat_client.facts import Lost, Trying
from twoseat_client.lines import JsonLines, PlainLines, no_command, read_typed
from twoseat_client.model import Model, fold
from twoseat_client.sitting import Action
from twoseat_client.text import LANGUAGES, Words


def plain(*items: Any, lang: str = "en") -> list[str]:
    out = io.StringIO()
    lines, model = PlainLines(Words(lang), out), Model()
    for item in items:
        model, events = fold(model, item, 0, lambda code: f"http://here/j/{code}")
        lines.show(model, events)
    return out.getvalue().splitlines()


def test_a_game_in_sentences() -> None:
    assert plain(
        welcome(),
        seated(),
        state(1),
        state(2, turn=1, drawn=(True, False)),
        over(3, [fought(1, 0, (27, 25))], pairs=[("QH", "10S")]),
        results([fought(1)]),
    ) == [
        "You are playing Bo.",
        "Round 1. You draw first.",
        "Bo to draw.",
        "You: queen. Opponent: ten. You win. 27 to 25.",
        "You win the game, 1 to 0.",
        "How it ended: 50 rounds won.",
    ]


def test_the_same_in_bulgarian() -> None:
    assert plain(welcome(), seated(), state(1), lang="bg") == ["Играеш с Bo.", "Рунд 1. Започваш ти."]


def test_the_invite_link_has_a_line_of_its_own() -> None:
    assert plain(welcome(), waiting(CODE))[-1] == f"http://here/j/{CODE}"


def test_the_line_tells_how_to_take_the_seat_back_by_typing() -> None:
    assert plain(welcome(), seated(), state(1), state(2, chairs=(by_bot(), CHAIR)))[-1].endswith(
        'Type "return" to take the seat back.'
    )


def test_a_lost_line_is_counted() -> None:
    assert plain(welcome(), Lost(1006), Trying(1, 250))[-2:] == ["Connection lost.", "Reconnecting… (1)"]


def test_a_name_is_one_line_whatever_it_holds() -> None:
    lines = plain(welcome(), seated(names=("Ana", "Bo\n\x1b[2J")))
    assert lines == ["You are playing Bo[2J."]


def test_json_is_one_object_a_line_and_holds_no_token() -> None:
    out = io.StringIO()
    lines, model = JsonLines(out), Model()
    for item in (welcome(token="s" * 43), seated(), state(1), over(2, [fought(1)]), results([fought(1)])):
        model, events = fold(model, item, 0)
        lines.show(model, events)
    objects = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [item["event"] for item in objects] == [
        "welcome",
        "seated",
        "phase",
        "turn",
        "round",
        "phase",
        "result",
    ]
    assert "s" * 43 not in out.getvalue()
    assert objects[4]["by"] == ["human", "human"]
    assert "cards" not in objects[4]


def typed(text: bytes) -> list[Action | str | None]:
    reading, writing = os.pipe()
    taken: list[Action | str | None] = []
    ended = threading.Event()

    def take(action: Action | str | None) -> None:
        taken.append(action)
        if action is None:
            ended.set()

    read_typed(take, reading)
    os.write(writing, text)
    os.close(writing)
    assert ended.wait(5)
    os.close(reading)
    return taken


def test_typed_words_are_actions_and_the_end_is_told() -> None:
    assert typed(b"draw\n  TURN   10 \n\nquit") == [Action.DRAW, Action.TURN_TEN, Action.QUIT, None]


def test_a_line_that_is_no_action_is_passed_on_as_it_is() -> None:
    assert typed(b"Attack  Brasil Argelia\n\xff\xfe\n") == ["attack brasil argelia", "\ufffd\ufffd", None]


def test_what_is_no_command_is_answered_with_those_that_are(capsys: pytest.CaptureFixture[str]) -> None:
    for lang in LANGUAGES:
        no_command(Words(lang))
        said = capsys.readouterr().err
        assert said == Words(lang)("tui.no_command", words=", ".join(Action)) + "\n"
        assert "draw, turn" in said
