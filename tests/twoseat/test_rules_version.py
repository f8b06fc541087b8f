"""The number of the rules stands for how games go: what makes an old log end otherwise, or look otherwise, raises it.

Where this fails, the rules have changed. Raise RULES in replay.py, so that older games are said to be of other rules
and not called false, and write down the new digest.
"""

import hashlib
from collections.abc import Iterator

import msgspec
import pytest

from twoseat import replay
from twoseat.fair import Chance
from twoseat.games import GAMES
from twoseat.games.game import SEATS, Driver, Move, agreed

GAMES_PLAYED = [
    ({"game": "war"}, 20, "840467ab3992267c"),
    ({"game": "war", "preset": "classic"}, 5, "e649997a3387116f"),
    ({"game": "war-online", "limit": 10}, 2, "9b99369287adbcba"),
]


def course(terms: dict[str, object], number: int) -> Iterator[bytes]:
    """All that is stored and seen of a game whose moves are picked by number."""
    game, chance = GAMES[str(terms["game"])], Chance(number.to_bytes(32, "big"))
    state, moves = game.new(agreed(game, terms), None, chance), 0
    while owing := game.owes(state):
        yield game.encode(state)
        for seat in (*SEATS, None):
            yield msgspec.json.encode(game.view(state, seat))
        seat = owing[chance.below(f"seat/{moves}", len(owing))]
        legal = game.legal(state, seat)
        yield msgspec.json.encode(legal)
        form, _, last = legal[chance.below(f"move/{moves}", len(legal))].rpartition(" ")
        state = game.play(state, seat, Move(f"{form} {last.partition('-')[0]}".strip()), Driver.HUMAN, chance)
        moves += 1
    yield msgspec.json.encode((game.outcome(state), game.history(state, 0, faces=True)))


@pytest.mark.parametrize(("terms", "count", "digest"), GAMES_PLAYED)
def test_these_games_go_as_rules_1_have_them(terms: dict[str, object], count: int, digest: str) -> None:
    assert replay.RULES == 1
    told = hashlib.sha256()
    for number in range(count):
        for part in course(terms, number):
            told.update(part)
    assert told.hexdigest()[:16] == digest
