"""The flight recorder: what happened to a match, version by version, without a secret of it."""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from caller import Callers, play_out
from e2e.nodes import ENVIRONMENT
from nodes import run_node
from recorded import Recorded, lively_game, quiet_game
from script import PERSON_AND_BOT
from stores import raw
from twoseat import record, wire
from twoseat.games import GAMES
from twoseat.games.game import Options
from twoseat_server import presence
from twoseat_server.__main__ import main
from twoseat_server.flight import story
from twoseat_server.settings import Settings
from twoseat_server.store import keys
from twoseat_server.store.embedded import EmbeddedStore


def told(play: Recorded) -> list[str]:
    """What made each version, with the seat."""
    return [line.what if line.seat is None else f"{line.seat} {line.what}" for line in story(play.log)]


def test_every_version_has_its_line() -> None:
    play = lively_game()
    lines = list(story(play.log))
    assert [line.version for line in lines] == list(range(1, play.match.version + 1))
    assert [line.state["version"] for line in lines] == [line.version for line in lines]
    assert lines[0].what == "made"
    assert lines[-1].state["phase"] == "over"


def test_a_game_is_told_from_sitting_down_to_the_first_draw() -> None:
    play = Recorded(Options(target=1)).dealt()
    starter = play.owing
    play.one_move()
    assert told(play) == [
        "made",
        "0 sits down, connection 1",
        "1 sits down, connection 2",
        "0 commits to a nonce",
        "1 commits to a nonce",
        "0 opens its nonce",
        "1 opens its nonce",
        f"{starter} draw",
    ]


def test_drops_time_outs_and_pauses_are_told() -> None:
    whats = told(lively_game())
    assert any(re.fullmatch(r"\d gone, connection \d+", what) for what in whats)
    assert any(re.fullmatch(r"\d gone with its node, connection \d+", what) for what in whats)
    assert any(re.fullmatch(r"time is up for seat \d", what) for what in whats)
    assert any(re.fullmatch(r"\d wants the seat back", what) for what in whats)


def _unmet() -> Recorded:
    play = Recorded()
    play.at(play.match.deadline).tick()
    return play


def _silent(*committed: int) -> Recorded:
    play = Recorded()
    play.seated()
    for seat in committed:
        play.commit(0 if seat == 0 else 1)
    play.at(play.match.deadline).tick()
    return play


def _forsaken() -> Recorded:
    play = Recorded().dealt()
    play.disconnect(0)
    play.disconnect(1)
    play.at(play.match.deadline).tick()
    return play


def _both_late() -> Recorded:
    play = Recorded(Options(preset="classic")).dealt()
    play.at(play.match.deadline).tick()
    return play


def _onward() -> Recorded:
    play = quiet_game(Options(target=1, games=3))
    play.at(play.match.deadline).tick()
    return play


def _said(word: str) -> Callable[[], Recorded]:
    def play() -> Recorded:
        script = Recorded().dealt()
        getattr(script, word)(1)
        return script

    return play


@pytest.mark.parametrize(
    ("play", "last"),
    [
        (_unmet, "time: nobody came"),
        (_silent, "time: no commitment is waited for"),
        (lambda: _silent(0, 1), "time: no nonce is waited for"),
        (_forsaken, "time: the bots finish it"),
        (_both_late, "time is up for seat 0 and 1"),
        (_onward, "time: the next game begins"),
        (_said("leave"), "1 leaves for good"),
        (_said("resign"), "1 resigns"),
        (_said("rematch"), "1 offers another game"),
    ],
)
def test_what_time_and_people_did_is_said(play: Callable[[], Recorded], last: str) -> None:
    assert told(play())[-1] == last


def test_who_drove_who_was_there_and_which_clock_ran() -> None:
    play = Recorded(players=PERSON_AND_BOT).dealt()
    first = list(story(play.log))[-1]
    assert first.drivers == "HB"
    assert sorted(left or 0 for left in first.due) == [0, first.deadline]
    play.disconnect(0)
    assert list(story(play.log))[-1].drivers == "hB"
    by = {(line.seat, line.by) for line in story(quiet_game(Options(target=2), players=PERSON_AND_BOT).log) if line.by}
    assert by == {(0, "human"), (1, "bot")}


def test_a_running_game_s_lines_hold_no_seed_no_hidden_card_and_no_player() -> None:
    play = lively_game(seed=bytes(range(32)))
    first = record.decode(GAMES, play.log[0])
    secrets = [play.match.seed.hex(), play.match.chance.key.hex(), *(str(chair.player) for chair in first.chairs)]
    seen: set[str] = set()
    for line in list(story(play.log))[:-1]:
        text = json.dumps(line.state) + line.what
        assert [secret for secret in secrets if f'"{secret}"' in text] == []
        match = record.fold(GAMES, play.log[: line.version]) if line.version % 9 == 0 else None
        seen |= {card for pair in line.state["view"]["pairs"] for card in pair}
        assert set(re.findall(r'"((?:10|[2-9JQKA])[CDHS])"', text)) <= seen
        assert all(done["cards"] is None for done in line.state["rounds"])
        if match is not None and match.state is not None:
            assert line.state["view"]["pairs"] == [list(pair) for pair in play.game.view(match.state, None).pairs]


async def inspected(*words: str) -> int:
    """The command's exit code; it has a loop of its own."""
    return await asyncio.to_thread(main, ["inspect", *words])


async def test_a_running_match_is_shown_by_id_and_by_code(
    call: Callers, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ann, bob = await call.pair(target=5)
    eve = await call()
    assert ann.seated is not None
    await eve.say("watch", code=ann.seated.code)
    await eve.hear(wire.Seated)
    shown = []
    capsys.readouterr()
    for name in (ann.seated.match, ann.seated.code, ann.seated.code.lower()):
        assert await inspected(name, "--redis", url) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1] == shown[2]
    assert f"match {ann.seated.match}, table {ann.seated.code}" in shown[0]
    assert "seat 0: Ann (person, human drives, nonce opened)" in shown[0]
    assert len(re.findall(r"^seat \d: connection \d on node-\w+$", shown[0], re.MULTILINE)) == 2
    assert re.search(r"^watchers: 1 on node-\w+$", shown[0], re.MULTILINE)
    assert "report this" not in shown[0]
    for secret in (ann.token, bob.token):
        assert secret not in shown[0]


async def test_a_finished_match_is_shown_as_json_without_its_seed(
    call: Callers, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ann, bob = await call.pair(target=2)
    results, _ = await play_out(ann, bob)
    capsys.readouterr()
    assert await inspected(results.match, "--json", "--redis", url) == 0
    out = capsys.readouterr().out
    *lines, now = [json.loads(line) for line in out.splitlines()]
    assert [line["version"] for line in lines] == list(range(1, len(lines) + 1))
    assert {socket["seat"] for socket in now["sockets"]} == {0, 1}
    assert (now["watchers"], now["silent"]) == ({}, [])
    assert results.seed not in out
    assert ann.token not in out


async def test_a_node_that_died_is_named_silent(
    settings: Settings, any_url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "BEAT_EVERY", 3_600.0)  # once, so that it stays struck off
    async with run_node(settings, any_url) as (node, call):
        ann, _ = await call.pair(target=5)
        assert ann.seated is not None
        async with raw(any_url) as store:
            while not await store.zrem(keys.NODES, node.name):  # noqa: ASYNC110 the node beats by itself
                await asyncio.sleep(0.01)
            assert await inspected(ann.seated.match, "--redis", any_url) == 0
    assert f"on {node.name} (which is silent)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["no match"], 2, "a match is named by its id"),
        (["0" * 34], 2, "there is no such match here"),
        (["BCDFGH"], 2, "there is no such match here"),
    ],
)
async def test_what_is_no_match_is_said(
    url: str, capsys: pytest.CaptureFixture[str], words: list[str], code: int, says: str
) -> None:
    assert await inspected(*words, "--redis", url) == code
    assert says in capsys.readouterr().err


async def test_a_store_that_is_away_is_said(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, redis_url: str, cluster_url: str
) -> None:
    for away in ("redis://127.0.0.1:1", f"{redis_url}?db=99", f"{cluster_url.partition(',')[0]}/9"):
        assert await inspected("0" * 34, "--redis", away) == 69
        assert "storage does not answer" in capsys.readouterr().err
    assert await inspected("0" * 34, "--redis", "redis://u:SECRET/w#x@host:6379") == 2
    said = capsys.readouterr().err
    assert "%2F" in said
    assert "SECRET" not in said
    assert await inspected("0" * 34, "--data", str(tmp_path / "none")) == 2
    assert "there is no folder" in capsys.readouterr().err


async def test_a_match_that_other_rules_played_is_said(
    call: Callers, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ann, _ = await call.pair(target=5)
    assert ann.seated is not None
    async with raw(url) as store:
        (key,) = await store.keys(f"*:log:{ann.seated.match}")
        first, last = await store.lindex(key, 0), await store.lindex(key, -1)
        await store.delete(key)
        await store.rpush(key, first, last)
    capsys.readouterr()
    for form in ((), ("--json",)):
        assert await inspected(ann.seated.match, "--redis", url, *form) == 76
        told = capsys.readouterr()
        assert (told.out, "played by other rules" in told.err) == ("", True)


async def test_a_server_s_folder_is_read_while_it_runs_and_when_it_does_not(
    settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "data"
    async with EmbeddedStore(folder) as url, run_node(settings, url) as (_, call):
        ann, _ = await call.pair(target=5)
        assert ann.seated is not None
        capsys.readouterr()
        assert await inspected(ann.seated.match, "--data", str(folder)) == 0
        running = capsys.readouterr().out
    command = [sys.executable, "-m", "twoseat_server", "inspect", ann.seated.match, "--data", str(folder)]
    stopped = await asyncio.to_thread(subprocess.run, command, env=ENVIRONMENT, capture_output=True, text=True)
    assert (stopped.returncode, stopped.stderr) == (0, "")
    assert stopped.stdout.splitlines()[:5] == running.splitlines()[:5]
    assert "no node has a socket of a player" in stopped.stdout
