"""Every moment of a game fits 40x12 and up in three languages, shows what it must, and looks as it last did."""

from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len

from table_talk import CHAIR, chair, fought, seated, state, welcome
from terminal_scenes import SCENES, SIZES, START, kept, text
from twoseat import wire
from twoseat_client.model import Model, fold
from twoseat_client.screen import SMALLEST, draw
from twoseat_client.screen.canvas import Canvas, Style, cut, wrapped
from twoseat_client.screen.look import ASCII, PALETTES, guess_signs, guess_theme
from twoseat_client.screen.view import View, shown
from twoseat_client.text import LANGUAGES, Words

WAR_WORDS = {"en": "WAR", "bg": "ВОЙНА", "pt": "GUERRA"}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scene", SCENES)
def test_every_scene_fits_every_size_in_every_language(scene: str, size: str, lang: str) -> None:
    width, height = SIZES[size]
    lines = text(scene, size, lang).splitlines()
    assert len(lines) <= height
    assert all(cell_len(line) <= width for line in lines)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("scene", sorted(set(SCENES) - {"help"}))
def test_nothing_is_cut_off_at_80x24(scene: str, lang: str) -> None:
    shown_text = text(scene, "80x24", lang).replace("Свързване отново…", "").replace("A ligar outra vez…", "")
    for whole in ("Reconnecting…", "Connecting…", "Свързване…", "A ligar…"):
        shown_text = shown_text.replace(whole, "")
    assert "…" not in shown_text


@pytest.mark.parametrize(("path", "content"), kept().items(), ids=lambda value: getattr(value, "stem", ""))
def test_the_kept_screens_are_current(path: Path, content: str) -> None:
    assert path.read_text("utf-8") == content


@pytest.mark.parametrize("size", SIZES)
def test_both_counts_rounds_won_and_names_are_always_seen(size: str) -> None:
    screen = text("turn", size, "en")
    assert "2 : 1" in screen.splitlines()[0]
    for needed in ("Bo", "You", "26", "Draw a card"):
        assert needed in screen


def test_between_the_games_of_a_series_the_button_is_the_next_game() -> None:
    screen = text("next game wished", "80x24", "en")
    assert "Next game now" in screen
    assert "Bo is ready for the next game." in screen
    assert "rematch" not in screen


def test_a_goal_of_one_round_is_told_in_the_singular() -> None:
    told = {lang: Words(lang)("word.end.points", count=1) for lang in LANGUAGES}
    assert told == {"en": "1 round won", "bg": "1 спечелен рунд", "pt": "1 ronda ganha"}
    assert Words("en")("help.points.title", count=1) == "War to 1 round"


def test_games_won_stand_beside_rounds_won_in_a_series() -> None:
    assert "2 : 1" in text("series", "80x24", "en").splitlines()[0]
    assert text("series", "80x24", "en").splitlines()[0].endswith("Games 1½ : ½")
    assert text("series", "40x12", "bg").splitlines()[0].endswith("(1½:½)")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_war_stands_beside_each_seat_in_this_clients_language(size: str, lang: str) -> None:
    badges = [line for line in text("war", size, lang).splitlines() if line.rstrip().endswith(WAR_WORDS[lang])]
    field = [line for line in text("war", size, lang).splitlines() if WAR_WORDS[lang] in line]
    assert len(badges) >= 2 or len(field) >= 2


def at(age: int, *, calm: bool = False) -> View:
    pairs = [("9H", "9C"), ("KH", "KS"), ("2D", "AS")]
    double = state(2, rounds=[fought(1, 1, (21, 31), wars=2)], pairs=pairs)
    model = Model()
    for item in (welcome(), seated(), state(1), double):
        model, _ = fold(model, item, START)
    return View(model, Words("en"), now=START + age, sitting=True, calm=calm)


BEATS = [
    (0, ("9H", "9C"), False, 1),
    (300, ("9H", "9C"), True, 1),
    (600, ("KH", "KS"), False, 2),
    (900, ("KH", "KS"), True, 2),
    (1_200, ("2D", "AS"), False, 2),
]


@pytest.mark.parametrize(("age", "pair", "hidden", "war"), BEATS)
def test_a_double_war_is_shown_beat_by_beat(age: int, pair: tuple[str, str], hidden: bool, war: int) -> None:
    view = at(age)
    assert view.model.table is not None
    now = shown(view.model.table, view.now, calm=False)
    assert now is not None
    assert (now.pair, now.hidden, now.war, now.bubble) == (pair, hidden, war, True)
    assert now.last is (age == 1_200)


def test_without_motion_the_end_of_a_war_is_there_at_once() -> None:
    view = at(0, calm=True)
    assert view.model.table is not None
    now = shown(view.model.table, view.now, calm=True)
    assert now is not None
    assert now.last


def test_the_bubble_goes_by_itself() -> None:
    assert "DOUBLE WAR" in draw(at(1_300), 80, 24).text()
    assert "DOUBLE WAR" not in draw(at(4_000), 80, 24).text()


def test_faces_go_when_i_lay_the_next_card_and_stay_a_moment_when_she_does() -> None:
    model = at(1_300).model
    for drawn, turn, seen in (((False, True), 0, True), ((True, False), 1, False)):
        laid = state(3, turn=turn, drawn=drawn, round_number=2, pairs=[("9H", "9C"), ("2D", "AS")])  # type: ignore[arg-type]
        after, _ = fold(model, laid, START + 1_300)
        assert after.table is not None
        assert (shown(after.table, START + 1_300, calm=False) is not None) is seen
        assert shown(after.table, START + 60_000, calm=False) is None


def test_no_more_than_two_faces_are_ever_on_the_table() -> None:
    for scene in SCENES:
        if "results" in scene:
            continue
        screen = text(scene, "80x24", "en")
        assert sum(screen.count(suit) for suit in "♣♦♥♠") <= 2, scene


def test_a_clock_that_is_not_known_is_a_question_mark() -> None:
    for scene in ("reconnecting",):
        assert "0:09" not in text(scene, "80x24", "en")
        assert "?" in text(scene, "80x24", "en")


def test_the_clock_falls_with_the_local_clock() -> None:
    view = SCENES["turn"]
    assert "0:11" in draw(view, 80, 24).text()
    assert "0:08" in draw(replace(view, now=view.now + 3_000), 80, 24).text()
    assert "0:00" in draw(replace(view, now=view.now + 60_000), 80, 24).text()


def test_who_drives_is_said_in_words_on_both_sides() -> None:
    assert "bot plays" in text("bot plays for me", "40x12", "en")
    assert "bot plays" in text("bot plays for her", "40x12", "en")
    assert "bot in 0:12" in text("away", "40x12", "en")
    assert "back" in text("she is back", "40x12", "en")


def test_what_the_other_side_calls_is_seen_unless_muted() -> None:
    view = SCENES["turn"]
    model, _ = fold(view.model, wire.Reacted(1, wire.Reaction.OUCH), START)
    for width, height in SIZES.values():
        assert "Bo calls: Ouch!" in draw(replace(view, model=model), width, height).text()
        assert "Ouch" not in draw(replace(view, model=model, muted=True), width, height).text()


def test_rounds_of_a_running_game_show_no_face_and_results_show_all() -> None:
    running, ended = text("rounds", "80x24", "en"), text("results", "80x24", "en")
    assert not any(suit in running for suit in "♣♦♥♠")
    for card in ("Q♥", "10♠", "2♣", "9♦", "K♥", "7♠"):
        assert card in ended
    assert ended.splitlines()[0].strip() == "You win the game, 2 to 1."


def test_the_code_the_link_and_a_qr_are_shown_to_the_host() -> None:
    screen = text("waiting", "80x24", "en")
    assert "K7RP2M" in screen
    assert "http://play.example/j/K7RP2M" in screen
    assert "█▀▀▀▀▀█" in screen
    assert "0:12" in screen
    assert "http://play.example/j/K7RP2M" in text("waiting", "40x12", "en")


def test_a_name_with_escapes_and_wide_letters_stays_in_its_place() -> None:
    strange = seated(names=("Ana", "\x1b[31m你好\u202e\u0301"))
    model = Model()
    for item in (welcome(), strange, state(1)):
        model, _ = fold(model, item, START)
    screen = draw(View(model, Words("en"), now=START, sitting=True), 80, 24)
    assert "\x1b" not in screen.text()
    assert "\u202e" not in screen.text()
    assert "[31m你好" in screen.text()
    assert all(len(row) == 80 for row in screen.rows)


def test_a_window_too_small_asks_for_a_larger_one() -> None:
    assert "40×12" in draw(SCENES["turn"], 60, SMALLEST[1] - 1).text()
    assert draw(SCENES["turn"], 0, 0).width == 1


def test_ascii_draws_with_ascii_alone() -> None:
    for scene in sorted(set(SCENES) - {"menu", "waiting", "help"}):
        screen = draw(replace(SCENES[scene], signs=ASCII), 80, 24).text()
        odd = {letter for letter in screen if ord(letter) > 127} - set("…·×½↑↓←→")
        assert not odd, scene


def test_every_theme_names_every_role() -> None:
    assert set(PALETTES["dark"]) == set(PALETTES["light"])


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


READ = [
    *[(ink, ground) for ink in ("ink", "mute", "you", "them", "war") for ground in ("paper", "felt")],
    ("on_war", "war"),
    ("on_button", "button"),
    ("black", "card"),
    ("red", "card"),
]


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize(("ink", "ground"), READ)
def test_text_has_the_contrast_people_need(theme: str, ink: str, ground: str) -> None:
    palette = PALETTES[theme]  # type: ignore[index]
    bright, dim = sorted((luminance(palette[ink]), luminance(palette[ground])), reverse=True)
    assert (bright + 0.05) / (dim + 0.05) >= 4.5


def test_theme_and_signs_follow_the_terminal() -> None:
    assert guess_theme({"NO_COLOR": "1"}) == "none"
    assert guess_theme({"COLORFGBG": "0;15"}) == "light"
    assert guess_theme({}) == "dark"
    assert guess_signs({}, "ascii") is ASCII
    assert guess_signs({"TWOSEAT_ASCII": "1"}, "utf-8") is ASCII
    assert guess_signs({}, "UTF-8").blocks


def test_a_canvas_cuts_what_is_outside() -> None:
    canvas = Canvas(4, 1)
    canvas.put(-1, 0, "abc")
    canvas.put(3, 0, "你")
    canvas.put(2, 5, "x")
    assert canvas.text() == "bc"
    assert canvas.action_at(9, 9) == ""


def test_a_click_finds_its_action() -> None:
    canvas = Canvas(6, 1)
    canvas.put(1, 0, "go", Style(action="go"))
    assert [canvas.action_at(x, 0) for x in range(4)] == ["", "go", "go", ""]
    assert [run[0] for run in canvas.runs(0)] == [" ", "go", "   "]


def test_text_is_cut_and_wrapped_by_columns() -> None:
    assert cut("abcdef", 4) == "abc…"
    assert cut("你好你", 5) == "你好…"
    assert cut("abc", 0) == ""
    assert wrapped("one two three", 7) == ["one two", "three"]
    assert wrapped("", 7) == [""]


def test_a_seat_in_my_colour_is_below_and_hers_above() -> None:
    screen = draw(SCENES["turn"], 80, 24)
    rows = ["".join(letter for letter, _ in row) for row in screen.rows]
    mine = next(y for y, row in enumerate(rows) if row.startswith(" You"))
    theirs = next(y for y, row in enumerate(rows) if row.startswith(" Bo"))
    assert theirs < mine
    assert screen.rows[mine][1][1].ink == "you"
    assert screen.rows[theirs][1][1].ink == "them"


def test_the_seat_across_is_above_for_seat_one_too() -> None:
    model = Model()
    for item in (welcome(), seated(1), state(1, chairs=(chair(due=9_000), CHAIR))):
        model, _ = fold(model, item, START)
    rows = draw(View(model, Words("en"), now=START, sitting=True), 80, 24).text().splitlines()
    assert next(y for y, row in enumerate(rows) if row.startswith(" Ana")) < next(
        y for y, row in enumerate(rows) if row.startswith(" You")
    )
