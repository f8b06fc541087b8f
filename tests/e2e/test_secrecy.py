"""The scan that guards every end-to-end test finds leaks that are planted on purpose, and none in an honest game."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from e2e.secrecy import leaks
from e2e.wiretap import Tapped
from twoseat import record, views, wire
from twoseat.bots import choose
from twoseat.chair import PlayerId
from twoseat.games import GAMES, cards
from twoseat.games.game import SEATS, Options, Seat, agreed
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


def online_game() -> tuple[list[Tapped], dict[str, list[bytes]]]:
    """A game of War Online between two bots as both seats and a watcher saw it, and its log."""
    game, options = GAMES["war-online"], agreed(GAMES["war-online"], {"level": "easy"})
    people = ((PlayerId("p0"), "Ann"), (PlayerId("p1"), "Bob"))
    match = create(game, MatchId("00" + "b" * 32), "BCDFGJ", options, people, b"\x06" * 32, 0, start_within=1000)
    log, seen = [record.encode(game, match)], 0
    sockets: dict[Seat | None, Tapped] = {seat: Tapped() for seat in (*SEATS, None)}

    def give(event: Input) -> None:
        nonlocal match, seen
        match = step(game, match, event, 10)
        log.append(record.encode_entry(event, match.version, 10))
        for seat, socket in sockets.items():
            if not socket.sent:
                socket.sent.append(wire.encode(views.seated(game, match, seat)).decode())
            socket.sent.append(wire.encode(views.state(game, match, 10, seat, seen)).decode())
        seen = views.rounds(game, match)

    give(Connect(0, 1))
    give(Connect(1, 2))
    while match.outcome is None:
        seat = game.owes(match.state)[0]
        move = choose(game.name, game.view(match.state, seat), game.legal(match.state, seat))
        give(Play(seat, match.chairs[seat].number, move, connection=seat + 1, id=f"{match.version}"))
    for socket in sockets.values():
        socket.sent.append(wire.encode(views.results(game, match)).decode())
    return list(sockets.values()), {match.id: log}


ONLINE_LEAKS: dict[str, Callable[[dict[str, Any], dict[str, Any]], None]] = {
    "her objective": lambda mine, hers: mine["view"].update(objective=hers["view"]["objective"]),
    "both objectives": lambda mine, hers: mine["view"].update(objectives=["t24", "t18x2"]),
    "her cards": lambda mine, hers: mine["view"].update(cards=hers["view"]["cards"]),
    "her trades": lambda mine, hers: mine.update(legal=[[], ["trade alaska brasil china"]]),
    "the next card": lambda mine, hers: mine["view"].update(pile="alaska"),
    "a hand": lambda mine, hers: mine["view"].update(hands=[hers["view"]["cards"], 0]),
    "the card she took": lambda mine, hers: mine.update(rounds=[{"n": 1, "card": "alaska"}]),
}


def test_an_honest_game_of_war_online_leaks_nothing_and_planted_secrets_are_found() -> None:
    sockets, logs = online_game()
    assert list(leaks(sockets, logs)) == []
    late = [json.loads(text) for text in sockets[1].sent]
    at = max(n for n, told in enumerate(late) if told["type"] == "state" and told["phase"] == "playing")
    assert late[at]["view"]["cards"]
    honest = sockets[0].sent[at]
    for name, plant in ONLINE_LEAKS.items():
        message = json.loads(honest)
        plant(message, late[at])
        sockets[0].sent[at] = json.dumps(message)
        assert list(leaks(sockets, logs)), name
    sockets[0].sent[at] = honest
    sockets[2].sent[at] = sockets[1].sent[at]
    assert list(leaks(sockets, logs)), "a watcher sees what a seat does"
