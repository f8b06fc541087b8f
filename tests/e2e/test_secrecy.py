"""The scan that guards every end-to-end test finds leaks that are planted on purpose, and none in an honest game."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from e2e.secrecy import leaks
from e2e.wiretap import Tapped
from twoseat import record, views, wire
from twoseat.chair import PlayerId
from twoseat.games import GAMES, cards
from twoseat.games.game import Options
from twoseat.inputs import Connect, Input, Play
from twoseat.match import Match, MatchId, create, step

WAR = GAMES["war"]
TOKEN, FOREIGN = "t" * 43, "f" * 43


def honest_game() -> tuple[list[Tapped], dict[str, list[bytes]], Match]:
    """A short game as both sockets saw it, its log, and its match half-way."""
    match = create(
        WAR,
        MatchId("00" + "a" * 32),
        "BCDFGH",
        Options(target=3),
        ((PlayerId("p0"), "Ann"), (PlayerId("p1"), "Bob")),
        b"\x05" * 32,
        0,
        start_within=1000,
    )
    sockets = [Tapped(), Tapped()]
    for socket, token in zip(sockets, (TOKEN, FOREIGN), strict=True):
        socket.sent.append(wire.encode(wire.Welcome(1, "0", "Ann", token)).decode())
    log = [record.encode(WAR, match)]
    seen = 0
    half_way = match

    def give(event: Input) -> None:
        nonlocal match, seen
        match = step(WAR, match, event, 10)
        log.append(record.encode_entry(event, match.version, 10))
        for seat, socket in enumerate(sockets):
            if isinstance(event, Connect) and event.seat == seat:
                socket.sent.append(wire.encode(views.seated(WAR, match, event.seat)).decode())
            socket.sent.append(wire.encode(views.state(WAR, match, 10, None, seen)).decode())
        seen = WAR.rounds(match.state)

    give(Connect(0, 1))
    sockets[1].sent.pop()
    give(Connect(1, 2))
    while match.outcome is None:
        seat = WAR.owes(match.state)[0]
        number = match.chairs[seat].number
        give(Play(seat, number, WAR.legal(match.state, seat)[0], connection=seat + 1, id=f"{seat}-{number}"))
        half_way = half_way if seen > 1 else match
    for socket in sockets:
        socket.sent.append(wire.encode(views.results(WAR, match)).decode())
    return sockets, {match.id: log}, half_way


def test_an_honest_game_leaks_nothing() -> None:
    sockets, logs, _ = honest_game()
    assert list(leaks(sockets, logs)) == []


def _face_down_card(message: dict[str, Any], match: Match) -> None:
    message["view"]["laid"] = cards.name(match.state.decks[0][0])


def _seed(message: dict[str, Any], match: Match) -> None:
    message["hint"] = match.seed.hex()


def _token(message: dict[str, Any], match: Match) -> None:
    message["names"] = [FOREIGN, "Bob"]


def _early_faces(message: dict[str, Any], match: Match) -> None:
    message["rounds"] = [{"n": 1, "cards": ["2C", cards.name(match.state.decks[1][-1])]}]


@pytest.mark.parametrize("plant", [_face_down_card, _seed, _token, _early_faces])
def test_a_planted_leak_is_found(plant: Callable[[dict[str, Any], Match], None]) -> None:
    sockets, logs, half_way = honest_game()
    at = next(n for n, text in enumerate(sockets[0].sent) if json.loads(text).get("version") == half_way.version)
    message = json.loads(sockets[0].sent[at])
    plant(message, half_way)
    sockets[0].sent[at] = json.dumps(message)
    assert list(leaks(sockets, logs))


def test_faces_in_seated_of_a_running_game_are_found() -> None:
    sockets, logs, half_way = honest_game()
    message = json.loads(sockets[0].sent[1])
    message["rounds"] = [{"n": 1, "cards": ["AS", cards.name(half_way.state.decks[0][0])]}]
    sockets[0].sent[1] = json.dumps(message)
    assert list(leaks(sockets, logs))
