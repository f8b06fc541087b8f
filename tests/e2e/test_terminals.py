"""The main job on real input: terminals, a server and a store as processes; they meet, drop, idle, and are killed."""

import asyncio
import signal
from functools import partial
from pathlib import Path

import pytest

from e2e.conftest import assert_logs_fold, stored_logs
from e2e.nodes import ServerProcess, serving
from e2e.terminals import Event, Terminal, terminal
from e2e.wiretap import Wiretap
from twoseat_server.chaos.cluster import Cluster


def course(client: Terminal) -> list[Event]:
    """The rounds a client was shown, by number, whether while they were played or on coming back."""
    shown = {}
    for event in client.events:
        for line in event["rounds"] if event["event"] == "seated" else [event] if event["event"] == "round" else ():
            shown[line["n"]] = {key: line[key] for key in ("n", "starter", "winner", "wars", "won", "counts", "by")}
    return [shown[n] for n in sorted(shown)]


def faceless(rounds: list[Event]) -> list[Event]:
    return [{key: value for key, value in line.items() if key != "cards"} for line in rounds]


def assert_same_course(*clients: Terminal) -> None:
    """Everybody saw the same rounds, and the results say the same again."""
    results = [client.events[-1] for client in clients]
    assert all(result["event"] == "result" for result in results)
    for client, result in zip(clients, results, strict=True):
        assert course(client) == faceless(result["rounds"])
        assert result["rounds"] == results[0]["rounds"]
        assert (result["winner"], result["termination"]) == (results[0]["winner"], results[0]["termination"])


async def draw_to_the_end(client: Terminal, seat: int, *, after: int) -> None:
    """Type `draw` whenever this seat owes one."""
    while True:
        due = await client.until(
            ("turn", "result"), lambda e: e["event"] == "result" or seat in e["seats"], after=after
        )
        if due["event"] == "result":
            return
        after = client.events.index(due, after) + 1
        await client.type("draw")


async def test_two_terminals_meet_by_quick_match_and_finish(tap: Wiretap, tmp_path: Path) -> None:
    async with (
        terminal(tap.url, "--quick", "--auto", state=tmp_path / "a") as ann,
        terminal(tap.url, "--quick", "--auto", state=tmp_path / "b") as bob,
    ):
        assert (await ann.ended(), await bob.ended()) == (0, 0)
    assert_same_course(ann, bob)
    assert len(course(ann)) >= 26
    assert {line["by"][0] for line in course(ann)} == {"human"}


async def test_two_terminals_with_one_file_of_seats_are_two_players(tap: Wiretap, tmp_path: Path) -> None:
    async with (
        terminal(tap.url, "--quick", "--auto", "--target", "5", state=tmp_path / "a") as ann,
        terminal(tap.url, "--quick", "--auto", "--target", "5", state=tmp_path / "a") as bob,
    ):
        assert (await ann.ended(), await bob.ended()) == (0, 0)
    assert_same_course(ann, bob)
    assert {ann.named("seated")[0]["seat"], bob.named("seated")[0]["seat"]} == {0, 1}


async def test_host_and_friend_meet_by_code_for_a_series(tap: Wiretap, tmp_path: Path) -> None:
    terms = ("--preset", "points", "--target", "3", "--games", "3")
    async with terminal(tap.url, "--host", "--auto", *terms, state=tmp_path / "a") as host:
        code = (await host.until("waiting"))["code"]
        spoken = f"{code[:3].lower()}-{code[3:].lower()}"
        async with terminal(tap.url, "--code", spoken, "--auto", state=tmp_path / "b") as friend:
            assert (await host.ended(), await friend.ended()) == (0, 0)
    assert host.events[-1]["series"] == friend.events[-1]["series"]
    assert host.events[-1]["decided"]
    assert 2 <= len(host.named("result")) <= 3


async def test_killed_client_is_played_for_and_gets_its_seat_back(tap: Wiretap, tmp_path: Path) -> None:
    terms = ("--quick", "--turn-seconds", "5", "--target", "12")
    async with terminal(tap.url, *terms, "--auto", state=tmp_path / "a") as ann:
        async with terminal(tap.url, *terms, "--auto", state=tmp_path / "b") as bob:
            await bob.until("round", lambda event: event["n"] == 3)
            await bob.kill()
        seat = bob.named("seated")[0]["seat"]
        await ann.until("presence", lambda event: event["seat"] == seat and not event["present"])
        await ann.until("driver", lambda event: event["seat"] == seat and event["driver"] == "bot")
        played = await ann.until("round", lambda event: event["by"][seat] == "bot")
        async with terminal(tap.url, "--resume", "--auto", state=tmp_path / "b") as again:
            recap = await again.until("recap")
            assert await again.ended() == 0
        assert await ann.ended() == 0
    assert recap["first"] <= played["n"] <= recap["last"]
    assert_same_course(ann, again)
    drivers = [line["by"][seat] for line in course(ann)]
    assert drivers[:2] == ["human", "human"]
    assert "bot" in drivers
    assert drivers[-1] == "human"


async def test_idle_player_is_played_for_until_she_says_return(tap: Wiretap, tmp_path: Path) -> None:
    terms = ("--quick", "--turn-seconds", "5", "--target", "6")
    async with (
        terminal(tap.url, *terms, "--auto", state=tmp_path / "a") as ann,
        terminal(tap.url, *terms, state=tmp_path / "b") as bob,
    ):
        seat = (await bob.until("seated"))["seat"]
        await bob.until("round", lambda event: event["by"][seat] == "bot")
        assert not [event for event in ann.named("presence") if event["seat"] == seat and not event["present"]]
        asked_at = len(bob.events)
        await bob.type("return")
        await bob.until("driver", lambda event: event["seat"] == seat and event["driver"] == "human", after=asked_at)
        await draw_to_the_end(bob, seat, after=asked_at)
        await bob.type("quit")
        assert await ann.ended() == 0
    drivers = [line["by"][seat] for line in course(ann)]
    assert drivers[0] == "bot"
    assert drivers[-1] == "human"


def _reached(n: int, event: Event) -> bool:
    return bool(event["n"] >= n)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
async def test_the_store_goes_for_seconds_and_the_game_goes_on(
    server: ServerProcess, tap: Wiretap, tmp_path: Path, how: signal.Signals
) -> None:
    """Killed, it is started again; stopped, it is silent for several attempts to reach it. Nobody loses time by it."""
    async with (
        terminal(tap.url, "--quick", "--auto", "--turn-seconds", "5", state=tmp_path / "a") as ann,
        terminal(tap.url, "--quick", "--auto", "--turn-seconds", "5", state=tmp_path / "b") as bob,
    ):
        await ann.until("round", partial(_reached, 5))
        server.strike_store(how)
        if how is signal.SIGSTOP:
            await ann.until("degraded", lambda event: bool(event["on"]))
            await asyncio.sleep(5)
            server.strike_store(signal.SIGCONT)
        assert (await ann.ended(), await bob.ended()) == (0, 0)
    assert_same_course(ann, bob)
    assert {driver for line in course(ann) for driver in line["by"]} == {"human"}


async def test_server_killed_and_restarted_and_both_go_on(server: ServerProcess, tap: Wiretap, tmp_path: Path) -> None:
    async with (
        terminal(tap.url, "--quick", "--auto", state=tmp_path / "a") as ann,
        terminal(tap.url, "--quick", "--auto", state=tmp_path / "b") as bob,
    ):
        for n in (5, 12, 20):
            await ann.until("round", partial(_reached, n))
            await server.kill()
            await server.start()
        assert (await ann.ended(), await bob.ended()) == (0, 0)
    assert_same_course(ann, bob)
    assert {seated["match"] for seated in (*ann.named("seated"), *bob.named("seated"))} == {
        ann.named("seated")[0]["match"]
    }
    assert {driver for line in course(ann) for driver in line["by"]} == {"human"}
    assert ann.named("lost")


async def test_people_on_two_nodes_at_a_cluster_finish_one_game_though_a_node_is_killed(
    masters: Cluster, flags: tuple[str, ...], tmp_path: Path
) -> None:
    async with (
        serving(tmp_path / "one", *flags, cluster=masters) as one,
        serving(tmp_path / "two", *flags, cluster=masters) as two,
        terminal(one.url, "--quick", "--auto", "--target", "15", state=tmp_path / "a") as ann,
        terminal(two.url, "--quick", "--auto", "--target", "15", state=tmp_path / "b") as bob,
    ):
        await ann.until("round", partial(_reached, 5))
        await one.kill()
        await one.start()
        assert (await ann.ended(), await bob.ended()) == (0, 0)
        logs = await stored_logs(two)
        await assert_logs_fold(two, logs)
    assert_same_course(ann, bob)
    assert {driver for line in course(ann) for driver in line["by"]} == {"human"}
    assert ann.named("seated")[0]["match"] in logs
