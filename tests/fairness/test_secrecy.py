"""Nothing said before the end tells anything of the seed, and no source of chance can be read off what is seen."""

import ast
import json
from pathlib import Path

import pytest

from fairness.shown import told
from recorded import Recorded, lively_game, quiet_game, series_game
from script import BOT_AND_PERSON, NONCES
from twoseat import wire
from twoseat.games.game import Options, Seat

ROOT = Path(__file__).parents[2]
WINDOW = 8
"""Hex digits in a row that must not turn up: four bytes, what a shuffle takes for one card."""


def secrets_of(play: Recorded) -> set[str]:
    """All windows of the seed and of the key, and of the stream the deck came from."""
    key = play.match.chance.key
    deck = b"".join(
        word.to_bytes(4, "big") for word, _ in zip(play.match.chance._words("deal"), range(51), strict=False)
    )
    texts = [play.match.seed.hex(), key.hex(), deck.hex()]
    return {text[at : at + WINDOW] for text in texts for at in range(len(text) - WINDOW + 1)}


STORIES = {
    "quiet": lambda: quiet_game(seed=bytes(range(32))),
    "lively": lambda: lively_game(seed=bytes(range(32))),
    "classic": lambda: quiet_game(Options(preset="classic"), players=BOT_AND_PERSON, seed=bytes(range(32))),
    "withheld": lambda: quiet_game(Options(target=5), 1, seed=bytes(range(32))),
}


@pytest.mark.parametrize("name", STORIES)
@pytest.mark.parametrize("seat", [0, 1, None])
def test_no_message_before_the_end_holds_four_bytes_of_seed_key_or_stream(name: str, seat: Seat | None) -> None:
    play = STORIES[name]()
    hidden = secrets_of(play)
    messages = list(told(play, seat))
    assert isinstance(messages[-1], wire.Results | wire.Fair)
    for message in messages:
        text = wire.encode(message).decode()
        if isinstance(message, wire.Results):
            assert message.seed == play.match.seed.hex()
        else:
            for public in (play.match.id, *play.match.shake.digests, *NONCES):
                text = text.replace(public, "")
            seen = {text[at : at + WINDOW] for at in range(len(text) - WINDOW + 1)}
            assert seen & hidden == set(), type(message).__name__


def test_two_matches_that_differ_only_in_their_seeds_look_the_same_until_the_deal() -> None:
    plays = [Recorded(seed=bytes([n]) * 32) for n in (1, 2)]
    texts = []
    for play in plays:
        play.seated()
        for seat in (0, 1):
            play.commit(seat)
        play.open(0)
        play.resign(1)
        messages = [json.loads(wire.encode(message)) for message in told(play) if not isinstance(message, wire.Results)]
        for message in messages:
            message.pop("seed_digest", None)
        texts.append(messages)
    assert texts[0] == texts[1]


def test_the_next_game_of_a_series_tells_nothing_of_the_last_one_s_seed() -> None:
    first, second = quiet_game(Options(target=3, games=3)), series_game()
    for message in told(second):
        if not isinstance(message, wire.Results):
            assert first.match.seed.hex() not in wire.encode(message).decode()


def test_neither_rules_nor_server_know_a_generator_whose_state_could_be_guessed() -> None:
    """War shows whole decks, so a shared generator would be known after ninety of them: there is none."""
    for root in ("shared", "server"):
        for path in (ROOT / root).rglob("*.py"):
            imported = {
                name.name if isinstance(node, ast.Import) else node.module
                for node in ast.walk(ast.parse(path.read_text()))
                if isinstance(node, ast.Import | ast.ImportFrom)
                for name in node.names
            }
            assert imported.isdisjoint({"random", "numpy", "numpy.random"}), path
