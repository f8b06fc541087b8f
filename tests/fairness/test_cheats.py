"""Servers and players who cheat, for real: each is caught by what it leaves behind, or has nothing to gain."""

import random
from collections.abc import Iterator
from statistics import mean

import pytest
from msgspec.structs import replace

from fairness.shown import judged, told, verdict
from recorded import Recorded, quiet_game
from script import NONCES
from twoseat import rerun, wire
from twoseat.fair import Chance
from twoseat.games import GAMES, cards
from twoseat.games.battle import Decks
from twoseat.games.game import Options, Seat
from twoseat.games.war import War, WarState, begin, deal
from twoseat.inputs import Open
from twoseat.match import Reason
from twoseat.replay import Replay
from twoseat.shake import deal_key, nonce_digest, seed_digest
from twoseat.verify import Name, Promise, Share, verify

SEED = b"\x07" * 32
DIGESTS = (nonce_digest(NONCES[0]), nonce_digest(NONCES[1]))
HIGH = frozenset(card for card in cards.DECK if cards.rank(card) >= 11)
"""Kings and aces: who has more of them mostly wins."""


def lost(told_again: Replay, promise: Promise | None = None) -> set[Name]:
    """The checks a replay fails."""
    return {check.name for check in verify(told_again, promise).checks if not check.ok}


def promise(play: Recorded) -> Promise:
    """What both players' programs saw before the deal."""
    return Promise(play.match.id, seed_digest(play.match.seed), DIGESTS, NONCES)


class Swapping(War):
    """A server that gives seat 0 the best card of seat 1's for the worst of its own, after an honest shuffle."""

    def new(self, options: Options, solo: Seat | None, chance: Chance) -> WarState:
        """Deal, and swap two cards."""
        return begin(options, solo, swapped(deal(chance)), chance)


def swapped(decks: Decks) -> Decks:
    """The same decks with two cards in each other's place."""
    first, second = bytearray(decks[0]), bytearray(decks[1])
    mine, theirs = first.index(min(first)), second.index(max(second))
    first[mine], second[theirs] = second[theirs], first[mine]
    return bytes(first), bytes(second)


@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_server_that_swaps_two_cards_is_caught_by_everybody_who_was_there(seat: Seat | None) -> None:
    play = quiet_game(Options(target=40), game=Swapping())
    verified, failed = verdict(told(play, seat))
    assert not verified
    assert failed == {"course", "result"}


def test_a_server_that_swaps_two_cards_is_caught_by_whoever_has_the_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    play = quiet_game(Options(target=40), game=Swapping())
    with monkeypatch.context() as cheating:
        cheating.setitem(GAMES, "war", Swapping())
        published = rerun.export(play.log)
    assert lost(published) == {Name.COURSE, Name.RESULT}
    assert verify(published).checks[-1].round is not None


def seeds(count: int) -> Iterator[bytes]:
    """Seeds a server may try."""
    return (seed_digest(b"try %d" % n).encode()[:32] for n in range(count))


def high_cards(seed: bytes, nonces: tuple[str, str]) -> int:
    """How many of the eight highest cards seat 0 is dealt."""
    return len(HIGH.intersection(deal(Chance(deal_key(seed, nonces)))[0]))


def chosen_late() -> bytes:
    """The best of many seeds for seat 0, once both nonces are known."""
    best = max(seeds(150), key=lambda seed: high_cards(seed, NONCES))
    assert high_cards(best, NONCES) >= 6
    return best


def test_a_server_that_chooses_its_seed_after_the_nonces_is_caught_by_its_own_commitment() -> None:
    """It shows the digest it had promised, and deals from another seed."""
    play = quiet_game(Options(target=20), seed=chosen_late())
    honest_digest = seed_digest(SEED)
    messages = [
        replace(message, seed_digest=honest_digest) if isinstance(message, wire.Fair) else message
        for message in told(play)
    ]
    verified, failed = verdict(messages)
    assert not verified
    assert "seed" in failed
    assert Name.SEED in lost(replace(rerun.export(play.log), seed_digest=honest_digest))


def test_a_server_that_exchanges_its_commitment_too_is_caught_by_every_memory() -> None:
    """Afterwards all is consistent, with a digest nobody had seen before the deal."""
    play = quiet_game(Options(target=20), seed=chosen_late())
    first = seed_digest(SEED)
    messages = [
        replace(message, seed_digest=first)
        if isinstance(message, wire.Fair) and message.stage is not wire.Stage.DONE
        else message
        for message in told(play)
    ]
    assert "promise" in verdict(messages)[1]
    published = rerun.export(play.log)
    assert verify(published).verified
    assert lost(published, replace(promise(play), seed_digest=first)) == {Name.PROMISE}


def test_a_player_cannot_open_another_nonce_than_he_committed_to() -> None:
    play = Recorded()
    play.seated()
    play.commit(0)
    play.commit(1)
    play.open(1)
    better = max(map("{:064x}".format, range(64)), key=lambda nonce: high_cards(SEED, (nonce, NONCES[1])))
    assert play.reason(Open(0, play.chair(0).connection, better)) is Reason.ILLEGAL


def test_a_host_who_lets_himself_open_another_nonce_is_caught() -> None:
    """His server takes the ground nonce, and shows the digest that was committed to, or the one that fits."""
    better = max(map("{:064x}".format, range(64)), key=lambda nonce: high_cards(SEED, (nonce, NONCES[1])))
    play = Recorded(Options(target=20))
    play.seated()
    play.commit(0, better)
    play.commit(1)
    play.open(0, better)
    play.open(1)
    messages = list(told(play.to_the_end(), 1))
    for shown_at_the_end in (DIGESTS[0], nonce_digest(better)):
        lie = [
            replace(m, digests=(m.digests[0] and (DIGESTS[0] if _early(m) else shown_at_the_end), m.digests[1]))
            if isinstance(m, wire.Fair)
            else m
            for m in messages
        ]
        verified, failed = verdict(lie)
        assert not verified
        assert failed & {"nonces", "promise"}


def _early(fair: wire.Fair) -> bool:
    return fair.stage is not wire.Stage.DONE


def ground(seed: bytes, guess: str, tries: int) -> str:
    """The nonce for seat 0 that would be best if the other one were `guess`."""
    return max(map("{:064x}".format, range(tries)), key=lambda nonce: high_cards(seed, (nonce, guess)))


def test_a_host_who_plays_and_grinds_nonces_gains_nothing() -> None:
    """He knows the seed and tries forty nonces for each game, but must commit before he knows the other's.

    Were the nonces simply said one after the other, the same work would give him nearly all high cards he wants.
    """
    dice = random.Random(5)
    blind, seeing = [], []
    for number in range(250):
        seed, theirs = dice.randbytes(32), dice.randbytes(32).hex()
        his = ground(seed, "", 40)
        blind.append(high_cards(seed, (his, theirs)))
        if number < 40:
            seeing.append(high_cards(seed, (ground(seed, theirs, 40), theirs)))
    # Eight high cards, half of them each: variance 8 * 1/4 * 44/51, so six deviations of the mean are 0.5.
    assert abs(mean(blind) - 4) < 0.5
    assert mean(seeing) > 6


def test_a_host_who_withholds_has_two_deals_to_choose_from_and_is_named() -> None:
    """What no commitment can prevent: he sees the other's nonce, and opens his or not. All see that he did not."""
    play = quiet_game(Options(target=20), 1)
    memory, events = judged(told(play, 1))
    assert memory.report is not None
    assert memory.report.shares == (Share.WITHHELD, Share.IN)
    assert events[0].data["shares"] == ["withheld", "in"]
    assert [sentence.key for sentence in events[0].says] == ["verify.say.withheld"]
    assert verify(rerun.export(play.log)).shares == (Share.WITHHELD, Share.IN)


def test_a_host_who_drops_the_other_s_nonce_is_seen_before_the_first_draw() -> None:
    """His server acts as if her commitment had never come. She is told at the deal, not at the end."""
    play = Recorded(Options(target=20))
    play.seated()
    play.commit(0)
    play.at(play.match.deadline).tick()
    play.open(0)
    messages = list(told(play, 1))
    _, events = judged(messages)
    assert [sentence.key for sentence in events[0].says] == ["verify.say.mine_missing"]


def test_a_deal_promised_for_another_match_does_not_count() -> None:
    play = quiet_game(Options(target=5))
    other = replace(promise(play), match="0" * 34)
    assert lost(rerun.export(play.log), other) == {Name.PROMISE}
