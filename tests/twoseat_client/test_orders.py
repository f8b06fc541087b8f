"""What is typed at a War Online table: short words and names in three languages become one open move, or a way on."""

import pytest

from online import ONLINE, legal, position
from online_talk import at_table, course
from twoseat.games.game import allows
from twoseat.games.war_online.state import Step
from twoseat.wire import TERRITORIES
from twoseat_client.asides import aside
from twoseat_client.atlas import CODES, aliases
from twoseat_client.model import Model, fold
from twoseat_client.orders import Unclear, completed, meant
from twoseat_client.text import LANGUAGES, Words

EN = Words("en")
PLACE = legal(position("brasil 3, argentina, africadosul 2", step=Step.PLACE, cards="alaska joker china brasil"))
ATTACK = legal(position("brasil 5, china 4, colombia 2", "argelia 3, japao"))
MOVE = legal(position("brasil 5, argentina, bolivia 2", step=Step.MOVE))
ADVANCE = legal(position("brasil 5, argelia", step=Step.ADVANCE, advance=(11, 22, 3)))


@pytest.mark.parametrize(
    ("typed", "moves", "move"),
    [
        ("place brasil 2", PLACE, "place brasil 2"),
        ("PL Бразилия 2", PLACE, "place brasil 2"),
        ("place South Africa", PLACE, "place africadosul 3"),
        ("place áfrica do sul 1", PLACE, "place africadosul 1"),
        ("place afs 1", PLACE, "place africadosul 1"),
        ("trade alaska joker china", PLACE, "trade alaska joker china"),
        ("tr аляска жокер китай", PLACE, "trade alaska joker china"),
        ("attack brazil algeria", ATTACK, "attack brasil argelia"),
        ("at bra alg until 2", ATTACK, "attack brasil argelia until 2"),
        ("attack bra alg until", ATTACK, "attack brasil argelia until 1"),
        ("attack китай виет", ATTACK, "attack china vietna"),
        ("done", ATTACK, "done"),
        ("e", ATTACK, "end"),
        ("advance", ADVANCE, "advance 3"),
        ("advance 2", ADVANCE, "advance 2"),
        ("move brasil bolivia", MOVE, "move brasil bolivia 4"),
        ("m brasil bol 1", MOVE, "move brasil bolivia 1"),
        ("end", MOVE, "end"),
    ],
)
def test_a_line_is_the_open_move_that_fits_it(typed: str, moves: list[str], move: str) -> None:
    assert meant(typed, moves, EN) == move


@pytest.mark.parametrize(
    ("typed", "moves", "said"),
    [
        ("dance", ATTACK, "Type one of: attack, done, end."),
        ("", ATTACK, "Type one of: attack, done, end."),
        ("attack brasil japao", ATTACK, "Not possible now: attack brasil japao."),
        ("attack brasil argelia until 5", ATTACK, "Not possible now"),
        ("place brasil 4", PLACE, "Not possible now"),
        ("place brasil -1", PLACE, "Not possible now"),
        ("place brasil 2 2", PLACE, "Not possible now"),
        ("attack c m", ATTACK, "Which one"),
        ("attack brasil", ATTACK, "Not possible now"),
    ],
)
def test_what_fits_no_single_move_is_answered_with_a_way_on(typed: str, moves: list[str], said: str) -> None:
    with pytest.raises(Unclear) as unclear:
        meant(typed, moves, EN)
    for lang in LANGUAGES:
        assert Words(lang).tell(unclear.value.why)
    assert EN.tell(unclear.value.why).startswith(said)


def test_every_legal_move_can_be_typed_in_every_language() -> None:
    for state in course()[::25]:
        for seat in ONLINE.owes(state):
            moves = ONLINE.legal(state, seat)
            for pattern in moves:
                assert allows(moves, meant(pattern.partition("-")[0], moves, EN))  # type: ignore[arg-type]


def test_names_and_codes_lead_to_one_territory_each() -> None:
    assert len(set(CODES.values())) == len(TERRITORIES) == 42
    owners: dict[str, str] = {}
    for name in TERRITORIES:
        for alias in aliases(name):
            assert owners.setdefault(alias, name) == name


@pytest.mark.parametrize(
    ("typed", "moves", "words"),
    [
        ("", MOVE, ["end", "move"]),
        ("at", ATTACK, ["attack"]),
        ("attack ", ATTACK, ["brazil", "china", "colombia"]),
        ("attack c", ATTACK, ["china", "colombia"]),
        ("attack бр", ATTACK, ["brazil"]),
        ("attack brazil al", ATTACK, ["algeria"]),
        ("attack brazil algeria ", ATTACK, ["until"]),
        ("attack brazil algeria until ", ATTACK, ["1"]),
        ("attack nowhere ", ATTACK, []),
    ],
)
def test_what_may_come_next_is_offered_in_her_language(typed: str, moves: list[str], words: list[str]) -> None:
    assert sorted(completed(typed, moves, EN)) == sorted(words)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_board_moves_cards_and_neighbours_can_be_asked_for(lang: str) -> None:
    model = Model()
    for item in at_table(course()[60]):
        model, _ = fold(model, item, 0)
    assert model.table is not None
    words = Words(lang)
    shown = aside(model.table, "board", words)
    assert shown is not None
    assert len(shown) >= 8
    assert all(words(f"word.territory.{name}") in "\n".join(shown) for name in TERRITORIES)
    near = aside(model.table, "look brasil", words)
    assert near is not None
    assert words("word.territory.argelia") in near[0]
    assert aside(model.table, "moves", words)
    assert len(aside(model.table, "cards", words) or ()) == 2
    assert aside(model.table, "look nowhere", words) is None
    assert aside(model.table, "end", words) is None
