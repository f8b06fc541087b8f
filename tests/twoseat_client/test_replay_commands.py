"""The commands `verify` and `replay` as processes and as functions: sources, words, JSON, exit codes."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from msgspec.structs import replace

from e2e.nodes import ENVIRONMENT
from recorded import MATCH_ID, lively_game, quiet_game
from twoseat import replay, rerun, verify
from twoseat.games.game import Options
from twoseat_client.playback import playback
from twoseat_client.receipts import Receipts
from twoseat_client.replay_command import tell
from twoseat_client.text import LANGUAGES, Words
from twoseat_client.verify_command import spoken
from twoseat_server.__main__ import main

HONEST = rerun.export(lively_game().log)
PROMISE = verify.Promise(HONEST.match, HONEST.seed_digest, HONEST.digests, HONEST.nonces)
NOBODY = "http://127.0.0.1:1"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, and English."""
    monkeypatch.setenv("TWOSEAT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    monkeypatch.delenv("TWOSEAT_URL", raising=False)
    return tmp_path / "home"


@pytest.fixture
def file(tmp_path: Path, home: Path) -> Path:
    """An honest replay as a file."""
    path = tmp_path / "game.json"
    path.write_bytes(replay.write(HONEST))
    return path


@pytest.fixture
def web() -> Iterator[str]:
    """A plain web server that knows one replay."""

    class One(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            known = self.path == f"/replay/{MATCH_ID}.json"
            body = replay.write(HONEST) if known else b"This game is still being played.\nMore.\n"
            self.send_response(200 if known else 404)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: Any) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), One)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def broken(path: Path) -> Path:
    """The same file with the seed of another game in it."""
    path.write_bytes(replay.write(replace(HONEST, seed="08" * 32)))
    return path


def test_an_honest_game_is_verified_in_words(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [f"{name}: a share of the chance is in the deal." for name in ("Ann", "Bob")]
    assert "This machine did not see the deal" in lines[2]
    assert lines[-1] == "Verified: this game is what was promised."


def test_what_this_machine_was_promised_is_compared(file: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Receipts(home / "receipts").keep(PROMISE)
    assert main(["verify", str(file)]) == 0
    assert "What was promised before the deal is what is shown now." in capsys.readouterr().out
    (home / "receipts" / f"{MATCH_ID}.json").unlink()
    Receipts(home / "receipts").keep(replace(PROMISE, seed_digest="0" * 64))
    assert main(["verify", str(file)]) == 1
    assert "What was promised before the deal has been changed." in capsys.readouterr().out


def test_a_broken_promise_is_said_and_the_exit_code_is_1(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(broken(file))]) == 1
    out = capsys.readouterr().out
    assert "The seed is not the one the server committed to." in out
    assert out.endswith("NOT verified: this game is not what was promised.\n")


def test_json_says_each_check(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["verify", str(file), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (told["match"], told["verified"], told["shares"]) == (MATCH_ID, True, ["in", "in"])
    assert [check["name"] for check in told["checks"]] == ["seed", "nonces", "course", "result"]
    assert main(["verify", str(broken(file)), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert {check["name"] for check in told["checks"] if not check["ok"]} == {"seed", "course", "result"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_report_has_its_words_in_every_language(lang: str) -> None:
    stories = [
        HONEST,
        replace(HONEST, seed="08" * 32),
        rerun.export(quiet_game(Options(target=4), 1).log),
        replace(HONEST, rounds=HONEST.rounds[:-1]),
    ]
    for told in stories:
        for promise in (None, PROMISE, replace(PROMISE, seed_digest="0" * 64)):
            lines = [Words(lang).tell(sentence) for sentence in spoken(told, verify.verify(told, promise))]
            assert len(lines) >= 7


def test_an_id_a_link_and_a_replay_s_address_are_asked_of_the_server(
    web: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for what in ([MATCH_ID, "--server", web], [f"{web}/r/{MATCH_ID}"], [f"{web}/replay/{MATCH_ID}.json"]):
        assert main(["verify", *what]) == 0
        assert "Verified" in capsys.readouterr().out


def test_a_server_s_no_is_passed_on_in_its_words(web: str, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "0" * 34, "--server", web]) == 69
    err = capsys.readouterr().err
    assert "It says: This game is still being played." in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", ["verify", "replay"])
@pytest.mark.parametrize(
    ("what", "code", "says"),
    [
        (["0" * 34, "--server", NOBODY], 69, "No server answers at http://127.0.0.1:1"),
        (["0" * 34, "--server", "no://where"], 2, "No server answers at no://where"),
        (["no such file"], 2, "cannot be read"),
        (["."], 2, "cannot be read"),
        (["\0"], 2, "cannot be read"),
        (["jos\udce9"], 2, "jos cannot be read"),
        ([f"http://play example/r/{MATCH_ID}"], 2, "No server answers at http://play example"),
        ([f"http://jos\udce9/r/{MATCH_ID}"], 2, "No server answers at http://jos"),
    ],
)
def test_what_cannot_be_had_is_said_in_one_line(
    home: Path, capsys: pytest.CaptureFixture[str], command: str, what: list[str], code: int, says: str
) -> None:
    assert main([command, *what]) == code
    err = capsys.readouterr().err
    assert says in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", ["verify", "replay"])
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"\xff",
        replay.write(replace(HONEST, options=Options(game="chess"))),
        replay.write(replace(HONEST, states=({}, *HONEST.states[1:]), options=Options(preset="none"))),
    ],
    ids=["empty", "no replay", "no text", "another game", "cannot be shown"],
)
def test_a_file_that_is_no_replay_is_refused(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, data: bytes
) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(data)
    code = main([command, str(path)])
    told = capsys.readouterr()
    assert (code, told.out) == (2, "") or (command == "replay" and b"chess" in data)


def test_a_replay_is_told_in_sentences(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "You are watching Ann and Bob."
    assert any(line.endswith("War!") for line in lines)
    assert any("is away" in line for line in lines)
    assert lines[-2].startswith(("Ann wins the game", "Bob wins the game"))


@pytest.mark.parametrize(
    ("lang", "war", "away", "bot", "back"),
    [
        ("en", "War!", "is away", "the bot plays for", "plays from the next turn"),
        ("bg", "Война!", "не е на масата", "ботът играе вместо", "играе от следващия"),
        ("pt", "Guerra!", "não está à mesa", "o bot joga por", "joga a partir da próxima"),
    ],
)
def test_drops_bot_draws_and_wars_are_told_in_each_language(
    file: Path, capsys: pytest.CaptureFixture[str], lang: str, war: str, away: str, bot: str, back: str
) -> None:
    assert main(["replay", str(file), "--lang", lang]) == 0
    out = capsys.readouterr().out
    for words in (war, away, bot, back):
        assert words.lower() in out.lower(), words


def test_a_replay_is_told_as_events(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(file), "--json"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert events[0]["event"] == "seated"
    assert events[-1]["event"] == "result"
    assert [event["n"] for event in events if event["event"] == "round"] == list(range(1, len(HONEST.rounds) + 1))


def test_with_a_speed_it_takes_the_game_s_time() -> None:
    game = playback(HONEST)
    waits: list[int] = []
    tell(game, lambda model, events: None, waits.append)
    assert waits == [game.step(n).wait for n in range(len(game.frames) - 1)]


@pytest.mark.parametrize("speed", ["0", "-1", "fast", "1000"])
def test_a_speed_that_is_none_is_refused(file: Path, capsys: pytest.CaptureFixture[str], speed: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["replay", str(file), "--speed", speed])
    assert ended.value.code == 2
    assert "from 0.1 to 100" in capsys.readouterr().err


def test_as_a_process_it_reads_standard_input_and_minds_no_closed_pipe(file: Path) -> None:
    command = [sys.executable, "-m", "twoseat_server", "replay", "-", "--json"]
    with file.open("rb") as opened:
        told = subprocess.run(command, stdin=opened, env=ENVIRONMENT, capture_output=True, check=False)
    assert (told.returncode, told.stderr) == (0, b"")
    with file.open("rb") as opened:
        head = subprocess.Popen(command, stdin=opened, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert head.stdout is not None
        assert head.stderr is not None
        head.stdout.close()
        assert (head.wait(timeout=30), head.stderr.read()) == (0, b"")
        head.stderr.close()


CUT_SHORT = [
    ["verify", "FILE"],
    ["verify", "FILE", "--json"],
    ["replay", "FILE", "--plain"],
    ["replay", "FILE", "--json"],
    ["sim", "--games", "2", "--json"],
    ["sim", "--game", "war-online", "--games", "1"],
    ["play", "--help"],
    ["--help"],
]


@pytest.mark.parametrize("words", CUT_SHORT, ids=" ".join)
def test_output_that_nobody_reads_any_more_ends_a_command_without_a_word(
    words: list[str], file: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        code = exit_code([str(file) if word == "FILE" else word for word in words])
        monkeypatch.undo()
    assert (code, capfd.readouterr().err) == (0, "")


def exit_code(words: list[str]) -> object:
    """The code with which the command ends, also where it only explains itself."""
    try:
        return main(words)
    except SystemExit as ended:
        return ended.code
