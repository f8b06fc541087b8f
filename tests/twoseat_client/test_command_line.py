"""Keys at a War Online table: a line is typed, completed and carried out; the rest of the keys show things."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from online_talk import at, course, ended, moment, table
from scripted_server import Peer, scripted, until
from sitting_scene import QUICK, TOKEN, sits
from table_talk import by_bot, welcome
from terminal_scenes import SCENES
from twoseat import wire
from twoseat.games.war_online.state import held
from twoseat_client.command_line import LONGEST, Typed
from twoseat_client.keys import Begin, press
from twoseat_client.model import Model, fold
from twoseat_client.plan import Front, Plan
from twoseat_client.screen import draw
from twoseat_client.screen.menu import Menu, Row
from twoseat_client.screen.view import Panel, View
from twoseat_client.sitting import Action, Sitting
from twoseat_client.text import Words
from twoseat_client.tokens import Tokens
from twoseat_client.tui import Screen

PLACE, ATTACK = SCENES["online place"], SCENES["online attack"]


def typing(view: View, text: str) -> View:
    for letter in text:
        view, command = press(view, "space" if letter == " " else letter, letter)
        assert command is None
    return view


def test_letters_make_a_line_and_enter_carries_it_out() -> None:
    view = typing(ATTACK, "Attack  Algeria q")
    assert view.line == "Attack  Algeria q"
    assert "Attack  Algeria q_" in draw(view, 80, 24).text()
    view, _ = press(view, "backspace")
    view, command = press(view, "enter")
    assert (view.line, command) == ("", Typed("attack algeria"))
    assert press(view, "enter")[1] is None


def test_a_line_has_an_end() -> None:
    assert len(typing(ATTACK, "x" * 200).line) == LONGEST


def test_tab_completes_and_offers_what_may_come_next() -> None:
    view, _ = press(typing(PLACE, "pl"), "tab")
    assert view.line == "place "
    view, _ = press(view, "tab")
    assert len(view.offers) > 3
    assert view.offers[0] in draw(view, 120, 24).text()
    view, _ = press(typing(view, "eng"), "tab")
    assert (view.line, view.offers) == ("place england ", ())


@pytest.mark.parametrize(
    ("text", "panel", "command"),
    [
        ("resign", Panel.RESIGN, None),
        ("leave", Panel.LEAVE, None),
        ("well played", Panel.NONE, Action.WELL_PLAYED),
        ("quit", Panel.NONE, Action.QUIT),
        ("moves", Panel.NONE, Typed("moves")),
        ("help", Panel.HELP, None),
        ("?", Panel.HELP, None),
    ],
)
def test_words_about_the_seat_are_understood_too(text: str, panel: Panel, command: object) -> None:
    view, done = press(typing(PLACE, text), "enter")
    assert (view.panel, done) == (panel, command)


@pytest.mark.parametrize(
    ("key", "check"),
    [
        ("f1", lambda view: view.panel is Panel.HELP),
        ("f2", lambda view: view.words.lang == "bg"),
        ("f3", lambda view: view.panel is Panel.ROUNDS),
        ("f4", lambda view: view.sketch),
        ("pagedown", lambda view: view.scroll > 0),
        ("escape", lambda view: view.panel is Panel.LEAVE),
    ],
)
def test_other_keys_show_things_and_their_own_way_back(key: str, check: Any) -> None:
    view, command = press(PLACE, key)
    assert command is None
    assert check(view)
    if view.panel is not Panel.NONE:
        assert press(view, "escape")[0].panel is Panel.NONE


def test_a_short_answer_leaves_the_board_and_a_long_one_takes_its_place() -> None:
    for answer, board in ((("Not possible now.",), True), (tuple(f"place: {n}" for n in range(5)), False)):
        shown = draw(replace(PLACE, answer=answer), 80, 24).text()
        assert all(line in shown for line in answer)
        assert ("Vladivostok" in shown) is board


@pytest.mark.parametrize(
    ("size", "sketch"), [((60, 20), False), ((80, 24), False), ((80, 24), True), ((40, 14), False)]
)
def test_an_answer_of_two_lines_stands_beside_the_board(size: tuple[int, int], sketch: bool) -> None:
    answer = ("Type one of: place, trade.", "The word moves shows all.")
    shown = draw(replace(PLACE, answer=answer, sketch=sketch), *size).text()
    assert all(line in shown for line in answer)
    assert all(code in shown for code in ("ala", "ott", "mex"))


def test_a_long_answer_can_be_read_to_its_end_and_says_how() -> None:
    view = replace(PLACE, answer=tuple(f"line {n} of it" for n in range(1, 31)))
    seen = [draw(view, 60, 20).text()]
    assert "↑↓ scroll  Esc back" in seen[0]
    while "line 30 of it" not in seen[-1]:
        view, _ = press(view, "down" if len(seen) % 2 else "pagedown")
        seen.append(draw(view, 60, 20).text())
        assert len(seen) < 31
    assert all(any(f"line {n} of it" in text for text in seen) for n in range(1, 31))
    assert press(view, "up")[0].scroll == view.scroll - 1


def test_a_board_that_does_not_fit_says_how_to_see_the_rest() -> None:
    assert "↑↓ scroll" in draw(PLACE, 40, 12).text()
    assert "↑↓ scroll" not in draw(PLACE, 60, 20).text()
    assert "aus" in draw(replace(PLACE, scroll=30), 40, 12).text()


def test_escape_first_takes_back_what_was_typed_or_answered() -> None:
    view, _ = press(typing(PLACE, "pla"), "escape")
    assert (view.line, view.panel) == ("", Panel.NONE)
    view, _ = press(replace(PLACE, answer=("no",)), "escape")
    assert (view.answer, view.panel) == ((), Panel.NONE)


def test_any_key_takes_the_seat_back_from_the_bot() -> None:
    model = Model()
    state = table(moment(wire.Step.ATTACK))
    for item in (welcome(), at(), structs.replace(state, chairs=(by_bot(), state.chairs[1]))):
        model, _ = fold(model, item, 0)
    assert press(replace(PLACE, model=model), "x", "x")[1] is Action.RETURN


def test_after_the_game_a_key_asks_for_another_one_or_leaves() -> None:
    over = SCENES["online over"]
    assert press(over, "m", "m")[1] is Action.REMATCH
    assert press(over, "q", "q")[1] is Action.LEAVE
    assert press(over, "escape")[1] is Action.LEAVE


CHOSEN = [
    (Row.BOT, wire.Bot(type="bot", terms=wire.Terms(game="war-online", level="strong"))),
    (Row.QUICK, wire.Quick(type="quick", terms=wire.Terms(game="war-online"))),
]


@pytest.mark.parametrize(("row", "request_"), CHOSEN)
def test_the_menu_offers_the_game_and_how_well_the_bot_plays(row: Row, request_: Any) -> None:
    menu = Menu(at=row, game="war-online", level="strong")
    assert Row.LEVEL in menu.rows
    assert Row.TARGET not in menu.rows
    assert Row.LEVEL not in Menu().rows
    assert press(View(Model(), Words("en"), menu=menu), "enter")[1] == Begin(request_)


async def test_a_typed_line_is_a_move_a_question_or_answered_with_a_way_on(tmp_path: Path) -> None:
    answers: list[list[str] | None] = []
    lines = ("moves", "attack nowhere", "done")
    attack = moment(wire.Step.ATTACK)

    async def types(sitting: Sitting) -> None:
        answers.extend([await sitting.order(text, Words("en")) for text in lines])

    async def dialogue(peer: Peer) -> None:
        await peer.hears("hello")
        await peer.says(welcome(token=TOKEN))
        await peer.hears("quick")
        await peer.says(at(), table(attack))
        assert (await peer.hears("play"))["move"] == "done"
        await peer.says(*ended())
        await peer.stays()

    _, told = await sits(tmp_path, dialogue, auto=False, acts={"turn": types, "result": Action.QUIT})
    assert answers[0] is not None
    assert answers[0][0] == "end"
    assert answers[1:] == [["There is no territory nowhere. Type board to see them all."], []]
    result = told.told[-1].data
    assert result["objectives"] == list(course()[-1].objectives)
    assert result["territories"] == [held(course()[-1], seat)[0] for seat in (0, 1)]


async def test_the_running_screen_shows_answers_and_sends_moves(tmp_path: Path) -> None:
    async def dialogue(peer: Peer) -> None:
        await peer.hears("hello")
        await peer.says(welcome(token=TOKEN))
        await peer.hears("quick")
        await peer.says(at(), table(moment(wire.Step.ATTACK)))
        assert (await peer.hears("play"))["move"] == "done"
        await peer.says(*ended())
        await peer.stays()

    async with scripted(dialogue) as server:
        tokens = Tokens(tmp_path / "tokens.json", server.origin)
        app = Screen(Plan(server, tokens, Front.SCREEN, "en", wire.Terms(), begin=QUICK), "dark")
        async with app.run_test(size=(80, 24)) as pilot:
            await until(lambda: "your turn" in app.board.canvas.text())
            await pilot.press(*"moves", "enter")
            await until(lambda: "attack: " in app.board.canvas.text())
            await pilot.press("escape", "f1", *["pagedown"] * 20)
            end = app.board.canvas.text()
            await pilot.press("up")
            assert app.board.canvas.text() != end, "keys pressed beyond the end of a page are not counted"
            await pilot.press("escape", *"done", "enter")
            await until(lambda: "You lose the game" in app.board.canvas.text())
        assert app.bug is None
