"""Three languages say the same things: keys, placeholders and plural forms agree; every word of the wire has one."""

import json
import re
from pathlib import Path

import pytest
from babel import Locale

from twoseat import wire
from twoseat_client.text import LANGUAGES, LOCALES, Entry, Words, catalogue, guess_language, minutes, printable, say

HERE = Path(__file__).parents[2]
PREFIXES = {"say", "word", "error", "help", "tui", "page", "verify", "replay"}
OTHERS = [lang for lang in LANGUAGES if lang != "en"]


def forms(entry: Entry) -> list[str]:
    return [entry] if isinstance(entry, str) else list(entry.values())


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


@pytest.mark.parametrize("lang", OTHERS)
def test_every_language_has_the_same_keys(lang: str) -> None:
    assert set(catalogue(lang)) == set(catalogue("en"))


@pytest.mark.parametrize("lang", OTHERS)
def test_every_language_fills_the_same_placeholders(lang: str) -> None:
    for key, entry in catalogue(lang).items():
        expected = set().union(*map(placeholders, forms(catalogue("en")[key])))
        for form in forms(entry):
            assert placeholders(form) <= expected, key
        assert set().union(*map(placeholders, forms(entry))) == expected, key


@pytest.mark.parametrize("lang", OTHERS)
def test_a_sentence_with_plural_forms_has_them_in_every_language(lang: str) -> None:
    for key, entry in catalogue(lang).items():
        assert isinstance(entry, dict) is isinstance(catalogue("en")[key], dict), key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_plural_forms_are_exactly_those_of_the_language(lang: str) -> None:
    categories = set(Locale.parse(LOCALES[lang]).plural_form.tags) | {"other"}
    for key, entry in catalogue(lang).items():
        if isinstance(entry, dict):
            assert set(entry) == categories, key
            assert "{count}" in entry["other"], key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_text_is_empty_double_spaced_or_of_another_prefix(lang: str) -> None:
    for key, entry in catalogue(lang).items():
        assert key.split(".")[0] in PREFIXES
        for form in forms(entry):
            assert form, key
            assert form == form.strip(), key
            assert "  " not in form, key
            assert form == printable(form), key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_key_is_written_twice_in_a_file(lang: str) -> None:
    pairs: list[tuple[str, object]] = json.loads(
        (HERE / f"client/twoseat_client/text/{lang}.json").read_text("utf-8"), object_pairs_hook=list
    )
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("code", list(wire.ErrorCode))
def test_every_error_code_has_words(code: wire.ErrorCode) -> None:
    assert f"error.{code}" in catalogue("en")


@pytest.mark.parametrize("reason", list(wire.Reason))
def test_every_rejection_has_words(reason: wire.Reason) -> None:
    assert f"error.reason.{reason}" in catalogue("en")


@pytest.mark.parametrize("code", [*map(int, wire.Close), 1006])
def test_every_close_code_has_words(code: int) -> None:
    assert f"error.close.{code}" in catalogue("en")


@pytest.mark.parametrize("why", list(wire.Termination))
def test_every_ending_has_words(why: wire.Termination) -> None:
    assert f"word.end.{why}" in catalogue("en")


def test_every_key_the_terminal_uses_exists_and_every_key_of_its_own_is_used() -> None:
    source = "".join(path.read_text("utf-8") for path in (HERE / "client/twoseat_client").rglob("*.py"))
    named = set(re.findall(r'"((?:say|word|error|help|tui)\.[a-z0-9_.]+)"', source))
    for name in named:
        assert name in catalogue("en") or any(key.startswith(f"{name}.") for key in catalogue("en")), name
    composed = {f"tui.{group}." for group in re.findall(r'f"tui\.(\w+)\.\{', source)}
    for key in catalogue("en"):
        if key.startswith("tui."):
            assert key in named or any(key.startswith(group) for group in composed), key


VERBS_OF_HERS = {
    "en": {"plays", "waits", "draws", "has", "begins"},
    "bg": {"играе", "чака", "тегли", "изтегли", "започва"},
    "pt": {"joga", "espera", "tira", "tirou", "começa", "volta"},
}
"""Verbs that stand beside a name and cannot beside `You`."""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_a_seat_is_doing_reads_beside_you_and_beside_a_name(lang: str) -> None:
    beside = ("word.state.", "page.state.", "page.first", "tui.back", "tui.online.their_turn")
    about_the_bot = {"word.state.bot", "tui.back_me"}
    told = {key: form for key, form in catalogue(lang).items() if key.startswith(beside) and key not in about_the_bot}
    assert len(told) > 10
    for key, form in told.items():
        assert str(form).split()[0] not in VERBS_OF_HERS[lang], key


def test_bulgarian_calls_the_game_by_its_name() -> None:
    assert Words("bg")("word.war") == "ВОЙНА"
    assert Words("pt")("word.war") == "GUERRA"
    assert Words("en")("word.war") == "WAR"


@pytest.mark.parametrize(
    ("lang", "count", "text"),
    [
        ("en", 1, "1 card"),
        ("en", 0, "0 cards"),
        ("bg", 1, "1 карта"),
        ("bg", 21, "21 карти"),
        ("pt", 1, "1 carta"),
        ("pt", 0, "0 cartas"),
        ("pt", 26, "26 cartas"),
    ],
)
def test_a_number_takes_the_form_of_its_language(lang: str, count: int, text: str) -> None:
    assert Words(lang)("word.cards", count=count) == text


def test_a_sentence_is_told_with_its_words_in_the_same_language() -> None:
    sentence = say("say.war", mine=say("word.rank.9"), theirs=say("word.rank.9"))
    assert Words("en").tell(sentence) == "You: nine. Opponent: nine. War!"
    assert Words("bg").tell(sentence) == "Ти: деветка. Отсреща: деветка. Война!"


def test_a_missing_placeholder_or_key_is_an_error() -> None:
    with pytest.raises(KeyError):
        Words("en")("say.turn.them")
    with pytest.raises(KeyError):
        Words("en")("word.cards", count="many")
    with pytest.raises(KeyError):
        Words("en")("say.nothing_like_it")


def test_names_cannot_move_the_cursor_or_turn_the_line_around() -> None:
    assert printable("A\x1b[2Jn\x9ba\u202e\u200b\n") == "A[2Jna"
    assert Words("en")("say.turn.them", name="\x1b]0;x\x07Bo") == "]0;xBo to draw."


def test_braces_in_a_name_are_letters() -> None:
    assert Words("en")("say.turn.them", name="{name}") == "{name} to draw."


def test_a_span_is_rounded_up_to_whole_seconds() -> None:
    assert [minutes(ms) for ms in (0, 1, 999, 1_000, 61_000, -5)] == ["0:00", "0:01", "0:01", "0:01", "1:01", "0:00"]


@pytest.mark.parametrize(
    ("environ", "lang"),
    [
        ({"LANG": "bg_BG.UTF-8"}, "bg"),
        ({"LC_ALL": "pt_PT.UTF-8", "LANG": "bg_BG.UTF-8"}, "pt"),
        ({"LC_MESSAGES": "de_DE"}, "en"),
        ({}, "en"),
    ],
)
def test_the_language_is_the_locales_where_it_is_one_of_ours(environ: dict[str, str], lang: str) -> None:
    assert guess_language(environ) == lang
