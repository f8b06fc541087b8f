"""`twoseat play` and `twoseat watch` as processes: exit codes, what goes where, signals, and a real terminal."""

import asyncio
import json
import os
import signal
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import online_talk
from command_scene import COMMAND, SLOW, TOKEN, asked, environ, plays, run, sits, start, waits
from scripted_server import Peer, scripted
from table_talk import CODE, welcome
from twoseat import wire
from twoseat_client import play
from twoseat_server.__main__ import main


async def test_auto_plays_a_game_and_its_last_line_is_the_result(tmp_path: Path) -> None:
    async with scripted(plays) as server:
        code, out, error = await run(tmp_path, "play", "--quick", "--json", "--auto", "--server", server.origin)
    last = json.loads(out.splitlines()[-1])
    assert (code, error) == (0, "")
    assert (last["event"], last["winner"], last["rounds"][0]["cards"]) == ("result", 0, ["QH", "10S"])
    assert TOKEN not in out


async def test_without_a_terminal_it_speaks_in_sentences_and_begins_by_itself(tmp_path: Path) -> None:
    async with scripted(plays) as server:
        code, out, _ = await run(tmp_path, "play", "--auto", "--lang", "bg", "--server", server.origin)
    assert code == 0
    assert out.splitlines()[0] == "Играеш с Bo."


async def test_a_seat_nobody_sits_at_goes_on_by_itself(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    async with scripted(asked, sits) as server:
        entry = {"match": "0" * 34, "code": CODE, "token": TOKEN, "over": False}
        (home / "tokens.json").write_text(json.dumps({"servers": {server.origin: [entry]}}))
        code, out, _ = await run(tmp_path, "play", "--json", "--auto", "--server", server.origin)
    assert code == 0
    assert json.loads(out.splitlines()[-1])["event"] == "result"


async def test_a_seat_somebody_sits_at_is_left_alone_unless_asked_for(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    occupied = partial(asked, present=True)
    async with scripted(occupied, plays, occupied, sits) as server:
        entry = {"match": "0" * 34, "code": CODE, "token": TOKEN, "over": False}
        for flags in ([], ["--resume"]):
            (home / "tokens.json").write_text(json.dumps({"servers": {server.origin: [entry]}}))
            code, out, _ = await run(tmp_path, "play", "--json", "--auto", *flags, "--server", server.origin)
            assert code == 0
            assert json.loads(out.splitlines()[-1])["event"] == "result"


async def test_resume_alone_finds_the_seat_that_another_node_on_this_host_gave(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    async with scripted(plays, asked, sits) as server:
        entry = {"match": "0" * 34, "code": CODE, "token": TOKEN, "over": False}
        for flags in ([], ["--resume"]):
            (home / "tokens.json").write_text(json.dumps({"servers": {"http://127.0.0.1:1": [entry]}}))
            code, out, _ = await run(tmp_path, "play", "--json", "--auto", *flags, "--server", server.origin)
            assert code == 0
            assert json.loads(out.splitlines()[-1])["event"] == "result"


async def test_nothing_to_resume_is_said(tmp_path: Path) -> None:
    code, out, error = await run(tmp_path, "play", "--resume", "--json", "--server", "127.0.0.1:1")
    assert (code, out) == (2, "")
    assert "twoseat play --quick" in error


MISUSED = [["play", "--quick", "--bot"], ["play", "--timer", "7"], ["play", "--target", "0"], ["watch"], ["dance"]]


@pytest.mark.parametrize("words", MISUSED)
async def test_wrong_words_are_2(tmp_path: Path, words: list[str]) -> None:
    code, out, error = await run(tmp_path, *words)
    assert (code, out) == (2, "")
    assert error
    assert "Traceback" not in error


async def test_no_server_is_69_with_the_next_step(tmp_path: Path) -> None:
    code, _, error = await run(tmp_path, "play", "--quick", "--server", "127.0.0.1:1")
    assert code == 69
    assert error == (
        "twoseat: http://127.0.0.1:1 does not answer. Check the address and your connection, "
        "or start a server: twoseat serve\n"
    )


async def test_another_version_is_76(tmp_path: Path) -> None:
    async def old(peer: Peer) -> None:
        await peer.hears("hello")
        await peer.closes(wire.Close.OLD_CLIENT)

    async with scripted(old) as server:
        code, _, error = await run(tmp_path, "play", "--quick", "--json", "--server", server.origin)
    assert code == 76
    assert "update twoseat" in error


async def test_a_code_nobody_knows_is_2(tmp_path: Path) -> None:
    async def unknown(peer: Peer) -> None:
        await peer.hears("hello")
        await peer.says(welcome(token=TOKEN))
        await peer.hears("join")
        await peer.says(wire.Error(wire.ErrorCode.NOT_FOUND))
        await peer.stays()

    async with scripted(unknown) as server:
        code, out, error = await run(tmp_path, "play", CODE, "--server", server.origin)
    assert code == 2
    assert "There is no table with this code." in error
    assert "There is no table" not in out, "it is said once"


def test_a_bug_is_70_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def broken(plan: Any) -> int:
        raise ZeroDivisionError("secret")

    monkeypatch.setenv("TWOSEAT_HOME", str(tmp_path))
    monkeypatch.setattr(play, "run", broken)
    assert main(["play", "--quick"]) == 70
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "ZeroDivisionError" in error
    assert "secret" not in error


async def test_ctrl_c_once_asks_and_twice_leaves(tmp_path: Path) -> None:
    async with scripted(waits) as server:
        process = await start(tmp_path, "play", "--host", "--plain", "--server", server.origin)
        assert process.stdout is not None
        assert process.stderr is not None
        async with asyncio.timeout(SLOW):
            assert CODE in (await process.stdout.readline()).decode()
            process.send_signal(signal.SIGINT)
            assert b"Ctrl-C again leaves" in await process.stderr.readline()
            assert process.returncode is None
            process.send_signal(signal.SIGINT)
            assert await process.wait() == 130


async def test_sigterm_ends_it_at_once(tmp_path: Path) -> None:
    async with scripted(waits) as server:
        process = await start(tmp_path, "play", "--host", "--json", "--server", server.origin)
        assert process.stdout is not None
        async with asyncio.timeout(SLOW):
            while b"waiting" not in await process.stdout.readline():
                pass
            process.terminate()
            assert await process.wait() == 143


async def test_typed_words_play_and_quit(tmp_path: Path) -> None:
    async with scripted(plays) as server:
        process = await start(tmp_path, "play", "--quick", "--json", "--server", server.origin)
        async with asyncio.timeout(SLOW):
            await reads(process, "turn")
            await types(process, "draw")
            await reads(process, "result")
            assert process.returncode is None
            await types(process, "quit")
            assert await process.wait() == 0


async def test_a_reader_who_had_enough_is_no_bug(tmp_path: Path) -> None:
    async with scripted(waits) as server:
        reading, writing = os.pipe()
        os.close(reading)
        process = await asyncio.create_subprocess_exec(
            *COMMAND,
            "play",
            "--host",
            "--json",
            "--server",
            server.origin,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=writing,
            stderr=asyncio.subprocess.PIPE,
            env=environ(tmp_path),
        )
        os.close(writing)
        async with asyncio.timeout(SLOW):
            _, error = await process.communicate()
    assert (process.returncode, error) == (0, b"")


async def test_a_reader_who_had_enough_before_an_answer_is_no_bug(tmp_path: Path) -> None:
    async def dialogue(peer: Peer) -> None:
        await peer.hears("hello")
        await peer.says(welcome(token=TOKEN))
        await peer.hears("quick")
        await peer.says(*online_talk.at_table(online_talk.moment(wire.Step.PLACE))[1:])
        await peer.stays()

    async with scripted(dialogue) as server:
        reading, writing = os.pipe()
        process = await asyncio.create_subprocess_exec(
            *COMMAND,
            "play",
            "--quick",
            "--plain",
            "--lang",
            "en",
            "--server",
            server.origin,
            stdin=asyncio.subprocess.PIPE,
            stdout=writing,
            stderr=asyncio.subprocess.PIPE,
            env=environ(tmp_path),
        )
        os.close(writing)
        async with asyncio.timeout(SLOW):
            said = b""
            while b"to place." not in said:
                said += await asyncio.to_thread(os.read, reading, 65_536)
            os.close(reading)
            _, error = await process.communicate(b"moves\nboard\n")
    assert (process.returncode, error) == (0, b"")


async def reads(process: asyncio.subprocess.Process, event: str) -> dict[str, Any]:
    assert process.stdout is not None
    while True:
        line: dict[str, Any] = json.loads(await process.stdout.readline())
        if line["event"] == event:
            return line


async def types(process: asyncio.subprocess.Process, word: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{word}\n".encode())
    await process.stdin.drain()
