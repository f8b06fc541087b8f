"""`python -m bench.moves`: what a move of each game costs to decide, write down and show to both, without sockets.

CPU microseconds of one core a move, and how many draws of War a move of War Online is. The games are measured in turn,
so that a slow minute of the machine hits both.
"""

import hashlib
import statistics
import sys
import time
from collections.abc import Iterator
from typing import Any

from twoseat import record, views, wire
from twoseat.bots import choose
from twoseat.games import GAMES
from twoseat.games.game import SEATS, Game, agreed
from twoseat.ids import player_of
from twoseat.inputs import Connect, Play
from twoseat.match import Match, MatchId, create, step

ROUNDS, GAMES_A_ROUND = 7, 3
PEOPLE = ((player_of("a"), "Ann"), (player_of("b"), "Bob"))


def played(game: Game[Any], key: int) -> Iterator[tuple[Match, Play]]:
    """Return every match of one game between two bots, with the move that follows."""
    seed = hashlib.sha256(f"bench {key}".encode()).digest()
    match = create(game, MatchId("00" + "a" * 32), "BCDFGH", agreed(game, {}), PEOPLE, seed, 0, start_within=1000)
    for seat in SEATS:
        match = step(game, match, Connect(seat, seat + 1), 0)
    while match.outcome is None:
        seat = game.owes(match.state)[0]
        move = choose(game.name, game.view(match.state, seat), game.legal(match.state, seat))
        play = Play(seat, match.chairs[seat].number, move, connection=seat + 1, id=f"{match.version}")
        yield match, play
        match = step(game, match, play, 1)


def cost(game: Game[Any], moves: list[tuple[Match, Play]]) -> tuple[float, float]:
    """Return CPU µs a move, and the bytes shown to one seat."""
    shown = 0
    began = time.process_time()
    for match, play in moves:
        after = step(game, match, play, 1)
        record.encode(game, after)
        record.encode_entry(play, after.version, 1)
        since = views.rounds(game, match)
        for seat in SEATS[:1] if game.shared_view else SEATS:
            shown += len(wire.encode(views.state(game, after, 1, seat, since)))
    spent = time.process_time() - began
    frames = len(moves) * (1 if game.shared_view else 2)
    return 1e6 * spent / len(moves), shown / frames


def main() -> None:
    """Measure and print."""
    games = {name: [pair for key in range(GAMES_A_ROUND) for pair in played(game, key)] for name, game in GAMES.items()}
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in games}
    for _ in range(ROUNDS):
        for name, moves in games.items():
            found[name].append(cost(GAMES[name], moves))
    figures = {name: [statistics.median(column) for column in zip(*rows, strict=True)] for name, rows in found.items()}
    for name, (spent, size) in figures.items():
        sys.stdout.write(f"{name}: {spent:.0f} µs a move, {size:.0f} bytes a frame\n")
    sys.stdout.write(f"ratio: {figures['war-online'][0] / figures['war'][0]:.1f}\n")


if __name__ == "__main__":
    main()
