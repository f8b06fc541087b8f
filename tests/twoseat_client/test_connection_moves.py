"""A move on the line: sent once, sent again the same where nobody answered, and done when it is acknowledged."""

from typing import Any

import pytest

from line_scene import MOVE, TOKEN, Partner, closing, listening, welcomes
from scripted_server import Peer, scripted, until
from table_talk import chair, seated, state, welcome
from twoseat import wire
from twoseat_client.facts import Sent, Trying


async def playing(peer: Peer, *more: Any) -> None:
    await welcomes(peer)
    await peer.says(seated(), state(), *more)


async def test_a_move_without_an_answer_is_sent_again_the_same_on_the_next_socket() -> None:
    moves: list[dict[str, Any]] = []

    async def dialogue(peer: Peer) -> None:
        await playing(peer)
        moves.append(await peer.hears("play"))
        peer.drops()

    async def answering(peer: Peer) -> None:
        await playing(peer)
        moves.append(await peer.hears("play"))
        await peer.says(wire.Done("m1", 2))
        await peer.stays()

    async with scripted(dialogue, answering) as server, listening(server) as heard:
        await heard.gets(wire.State)
        assert await heard.connection.play(MOVE)
        await heard.gets(Trying)
        heard.clock.move(0.3)
        await heard.gets(wire.Done)
        assert await heard.connection.play(MOVE.model_copy(update={"id": "m2", "number": 1}))
    assert moves[0] == moves[1] == {"type": "play", "id": "m1", "number": 0, "move": "draw"}


ANSWERS = [
    state(2, chairs=(chair(last="m1", number=1), chair())),
    wire.Done("m1", 2),
    wire.RejectedMessage(wire.Reason.STALE, "m1", by_bot=True),
]


@pytest.mark.parametrize("answer", ANSWERS)
async def test_a_move_is_acknowledged_by_the_state_by_done_and_by_a_rejection(answer: Any) -> None:
    async def dialogue(peer: Peer) -> None:
        await playing(peer)
        await peer.hears("play")
        await peer.says(answer)
        await peer.hears("play")

    async with scripted(dialogue) as server, listening(server) as heard:
        await heard.gets(wire.State)
        assert await heard.connection.play(MOVE)
        await until(lambda: answer in heard.items)
        assert await heard.connection.play(MOVE.model_copy(update={"id": "m2"}))
        await heard.gets(Sent, 2)


async def test_a_second_move_is_refused_while_the_first_is_open() -> None:
    async def dialogue(peer: Peer) -> None:
        await playing(peer)
        await peer.stays()

    async with scripted(dialogue) as server, listening(server) as heard:
        await heard.gets(wire.State)
        assert await heard.connection.play(MOVE)
        assert not await heard.connection.play(MOVE.model_copy(update={"id": "m2"}))
        await heard.gets(Sent)
        assert len(heard.of(Sent)) == 1


async def test_a_state_of_the_next_socket_that_has_the_move_ends_the_matter() -> None:
    late: list[dict[str, Any]] = []

    async def dialogue(peer: Peer) -> None:
        await playing(peer)
        await peer.hears("play")
        peer.drops()

    async def knowing(peer: Peer) -> None:
        await welcomes(peer)
        await peer.says(seated(), state(2, chairs=(chair(last="m1", number=1), chair())))
        late.append(await peer.hears())

    async with scripted(dialogue, knowing) as server, listening(server) as heard:
        await heard.gets(wire.State)
        await heard.connection.play(MOVE)
        await heard.gets(Trying)
        heard.clock.move(0.3)
        await heard.gets(wire.State, 2)
        await heard.connection.send(wire.Cancel(type="cancel"))
        await until(lambda: bool(late))
    assert late[0]["type"] == "cancel"


async def test_a_move_that_nobody_answers_goes_again_after_two_seconds_and_then_every_four() -> None:
    partner = Partner(seated(), state())
    async with scripted(partner.dialogue) as server, listening(server) as heard:
        await heard.gets(wire.State)
        heard.clock.move(1)
        await heard.connection.play(MOVE)
        for count, seconds in enumerate((2, 4, 4), 2):
            for _ in range(2):
                heard.clock.move(seconds / 2 - 0.125)
                await partner.speaks(heard, wire.Idle())
            assert await partner.heard_all(heard, "play") == count - 1
            heard.clock.move(0.25)
            await partner.hears("play", count)
            assert await partner.heard_all(heard, "ping") == int(count > 2), "no ping was needed for it"
        await partner.speaks(heard, wire.Done("m1", 2))
        heard.clock.move(4)
        await partner.hears("ping", 2)
        assert await partner.heard_all(heard, "play") == 4, "it was answered"
    assert all(move == partner.of("play")[0] for move in partner.of("play"))


async def test_a_move_goes_to_nobody_who_has_not_welcomed_her() -> None:
    kinds: list[str] = []

    async def dialogue(peer: Peer) -> None:
        await playing(peer)
        await peer.hears("play")
        peer.drops()

    async def slow(peer: Peer) -> None:
        while "ping" not in kinds:
            kinds.append((await peer.hears())["type"])
        await peer.says(welcome(token=TOKEN), seated(), state())
        while "cancel" not in kinds:
            kinds.append((await peer.hears())["type"])

    async with scripted(dialogue, slow) as server, listening(server) as heard:
        await heard.gets(wire.State)
        await heard.connection.play(MOVE)
        await heard.gets(Trying)
        heard.clock.move(0.3)
        await until(lambda: kinds == ["hello"])
        heard.clock.move(4)
        await heard.gets(wire.State, 2)
        await heard.connection.send(wire.Cancel(type="cancel"))
        await until(lambda: "cancel" in kinds)
    assert kinds == ["hello", "ping", "play", "cancel"], "once, when she knows where she is"


async def test_a_new_match_has_nothing_to_do_with_the_old_ones_open_move() -> None:
    async def dialogue(peer: Peer) -> None:
        await playing(peer)
        await peer.hears("play")
        await peer.says(seated(match="1" * 34), state())
        await peer.stays()

    async with scripted(dialogue) as server, listening(server) as heard:
        await heard.gets(wire.State)
        await heard.connection.play(MOVE)
        await heard.gets(wire.Seated, 2)
        assert await heard.connection.play(MOVE.model_copy(update={"id": "m2"}))


async def test_a_request_is_not_kept_for_a_line_that_is_down() -> None:
    async with scripted(closing(1012)) as server, listening(server) as heard:
        await heard.gets(Trying)
        assert not await heard.connection.send(wire.ResignMatch(type="resign"))


async def test_words_of_a_newer_server_are_passed_over() -> None:
    async def dialogue(peer: Peer) -> None:
        await welcomes(peer)
        await peer._socket.send('{"type": "confetti"}')
        await peer._socket.send('{"type": "idle", "mood": "calm"}')
        await peer.stays()

    async with scripted(dialogue) as server, listening(server) as heard:
        assert await heard.gets(wire.Idle) == wire.Idle()
        assert [type(item) for item in heard.items] == [wire.Welcome, wire.Idle]
