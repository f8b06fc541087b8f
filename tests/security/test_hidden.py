"""A thousand matches as they go over the wire: no card is there before its round is over, no seed before the end."""

import hashlib
import json
import re
from collections.abc import Iterator

from twoseat import views, wire
from twoseat.chair import PlayerId
from twoseat.games import GAMES, cards
from twoseat.games.game import SEATS, Driver, Options
from twoseat.inputs import Connect, Play
from twoseat.match import Match, MatchId, create, step

WAR = GAMES["war"]
MATCHES = 1_000
_CARD = re.compile(r'"((?:10|[2-9JQKA])[CDHS])"')
_PLAYERS = ((PlayerId("p0"), "Ann"), (PlayerId("p1"), "Bob"))


def versions(number: int) -> Iterator[Match]:
    """Every version of a short match; its deal follows from its number."""
    seed = hashlib.sha256(number.to_bytes(4, "big")).digest()
    options = Options(target=2)
    match = create(WAR, MatchId("00" + "a" * 32), "BCDFGH", options, _PLAYERS, seed, 0, start_within=1_000)
    for seat in SEATS:
        match = step(WAR, match, Connect(seat, seat + 1), 10)
    moves = 0
    while match.outcome is None:
        yield match
        seat = WAR.owes(match.state)[0]
        chair, moves = match.chairs[seat], moves + 1
        move = WAR.legal(match.state, seat)[0]
        match = step(WAR, match, Play(seat, chair.number, move, Driver.HUMAN, chair.connection, f"m{moves}"), 20)
    yield match


def may_be_seen(match: Match) -> set[str]:
    """The cards of the newest round, and after the end those that decided each."""
    ended = WAR.history(match.state, 0, faces=match.outcome is not None)
    deciding = {card for line in ended for card in line.cards or ()}
    return {cards.name(card) for card in match.state.pairs} | deciding


def test_a_thousand_captured_matches_show_no_hidden_card() -> None:
    seen = 0
    for number in range(MATCHES):
        for match in versions(number):
            told = [views.state(WAR, match, 20, None, 0), views.seated(WAR, match, 0), views.fair(match, 20)]
            text = "".join(wire.encode(message).decode() for message in told)
            shown = set(_CARD.findall(text))
            assert shown <= may_be_seen(match), (number, match.version)
            assert match.seed.hex() not in text
            seen += len(shown)
    assert seen > MATCHES


def test_a_hidden_card_would_be_noticed() -> None:
    match = next(versions(1))
    leak = json.dumps(cards.name(match.state.decks[0][0]))
    assert not set(_CARD.findall(leak)) <= may_be_seen(match)
