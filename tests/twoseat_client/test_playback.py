"""A replay is walked along in both directions, at any speed, and is the same table as at the live game."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from recorded import Recorded, lively_game, quiet_game
from script import BOT_AND_PERSON
from twoseat import rerun
from twoseat.games.game import Options
from twoseat_client.playback import LONGEST, Playback, playback
from twoseat_client.replay_screen import SPEEDS, Player, ReplayScreen, picture, press, tick
from twoseat_client.screen.look import ASCII
from twoseat_client.screen.view import Panel, View
from twoseat_client.text import LANGUAGES, Words


@pytest.fixture(scope="module")
def game() -> Playback:
    return playback(rerun.export(lively_game().log))


def told(game: Playback) -> list[str]:
    return [event.name for frame in game.frames for event in frame.events]


@pytest.mark.parametrize(
    "play",
    [quiet_game, lively_game, lambda: quiet_game(Options(preset="classic"), players=BOT_AND_PERSON)],
)
def test_it_ends_with_the_table_of_the_live_game(play: Callable[[], Recorded]) -> None:
    live = play()
    end = playback(rerun.export(live.log)).step(10_000).frame
    table = end.model.table
    assert table is not None
    assert table.results is not None
    assert table.results.outcome == live.match.outcome
    assert list(table.rounds) == live.game.history(live.match.state, 0, faces=True)
    assert [event.name for event in end.events] == ["result"]


def test_a_lively_game_tells_of_drops_bots_returns_and_wars(game: Playback) -> None:
    names = told(game)
    assert {"seated", "phase", "turn", "drawn", "round", "presence", "driver", "back", "result"} <= set(names)
    assert names.count("round") == game.rounds
    assert names.count("result") == 1
    said = [sentence.key for frame in game.frames for event in frame.events for sentence in event.says]
    assert {"say.watching", "say.war.watch", "say.round.watch", "say.win.watch"} <= set(said)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_sentence_of_a_replay_is_there_in_each_language(game: Playback, lang: str) -> None:
    words = Words(lang)
    lines = [words.tell(sentence) for frame in game.frames for event in frame.events for sentence in event.says]
    assert len(lines) > 100
    assert all(lines)


def test_a_step_is_one_frame_and_stops_at_both_ends(game: Playback) -> None:
    assert game.step(-1).place == 0
    assert game.step(3).step(-1).place == 2
    assert game.step(10_000).over
    assert game.step(10_000).step(1).over


def test_forwards_by_rounds_is_to_the_end_of_each(game: Playback) -> None:
    ends = []
    while not game.over:
        game = game.round(1)
        ends.append(game.frame.done)
    assert ends == [*range(1, game.rounds + 1), game.rounds]


def test_backwards_by_rounds_visits_the_same_places(game: Playback) -> None:
    forwards = [game.place]
    for _ in range(game.rounds):
        game = game.round(1)
        forwards.append(game.place)
    backwards = [game.place]
    while game.place:
        game = game.round(-1)
        backwards.append(game.place)
    assert backwards == forwards[::-1]


def test_back_from_the_middle_of_a_round_is_to_its_beginning(game: Playback) -> None:
    third = game.round(1).round(1).round(1)
    assert third.step(2).round(-1).place == third.place
    assert third.round(-1).place == game.round(1).round(1).place


def test_backwards_shows_what_was_shown_forwards(game: Playback) -> None:
    tenth = game
    for _ in range(10):
        tenth = tenth.round(1)
    there_and_back = tenth.round(1).round(1).step(1).round(-1).round(-1).round(-1)
    assert there_and_back.place == tenth.place
    assert there_and_back.frame.model == tenth.frame.model


def test_long_waits_are_shortened_and_none_is_negative(game: Playback) -> None:
    waits = [game.step(n).wait for n in range(len(game.frames))]
    assert max(waits) == LONGEST
    assert min(waits) == 0
    assert waits[-1] == 0


def player(game: Playback, speed: float = 1.0) -> Player:
    return Player(game, View(game.frame.model, Words("en"), sitting=True), speed)


def ran(start: Player, seconds: float, by: float = 0.05) -> Player:
    for _ in range(round(seconds / by)):
        start = tick(start, by)
    return start


def test_it_runs_at_the_game_s_pace_times_the_speed(game: Playback) -> None:
    whole = sum(game.step(n).wait for n in range(len(game.frames))) / 1000
    for speed in (1.0, 4.0, 16.0):
        nearly = ran(player(game, speed), whole / speed - 0.5)
        assert not nearly.game.over
        end = ran(nearly, 1.0)
        assert end.game.over
        assert not end.running


def test_a_slow_screen_skips_no_time(game: Playback) -> None:
    assert ran(player(game), 20, by=0.05).game.place == ran(player(game), 20, by=2.0).game.place


def test_space_stops_goes_on_and_at_the_end_begins_anew(game: Playback) -> None:
    stopped = press(ran(player(game), 5), "space")
    assert not stopped.running
    assert ran(stopped, 10).game.place == stopped.game.place
    assert press(stopped, "space").running
    end = press(stopped, "end")
    assert end.game.over
    again = press(end, "space")
    assert (again.game.place, again.running) == (0, True)


@pytest.mark.parametrize(
    ("keys", "place"),
    [
        ("full_stop full_stop comma", 1),
        ("end home", 0),
        ("end left", "last round"),
        ("right right left", "first round"),
    ],
)
def test_keys_walk_and_stop_the_clock(game: Playback, keys: str, place: int | str) -> None:
    walked = player(game)
    for key in keys.split():
        walked = press(walked, key)
    rounds = {"last round": game.rounds, "first round": 1}
    wanted = (
        place
        if isinstance(place, int)
        else next(n for n, frame in enumerate(game.frames) if frame.done == rounds[place])
    )
    assert walked.game.place == wanted
    assert not walked.running


def test_the_speed_has_a_least_and_a_most(game: Playback) -> None:
    fast = slow = player(game)
    for _ in range(20):
        fast, slow = press(fast, "plus"), press(slow, "minus")
    assert (fast.speed, slow.speed) == (SPEEDS[-1], SPEEDS[0])


def test_rounds_and_language_are_a_key_away(game: Playback) -> None:
    open_rounds = press(player(game), "r")
    assert open_rounds.view.panel is Panel.ROUNDS
    assert press(open_rounds, "r").view.panel is Panel.NONE
    langs = [player(game)]
    for _ in LANGUAGES:
        langs.append(press(langs[-1], "l"))
    assert len({at.view.words.lang for at in langs}) == len(LANGUAGES)
    assert press(player(game), "x") == player(game)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 12), (60, 14), (30, 8)])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_moment_fits_every_size_in_every_language(game: Playback, size: tuple[int, int], lang: str) -> None:
    at = player(game)
    at = replace(at, view=replace(at.view, words=Words(lang), signs=ASCII if lang == "pt" else at.view.signs))
    for step in range(0, len(game.frames), 9):
        lines = picture(replace(at, game=game.step(step)), *size).text().split("\n")
        assert len(lines) == size[1]
        assert max(map(len, lines)) <= size[0]


def test_the_place_in_the_game_is_always_in_sight(game: Playback) -> None:
    tenth = game
    for _ in range(10):
        tenth = tenth.round(1)
    for size in ((80, 24), (40, 12)):
        assert "round 10 of 57" in picture(player(tenth), *size).text()


async def test_the_screen_runs_by_itself_and_obeys_keys(game: Playback) -> None:
    app = ReplayScreen(player(game), "dark")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("end")
        assert "wins the game" in app.board.canvas.text()
        await pilot.press("c", "r")
        assert app.board.theme == "light"
        assert "first" in app.board.canvas.text()
        await pilot.press("escape", "home")
        assert "round 0 of 57" in app.board.canvas.text()
        await pilot.resize_terminal(100, 30)
        assert app.board.canvas.width == 100
        await pilot.press("q")
    assert app.return_value == 0
