"""War Online as it goes over the wire and into the store: small, and without a trace of what is hidden."""

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from online import ONLINE, OPTIONS, positions, scrambled
from script import Script
from twoseat import record, views, wire
from twoseat.games import GAMES
from twoseat.games.game import SEATS, BadOptions, Seat, agreed
from twoseat.games.war_online.state import Battle, WarOnlineState
from twoseat.games.war_online.turn_log import added
from twoseat.match import Match

MOST_BYTES = 4096
MATCH = Script(OPTIONS, game=ONLINE).seated().match


def told(match: Match, seat: Seat | None) -> bytes:
    """All that a socket hears of a running match: on coming, with each change, and before the deal."""
    messages = (
        views.seated(ONLINE, match, seat),
        views.state(ONLINE, match, 5, seat, 0),
        views.state(ONLINE, match, None, seat, views.rounds(ONLINE, match)),
        views.fair(match, 5),
    )
    return b"".join(map(wire.encode, messages))


@settings(max_examples=40)
@given(st.integers(0), st.randoms(use_true_random=False))
def test_online_12_scrambling_what_is_hidden_changes_no_byte_on_the_wire(number: int, dice: random.Random) -> None:
    state = positions()[number % len(positions())]
    for seat in (*SEATS, None):
        hidden = scrambled(state, seat, dice) if seat is not None else scrambled(scrambled(state, 0, dice), 1, dice)
        assert told(replace(MATCH, state=state), seat) == told(replace(MATCH, state=hidden), seat)


def test_online_12_moves_tell_of_cards_so_each_seat_gets_its_own_alone() -> None:
    trading = [s for s in positions() if any(m.startswith("trade") for seat in SEATS for m in ONLINE.legal(s, seat))]
    assert trading
    for state in trading:
        (seat,) = ONLINE.owes(state)
        for viewer in (*SEATS, None):
            legal = views.state(ONLINE, replace(MATCH, state=state), 5, viewer, 0).legal
            assert legal[1 - seat] == ()
            assert bool(legal[seat]) is (viewer == seat)


def lengthy() -> Iterator[WarOnlineState]:
    """The end of a game, and of one longer than any seen: two hundred turns of twelve battles between large armies."""
    state = positions()[-1]
    yield state
    fought = tuple(Battle(a, b, 30, 30, (29, 30), -900_000) for a, b in zip(range(12), range(1, 13), strict=True))  # type: ignore[arg-type]
    full = replace(state, lines=(), armies=(120,) * 42, battles=fought, hands=(bytes(4), b""), discards=b"")
    for turn in range(2, 202):
        full = replace(full, turn=turn, lines=added(full, 4))
    yield replace(full, pile=bytes(range(40)), throws=9999)


def test_a_record_is_small_even_after_a_hundred_rounds_of_battles() -> None:
    match = Script(OPTIONS, game=ONLINE, shake_within=2000).seated().match
    chairs = tuple(replace(chair, name="Ж" * 20, last_id="x" * 12, due=10**13) for chair in match.chairs)
    for state in lengthy():
        full = replace(match, state=state, chairs=(chairs[0], chairs[1]))
        written = record.encode(ONLINE, full)
        assert record.decode(GAMES, written) == full
        assert len(written) <= MOST_BYTES


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ({"target": 20}, "target"),
        ({"preset": "points"}, "preset"),
        ({"turn_seconds": 15}, "turn_seconds"),
        ({"limit": 5}, "limit"),
    ],
)
def test_options_of_another_game_or_out_of_range_are_refused_by_name(said: dict[str, object], wrong: str) -> None:
    with pytest.raises(BadOptions, match=wrong):
        agreed(ONLINE, said)


def test_what_nobody_asked_for_is_as_usual() -> None:
    assert agreed(ONLINE, {"level": "strong"}) == replace(OPTIONS, level="strong")
    with pytest.raises(BadOptions, match="level"):
        agreed(GAMES["war"], {"level": "strong"})


def test_a_bot_takes_its_time_over_what_is_worth_watching() -> None:
    paces: dict[str, set[int]] = {}
    for before, after in zip(positions(), positions()[1:], strict=False):
        assert after.last is not None
        paces.setdefault(after.last.move.split()[0], set()).add(ONLINE.pace(before))
    assert paces["attack"] == {800}
    assert paces["place"] == {250, 800}, "the first of a turn is seen coming"
    assert 250 in paces["advance"]
