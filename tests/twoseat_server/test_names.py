"""What a player may be called, and how two who look alike are told apart."""

import pytest

from twoseat_server import names


@pytest.mark.parametrize(
    "name",
    ["Ann", "Ёлка", "José", "Nguyễn", "Zoë 7", "李小龙", "أحمد", "क्ष्मीं", "ลักษณ์", "O'Neil-Smith", "😀"],
)
def test_names_of_all_people_are_taken(name: str) -> None:
    assert names.clean(name) == name


def test_a_name_is_kept_in_one_form_with_single_spaces() -> None:
    assert names.clean("  Jose\u0301   Luis ") == "José Luis"


@pytest.mark.parametrize("nothing", [None, "", "  ", "\t\n"])
def test_who_gives_none_has_the_default(nothing: str | None) -> None:
    assert names.clean(nothing) == names.DEFAULT


@pytest.mark.parametrize(
    "name",
    [
        "a\u202eb",
        "a\u0000b",
        "a\u200bb",
        "a\u200db",
        "\u2800",
        "\u3164",
        "a\ue000",
        "Z\u0335\u0335\u0335",
        "a\u0301\u0301\u0301",
        "x" * 21,
        "a\x1b[31m",
    ],
)
def test_what_cannot_be_shown_honestly_is_refused_in_words(name: str) -> None:
    with pytest.raises(names.BadName, match=r"^a name "):
        names.clean(name)


@pytest.mark.parametrize(
    "name", ["Bot", "bot", "B0t", "B.o.t", "Bot 2", "Бот", "бoт", "Ботът", "The Bot", "o bot", "🤖 Bot"]
)
def test_no_person_is_called_like_the_bot_in_any_language(name: str) -> None:
    with pytest.raises(names.BadName, match=r"^a name of a person is not what the bot"):
        names.clean(name)


@pytest.mark.parametrize("name", ["You", "you!", "Ти", "Você", "neutral", "Неутрална", "Neutro"])
def test_no_person_is_called_what_oneself_or_nobody_is_called_at_the_table(name: str) -> None:
    with pytest.raises(names.BadName, match=r"^a name of a person is not what the bot"):
        names.clean(name)


@pytest.mark.parametrize("name", ["Botond", "Ботева", "Abbot", "Robot", "Bo", "Tu", "Young", "Тина", "Neutrália"])
def test_names_that_only_begin_or_end_like_it_are_taken(name: str) -> None:
    assert names.clean(name) == name


def test_twenty_letters_fit_however_many_signs_they_take() -> None:
    assert names.clean("ễ" * 20) == "ễ" * 20


@pytest.mark.parametrize("twin", ["Ann", "ann", "A n n", "Апп", "Ánn", "A.nn"])
def test_a_name_that_looks_like_the_one_across_gets_a_number(twin: str) -> None:
    if twin == "Апп":
        assert names.apart(twin, "Ann") == twin, "a Cyrillic p is no Latin n"
    else:
        assert names.apart(twin, "Ann") == f"{twin} 2"


@pytest.mark.parametrize(("mine", "yours"), [("Аnn", "Ann"), ("B0b", "Bob"), ("PauI", "Paul"), ("Сара", "Capa")])
def test_letters_of_another_script_and_digits_do_not_hide_a_twin(mine: str, yours: str) -> None:
    assert names.apart(mine, yours) == f"{mine} 2"


def test_different_names_stay_as_they_are() -> None:
    assert names.apart("Ann", "Bob") == "Ann"
