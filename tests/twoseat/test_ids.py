"""Names the server gives: whole matches cannot be guessed, neither from nothing nor from one that is over."""

import hashlib
import re

from msgspec.structs import replace

from script import PERSON_AND_BOT, Script
from twoseat.chair import PlayerId
from twoseat.ids import CODE_ALPHABET, new_code, new_match_id, next_match_id, read_code, shard_of


def test_a_match_id_is_a_shard_and_128_random_bits() -> None:
    ids = {new_match_id() for _ in range(2_000)}
    assert len(ids) == 2_000
    assert all(re.fullmatch(r"[0-9a-f]{34}", match_id) for match_id in ids)
    assert {shard_of(match_id) for match_id in ids} == set(range(64))
    assert len({match_id[2:6] for match_id in ids}) > 1_900


def test_the_next_game_has_the_same_id_on_every_node_and_stays_in_the_shard() -> None:
    match = replace(Script().match, id=new_match_id())
    assert next_match_id(match) == next_match_id(replace(match, version=99, started=True))
    assert shard_of(next_match_id(match)) == shard_of(match.id)
    assert re.fullmatch(r"[0-9a-f]{34}", next_match_id(match))


def test_who_has_the_replay_of_a_game_does_not_know_the_next_one_s_id() -> None:
    match = Script().match
    for nobody in (b"", b"next", b"twoseat next\0"):
        assert hashlib.sha256(nobody + match.seed).hexdigest()[:32] not in next_match_id(match)
        assert hashlib.sha256(match.seed + nobody).hexdigest()[:32] not in next_match_id(match)
    others = Script(players=((PlayerId("p0"), "Ann"), (PlayerId("p2"), "Bob"))).match
    alone = Script(players=PERSON_AND_BOT).match
    assert len({next_match_id(match), next_match_id(others), next_match_id(alone)}) == 3


def test_a_code_is_read_however_it_is_typed() -> None:
    code = new_code()
    assert len(code) == 6
    assert set(code) <= set(CODE_ALPHABET)
    assert read_code(f" {code[:3].lower()}-{code[3:]}_ ") == code
    assert read_code(code[:5]) is None
    assert read_code("A1O0IE") is None
