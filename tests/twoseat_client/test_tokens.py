"""The token file: private, whole at every moment, shared by many processes, and silent."""

import json
import multiprocessing
import os
import stat
from pathlib import Path

import pytest

from twoseat_client.tokens import KEPT, Claim, Tokens, default_path

SERVER = "http://127.0.0.1:8765"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "tokens.json"


def remember_many(path: Path, start: int) -> None:
    tokens = Tokens(path, f"{SERVER}{start}")
    for n in range(15):
        tokens.remember(f"match{n}", "K7RP2M", f"token{n}")


def test_a_seat_is_remembered_newest_first(path: Path) -> None:
    tokens = Tokens(path, SERVER)
    tokens.remember("a", "AAAAAA", "ta")
    tokens.remember("b", "BBBBBB", "tb")
    assert tokens.seats() == (Claim("b", "BBBBBB", "tb"), Claim("a", "AAAAAA", "ta"))


def test_coming_back_to_a_seat_puts_it_first_and_keeps_one_entry(path: Path) -> None:
    tokens = Tokens(path, SERVER)
    for match in ("a", "b", "a"):
        tokens.remember(match, "K7RP2M", "token")
    assert [claim.match for claim in tokens.seats()] == ["a", "b"]


def test_two_seats_at_one_match_are_two_entries(path: Path) -> None:
    tokens = Tokens(path, SERVER)
    tokens.remember("a", "K7RP2M", "host")
    tokens.remember("a", "K7RP2M", "guest")
    tokens.finish("a", "host")
    assert [claim.token for claim in tokens.unfinished()] == ["guest"]


def test_a_finished_match_is_no_longer_offered(path: Path) -> None:
    tokens = Tokens(path, SERVER)
    tokens.remember("a", "K7RP2M", "ta")
    assert tokens.by_code("K7RP2M") == Claim("a", "K7RP2M", "ta")
    tokens.finish("a", "ta")
    assert tokens.by_code("K7RP2M") is None
    assert tokens.unfinished() == ()
    assert tokens.seats()[0].over


def test_a_match_the_server_forgot_is_forgotten(path: Path) -> None:
    tokens = Tokens(path, SERVER)
    tokens.remember("a", "K7RP2M", "ta")
    tokens.forget("a")
    assert tokens.seats() == ()


def test_servers_do_not_see_each_others_seats(path: Path) -> None:
    Tokens(path, SERVER).remember("a", "K7RP2M", "ta")
    assert Tokens(path, "https://play.example").seats() == ()


def test_a_host_s_other_ports_are_next_door_and_other_hosts_are_not(path: Path) -> None:
    for n, origin in enumerate((SERVER, "http://127.0.0.1:8766", "http://127.0.0.2:8766", "https://127.0.0.1.example")):
        Tokens(path, origin).remember(f"m{n}", "K7RP2M", f"t{n}")
    assert Tokens(path, "http://127.0.0.1:8766").next_door() == (Claim("m0", "K7RP2M", "t0"),)
    assert Tokens(path, "http://127.0.0.1").next_door() == tuple(Claim(f"m{n}", "K7RP2M", f"t{n}") for n in (0, 1))
    assert Tokens(path, "http://127.0.0.3:8765").next_door() == ()
    Tokens(path, SERVER).finish("m0", "t0")
    assert Tokens(path, "http://127.0.0.1:8766").next_door() == ()


def test_only_the_newest_seats_are_kept(path: Path) -> None:
    tokens = Tokens(path, SERVER)
    for n in range(KEPT + 5):
        tokens.remember(f"m{n}", "K7RP2M", "t")
    assert len(tokens.seats()) == KEPT
    assert tokens.seats()[0].match == f"m{KEPT + 4}"


def test_the_file_is_for_its_owner_alone(path: Path) -> None:
    before = os.umask(0)
    try:
        Tokens(path, SERVER).remember("a", "K7RP2M", "ta")
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [item.name for item in path.parent.iterdir() if item.name.startswith(".tokens-")] == []


@pytest.mark.parametrize("content", ["", "no json", "[]", '{"servers": {}}', "\xff"])
def test_a_file_that_cannot_be_read_counts_as_empty_and_is_mended(path: Path, content: str) -> None:
    path.parent.mkdir()
    path.write_bytes(content.encode("latin-1"))
    tokens = Tokens(path, SERVER)
    assert tokens.seats() == ()
    tokens.remember("a", "K7RP2M", "ta")
    assert len(tokens.seats()) == 1


def test_a_crash_while_writing_leaves_the_old_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = Tokens(path, SERVER)
    tokens.remember("a", "K7RP2M", "ta")

    def crash(descriptor: int) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", crash)
    with pytest.raises(OSError, match="disk full"):
        tokens.remember("b", "K7RP2M", "tb")
    assert [claim.match for claim in tokens.seats()] == ["a"]
    assert sorted(item.name for item in path.parent.iterdir()) == ["tokens.json", "tokens.lock"]


def test_processes_writing_at_once_lose_nothing(path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=remember_many, args=(path, start)) for start in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(30)
        assert writer.exitcode == 0
    assert [len(Tokens(path, f"{SERVER}{start}").seats()) for start in range(3)] == [15, 15, 15]
    json.loads(path.read_text("utf-8"))


def test_preferences_live_beside_the_seats(path: Path) -> None:
    tokens = Tokens(path, SERVER)
    tokens.prefer("lang", "bg")
    tokens.remember("a", "K7RP2M", "ta")
    assert tokens.preference("lang") == "bg"
    assert tokens.preference("name") is None


def test_a_claim_never_shows_its_token() -> None:
    assert "secret" not in repr(Claim("a", "K7RP2M", "secret"))


def test_the_place_follows_the_environment(tmp_path: Path) -> None:
    assert default_path({"TWOSEAT_HOME": str(tmp_path)}) == tmp_path / "tokens.json"
    assert default_path({}).name == "tokens.json"
