"""The client checks each game by itself: an honest one passes from every seat, and no lie about it does."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from fairness.shown import judged, told, verdict, with_fair
from recorded import MATCH_ID, Recorded, lively_game, quiet_game
from script import BOT_AND_PERSON, NONCES
from table_talk import rounds_of
from twoseat import wire
from twoseat.games.game import Options
from twoseat.shake import nonce_digest, seed_digest
from twoseat.verify import Promise
from twoseat_client import fairness
from twoseat_client.fairness import Memory
from twoseat_client.nonces import Nonces
from twoseat_client.receipts import KEPT, Receipts
from twoseat_client.text import LANGUAGES, Words

DIGESTS = (nonce_digest(NONCES[0]), nonce_digest(NONCES[1]))
PROMISE = Promise(MATCH_ID, seed_digest(b"\x07" * 32), DIGESTS, NONCES)


def sentences(messages: Any, memory: Memory | None = None) -> list[str]:
    """The keys of what a person is told."""
    return [sentence.key for event in judged(messages, memory)[1] for sentence in event.says]


@pytest.mark.parametrize(
    "play",
    [
        quiet_game,
        lively_game,
        lambda: quiet_game(Options(preset="classic")),
        lambda: quiet_game(Options(preset="classic"), players=BOT_AND_PERSON),
        lambda: quiet_game(Options(target=5), 1),
    ],
)
@pytest.mark.parametrize("seat", [0, 1, None])
def test_an_honest_game_is_what_was_promised(play: Callable[[], Recorded], seat: wire.Seat | None) -> None:
    assert verdict(told(play(), seat)) == (True, set())


def test_what_each_seat_put_in_is_told_when_the_deal_is_made() -> None:
    _, events = judged(told(quiet_game()))
    assert [event.data["stage"] for event in events] == ["dealt", "over"]
    assert events[0].data == {
        "stage": "dealt",
        "match": MATCH_ID,
        "shares": ["in", "in"],
        "seed_digest": PROMISE.seed_digest,
        "digests": list(DIGESTS),
        "nonces": list(NONCES),
    }
    assert events[0].says == ()
    assert events[1].data["early"] is True


@pytest.mark.parametrize(
    ("opened", "seat", "says"),
    [
        ((1,), 0, "verify.say.mine_missing"),
        ((1,), 1, "verify.say.withheld"),
        ((1,), None, "verify.say.withheld"),
        ((0,), 0, "verify.say.withheld"),
    ],
)
def test_a_missing_share_is_said_at_the_deal(opened: tuple[int, ...], seat: wire.Seat | None, says: str) -> None:
    assert sentences(told(quiet_game(Options(target=3), *opened), seat)) == [says, "verify.say.ok"]


def test_a_silent_player_is_named() -> None:
    play = Recorded(Options(target=3))
    play.seated()
    play.commit(0)
    play.at(play.match.deadline).tick()
    play.open(0)
    assert sentences(told(play.to_the_end(), 0)) == ["verify.say.silent", "verify.say.ok"]


def test_who_came_after_the_deal_is_told_what_that_is_worth() -> None:
    messages = list(told(lively_game(), None))
    seated, state, fair = (
        messages[0],
        next(m for m in reversed(messages) if isinstance(m, wire.State)),
        next(m for m in reversed(messages) if isinstance(m, wire.Fair)),
    )
    late = [replace(seated, rounds=messages[-1].rounds), replace(state, rounds=[]), fair, messages[-1]]
    assert sentences(late) == ["verify.say.late"]
    assert judged(late)[1][0].data["early"] is False


def test_a_match_that_never_began_is_not_spoken_of() -> None:
    play = Recorded()
    play.at(play.match.deadline).tick()
    assert judged(told(play))[1] == []


def test_a_game_given_up_before_its_first_round_is_judged_in_silence() -> None:
    play = Recorded().dealt()
    play.resign(1)
    memory, events = judged(told(play))
    assert memory.report is not None
    assert memory.report.verified
    assert [event.says for event in events] == [(), ()]


def test_results_that_come_twice_are_judged_once() -> None:
    messages = list(told(quiet_game(Options(target=3))))
    seated = replace(messages[0], rounds=messages[-1].rounds)
    assert len(judged([*messages, seated, *messages[-2:]])[1]) == 2
    fair = next(m for m in reversed(messages) if isinstance(m, wire.Fair))
    assert len(judged([*messages, seated, fair, messages[-1]])[1]) == 2


def test_the_next_match_begins_with_a_clean_slate() -> None:
    first = list(told(quiet_game(Options(target=3))))
    second = list(told(quiet_game(Options(target=3), match_id="2b" + "6" * 32, seed=b"\x09" * 32)))
    assert [event.data["stage"] for event in judged([*first, *second])[1]] == ["dealt", "over"] * 2
    assert judged([*first, *second])[0].report is not None


def _lie(change: Callable[[Any], Any], kind: type) -> Callable[[list[Any]], list[Any]]:
    return lambda messages: [change(message) if isinstance(message, kind) else message for message in messages]


def _later_digest(fair: wire.Fair) -> wire.Fair:
    return replace(fair, seed_digest="0" * 64) if fair.stage is wire.Stage.DONE else fair


def _other_card(state: wire.State) -> wire.State:
    if not isinstance(state.view, wire.WarView) or state.view.round != 7 or not state.rounds:
        return state
    return replace(state, view=replace(state.view, pairs=(("AS", "2C"),)))


def _other_winner(state: wire.State) -> wire.State:
    rounds = [replace(line, winner=0 if line.winner else 1) if line.n == 5 else line for line in rounds_of(state)]
    return replace(state, rounds=rounds)


def _other_starter(state: wire.State) -> wire.State:
    rounds = [replace(line, starter=0 if line.starter else 1) if line.n == 5 else line for line in rounds_of(state)]
    return replace(state, rounds=rounds)


def _other_face(results: wire.Results) -> wire.Results:
    rounds = [replace(line, cards=("AS", "AH")) if line.n == 3 else line for line in rounds_of(results)]
    return replace(results, rounds=rounds)


def _no_number(state: wire.State) -> wire.State:
    return replace(state, rounds=[replace(line, n=-3) if line.n == 5 else line for line in rounds_of(state)])


LIES = {
    "another seed digest after the deal": (_lie(_later_digest, wire.Fair), {"promise", "seed"}),
    "another seed": (_lie(lambda m: replace(m, seed="08" * 32), wire.Results), {"seed"}),
    "no seed at all": (_lie(lambda m: replace(m, seed="none"), wire.Results), {"seed", "nonces"}),
    "another card on the table": (_lie(_other_card, wire.State), {"course"}),
    "another winner of a round": (_lie(_other_winner, wire.State), {"course"}),
    "another starter of a round": (_lie(_other_starter, wire.State), {"course"}),
    "a round that is none": (_lie(_no_number, wire.State), {"promise"}),
    "another face in the results": (_lie(_other_face, wire.Results), {"result"}),
    "a round less": (_lie(lambda m: replace(m, rounds=m.rounds[:-1]), wire.Results), {"result"}),
    "another winner": (
        _lie(lambda m: replace(m, outcome=replace(m.outcome, winner=None)), wire.Results),
        {"result"},
    ),
}


@pytest.mark.parametrize("name", LIES)
def test_no_lie_passes(name: str) -> None:
    change, caught = LIES[name]
    messages = change(list(told(quiet_game())))
    verified, failed = verdict(messages)
    assert not verified
    assert caught <= failed | {"seed"} if "promise" in caught else failed == caught
    assert sentences(messages)[0] == "verify.say.bad"


@pytest.mark.parametrize(
    "changes",
    [
        {"digests": (DIGESTS[0], "1" * 64)},
        {"digests": (None, DIGESTS[1])},
        {"nonces": (NONCES[0], "c3" * 32)},
        {"nonces": (None, NONCES[1])},
    ],
)
def test_what_was_said_cannot_be_taken_back(changes: Any) -> None:
    verified, failed = verdict(with_fair(told(quiet_game()), **changes))
    assert not verified
    assert "promise" in failed or "nonces" in failed or "course" in failed


def test_a_commitment_after_the_nonces_were_asked_for_is_a_broken_promise() -> None:
    """The other seat seems to have committed to nothing, and turns up with a nonce after mine was opened."""
    play = Recorded(Options(target=3))
    play.seated()
    play.commit(0)
    play.at(play.match.deadline).tick()
    play.open(0)
    messages = with_fair(told(play.to_the_end()), digests=DIGESTS, nonces=NONCES)
    assert "promise" in verdict(messages)[1]


def test_a_nonce_added_after_the_deal_is_a_broken_promise() -> None:
    play = quiet_game(Options(target=3), 0)
    messages = list(told(play))
    fair = next(m for m in reversed(messages) if isinstance(m, wire.Fair))
    again = [*messages[:-1], replace(fair, nonces=NONCES), messages[-1]]
    assert "promise" in verdict(again)[1]


def test_a_later_run_holds_the_end_against_the_first_one_s_receipt() -> None:
    messages = list(told(quiet_game()))
    fair = next(m for m in reversed(messages) if isinstance(m, wire.Fair))
    seated = replace(messages[0], rounds=messages[-1].rounds)
    for promise, verified in ((PROMISE, True), (replace(PROMISE, seed_digest="0" * 64), False)):
        memory, _ = fairness.heard(Memory(), seated)
        _, events = judged([fair, messages[-1]], fairness.recalled(memory, promise))
        assert [event.data["verified"] for event in events] == [verified]
        assert events[0].data["early"] is True


def test_a_receipt_of_another_match_is_not_recalled() -> None:
    memory, _ = fairness.heard(Memory(), next(told(quiet_game(Options(target=2)))))
    for promise in (None, replace(PROMISE, match="0" * 34)):
        assert fairness.recalled(memory, promise) is memory
    assert fairness.recalled(Memory(), PROMISE) == Memory()


def test_every_failure_has_its_words_in_every_language() -> None:
    for change, _ in LIES.values():
        for event in judged(change(list(told(quiet_game()))))[1]:
            for lang in LANGUAGES:
                assert all(Words(lang).tell(sentence) for sentence in event.says)


def fair(stage: str, digests: Any = (None, None), nonces: Any = (None, None), **changes: Any) -> wire.Fair:
    return replace(wire.Fair(MATCH_ID, wire.Stage(stage), "5" * 64, digests, nonces, 2_000), **changes)


def test_a_nonce_is_committed_to_once_and_opened_when_the_commitment_stands() -> None:
    nonces = Nonces()
    commit = nonces.answer(fair("commit"), 0)
    assert isinstance(commit, wire.CommitNonce)
    assert nonces.answer(fair("commit"), 0) == commit
    assert nonces.answer(fair("commit", (commit.digest, None)), 0) is None
    opened = nonces.answer(fair("open", (commit.digest, None)), 0)
    assert isinstance(opened, wire.OpenNonce)
    assert nonce_digest(opened.nonce) == commit.digest
    assert nonces.answer(fair("open", (commit.digest, None), (opened.nonce, None)), 0) is None


def test_a_nonce_is_not_opened_where_the_server_changed_its_mind() -> None:
    nonces = Nonces()
    commit = nonces.answer(fair("commit"), 0)
    assert isinstance(commit, wire.CommitNonce)
    assert nonces.answer(fair("open", (commit.digest, None), seed_digest="6" * 64), 0) is None
    assert nonces.answer(fair("open", ("7" * 64, None)), 0) is None
    assert nonces.answer(fair("open", (None, commit.digest)), 0) is None


@pytest.mark.parametrize("stage", ["waiting", "done"])
def test_nothing_is_said_before_and_after_nor_by_who_watches(stage: str) -> None:
    nonces = Nonces()
    assert nonces.answer(fair(stage), 0) is None
    assert nonces.answer(fair("commit"), None) is None
    assert nonces.answer(fair("open", ("7" * 64, None)), 0) is None


def test_each_match_has_a_nonce_of_its_own() -> None:
    nonces = Nonces()
    said = {nonces.answer(fair("commit", match=f"{n:034x}"), 1) for n in range(50)}
    assert len(said) == 50


def test_receipts_are_kept_apart_private_and_not_for_ever(tmp_path: Path) -> None:
    receipts = Receipts(tmp_path / "receipts")
    assert receipts.find(MATCH_ID) is None
    receipts.keep(PROMISE)
    receipts.keep(replace(PROMISE, seed_digest="0" * 64))
    assert receipts.find(MATCH_ID) == PROMISE
    for number in range(KEPT + 5):
        receipts.keep(replace(PROMISE, match=f"{number:034x}"))
    assert len(list((tmp_path / "receipts").iterdir())) == KEPT


def test_a_receipt_that_cannot_be_read_or_written_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    nowhere = Receipts(tmp_path / "file")
    nowhere.keep(PROMISE)
    assert nowhere.find(MATCH_ID) is None
    (tmp_path / f"{MATCH_ID}.json").write_text('{"match": 3}')
    assert Receipts(tmp_path).find(MATCH_ID) is None
    assert Receipts(tmp_path).find("../../../etc/passwd") is None
