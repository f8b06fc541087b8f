"""README.md: every command in it is one the program takes, every picture is there."""

import argparse
import re
import shlex
from pathlib import Path

import pytest

from twoseat_client import cli, replay_command, verify_command
from twoseat_client.plan import understand
from twoseat_server import inspect_command, serve_command, sim_command
from twoseat_server.settings import Settings

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "README.md").read_text()
SHOWN = [line.partition("  #")[0] for line in re.findall(r"^ {4}(.+)$", TEXT, re.MULTILINE)]
SHOWN += re.findall(r"`(twoseat [^`]+)`", TEXT)
OURS = [line for line in SHOWN if line.startswith("twoseat ")]
OTHERS = [line for line in SHOWN if not line.startswith("twoseat ")]


def parsed(line: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    for module in (serve_command, sim_command, inspect_command, cli, replay_command, verify_command):
        module.add_parser(commands)
    return parser.parse_args(shlex.split(line)[1:])


@pytest.mark.parametrize("line", [line for line in OURS if line != "twoseat play"])
def test_every_command_shown_is_understood(line: str, tmp_path: Path) -> None:
    args = parsed(line)
    if args.command in ("play", "watch"):
        args.state = tmp_path / "tokens.json"
        assert understand(args, args.command).server.origin.startswith("http")
    elif args.command == "serve":
        Settings(**{name: vars(args)[name] for name in Settings.model_fields if vars(args)[name] is not None})


def test_every_flag_of_play_shown_is_taken_with_its_value() -> None:
    rows = re.findall(r"^\| ((?:`--[^`]+`(?:, )?)+) \|", TEXT, re.MULTILINE)
    groups = [re.findall(r"`(--[^`]+)`", row) for row in rows if "TWOSEAT" not in row]
    flags = [flag for group in groups for flag in group if flag not in set(_settings())]
    assert len(flags) > 10
    help_text = parsed_help()
    for flag in flags:
        name, _, value = flag.partition(" ")
        assert f"{name} " in help_text or f"{name}\n" in help_text or f"{name}]" in help_text, flag
        if value.isdigit() or value == "classic":
            parsed(f"twoseat play {flag}")


def _settings() -> list[str]:
    return [f"--{name.replace('_', '-')}" for name in Settings.model_fields if name != "host"]


def parsed_help() -> str:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers()
    cli.add_parser(commands)
    return commands.choices["play"].format_help()


def test_what_else_is_shown_is_known() -> None:
    known = {"./dev serve", "./dev test", "pip install -e .", "docker compose up --build"}
    tls = "TWOSEAT_DOMAIN=play.example.org TWOSEAT_PUBLIC_URL=https://play.example.org docker compose --profile tls up"
    assert {line.strip() for line in OTHERS} == known | {f"{tls} --build -d"}
    assert tls in (ROOT / "docker-compose.yml").read_text()


def test_the_exit_codes_are_the_client_s() -> None:
    told = set(re.findall(r"\b(\d+) ", re.findall(r"^Exit codes: .+", TEXT, re.MULTILINE)[0]))
    assert told == set(re.findall(r"\b(\d+) ", cli._EPILOG.partition("Exit codes:")[2].partition("\n")[0]))


def test_every_picture_is_there_and_says_what_it_shows() -> None:
    pictures = re.findall(r'<img src="([^"]+)" [^>]*alt="([^"]+)">', TEXT)
    assert len(pictures) == TEXT.count("<img")
    for source, says in pictures:
        assert (ROOT / source).exists()
        assert len(says) > 20
