"""A whole game of War Online between two real terminals, in which one drops in the middle of its turn."""

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

from e2e.terminals import Event, Terminal, terminal

CLOCK_AND_MORE = 120.0
"""Seconds to wait for what follows when a turn's 30 seconds have run out."""


async def play(url: str, turn_seconds: str, folder: Path, node_dies: Callable[[], Awaitable[object]]) -> None:
    """Play the game, and see that both were told the same."""
    terms = ("--quick", "--game", "war-online", "--limit", "10", "--turn-seconds", turn_seconds, "--level", "easy")
    async with terminal(url, *terms, "--auto", state=folder / "a") as ann:
        async with terminal(url, *terms, state=folder / "b") as bob:
            seat = await _goes_in_mid_turn(bob)
        await node_dies()
        await ann.until(
            "driver", lambda event: event["seat"] == seat and event["driver"] == "bot", within=CLOCK_AND_MORE
        )
        async with terminal(url, "--resume", "--auto", state=folder / "b") as again:
            assert await again.ended(within=CLOCK_AND_MORE) == 0
        assert await ann.ended() == 0
    results = [client.events[-1] for client in (ann, again)]
    assert [result["event"] for result in results] == ["result", "result"]
    assert results[0]["rounds"] == results[1]["rounds"]
    assert len(results[0]["objectives"]) == 2
    assert results[0]["objectives"] == results[1]["objectives"]
    for client, result in zip((ann, again), results, strict=True):
        assert _turns(client) == [{k: v for k, v in line.items() if k != "card"} for line in result["rounds"]]
    by = [turn["by"] for turn in _turns(ann) if turn["seat"] == seat]
    assert (by[0], by[1], by[-1]) == ("human", "bot", "human")


async def _goes_in_mid_turn(bob: Terminal) -> int:
    """Play until the armies of the second round are placed, and be gone; returns the seat."""
    seat = int((await bob.until("seated"))["seat"])
    await bob.until("board", lambda event: event["legal"] == ["play"])
    await bob.type("play")
    placed = 0
    while not _mid_turn(seat, board := await bob.until("board", partial(_mine, seat), after=placed)):
        placed = len(bob.events)
        await bob.type(board["legal"][0])
    await bob.kill()
    return seat


def _turns(client: Terminal) -> list[Event]:
    """The finished turns a client was shown, by number, whether while they were played or on coming back."""
    shown = {}
    for event in client.events:
        for line in event["rounds"] if event["event"] == "seated" else [event] if event["event"] == "turned" else ():
            shown[line["n"]] = {key: value for key, value in line.items() if key not in {"event", "card"}}
    return [shown[n] for n in sorted(shown)]


def _mid_turn(seat: int, event: Event) -> bool:
    """Whether this seat has placed its armies and still has to end its turn."""
    return bool(event["view"]["round"] == 2 and event["legal"][0] == "end")


def _mine(seat: int, event: Event) -> bool:
    """Whether this seat is on turn, past the screen before the first round."""
    return bool(event["view"]["on_turn"] == seat and event["legal"])
