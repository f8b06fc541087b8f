"""The screen as a running program, driven by keys and clicks, against a server that says what the test tells it to."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from textual.pilot import Pilot

from scripted_server import Dialogue, Peer, scripted, until
from table_talk import CHAIR, CODE, MATCH, by_bot, chair, fought, over, results, seated, state, waiting, welcome
from twoseat import wire
from twoseat_client.address import Server
from twoseat_client.plan import Front, Plan
from twoseat_client.sitting import INTERRUPTED, OK, UNREACHABLE, VERSION, Ending
from twoseat_client.tokens import Tokens
from twoseat_client.tui import Screen

TOKEN = "t" * 43
NOBODY = Server("http://127.0.0.1:1")


class Seen:
    """The program and what it shows."""

    def __init__(self, app: Screen, pilot: Pilot[Ending]) -> None:
        self.app = app
        self.pilot = pilot

    def text(self) -> str:
        return self.app.board.canvas.text()

    async def sees(self, *texts: str) -> None:
        try:
            await until(lambda: all(text in self.text() for text in texts))
        except TimeoutError:
            raise AssertionError(f"{texts} is not in\n{self.text()}") from None

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def ends(self) -> Ending:
        await until(lambda: self.app.return_value is not None)
        assert self.app.return_value is not None
        return self.app.return_value


@asynccontextmanager
async def screen(
    tmp_path: Path, server: Server, begin: BaseModel | None = None, size: tuple[int, int] = (80, 24), **changes: Any
) -> AsyncIterator[Seen]:
    tokens = Tokens(tmp_path / "tokens.json", server.origin)
    plan = Plan(server, tokens, Front.SCREEN, "en", wire.Terms(), begin=begin)
    app = Screen(replace(plan, **changes), "dark")
    async with app.run_test(size=size) as pilot:
        yield Seen(app, pilot)
    if app.bug is not None:
        raise app.bug


def meeting(*messages: Any, request: str = "quick", then: Callable[[Peer], Any] | None = None) -> Dialogue:
    async def dialogue(peer: Peer) -> None:
        await peer.hears("hello")
        await peer.says(welcome(token=TOKEN))
        await peer.hears(request)
        await peer.says(*messages)
        if then is not None:
            await then(peer)
        await peer.stays()

    return dialogue


QUICK = wire.Quick(type="quick")


async def test_the_menu_begins_a_game_and_a_key_draws(tmp_path: Path) -> None:
    async def draws(peer: Peer) -> None:
        move = await peer.hears("play")
        await peer.says(
            state(2, rounds=[fought(1)], pairs=[("QH", "10S")], chairs=(chair(number=1, last=move["id"]), CHAIR))
        )

    async with scripted(meeting(seated(), state(1), then=draws)) as server, screen(tmp_path, server) as seen:
        await seen.sees("Play now", "With whoever has waited longest.")
        await seen.press("enter")
        await seen.sees("You draw first")
        await seen.press("space")
        await seen.sees("Your queen beats the ten: 2 cards to you.")


async def test_a_key_pressed_too_early_draws_once_as_soon_as_it_can(tmp_path: Path) -> None:
    moves: list[Any] = []

    async def draws(peer: Peer) -> None:
        await pressed.wait()
        await peer.says(state(2, turn=0, drawn=(False, True)))
        moves.append(await peer.hears("play"))
        await peer.says(state(3, turn=0, round_number=2, chairs=(chair(number=1, last=moves[0]["id"]), CHAIR)))
        await peer.says(wire.Watchers(1))

    pressed = asyncio.Event()
    async with (
        scripted(meeting(seated(), state(1, turn=1), then=draws)) as server,
        screen(tmp_path, server, QUICK) as seen,
    ):
        await seen.sees("Bo to draw.")
        await seen.press("space")
        pressed.set()
        await seen.sees("1 watching")
        assert len(moves) == 1
        assert seen.app.view.model.table is not None
        assert seen.app.view.model.table.open_moves == ("draw",)


async def test_a_click_on_the_button_draws(tmp_path: Path) -> None:
    async def draws(peer: Peer) -> None:
        await peer.hears("play")
        await peer.says(wire.Watchers(1))

    async with scripted(meeting(seated(), state(1), then=draws)) as server, screen(tmp_path, server, QUICK) as seen:
        await seen.sees("Draw a card")
        await seen.pilot.click(offset=(5, 22))
        await seen.sees("1 watching")


async def test_any_key_takes_the_seat_back(tmp_path: Path) -> None:
    async def returns(peer: Peer) -> None:
        await peer.hears("return")
        await peer.says(state(2, chairs=(by_bot(back=True), CHAIR)))

    table = meeting(seated(), state(1, chairs=(by_bot(), CHAIR)), then=returns)
    async with scripted(table) as server, screen(tmp_path, server, QUICK) as seen:
        await seen.sees("Take the seat back")
        await seen.press("z")
        await seen.sees("back from the next turn")


async def test_results_open_by_themselves_and_a_rematch_closes_them(tmp_path: Path) -> None:
    ended = (seated(), state(1), over(2, [fought(1)]), results([fought(1, cards=("QH", "10S"))]))

    async def again(peer: Peer) -> None:
        await peer.hears("rematch")
        await peer.says(seated(match="1" * 34), state(1))

    async with scripted(meeting(*ended, then=again)) as server, screen(tmp_path, server, QUICK) as seen:
        await seen.sees("You win the game, 1 to 0.", "Q♥", "Rematch")
        await seen.press("space")
        await seen.sees("Q♥")
        await seen.press("m")
        await seen.sees("You draw first")
        await seen.press("r", "left")
        await seen.sees("game 1 of 2", "Q♥")


async def test_leaving_asks_and_comes_back_to_the_menu(tmp_path: Path) -> None:
    async def leaves(peer: Peer) -> None:
        await peer.hears("leave")
        await peer.says(wire.Idle())

    async with scripted(meeting(seated(), state(1), then=leaves)) as server, screen(tmp_path, server, QUICK) as seen:
        await seen.sees("Draw a card")
        await seen.press("q")
        await seen.sees("Leave the table?")
        await seen.press("escape")
        await until(lambda: "Leave the table?" not in seen.text())
        await seen.press("q", "y")
        await seen.sees("Play now")


async def test_a_seat_that_was_kept_is_offered_in_the_menu(tmp_path: Path) -> None:
    async def comes_back(peer: Peer) -> None:
        hello = await peer.hears("hello")
        assert (hello["token"], hello["match"]) == (TOKEN, MATCH)
        await peer.says(welcome(), seated(), state(1))
        await peer.stays()

    async with scripted(comes_back) as server:
        Tokens(tmp_path / "tokens.json", server.origin).remember(MATCH, CODE, TOKEN)
        async with screen(tmp_path, server) as seen:
            await seen.sees("Go on with my game", CODE)
            await seen.press("enter")
            await seen.sees("Draw a card")


async def test_a_host_sees_code_and_waits_and_cancels(tmp_path: Path) -> None:
    async def cancels(peer: Peer) -> None:
        await peer.hears("cancel")
        await peer.says(wire.Idle())

    table = meeting(waiting(CODE), request="host", then=cancels)
    async with scripted(table) as server, screen(tmp_path, server, wire.Host(type="host")) as seen:
        await seen.sees(f"The code is {CODE}.", f"/j/{CODE}")
        await seen.press("q")
        await seen.sees("Play now")


async def test_the_bot_is_offered_after_ten_seconds_of_waiting(tmp_path: Path) -> None:
    async def plays_bot(peer: Peer) -> None:
        await peer.hears("bot")
        await peer.says(seated(bot=True), state(1))

    queue = meeting(waiting(None, 11_000), then=plays_bot)
    async with scripted(queue) as server, screen(tmp_path, server, QUICK) as seen:
        await seen.sees("Press b to play the bot meanwhile.")
        await seen.press("b")
        await seen.sees("Draw a card")


async def test_a_refused_code_is_said_in_the_menu(tmp_path: Path) -> None:
    refusing = meeting(wire.Error(wire.ErrorCode.NOT_FOUND), request="join")
    async with scripted(refusing) as server, screen(tmp_path, server, wire.Join(type="join", code=CODE)) as seen:
        await seen.sees("There is no table with this code.", "Play now")


async def test_a_seat_that_went_elsewhere_can_be_taken_back(tmp_path: Path) -> None:
    async def replaced(peer: Peer) -> None:
        await peer.closes(wire.Close.REPLACED)

    async def comes_back(peer: Peer) -> None:
        assert (await peer.hears("hello"))["match"] == MATCH
        await peer.says(welcome(), seated(), state(1))
        await peer.stays()

    dialogues = (meeting(seated(), state(1), then=replaced), comes_back)
    async with scripted(*dialogues) as server, screen(tmp_path, server, QUICK) as seen:
        await seen.sees("Your seat was opened in another window")
        await seen.press("enter")
        await seen.sees("Draw a card")


async def test_a_broken_line_shows_and_mends(tmp_path: Path) -> None:
    async def drops(peer: Peer) -> None:
        peer.drops()

    async def comes_back(peer: Peer) -> None:
        await peer.hears("hello")
        await peer.says(welcome(), seated(), state(5, turn=1))
        await peer.stays()

    dialogues = (meeting(seated(), state(1), then=drops), comes_back)
    async with scripted(*dialogues) as server, screen(tmp_path, server, QUICK) as seen:
        await seen.sees("Bo to draw.", "Connected again.")


async def test_one_who_gives_up_connecting_is_in_the_menu_and_stays_there(tmp_path: Path) -> None:
    greeted = asyncio.Event()
    gone = asyncio.Event()

    async def slow(peer: Peer) -> None:
        await peer.hears("hello")
        greeted.set()
        await peer.stays()
        gone.set()

    table = meeting(seated(), state(1))
    async with scripted(slow, table) as server, screen(tmp_path, server, QUICK) as seen:
        await greeted.wait()
        await seen.sees("Connecting…")
        await seen.press("escape")
        await seen.sees("Play now")
        await gone.wait()
        await seen.press("enter")
        await seen.sees("Draw a card")


async def test_a_server_that_does_not_answer_is_said_with_the_next_step(tmp_path: Path) -> None:
    async with screen(tmp_path, NOBODY, QUICK) as seen:
        await seen.sees("The server does not answer.", "try now")
        await seen.press("q")
        ending = await seen.ends()
    assert ending.code == UNREACHABLE
    assert ending.why is not None


async def test_an_older_client_ends_with_the_version_code(tmp_path: Path) -> None:
    async def old(peer: Peer) -> None:
        await peer.hears("hello")
        await peer.says(wire.Error(wire.ErrorCode.OLD_CLIENT))
        await peer.closes(wire.Close.OLD_CLIENT)

    async with scripted(old) as server, screen(tmp_path, server, QUICK) as seen:
        assert (await seen.ends()).code == VERSION


async def test_ctrl_c_asks_once_and_leaves_the_second_time(tmp_path: Path) -> None:
    async with screen(tmp_path, NOBODY) as seen:
        await seen.press("ctrl+c")
        await seen.sees("Ctrl-C again leaves; your seat is kept.")
        await seen.press("z")
        await until(lambda: "Ctrl-C" not in seen.text())
        await seen.press("ctrl+c", "ctrl+c")
        assert (await seen.ends()).code == INTERRUPTED


async def test_quitting_from_the_menu_is_fine(tmp_path: Path) -> None:
    async with screen(tmp_path, NOBODY) as seen:
        await seen.press("escape")
        assert await seen.ends() == Ending(OK)


async def test_language_and_colours_change_and_the_language_is_remembered(tmp_path: Path) -> None:
    async with screen(tmp_path, NOBODY) as seen:
        await seen.press("l")
        await seen.sees("Играй сега")
        before = seen.app.board.theme
        await seen.press("c")
        assert seen.app.board.theme != before
    assert Tokens(tmp_path / "tokens.json", NOBODY.origin).preference("lang") == "bg"


async def test_the_name_typed_is_said_in_hello_and_remembered(tmp_path: Path) -> None:
    names: list[str] = []

    async def dialogue(peer: Peer) -> None:
        names.append((await peer.hears("hello"))["name"])
        await peer.says(welcome(token=TOKEN))
        await peer.stays()

    async with scripted(dialogue) as server, screen(tmp_path, server) as seen:
        await seen.press("up", "М", "и", "down", "enter")
        await until(lambda: names == ["Ми"])
        assert Tokens(tmp_path / "tokens.json", server.origin).preference("name") == "Ми"


async def test_it_follows_the_size_of_the_window(tmp_path: Path) -> None:
    table = meeting(seated(), state(1))
    async with scripted(table) as server, screen(tmp_path, server, QUICK, size=(120, 40)) as seen:
        for width, height in ((120, 40), (40, 12), (80, 24), (200, 60)):
            await seen.pilot.resize_terminal(width, height)
            await until(lambda: (seen.app.board.canvas.width, seen.app.board.canvas.height) == (width, height))  # noqa: B023
            await seen.sees("Draw a card")
        await seen.pilot.resize_terminal(20, 5)
        await seen.sees("Please make")


async def test_a_fault_inside_is_raised_after_the_terminal_is_restored(tmp_path: Path) -> None:
    tokens = Tokens(tmp_path / "tokens.json", NOBODY.origin)
    app = Screen(Plan(NOBODY, tokens, Front.SCREEN, "en", wire.Terms()), "dark")
    async with app.run_test() as pilot:
        app.view = replace(app.view, words=None)  # type: ignore[arg-type]
        await until(lambda: app.bug is not None)
        await pilot.pause()
    assert isinstance(app.bug, TypeError)
