"""Bots choose among the legal moves and see nothing but a view."""

import inspect

import pytest

from twoseat import bots
from twoseat.games.game import Move

A, B = Move("a"), Move("b")


def test_war_s_bot_plays_the_first_legal_move() -> None:
    assert bots.choose("war", None, (A, B)) == A
    assert bots.BOTS["war"] is bots.steady


def test_a_game_without_a_bot_of_its_own_plays_steadily() -> None:
    assert bots.choose("no such game", None, (B, A)) == B


def test_a_bot_is_given_the_view_and_the_legal_moves_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []

    def keen(view: object, legal: object) -> Move:
        seen.extend((view, legal))
        return B

    monkeypatch.setitem(bots.BOTS, "keen", keen)
    assert bots.choose("keen", "view", (A, B)) == B
    assert seen == ["view", (A, B)]
    assert list(inspect.signature(bots.choose).parameters) == ["game", "view", "legal"]


def test_a_bot_that_names_a_move_it_may_not_make_plays_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(bots.BOTS, "wild", lambda view, legal: Move("z"))
    assert bots.choose("wild", None, (A, B)) == A
