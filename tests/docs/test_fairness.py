"""docs/fairness.md is enough to check a deal: what follows here is written from it, and imports nothing of ours."""

import hashlib
import hmac
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"
VECTORS: list[dict[str, Any]] = json.loads((DOCS / "fairness_vectors.json").read_text())
CARDS = [rank + suit for rank in ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"] for suit in "CDHS"]


def sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def key(seed: bytes, nonces: list[str | None]) -> bytes:
    return sha256(b"twoseat deal\0", seed, *(b"\1" + bytes.fromhex(nonce) if nonce else b"\0" for nonce in nonces))


def words(deal_key: bytes, label: str) -> Iterator[int]:
    block = 0
    while True:
        data = hmac.digest(deal_key, label.encode() + b"\0" + block.to_bytes(4, "big"), "sha256")
        yield from (int.from_bytes(data[at : at + 4], "big") for at in range(0, len(data), 4))
        block += 1


def below(stream: Iterator[int], n: int) -> int:
    return next(word for word in stream if word < 2**32 - 2**32 % n) % n


def shuffled(stream: Iterator[int]) -> list[str]:
    lying = list(CARDS)
    for place in range(len(lying) - 1, 0, -1):
        number = below(stream, place + 1)
        lying[place], lying[number] = lying[number], lying[place]
    return lying


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["seed"][:8])
def test_a_deal_is_computed_from_the_document_alone(vector: dict[str, Any]) -> None:
    seed = bytes.fromhex(vector["seed"])
    assert sha256(b"twoseat seed\0", seed).hex() == vector["seed_digest"]
    for nonce, digest in zip(vector["nonces"], vector["nonce_digests"], strict=True):
        assert digest == (sha256(b"twoseat nonce\0", bytes.fromhex(nonce)).hex() if nonce else None)
    deal_key = key(seed, vector["nonces"])
    assert deal_key.hex() == vector["key"]
    cards = shuffled(words(deal_key, "deal"))
    assert [" ".join(cards[:26]), " ".join(cards[26:])] == vector["decks"]
    starters = [below(words(deal_key, f"starter/{n}"), 2) for n in range(1, 1 + len(vector["starters"]))]
    assert starters == vector["starters"]
    wide = vector["below"]
    assert below(words(deal_key, wide["label"]), wide["n"]) == wide["number"]


def test_the_vectors_show_every_case() -> None:
    assert {tuple(nonce is not None for nonce in vector["nonces"]) for vector in VECTORS} == {
        (True, True),
        (True, False),
        (False, True),
        (False, False),
    }
    thrown_away = [
        next(words(bytes.fromhex(vector["key"]), vector["below"]["label"])) >= vector["below"]["n"]
        for vector in VECTORS
    ]
    assert True in thrown_away
    assert False in thrown_away


def test_the_page_shows_the_first_vector() -> None:
    shown = re.search(r"```json\n(.+?)```", (DOCS / "fairness.md").read_text(), re.DOTALL)
    assert shown is not None
    assert json.loads(shown[1]) == VECTORS[0]
