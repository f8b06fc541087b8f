"""A sitting from its first request to its end, against a server that says what the test tells it to."""

from pathlib import Path

from msgspec.structs import replace

from scripted_server import Peer
from sitting_scene import ENDED, TOKEN, meets, sits
from table_talk import CHAIR, CODE, MATCH, by_bot, chair, fought, over, results, seated, state, waiting, welcome
from twoseat import wire
from twoseat_client.sitting import OK, Ending
from twoseat_client.tokens import Claim, Tokens


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
