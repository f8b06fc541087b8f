"""Checks replays of War by docs/fairness.md and docs/rules.md alone: a program of its own, without a line of twoseat.

    python -I independent.py FILE...        a replay, or one JSON object a line; - reads standard input

It looks only at what was promised, opened, shown and listed (options, seed_digest, digests, nonces, seed, rounds,
outcome), deals anew and fights every round. For each game one line; exit code 1 where any does not follow.
"""

import hashlib
import hmac
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Card = tuple[str, str]
Decks = tuple[list[Card], list[Card]]
Fought = tuple[int | None, int, int, list[Card], bool]
"""Winner, wars, cards taken, the deciding cards by seat, whether somebody was short."""
Game = dict[str, Any]

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
DECK = [(rank, suit) for rank in RANKS for suit in "CDHS"]


class Stream:
    """The numbers of one label."""

    def __init__(self, key: bytes, label: str) -> None:
        self.key, self.label, self.block = key, label.encode("ascii"), 0
        self.bytes = b""

    def word(self) -> int:
        """Return the next four bytes as a number."""
        if not self.bytes:
            counter = self.block.to_bytes(4, "big")
            self.bytes = hmac.new(self.key, self.label + b"\x00" + counter, hashlib.sha256).digest()
            self.block += 1
        word, self.bytes = self.bytes[:4], self.bytes[4:]
        return int.from_bytes(word, "big")

    def below(self, n: int) -> int:
        """Return a number below n."""
        while True:
            word = self.word()
            if word < 2**32 - 2**32 % n:
                return word % n


def digest(word: bytes, secret: bytes) -> str:
    """Return a commitment."""
    return hashlib.sha256(word + b"\x00" + secret).hexdigest()


def key_of(seed: bytes, nonces: list[str | None]) -> bytes:
    """Return the key of all chance."""
    data = b"twoseat deal\x00" + seed
    for nonce in nonces:
        data += b"\x00" if nonce is None else b"\x01" + bytes.fromhex(nonce)
    return hashlib.sha256(data).digest()


def shuffled(key: bytes, label: str, things: list[Any]) -> list[Any]:
    """Return things in the order a label gives them."""
    mixed, stream = list(things), Stream(key, label)
    for place in range(len(mixed) - 1, 0, -1):
        other = stream.below(place + 1)
        mixed[place], mixed[other] = mixed[other], mixed[place]
    return mixed


def dealt(key: bytes) -> Decks:
    """Return both decks, top first."""
    cards = shuffled(key, "deal", DECK)
    return cards[:26], cards[26:]


def battle(decks: Decks) -> Fought:
    """Fight one round on two decks, which change."""
    table = [[decks[0].pop(0)], [decks[1].pop(0)]]
    wars = 0
    while table[0][-1][0] == table[1][-1][0]:
        wars += 1
        short = [len(deck) < 2 for deck in decks]
        deciding = [table[0][-1], table[1][-1]]
        if short == [True, True]:
            for seat in (0, 1):
                decks[seat][:0] = table[seat]
            return None, wars, 0, deciding, True
        if True in short:
            winner = 1 if short[0] else 0
            pot = collected(table, winner) + decks[1 - winner]
            decks[1 - winner].clear()
            decks[winner].extend(pot)
            return winner, wars, len(pot), deciding, True
        for seat in (0, 1):
            table[seat] += [decks[seat].pop(0), decks[seat].pop(0)]
    deciding = [table[0][-1], table[1][-1]]
    winner = 0 if RANKS.index(deciding[0][0]) > RANKS.index(deciding[1][0]) else 1
    pot = collected(table, winner)
    decks[winner].extend(pot)
    return winner, wars, len(pot), deciding, False


def collected(table: list[list[Card]], winner: int) -> list[Card]:
    """Return what was laid in the order it goes under the winner's deck."""
    pot: list[Card] = []
    for mine, theirs in zip(table[winner], table[1 - winner], strict=True):
        pot += [mine, theirs]
    return pot


def ending(options: Game, number: int, score: list[int], fought: Fought, decks: Decks) -> Game | None:
    """Return how the game ends with this round, None where it goes on."""
    winner, _, _, _, short = fought
    if winner is None:
        return {"winner": None, "termination": "both_short"}
    if short:
        return {"winner": winner, "termination": "shortage"}
    if not decks[0] or not decks[1]:
        return {"winner": winner, "termination": "all_cards"}
    if options["preset"] == "points" and score[winner] == options["target"]:
        return {"winner": winner, "termination": "points"}
    if options["preset"] == "classic" and number == 500:
        return {"winner": None, "termination": "limit"}
    return None


def complaints(game: Game) -> Iterator[str]:
    """Say in words what in a game does not follow."""
    seed, nonces = bytes.fromhex(game["seed"]), game["nonces"]
    if digest(b"twoseat seed", seed) != game["seed_digest"]:
        yield "the seed is not the one committed to"
    for seat, nonce in enumerate(nonces):
        if nonce is not None and digest(b"twoseat nonce", bytes.fromhex(nonce)) != game["digests"][seat]:
            yield f"seat {seat} opened another nonce than it committed to"
    key = key_of(seed, nonces)
    decks, score = dealt(key), [0, 0]
    outcome: Game | None = None
    for number, told in enumerate(game["rounds"], 1):
        if outcome is not None:
            yield f"round {number} came after the end"
            return
        fought = battle(decks)
        winner, wars, won, deciding, _ = fought
        if winner is not None:
            score[winner] += 1
        outcome = ending(game["options"], number, score, fought, decks)
        classic = game["options"]["preset"] == "classic"
        follows = {
            "n": number,
            "starter": None if classic else Stream(key, f"starter/{number}").below(2),
            "winner": winner,
            "wars": wars,
            "won": won,
            "counts": [len(decks[0]), len(decks[1])],
            "cards": [rank + suit for rank, suit in deciding],
        }
        wrong = [name for name, value in follows.items() if told[name] != value]
        if wrong:
            yield f"round {number}: {', '.join(wrong)} should be {[follows[name] for name in wrong]}"
            return
    given_up = game["outcome"]["termination"] in ("resigned", "redealt", "void")
    if outcome != game["outcome"] and not (given_up and outcome is None):
        yield f"the game ended {outcome}, not {game['outcome']}"


def games(file: str) -> list[Game]:
    """Return the games in a file."""
    text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    try:
        return [json.loads(text)]
    except ValueError:
        return [json.loads(line) for line in text.splitlines() if line.strip()]


def main(files: list[str]) -> int:
    """Check all games of all files."""
    bad = count = 0
    for game in (game for file in files for game in games(file)):
        count += 1
        problems = list(complaints(game))
        bad += bool(problems)
        print(f"{game['match']}: {'; '.join(problems) or 'follows'}")
    print(f"{count - bad} of {count} games follow")
    return 1 if bad or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
