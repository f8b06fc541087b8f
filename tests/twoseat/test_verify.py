"""Verification: an honest game passes every check; whatever is changed afterwards fails the check it breaks."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from recorded import Recorded, lively_game, quiet_game, series_game
from script import BOT_AND_PERSON, NONCES, PERSON_AND_BOT
from twoseat import replay, rerun, verify
from twoseat.games.game import Options, Outcome, Termination
from twoseat.replay import Replay
from twoseat.shake import nonce_digest, seed_digest
from twoseat.verify import Name, Promise, Report, Share

STORIES: dict[str, Callable[[], Recorded]] = {
    "quiet": quiet_game,
    "lively": lively_game,
    "series": series_game,
    "bot": lambda: quiet_game(players=PERSON_AND_BOT),
    "bot in classic": lambda: quiet_game(Options(preset="classic"), players=BOT_AND_PERSON),
    "withheld": lambda: quiet_game(Options(target=5), 1),
}
OTHER_SEED = "08" * 32


@pytest.fixture(scope="module")
def honest() -> Replay:
    """A game nobody changed, as it comes out of its file."""
    return replay.read(replay.write(rerun.export(lively_game().log)))


def failed(report: Report) -> set[Name]:
    """The checks that do not hold."""
    return {check.name for check in report.checks if check.ok is False}


def promise_of(told: Replay) -> Promise:
    """What an honest program saw before this deal."""
    return Promise(told.match, told.seed_digest, told.digests, told.nonces)


@pytest.mark.parametrize("name", STORIES)
def test_an_honest_game_passes_every_check(name: str) -> None:
    told = replay.read(replay.write(rerun.export(STORIES[name]().log)))
    report = verify.verify(told, promise_of(told))
    assert report.match == told.match
    assert [check.name for check in report.checks] == list(Name)
    assert report.verified
    assert {(check.ok, check.round) for check in report.checks} == {(True, None)}


def test_without_a_promise_there_is_no_check_of_one(honest: Replay) -> None:
    assert [check.name for check in verify.verify(honest).checks] == [name for name in Name if name is not Name.PROMISE]


@pytest.mark.parametrize(
    ("name", "shares"),
    [
        ("quiet", (Share.IN, Share.IN)),
        ("bot", (Share.IN, Share.BOT)),
        ("bot in classic", (Share.BOT, Share.IN)),
        ("withheld", (Share.WITHHELD, Share.IN)),
    ],
)
def test_what_each_seat_put_into_the_deal_is_named(name: str, shares: tuple[Share, Share]) -> None:
    assert verify.verify(rerun.export(STORIES[name]().log)).shares == shares


def test_who_said_nothing_is_named_silent() -> None:
    play = Recorded(Options(target=2))
    play.seated()
    play.commit(1)
    play.at(play.match.deadline).tick()
    play.open(1)
    assert verify.verify(rerun.export(play.to_the_end().log)).shares == (Share.SILENT, Share.IN)


def test_another_seed_than_promised_is_caught(honest: Replay) -> None:
    """The server deals from another seed than it committed to, and says so openly."""
    changed = replace(honest, seed=OTHER_SEED)
    assert {Name.SEED, Name.COURSE, Name.RESULT} <= failed(verify.verify(changed))


def test_another_seed_and_another_digest_are_caught_by_who_saw_the_first(honest: Replay) -> None:
    """All is consistent, but it is not what was shown before the deal."""
    play = quiet_game(seed=bytes.fromhex(OTHER_SEED))
    lie = rerun.export(play.log)
    assert verify.verify(lie).verified
    assert failed(verify.verify(lie, promise_of(honest))) == {Name.PROMISE}


@pytest.mark.parametrize("seat", [0, 1])
def test_another_nonce_than_committed_to_is_caught(honest: Replay, seat: int) -> None:
    nonces = ["c3" * 32 if seat == n else NONCES[n] for n in (0, 1)]
    changed = replace(honest, nonces=(nonces[0], nonces[1]))
    assert Name.NONCES in failed(verify.verify(changed))


@pytest.mark.parametrize("seat", [0, 1])
def test_a_nonce_left_out_or_put_in_later_is_caught(honest: Replay, seat: int) -> None:
    left_out = replace(honest, nonces=(None, NONCES[1]) if seat == 0 else (NONCES[0], None))
    assert failed(verify.verify(left_out)) == {Name.NONCES}
    withheld = rerun.export(quiet_game(Options(target=5), seat).log)
    put_in = replace(withheld, nonces=NONCES)
    assert failed(verify.verify(put_in)) == {Name.NONCES}


def test_a_nonce_without_a_commitment_is_caught() -> None:
    made, _ = verify.commitments("07" * 32, seed_digest(b"\x07" * 32), (None, None), (None, None))
    assert made.ok
    _, nonces = verify.commitments("07" * 32, "", (None, nonce_digest(NONCES[1])), NONCES)
    assert not nonces.ok


def test_what_is_no_number_fits_nothing() -> None:
    for seed, nonce in (("no number", NONCES[0]), ("07" * 32, "no number")):
        checks = verify.commitments(seed, seed_digest(b"\x07" * 32), (nonce_digest(NONCES[0]), None), (nonce, None))
        assert {check.ok for check in checks} == {False}


def _swapped(told: Replay) -> Replay:
    """Two cards change places in everything that was shown."""
    text = replay.write(told).decode().replace('"AS"', '"?"').replace('"2C"', '"AS"').replace('"?"', '"2C"')
    return replay.read(text.encode())


def _other_rounds(**new: Any) -> Callable[[Replay], Replay]:
    def change(told: Replay) -> Replay:
        rounds = list(told.rounds)
        rounds[9] = rounds[9] | new
        return replace(told, rounds=tuple(rounds))

    return change


def _a_move_less(told: Replay) -> Replay:
    return replace(told, log=told.log[:-1], states=told.states[:-1])


def _other_mover(told: Replay) -> Replay:
    at = next(n for n, entry in enumerate(told.log) if entry.event == "play")
    log = list(told.log)
    log[at] = replace(log[at], seat=1 if log[at].seat == 0 else 0)
    return replace(told, log=tuple(log))


def _other_state(told: Replay) -> Replay:
    states = list(told.states)
    at = next(n for n, new in enumerate(states) if n > 60 and "starter" in new.get("view", {}))
    view = states[at]["view"]
    states[at] = states[at] | {"view": view | {"starter": 1 - view["starter"]}}
    return replace(told, states=tuple(states))


@pytest.mark.parametrize(
    ("change", "caught"),
    [
        (_swapped, {Name.COURSE, Name.RESULT}),
        (_other_rounds(winner=None), {Name.RESULT}),
        (_other_rounds(cards=["AS", "AH"]), {Name.RESULT}),
        (_other_rounds(by=["bot", "bot"]), {Name.RESULT}),
        (_a_move_less, {Name.RESULT}),
        (_other_mover, {Name.COURSE, Name.RESULT}),
        (_other_state, {Name.COURSE}),
        (lambda told: replace(told, outcome=Outcome(told.outcome.winner, Termination.RESIGNED)), {Name.RESULT}),
        (lambda told: replace(told, outcome=Outcome(None, told.outcome.termination)), {Name.RESULT}),
        (lambda told: replace(told, rounds=told.rounds[:-1]), {Name.RESULT}),
        (lambda told: replace(told, rounds=(*told.rounds, told.rounds[-1])), {Name.RESULT}),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_what_was_shown_and_does_not_follow_is_caught(
    honest: Replay, change: Callable[[Replay], Replay], caught: set[Name]
) -> None:
    report = verify.verify(change(honest))
    assert failed(report) == caught
    assert not report.verified


def rounds_named(told: Replay) -> dict[Name, int | None]:
    """The round each failed check names."""
    return {check.name: check.round for check in verify.verify(told).checks if check.ok is False}


def test_the_first_round_of_the_results_that_does_not_follow_is_named(honest: Replay) -> None:
    assert rounds_named(_other_rounds(won=50)(honest)) == {Name.RESULT: 10}


def test_the_first_round_in_which_something_shown_does_not_follow_is_named(honest: Replay) -> None:
    """A state belongs to the round that is under way, and one that shows a round's end still to that round."""
    ends = [n for n, new in enumerate(honest.states) if "rounds" in new]
    for number in (0, 1, 7, len(ends) - 1):
        for at in (ends[number] - 1, ends[number]):
            states = list(honest.states)
            states[at] = states[at] | {"version": 0}
            assert rounds_named(replace(honest, states=tuple(states))) == {Name.COURSE: number + 1}
    first = replace(honest, states=({**honest.states[0], "version": 0}, *honest.states[1:]))
    assert rounds_named(first) == {Name.COURSE: 1}


def test_where_the_log_goes_astray_the_round_under_way_is_named(honest: Replay) -> None:
    ends = [n for n, new in enumerate(honest.states) if "rounds" in new]
    for number in (1, 7):
        log = list(honest.log)
        log[ends[number]] = replace(log[ends[number]], event="nothing")
        assert rounds_named(replace(honest, log=tuple(log)))[Name.COURSE] == number + 2


@pytest.mark.parametrize("preset", ["points", "classic"])
@pytest.mark.parametrize("opened", [(0, 1), (1,)])
def test_the_deal_alone_gives_every_round(preset: str, opened: tuple[int, ...]) -> None:
    play = quiet_game(Options(preset=preset), *opened)
    told = rerun.export(play.log)
    assert verify.decided_by_deal("war")
    dealt = verify.dealt(told.options, told.bots, told.seed, told.nonces)
    assert list(dealt.rounds) == play.game.history(play.match.state, 0, faces=True)
    assert len(dealt.views) == len(dealt.rounds)
    assert dealt.views[-1].pairs == play.game.view(play.match.state, None).pairs
    assert dealt.outcome == play.match.outcome


def test_a_bot_makes_no_difference_to_the_rounds_a_deal_gives() -> None:
    play = quiet_game(Options(preset="classic"), players=BOT_AND_PERSON)
    told = rerun.export(play.log)
    mine = play.game.history(play.match.state, 0, faces=True)
    dealt = verify.dealt(told.options, told.bots, told.seed, told.nonces)
    assert [replace(line, by=mine[0].by) for line in dealt.rounds] == mine
    assert dealt.views[-1].solo == 1


def test_a_game_of_choices_is_not_decided_by_its_deal() -> None:
    assert not verify.decided_by_deal("war-online")
