"""What the command line means: servers, codes, ways to begin, options, and which face the client shows."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from twoseat import wire
from twoseat_client import cli
from twoseat_client.plan import Front, Misused, Plan, understand
from twoseat_client.tokens import Tokens


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TWOSEAT_HOME", str(tmp_path))
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("TWOSEAT_URL", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def plan(*words: str) -> Plan:
    parser = argparse.ArgumentParser()
    cli.add_parser(parser.add_subparsers())
    args = parser.parse_args(words)
    return understand(args, words[0])


BEGINNINGS: list[tuple[list[str], object]] = [
    (["play"], None),
    (["play", "--quick"], wire.Quick(type="quick")),
    (
        ["play", "--quick", "--game", "war-online", "--level", "easy", "--limit", "20"],
        wire.Quick(type="quick", terms=wire.Terms(game="war-online", limit=20)),
    ),
    (
        ["play", "--bot", "--game", "war-online", "--level", "easy"],
        wire.Bot(type="bot", terms=wire.Terms(game="war-online", level="easy")),
    ),
    (["play", "--bot", "--preset", "classic"], wire.Bot(type="bot", terms=wire.Terms(preset="classic"))),
    (["play", "--host", "--timer", "off"], wire.Host(type="host", terms=wire.Terms(timer=0))),
    (["play", "--host", "--target", "3", "--games", "5"], wire.Host(type="host", terms=wire.Terms(target=3, games=5))),
    (["play", "k7r-p2m"], wire.Join(type="join", code="K7RP2M")),
    (["play", "--code", "K7RP2M"], wire.Join(type="join", code="K7RP2M")),
    (["play", "http://play.example/j/K7RP2M"], wire.Join(type="join", code="K7RP2M")),
    (["play", "--resume"], None),
    (["watch", "K7RP2M"], wire.Watch(type="watch", code="K7RP2M")),
    (["watch", "http://play.example/j/K7RP2M"], wire.Watch(type="watch", code="K7RP2M")),
]


@pytest.mark.parametrize(("words", "begin"), BEGINNINGS)
def test_a_command_line_becomes_a_first_request(words: list[str], begin: object) -> None:
    assert plan(*words).begin == begin


def test_a_host_of_one_word_is_written_as_an_address() -> None:
    for place in ("box:8765", "http://box:8765", "localhost:8765"):
        assert plan("play", place).server.origin.endswith(":8765")
    assert plan("play", "localhost").server.origin == "http://localhost"
    assert plan("play", "--server", "box").server.origin == "http://box"


def test_the_server_is_the_link_then_the_flag_then_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert plan("play").server.origin == "http://127.0.0.1:8765"
    monkeypatch.setenv("TWOSEAT_URL", "env.example:1")
    assert plan("play").server.origin == "http://env.example:1"
    assert plan("play", "--server", "flag.example:2").server.origin == "http://flag.example:2"
    assert plan("play", "link.example:3", "--server", "flag.example:2").server.origin == "http://link.example:3"
    assert plan("play", "K7RP2M", "--server", "flag.example:2").server.origin == "http://flag.example:2"


MISUSES: list[list[str]] = [
    ["play", "--quick", "--bot"],
    ["play", "--quick", "K7RP2M"],
    ["play", "--resume", "--code", "K7RP2M"],
    ["play", "--code", "AAAAAA"],
    ["play", "ftp://play.example"],
    ["play", "--target", "51"],
    ["play", "--turn-seconds", "4"],
    ["play", "--name", " "],
    ["play", "--preset", "classic", "--target", "30"],
    ["play", "--game", "war-online", "--target", "30"],
    ["play", "--game", "war-online", "--preset", "classic"],
    ["play", "--level", "easy"],
    ["play", "--game", "war", "--limit", "20"],
    ["watch", "play.example"],
    ["watch", "http://play.example/j/"],
    ["play", "http://play.example/j/"],
    ["play", "ZZZ"],
    ["play", "k0rp2m"],
    ["play", "Jos\udce9"],
    ["play", "--server", "http://jos\udce9"],
    ["play", "--code", "K7RP2\udce9"],
    ["watch", "K7RP2\udce9"],
]


@pytest.mark.parametrize("words", MISUSES)
def test_nonsense_is_refused_with_the_next_step(words: list[str]) -> None:
    with pytest.raises(Misused) as refused:
        plan(*words)
    assert len(str(refused.value)) > 15


@pytest.mark.parametrize("name", ["Jos\udce9", "\ud800", "a" * 81])
def test_a_name_no_message_can_bear_is_refused_as_a_name_and_a_remembered_one_forgotten(name: str, home: Path) -> None:
    with pytest.raises(Misused, match=r"Este nome não serve\."):
        plan("play", "--bot", "--lang", "pt", "--name", name)
    (home / "tokens.json").write_text(json.dumps({"preferences": {"name": name}}))
    assert plan("play", "--bot").name is None


def tty(monkeypatch: pytest.MonkeyPatch, *, yes: bool) -> None:
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: yes)


FRONTS: list[tuple[list[str], bool, str, Front]] = [
    ([], True, "xterm", Front.SCREEN),
    ([], True, "dumb", Front.PLAIN),
    ([], False, "xterm", Front.PLAIN),
    (["--plain"], True, "xterm", Front.PLAIN),
    (["--json"], True, "xterm", Front.JSON),
    (["--auto"], True, "xterm", Front.PLAIN),
    (["--auto", "--json"], False, "xterm", Front.JSON),
]


@pytest.mark.parametrize(("flags", "terminal", "term", "front"), FRONTS)
def test_the_face_follows_flags_and_terminal(
    flags: list[str], terminal: bool, term: str, front: Front, monkeypatch: pytest.MonkeyPatch
) -> None:
    tty(monkeypatch, yes=terminal)
    monkeypatch.setenv("TERM", term)
    assert plan("play", *flags).front is front


def test_language_and_name_are_the_flag_else_what_was_last_chosen(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert plan("play").lang == "en"
    monkeypatch.setenv("LANG", "pt_PT.UTF-8")
    assert plan("play").lang == "pt"
    tokens = Tokens(home / "tokens.json", "x")
    tokens.prefer("lang", "bg")
    tokens.prefer("name", "Мими")
    assert (plan("play").lang, plan("play").name) == ("bg", "Мими")
    assert (plan("play", "--lang", "en").lang, plan("play", "--name", "Ana").name) == ("en", "Ana")


def test_the_token_file_may_be_elsewhere(tmp_path: Path) -> None:
    place = tmp_path / "mine.json"
    plan("play", "--state", str(place)).tokens.prefer("name", "Ana")
    assert place.exists()


def test_no_argument_takes_a_token(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        plan("play", "--help")
    text: Any = capsys.readouterr().out
    assert "--token" not in text
