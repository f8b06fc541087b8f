"""War Online between two terminals, a server and a store as processes: a whole game, in which one drops in mid-turn."""

from functools import partial
from pathlib import Path

import pytest

from e2e.nodes import ServerProcess
from e2e.terminals import Event, Terminal, terminal
from e2e.wiretap import Wiretap

TERMS = ("--quick", "--game", "war-online", "--limit", "10", "--turn-seconds", "30", "--level", "easy")
CLOCK_AND_MORE = 120.0
"""Seconds to wait for what follows when a turn's 30 seconds have run out."""


def turns(client: Terminal) -> list[Event]:
    """The finished turns a client was shown, by number, whether while they were played or on coming back."""
    shown = {}
    for event in client.events:
        for line in event["rounds"] if event["event"] == "seated" else [event] if event["event"] == "turned" else ():
            shown[line["n"]] = {key: value for key, value in line.items() if key not in {"event", "card"}}
    return [shown[n] for n in sorted(shown)]


def mid_turn(seat: int, event: Event) -> bool:
    """Whether this seat has placed its armies and still has to end its turn."""
    legal = event["legal"]
    return event["view"]["on_turn"] == seat and event["view"]["round"] == 2 and bool(legal) and legal[0] == "end"


def mine_to_place(seat: int, round_number: int, event: Event) -> bool:
    view, legal = event["view"], event["legal"]
    here = (view["on_turn"], view["round"]) == (seat, round_number)
    return here and bool(legal) and legal[0].startswith("place")


@pytest.mark.timeout(300)
async def test_a_whole_game_with_one_who_drops_in_mid_turn_and_a_node_killed_meanwhile(
    server: ServerProcess, tap: Wiretap, tmp_path: Path
) -> None:
    async with terminal(tap.url, *TERMS, "--auto", state=tmp_path / "a") as ann:
        async with terminal(tap.url, *TERMS, state=tmp_path / "b") as bob:
            seat = (await bob.until("seated"))["seat"]
            await bob.until("board", lambda event: event["legal"] == ["play"])
            await bob.type("play")
            for round_number in (1, 2):
                board = await bob.until("board", partial(mine_to_place, seat, round_number))
                await bob.type(board["legal"][0])
                if round_number == 1:
                    await bob.until("board", lambda e: e["legal"][:1] == ["end"])
                    await bob.type("end")
            await bob.until("board", partial(mid_turn, seat))
            await bob.kill()
        await server.kill()
        await server.start()
        await ann.until(
            "driver", lambda event: event["seat"] == seat and event["driver"] == "bot", within=CLOCK_AND_MORE
        )
        async with terminal(tap.url, "--resume", "--auto", state=tmp_path / "b") as again:
            assert await again.ended(within=CLOCK_AND_MORE) == 0
        assert await ann.ended() == 0
    results = [client.events[-1] for client in (ann, again)]
    assert [result["event"] for result in results] == ["result", "result"]
    assert results[0]["rounds"] == results[1]["rounds"]
    assert len(results[0]["objectives"]) == 2
    assert results[0]["objectives"] == results[1]["objectives"]
    for client, result in zip((ann, again), results, strict=True):
        assert turns(client) == [{k: v for k, v in line.items() if k != "card"} for line in result["rounds"]]
    by = [turn["by"] for turn in turns(ann) if turn["seat"] == seat]
    assert (by[0], by[1], by[-1]) == ("human", "bot", "human")
    assert [event["driver"] for event in ann.named("driver") if event["seat"] == seat] == ["bot", "human"]
    assert ann.named("lost")
