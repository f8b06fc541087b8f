"""A sitting from its first request to its end, against a server that says what the test tells it to."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from scripted_server import DEADLINE, Dialogue, Peer, scripted
from table_talk import CHAIR, CODE, MATCH, by_bot, chair, fought, over, results, seated, state, waiting, welcome
from twoseat import wire
from twoseat_client.connection import Connection
from twoseat_client.events import Event
from twoseat_client.model import Model
from twoseat_client.sitting import OK, UNREACHABLE, USAGE, VERSION, Action, Ending, Sitting
from twoseat_client.tokens import Claim, Tokens

TOKEN = "t" * 43
QUICK = wire.Quick(type="quick")
ENDED = (over(9, [fought(1)]), results([fought(1)]))


class Table:
    """A sitting on its way, with all it told."""

    def __init__(self, sitting: Sitting, tokens: Tokens) -> None:
        self.sitting = sitting
        self.tokens = tokens
        self.told: list[Event] = []

    def tell(self, model: Model, events: tuple[Event, ...]) -> None:
        self.told += events

    def names(self) -> list[str]:
        return [event.name for event in self.told]


async def sits(
    tmp_path: Path,
    *dialogues: Dialogue,
    begin: BaseModel | None = QUICK,
    auto: bool = True,
    acts: dict[str, Action | Callable[[Sitting], Awaitable[None]]] | None = None,
    **line: Any,
) -> tuple[Ending, Table]:
    """Run a sitting against these dialogues; `acts` are done when an event of that name is told."""
    async with scripted(*dialogues) as server:
        tokens = Tokens(tmp_path / "tokens.json", server.origin)
        tasks: list[asyncio.Future[None]] = []

        def tell(model: Model, events: tuple[Event, ...]) -> None:
            table.tell(model, events)
            for event in events:
                if acts and event.name in acts:
                    act = acts[event.name]
                    tasks.append(asyncio.ensure_future(sitting.act(act) if isinstance(act, Action) else act(sitting)))

        connection = Connection(server, draw=lambda: 0.0, **line)
        sitting = Sitting(connection, server, tokens, begin, tell, auto=auto)
        table = Table(sitting, tokens)
        async with asyncio.timeout(DEADLINE):
            ending = await sitting.run()
        await asyncio.gather(*tasks)
    return ending, table


async def meets(peer: Peer, *more: Any, request: str = "quick") -> None:
    await peer.hears("hello")
    await peer.says(welcome(token=TOKEN))
    await peer.hears(request)
    await peer.says(seated(), *more)


async def test_auto_makes_each_legal_move_and_ends_with_the_game(tmp_path: Path) -> None:
    async def dialogue(peer: Peer) -> None:
        await meets(peer, state(1, turn=1), state(2, turn=0))
        first = await peer.hears("play")
        assert (first["number"], first["move"]) == (0, "draw")
        await peer.says(state(3, turn=1, chairs=(chair(number=1, last=first["id"]), CHAIR)))
        await peer.says(state(4, turn=0, chairs=(chair(number=1, last=first["id"]), CHAIR)))
        second = await peer.hears("play")
        assert second["number"] == 1
        assert second["id"] != first["id"]
        await peer.says(*ENDED)
        await peer.stays()

    ending, table = await sits(tmp_path, dialogue)
    assert ending == Ending(OK)
    assert table.names()[-1] == "result"


async def test_auto_takes_back_a_seat_the_bot_drives_and_asks_once(tmp_path: Path) -> None:
    async def dialogue(peer: Peer) -> None:
        await meets(peer, state(1, chairs=(by_bot(), CHAIR)))
        await peer.hears("return")
        await peer.says(state(2, chairs=(by_bot(back=True), CHAIR)))
        await peer.says(state(3))
        assert (await peer.hears())["type"] == "play"
        await peer.says(*ENDED)
        await peer.stays()

    ending, _ = await sits(tmp_path, dialogue)
    assert ending.code == OK


async def test_auto_plays_a_series_to_its_end(tmp_path: Path) -> None:
    async def dialogue(peer: Peer) -> None:
        await meets(peer, state(1), replace(ENDED[0], next_in=10_000), replace(ENDED[1], decided=False))
        await peer.hears("rematch")
        await peer.says(seated(match="1" * 34), state(1, turn=1), ENDED[0], replace(ENDED[1], match="1" * 34))
        await peer.stays()

    _, table = await sits(tmp_path, dialogue)
    assert table.names().count("result") == 2


async def test_auto_waits_again_where_a_quick_match_never_began(tmp_path: Path) -> None:
    void = (over(2, [], None, wire.Termination.VOID), results([], None, wire.Termination.VOID))

    async def dialogue(peer: Peer) -> None:
        await meets(peer, *void, waiting(), seated(match="1" * 34), replace(ENDED[0], version=1))
        await peer.says(replace(ENDED[1], match="1" * 34))
        await peer.stays()

    _, table = await sits(tmp_path, dialogue)
    assert [event.data["termination"] for event in table.told if event.name == "result"] == ["void", "points"]


async def test_a_private_table_that_never_began_is_the_end(tmp_path: Path) -> None:
    async def dialogue(peer: Peer) -> None:
        void = (over(2, [], None, wire.Termination.VOID), results([], None, wire.Termination.VOID))
        await meets(peer, *void, request="host")
        await peer.stays()

    ending, _ = await sits(tmp_path, dialogue, begin=wire.Host(type="host"))
    assert ending.code == OK


async def test_the_token_is_kept_before_anything_else_and_the_seat_closed_after_the_game(tmp_path: Path) -> None:
    kept: list[tuple[Claim, ...]] = []

    async def dialogue(peer: Peer) -> None:
        await meets(peer, state(1))
        await peer.hears("play")
        kept.append(Tokens(tmp_path / "tokens.json", origin()).unfinished())
        await peer.says(*ENDED)
        await peer.stays()

    def origin() -> str:
        text = (tmp_path / "tokens.json").read_text()
        return text.split('"http')[1].split('"')[0].join(("http", ""))

    _, table = await sits(tmp_path, dialogue)
    assert kept == [(Claim(MATCH, CODE, TOKEN),)]
    assert table.tokens.unfinished() == ()


async def test_one_who_watches_keeps_no_token_and_leaves_with_the_game(tmp_path: Path) -> None:
    async def dialogue(peer: Peer) -> None:
        await peer.hears("hello")
        await peer.says(welcome(token=TOKEN))
        await peer.hears("watch")
        await peer.says(seated(None), state(1), *ENDED)
        await peer.stays()

    ending, table = await sits(tmp_path, dialogue, begin=wire.Watch(type="watch", code=CODE), auto=False)
    assert ending.code == OK
    assert table.tokens.seats() == ()


async def test_a_place_in_the_queue_is_asked_for_again_after_a_break(tmp_path: Path) -> None:
    async def first(peer: Peer) -> None:
        await peer.hears("hello")
        await peer.says(welcome(token=TOKEN))
        await peer.hears("quick")
        await peer.says(waiting())
        peer.drops()

    async def second(peer: Peer) -> None:
        await meets(peer, *ENDED)
        await peer.stays()

    ending, _ = await sits(tmp_path, first, second)
    assert ending.code == OK


async def test_ones_own_table_is_joined_again_after_a_break(tmp_path: Path) -> None:
    async def first(peer: Peer) -> None:
        await peer.hears("hello")
        await peer.says(welcome(token=TOKEN))
        await peer.hears("host")
        await peer.says(waiting(CODE))
        peer.drops()

    async def second(peer: Peer) -> None:
        assert (await peer.hears("hello"))["token"] == TOKEN
        await peer.says(welcome())
        assert (await peer.hears("join"))["code"] == CODE
        await peer.says(seated(), *ENDED)
        await peer.stays()

    await sits(tmp_path, first, second, begin=wire.Host(type="host"))


async def test_a_match_found_while_the_line_was_down_is_taken(tmp_path: Path) -> None:
    async def first(peer: Peer) -> None:
        await peer.hears("hello")
        await peer.says(welcome(token=TOKEN))
        await peer.hears("quick")
        await peer.says(waiting())
        peer.drops()

    async def second(peer: Peer) -> None:
        await peer.hears("hello")
        await peer.says(welcome(resume=wire.Resumable(MATCH, CODE, present=False)))
        assert (await peer.hears("join"))["code"] == CODE
        await peer.says(seated(), *ENDED)
        await peer.stays()

    await sits(tmp_path, first, second)


async def test_a_gap_asks_for_everything_anew(tmp_path: Path) -> None:
    async def dialogue(peer: Peer) -> None:
        await meets(peer, state(1, turn=1), state(4, turn=1, rounds=[fought(3)]))
        await peer.hears("sync")
        await peer.says(seated(rounds=[fought(1), fought(2), fought(3)]), state(4, turn=1, round_number=4))
        await peer.says(over(5, [fought(4)]), results([fought(n) for n in range(1, 5)]))
        await peer.stays()

    _, table = await sits(tmp_path, dialogue)
    assert [event.data["n"] for event in table.told if event.name == "round"] == [1, 2, 3, 4]


REFUSALS = [
    (wire.ErrorCode.NOT_FOUND, USAGE),
    (wire.ErrorCode.FINISHED, USAGE),
    (wire.ErrorCode.BAD_OPTIONS, USAGE),
    (wire.ErrorCode.BUSY, UNREACHABLE),
    (wire.ErrorCode.SLOW_DOWN, UNREACHABLE),
    (wire.ErrorCode.OLD_CLIENT, VERSION),
]


@pytest.mark.parametrize(("code", "exit_code"), REFUSALS)
async def test_a_refused_request_ends_the_sitting_with_its_words(
    tmp_path: Path, code: wire.ErrorCode, exit_code: int
) -> None:
    async def dialogue(peer: Peer) -> None:
        await peer.hears("hello")
        await peer.says(welcome(token=TOKEN))
        await peer.hears("join")
        await peer.says(wire.Error(code))
        await peer.stays()

    ending, _ = await sits(tmp_path, dialogue, begin=wire.Join(type="join", code=CODE))
    assert ending.code == exit_code
    assert ending.why is not None
    assert ending.why.key == f"error.{code}"


async def test_a_refusal_of_options_names_the_option(tmp_path: Path) -> None:
    async def dialogue(peer: Peer) -> None:
        await peer.hears("hello")
        await peer.says(welcome(token=TOKEN))
        await peer.hears("quick")
        await peer.says(wire.Error(wire.ErrorCode.BAD_OPTIONS, detail="target must be 1 to 50"))
        await peer.stays()

    ending, _ = await sits(tmp_path, dialogue)
    assert ending.why is not None
    assert dict(ending.why.params)["detail"] == "target must be 1 to 50"


async def test_a_match_the_server_no_longer_has_is_forgotten(tmp_path: Path) -> None:
    async def dialogue(peer: Peer) -> None:
        await peer.hears("hello")
        await peer.says(welcome(), wire.Error(wire.ErrorCode.NOT_FOUND))
        await peer.stays()

    ending, table = await sits(tmp_path, dialogue, begin=None, token=TOKEN, match=MATCH)
    assert ending.code == USAGE
    assert table.tokens.seats() == ()


async def test_storage_that_is_away_is_asked_again(tmp_path: Path) -> None:
    async def away(peer: Peer) -> None:
        await peer.hears("hello")
        await peer.says(welcome(token=TOKEN))
        await peer.hears("quick")
        await peer.says(wire.Error(wire.ErrorCode.STORAGE_AWAY))
        await peer.stays()

    async def there(peer: Peer) -> None:
        await meets(peer, *ENDED)
        await peer.stays()

    ending, _ = await sits(tmp_path, away, there)
    assert ending.code == OK


CLOSES = [
    (wire.Close.REPLACED, OK),
    (wire.Close.OLD_CLIENT, VERSION),
    (wire.Close.FLOOD, UNREACHABLE),
    (wire.Close.BYE, UNREACHABLE),
]


@pytest.mark.parametrize(("code", "exit_code"), CLOSES)
async def test_a_line_closed_for_good_ends_the_sitting(tmp_path: Path, code: wire.Close, exit_code: int) -> None:
    async def dialogue(peer: Peer) -> None:
        await meets(peer, state(1, turn=1))
        await peer.closes(code)

    ending, _ = await sits(tmp_path, dialogue)
    assert ending.code == exit_code
    assert ending.why is not None


ASKED = [
    (Action.DRAW, "play"),
    (Action.TURN, "play"),
    (Action.RESIGN, "resign"),
    (Action.LEAVE, "leave"),
    (Action.REMATCH, "rematch"),
    (Action.RETURN, "return"),
    (Action.OUCH, "react"),
]


@pytest.mark.parametrize(("action", "message"), ASKED)
async def test_an_action_becomes_its_message(tmp_path: Path, action: Action, message: str) -> None:
    async def dialogue(peer: Peer) -> None:
        await meets(peer, state(1))
        await peer.hears(message)
        await peer.says(wire.Idle())
        await peer.stays()

    ending, _ = await sits(tmp_path, dialogue, auto=False, acts={"turn": action})
    assert ending.code == OK


async def test_a_draw_while_the_bot_drives_takes_the_seat_back(tmp_path: Path) -> None:
    async def dialogue(peer: Peer) -> None:
        await meets(peer, state(1, chairs=(by_bot(), CHAIR)))
        await peer.hears("return")
        await peer.says(wire.Idle())
        await peer.stays()

    await sits(tmp_path, dialogue, auto=False, acts={"turn": Action.DRAW})


async def test_a_draw_out_of_turn_and_ten_turns_where_they_are_not_open_send_nothing(tmp_path: Path) -> None:
    async def dialogue(peer: Peer) -> None:
        await meets(peer, state(1, turn=1))
        assert (await peer.hears())["type"] == "resign"
        await peer.says(wire.Idle())
        await peer.stays()

    async def asks_in_vain(sitting: Sitting) -> None:
        for action in (Action.DRAW, Action.TURN_TEN, Action.RESIGN):
            await sitting.act(action)

    await sits(tmp_path, dialogue, auto=False, acts={"turn": asks_in_vain})


async def test_quitting_ends_it_and_keeps_the_seat(tmp_path: Path) -> None:
    async def dialogue(peer: Peer) -> None:
        await meets(peer, state(1))
        await peer.stays()

    ending, table = await sits(tmp_path, dialogue, auto=False, acts={"turn": Action.QUIT})
    assert ending == Ending(OK)
    assert len(table.tokens.unfinished()) == 1


async def test_leaving_hands_the_seat_to_the_bot_and_is_not_offered_again(tmp_path: Path) -> None:
    async def dialogue(peer: Peer) -> None:
        await meets(peer, state(1))
        await peer.hears("leave")
        await peer.says(wire.Idle())
        await peer.stays()

    _, table = await sits(tmp_path, dialogue, auto=False, acts={"turn": Action.LEAVE})
    assert table.tokens.unfinished() == ()


async def test_nobody_at_the_keyboard_ends_it_with_the_game(tmp_path: Path) -> None:
    async def dialogue(peer: Peer) -> None:
        await meets(peer, state(1, turn=1), *ENDED)
        await peer.stays()

    async with scripted(dialogue) as server, asyncio.timeout(DEADLINE):
        tokens = Tokens(tmp_path / "tokens.json", server.origin)
        sitting = Sitting(Connection(server), server, tokens, QUICK, lambda model, events: None)
        sitting.alone()
        assert await sitting.run() == Ending(OK)


async def test_a_token_that_cannot_be_saved_is_said_and_the_game_goes_on(tmp_path: Path) -> None:
    (tmp_path / "tokens.json").mkdir()

    async def dialogue(peer: Peer) -> None:
        await meets(peer, *ENDED)
        await peer.stays()

    ending, table = await sits(tmp_path, dialogue)
    assert ending.code == OK
    assert "unsaved" in [event.data.get("code") for event in table.told]
