"""docs/fairness.md is enough to check a deal: a program written from it and the rules alone computes every vector."""

import json
import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from fairness import independent
from twoseat.games.war_online.board import TERRITORIES
from twoseat.verify import Name

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "fairness.md").read_text()
VECTORS: list[dict[str, Any]] = json.loads((DOCS / "fairness_vectors.json").read_text())
OBJECTIVES = ["eu_oc_x", "eu_sa_x", "as_sa", "as_af", "na_af", "na_oc", "t24", "t18x2"]
each_vector = pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["seed"][:8])


@each_vector
def test_a_deal_is_computed_from_the_document_alone(vector: dict[str, Any]) -> None:
    seed = bytes.fromhex(vector["seed"])
    assert independent.digest(b"twoseat seed", seed) == vector["seed_digest"]
    for nonce, digest in zip(vector["nonces"], vector["nonce_digests"], strict=True):
        assert digest == (independent.digest(b"twoseat nonce", bytes.fromhex(nonce)) if nonce else None)
    key = independent.key_of(seed, vector["nonces"])
    assert key.hex() == vector["key"]
    stream = independent.Stream(key, "deal")
    assert b"".join(stream.word().to_bytes(4, "big") for _ in range(8)).hex() == vector["stream"]
    decks = [" ".join(rank + suit for rank, suit in deck) for deck in independent.dealt(key)]
    assert decks == vector["decks"]
    starters = [independent.Stream(key, f"starter/{n}").below(2) for n in range(1, 1 + len(vector["starters"]))]
    assert starters == vector["starters"]
    wide = vector["below"]
    assert independent.Stream(key, wide["label"]).below(wide["n"]) == wide["number"]


@each_vector
@pytest.mark.parametrize("preset", ["points", "classic"])
def test_the_whole_game_is_computed_from_the_documents_alone(vector: dict[str, Any], preset: str) -> None:
    decks = independent.dealt(bytes.fromhex(vector["key"]))
    winners, wars, score = "", "", [0, 0]
    outcome = None
    while outcome is None:
        fought = independent.battle(decks)
        winner = fought[0]
        winners += "-" if winner is None else str(winner)
        wars += str(fought[1])
        if winner is not None:
            score[winner] += 1
        outcome = independent.ending({"preset": preset, "target": 50}, len(winners), score, fought, decks)
    told = vector["courses"][preset]
    assert (winners, wars) == (told["winners"], told["wars"])
    assert outcome == {"winner": told["winner"], "termination": told["termination"]}
    assert [len(deck) for deck in decks] == told["counts"]


@each_vector
def test_a_deal_of_war_online_is_computed_from_the_document_alone(vector: dict[str, Any]) -> None:
    key, told = bytes.fromhex(vector["key"]), vector["war_online"]
    territories = independent.shuffled(key, "territories", list(range(42)))
    for number, holder in enumerate(("0", "1", "neutral")):
        mine = sorted(territories[14 * number : 14 * number + 14])
        assert [TERRITORIES[t] for t in mine] == told["territories"][holder].split()
    assert independent.shuffled(key, "objectives", OBJECTIVES)[:2] == told["objectives"]
    assert independent.Stream(key, "order").below(2) == told["first"]
    assert " ".join(independent.shuffled(key, "cards/0", [*TERRITORIES, "joker", "joker"])) == told["pile"]
    for n, (attack, defence) in enumerate(product((1, 2, 3), repeat=2)):
        number = independent.Stream(key, f"throw/{n}").below(6 ** (attack + defence))
        dice = [number // 6**place % 6 + 1 for place in range(attack + defence)]
        both = [sorted(dice[:attack], reverse=True), sorted(dice[attack:], reverse=True)]
        assert both == told["throws"][n]


def test_the_vectors_show_every_case() -> None:
    assert {tuple(nonce is not None for nonce in vector["nonces"]) for vector in VECTORS} == {
        (True, True),
        (True, False),
        (False, True),
        (False, False),
    }
    thrown_away = [
        independent.Stream(bytes.fromhex(vector["key"]), vector["below"]["label"]).word() >= vector["below"]["n"]
        for vector in VECTORS
    ]
    assert True in thrown_away
    assert False in thrown_away


def test_the_page_shows_the_first_vector() -> None:
    shown = re.search(r"```json\n(.+?)```", TEXT, re.DOTALL)
    assert shown is not None
    assert json.loads(shown[1]) == VECTORS[0]


def test_every_check_is_told() -> None:
    assert re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE) == list(Name)
