"""What a sitting answers to refusals, closed lines and the wishes of its person, at a scripted server."""

import asyncio
from pathlib import Path

import pytest

from scripted_server import DEADLINE, Peer, scripted
from sitting_scene import ENDED, QUICK, TOKEN, meets, sits
from table_talk import CHAIR, CODE, MATCH, by_bot, state, welcome
from twoseat import wire
from twoseat_client.connection import Connection
from twoseat_client.sitting import OK, UNREACHABLE, USAGE, VERSION, Action, Ending, Sitting
from twoseat_client.tokens import Tokens

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
    (wire.Close.FOREIGN, VERSION),
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
