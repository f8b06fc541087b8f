"""What is typed at a War Online table: short words and names in three languages become one open move, or a way on."""

import pytest
from msgspec.structs import replace

from online import ONLINE, legal, play, position
from online_talk import at_table, course
from table_talk import OPTIONS, seated, welcome
from table_talk import state as at_war
from twoseat.games.game import allows
from twoseat.games.war_online.state import Step, WarOnlineState
from twoseat.wire import TERRITORIES
from twoseat_client.asides import aside, moves, typed
from twoseat_client.atlas import CODES, aliases
from twoseat_client.model import Model, fold
from twoseat_client.orders import NotOpen, Unclear, completed, meant
from twoseat_client.refusal import refusal
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


AT_ATTACK = position("brasil 5, argentina, china 4, colombia", "argelia 3, japao", step=Step.ATTACK)
AT_MOVE = position("brasil 5, argentina, bolivia 2", step=Step.MOVE)
AT_PLACE = position("brasil 3, argentina", cards="alaska joker china", step=Step.PLACE)
AT_FIVE = position("brasil 3", cards="alaska joker china brasil mexico", step=Step.PLACE)
AT_FIRST = play(position("brasil 3", step=Step.PLACE, turn=2), "place brasil 7")
AT_ADVANCE = position("brasil 5, argelia", step=Step.ADVANCE, advance=(11, 22, 3))
WHY = [
    ("place", AT_PLACE, "Something is missing. Type for example: place brazil 3"),
    ("place sudan", AT_PLACE, "Sudan is not yours."),
    ("place brasil 9", AT_PLACE, "Too many: at most 3."),
    ("place nowhere 2", AT_PLACE, "There is no territory nowhere. Type board to see them all."),
    ("place m 2", AT_PLACE, "Not possible now: place m 2. Type moves to see what is."),
    ("trade alaska brasil china", AT_PLACE, "That is no set of yours: name three of your cards"),
    ("attack brasil argelia", AT_PLACE, "You have 3 armies to place."),
    ("end", AT_PLACE, "You have 3 armies to place."),
    ("undo", AT_PLACE, "Type one of: place, trade. For example: place brazil 3."),
    ("place brasil", AT_FIVE, "You hold five cards: trade three of them first."),
    ("place brasil", AT_FIRST, "All placed. End your turn, or take a placing back."),
    ("place brasil", AT_ATTACK, "That belongs to another step. Now: attack. Type one of: attack, done, end."),
    ("attack", AT_ATTACK, "Something is missing. Type for example: attack brazil bolivia"),
    ("attack japan china", AT_ATTACK, "Japan is not yours."),
    ("attack brasil argentina", AT_ATTACK, "Argentina is yours already."),
    ("attack brasil japan", AT_ATTACK, "Brazil and Japan are not neighbours. Neighbours of Brazil: "),
    ("attack colombia mexico", AT_ATTACK, "There is only one army on Colombia, and one always stays."),
    ("attack brasil argelia until 9", AT_ATTACK, "Too many: at most 4."),
    ("move brasil argelia 1", AT_MOVE, "Algeria is not yours."),
    ("move brasil bolivia 9", AT_MOVE, "Too many: at most 4."),
    ("advance 4", AT_ADVANCE, "Too many: at most 3."),
    ("dance", AT_ATTACK, "Type one of: attack, done, end. For example: attack brazil "),
]


@pytest.mark.parametrize(("typed", "state", "said"), WHY)
def test_what_is_not_open_is_answered_with_what_stands_in_its_way(typed: str, state: WarOnlineState, said: str) -> None:
    for lang in LANGUAGES:
        words, model = Words(lang), Model()
        for item in at_table(state):
            model, _ = fold(model, item, 0)
        assert model.table is not None
        with pytest.raises(NotOpen) as problem:
            meant(typed, model.table.open_moves, words)
        answer = words.tell(refusal(typed, model.table, words) or problem.value.why)
        assert answer.startswith(said) or lang != "en"


def test_no_open_move_is_listed_twice_and_help_shows_one_and_how_each_is_typed() -> None:
    shown = moves(PLACE, EN)
    assert shown[0] == "place: Brazil 1-3; Argentina 1-3; South Africa 1-3"
    assert moves(ADVANCE, EN)[-1] == "advance: 1-3"
    lines = typed(PLACE, EN)
    assert lines[0] == "Type for example: place brazil 3"
    assert "place brazil 3: Three of your armies to place; undo takes a placing back." in lines
    assert "brasil" not in "".join(lines)
    assert any(line.startswith("attack бразилия алжир: ") for line in typed(PLACE, Words("bg")))


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
    assert aside(model.table, "help", words) == aside(model.table, "?", words)
    assert len(aside(model.table, "cards", words) or ()) == 2
    assert aside(model.table, "look nowhere", words) is None
    assert aside(model.table, "end", words) is None


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("preset", "rules", "typed_first"), [("points", 7, "draw"), ("classic", 4, "turn, turn 10")])
def test_help_at_a_war_table_tells_its_rules_and_what_can_be_typed(
    lang: str, preset: str, rules: int, typed_first: str
) -> None:
    model = Model()
    for item in (welcome(), replace(seated(), options=replace(OPTIONS, preset=preset, target=7)), at_war()):
        model, _ = fold(model, item, 0)
    assert model.table is not None
    words = Words(lang)
    shown = aside(model.table, "help", words)
    assert shown is not None
    assert shown[:rules] == [words(f"help.{preset}.{n}", count=7) for n in range(1, rules + 1)]
    assert shown[rules].startswith(f"{typed_first}: ")
    assert len(shown) == rules + 2
    assert aside(model.table, "draw", words) is None
