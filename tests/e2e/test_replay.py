"""A game with a drop, bot draws and a return, over a real server: checked by both clients, then by everybody else."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.bare import get
from e2e.nodes import ENVIRONMENT
from e2e.terminals import Event, Terminal, terminal
from e2e.wiretap import Wiretap
from twoseat_client.text import LANGUAGES

INDEPENDENT = Path(__file__).parents[1] / "fairness" / "independent.py"
TERMS = ("--quick", "--turn-seconds", "5", "--target", "16")


async def command(*words: str, isolated: bool = False) -> tuple[int, str]:
    """Exit code and standard output of a command."""
    program = [sys.executable, "-I", "-S"] if isolated else [sys.executable, "-m", "twoseat_server"]
    done = await asyncio.to_thread(
        subprocess.run, [*program, *words], env=ENVIRONMENT, capture_output=True, text=True, timeout=30
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


def fair(client: Terminal, stage: str) -> Event:
    """What a client said of the deal, or at the end."""
    (told,) = [event for event in client.named("fair") if event["stage"] == stage]
    return told


@pytest.mark.timeout(120)
async def test_everybody_can_see_it_again_and_check_it(tap: Wiretap, tmp_path: Path) -> None:
    async with terminal(tap.url, *TERMS, "--auto", state=tmp_path / "a" / "tokens.json") as ann:
        async with terminal(tap.url, *TERMS, "--auto", state=tmp_path / "b" / "tokens.json") as bob:
            await bob.until("round", lambda event: event["n"] == 2)
            await bob.kill()
        dealt = fair(bob, "dealt")
        assert dealt["shares"] == ["in", "in"]
        match, seat = dealt["match"], bob.named("seated")[0]["seat"]
        status, body = await get(f"{tap.url}/replay/{match}.json")
        assert (status, body[:38]) == (404, b"This game is still being played. Its r")
        await ann.until("round", lambda event: event["by"][seat] == "bot")
        async with terminal(tap.url, "--resume", "--auto", state=tmp_path / "b" / "tokens.json") as again:
            assert await again.ended() == 0
        assert await ann.ended() == 0
    for client in (ann, again):
        over = fair(client, "over")
        assert (over["verified"], over["early"]) == (True, True)
        assert client.events[-1]["replay"] == f"{tap.url}/r/{match}"

    status, body = await get(f"{tap.url}/replay/{match}.json")
    assert status == 200
    told = json.loads(body)
    assert told["rounds"] == ann.events[-1]["rounds"]
    assert {line["by"][seat] for line in told["rounds"]} == {"human", "bot"}
    file = tmp_path / "game.json"
    file.write_bytes(body)

    state = ("--state", str(tmp_path / "b" / "tokens.json"))
    for what in ([match, "--server", tap.url], [f"{tap.url}/r/{match}"], [str(file)]):
        code, out = await command("verify", *what, *state, "--json")
        report = json.loads(out)
        assert (code, report["verified"]) == (0, True)
        assert report["checks"][0] == {"name": "promise", "ok": True, "round": None}
    assert await command(str(INDEPENDENT), str(file), isolated=True) == (0, f"{match}: follows\n1 of 1 games follow\n")

    spoken = []
    for lang in LANGUAGES:
        code, out = await command("replay", match, "--server", tap.url, "--lang", lang)
        assert code == 0
        spoken.append(out.splitlines())
    assert len({len(lines) for lines in spoken}) == 1
    assert len({lines[0] for lines in spoken}) == len(LANGUAGES)
    code, out = await command("replay", str(file), "--json")
    events = [json.loads(line) for line in out.splitlines()]
    assert [event["n"] for event in events if event["event"] == "round"] == [line["n"] for line in told["rounds"]]
    assert {event["event"] for event in events} >= {"presence", "driver", "back", "round", "result"}
