"""What a key means at each place, as a table."""

from dataclasses import replace
from typing import Any

import pytest

from table_talk import CODE, waiting, welcome
from terminal_scenes import SCENES, START
from twoseat import wire
from twoseat_client.keys import Begin, Order, press
from twoseat_client.model import Model, fold
from twoseat_client.screen.menu import Menu, Row
from twoseat_client.screen.view import Panel, View
from twoseat_client.sitting import Action
from twoseat_client.text import Words


def menu(**changes: Any) -> View:
    return View(Model(), Words("en"), menu=replace(Menu(), **changes))


ORDERS: list[tuple[str, str, object]] = [
    ("turn", "space", Action.DRAW),
    ("turn", "enter", Action.DRAW),
    ("turn", "0", Action.TURN_TEN),
    ("turn", "c", Order.COLOURS),
    ("turn", "z", None),
    ("turn", "m", Action.REMATCH),
    ("bot plays for me", "space", Action.DRAW),
    ("bot plays for me", "z", Action.RETURN),
    ("watching", "space", None),
    ("watching", "x", None),
    ("watching", "q", Action.LEAVE),
    ("over", "m", Action.REMATCH),
    ("over", "q", Action.LEAVE),
    ("over", "space", None),
    ("reconnecting", "t", Action.RETRY),
    ("turn", "t", None),
    ("turn", "2", Action.WELL_PLAYED),
    ("over", "4", Action.THANKS),
    ("watching", "1", None),
    ("waiting", "q", Action.CANCEL),
    ("waiting", "escape", Action.CANCEL),
    ("waiting", "space", None),
    ("replaced", "enter", Order.AGAIN),
    ("replaced", "q", Order.MENU),
    ("no server", "t", Order.AGAIN),
    ("connecting", "t", Action.RETRY),
    ("connecting", "escape", Order.MENU),
    ("results", "m", Action.REMATCH),
    ("results", "space", None),
    ("rounds", "space", Action.DRAW),
    ("resign?", "y", Action.RESIGN),
    ("leave?", "y", Action.LEAVE),
    ("leave?", "k", Order.CLOSE),
    ("leave?", "escape", None),
    ("resign?", "k", None),
]


@pytest.mark.parametrize(("scene", "key", "command"), ORDERS)
def test_a_key_gives_its_order(scene: str, key: str, command: object) -> None:
    assert press(SCENES[scene], key)[1] == command


PANELS = [
    ("turn", "r", Panel.ROUNDS),
    ("turn", "h", Panel.HELP),
    ("turn", "f1", Panel.HELP),
    ("turn", "question_mark", Panel.HELP),
    ("turn", "q", Panel.LEAVE),
    ("turn", "x", Panel.RESIGN),
    ("rounds", "r", Panel.NONE),
    ("rounds", "escape", Panel.NONE),
    ("rounds", "space", Panel.NONE),
    ("results", "space", Panel.ROUNDS),
    ("results", "escape", Panel.NONE),
    ("help", "h", Panel.NONE),
    ("help", "escape", Panel.NONE),
    ("help", "space", Panel.HELP),
    ("leave?", "escape", Panel.NONE),
    ("leave?", "z", Panel.NONE),
]


@pytest.mark.parametrize(("scene", "key", "panel"), PANELS)
def test_a_key_opens_and_closes_panels(scene: str, key: str, panel: Panel) -> None:
    assert press(SCENES[scene], key)[0].panel is panel


def test_ctrl_c_asks_once_and_leaves_the_second_time() -> None:
    once, command = press(SCENES["turn"], "ctrl+c")
    assert once.closing
    assert command is None
    assert press(once, "ctrl+c")[1] is Order.INTERRUPT
    calmed, _ = press(once, "z")
    assert not calmed.closing


def test_any_other_key_while_closing_does_its_own_work() -> None:
    once, _ = press(SCENES["turn"], "ctrl+c")
    assert press(once, "space")[1] is Action.DRAW


@pytest.mark.parametrize("scene", ["turn", "waiting", "help", "menu", "replaced"])
def test_the_language_changes_everywhere(scene: str) -> None:
    view = SCENES[scene]
    for lang in ("bg", "pt", "en"):
        view, _ = press(view, "f2")
        assert view.words.lang == lang


@pytest.mark.parametrize(("letter", "command"), [("м", Action.REMATCH), ("ц", Order.COLOURS)])
def test_keys_work_on_a_bulgarian_phonetic_keyboard(letter: str, command: object) -> None:
    assert press(SCENES["turn"], "cyrillic", letter)[1] == command


def test_the_other_side_can_be_muted_and_heard_again() -> None:
    muted, _ = press(SCENES["turn"], "u")
    assert muted.muted
    assert not press(muted, "u")[0].muted


def test_help_scrolls_down_and_never_above_its_top() -> None:
    view = SCENES["help"]
    assert press(view, "up")[0].scroll == 0
    assert press(view, "down")[0].scroll == 1
    assert press(press(view, "pagedown")[0], "pageup")[0].scroll == 0


def test_rounds_scroll_from_the_newest_upwards() -> None:
    assert press(SCENES["rounds"], "up")[0].scroll == 1
    assert press(SCENES["rounds"], "down")[0].scroll == 0


def test_the_games_of_a_sitting_are_tabs() -> None:
    table = SCENES["results"].model.table
    assert table is not None
    view = replace(SCENES["results"], model=replace(SCENES["results"].model, games=(table,)))
    older, _ = press(view, "left")
    assert older.tab == 1
    assert press(older, "left")[0].tab == 1
    assert press(older, "right")[0].tab == 0


def test_waiting_for_somebody_the_bot_is_one_key_away() -> None:
    model = Model()
    for item in (welcome(), waiting()):
        model, _ = fold(model, item, START)
    _, command = press(View(model, Words("en"), sitting=True, menu=Menu(target=10)), "b")
    assert command == Begin(wire.Bot(type="bot", terms=wire.Terms(target=10)))


def test_the_menu_goes_round() -> None:
    view = menu()
    seen = []
    for _ in (*view.menu.rows, None):
        seen.append(view.menu.at)
        view, _ = press(view, "down")
    assert seen[0] is seen[-1] is Row.QUICK
    assert Row.RESUME not in seen
    assert press(menu(), "up")[0].menu.at is Row.NAME


CHOSEN: list[tuple[dict[str, Any], object]] = [
    ({"at": Row.QUICK}, Begin(wire.Quick(type="quick"))),
    ({"at": Row.QUICK, "timer": 10}, Begin(wire.Quick(type="quick"))),
    ({"at": Row.BOT, "preset": "classic"}, Begin(wire.Bot(type="bot", terms=wire.Terms(preset="classic")))),
    ({"at": Row.HOST, "games": 3}, Begin(wire.Host(type="host", terms=wire.Terms(games=3)))),
    ({"at": Row.HOST, "timer": 0}, Begin(wire.Host(type="host", terms=wire.Terms(timer=0)))),
    ({"at": Row.JOIN, "code": CODE}, Begin(wire.Join(type="join", code=CODE))),
    ({"at": Row.JOIN, "code": "K7"}, None),
    ({"at": Row.RESUME, "resume": CODE}, Order.RESUME),
    ({"at": Row.NAME}, None),
]


@pytest.mark.parametrize(("choices", "command"), CHOSEN)
def test_enter_does_what_the_line_says(choices: dict[str, Any], command: object) -> None:
    assert press(menu(**choices), "enter")[1] == command


def test_a_code_that_is_too_short_is_asked_for() -> None:
    assert press(menu(at=Row.JOIN, code="K7"), "enter")[0].menu.problem == "Type the six characters."


def test_choices_change_with_the_arrows_and_enter() -> None:
    assert press(menu(at=Row.TARGET), "right")[0].menu.target == 25
    assert press(menu(at=Row.TARGET), "left")[0].menu.target == 5
    assert press(menu(at=Row.PRESET), "enter")[0].menu.preset == "classic"
    assert press(menu(at=Row.QUICK), "right")[0].menu == Menu()


def test_a_goal_makes_no_sense_in_classic() -> None:
    assert Row.TARGET not in replace(Menu(), preset="classic").rows


def test_letters_are_typed_where_text_goes_and_are_keys_elsewhere() -> None:
    view = menu(at=Row.NAME)
    for letter in "Мими q":
        view, _ = press(view, "space" if letter == " " else letter, letter)
    assert view.menu.name == "Мими q"
    assert press(view, "backspace")[0].menu.name == "Мими "
    assert press(menu(at=Row.JOIN), "k", "k")[0].menu.code == "K"
    assert press(menu(at=Row.JOIN), "space", " ")[0].menu.code == ""
    assert press(menu(), "q", "q")[1] is Order.CLOSE
    assert press(menu(at=Row.NAME), "escape")[1] is Order.CLOSE


def test_names_and_codes_are_no_longer_than_they_may_be() -> None:
    view = menu(at=Row.NAME)
    for _ in range(30):
        view, _ = press(view, "a", "a")
    assert len(view.menu.name) == 20
    view = menu(at=Row.JOIN)
    for _ in range(9):
        view, _ = press(view, "7", "7")
    assert view.menu.code == "777777"
