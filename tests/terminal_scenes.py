"""Moments of a game as the terminal shows them, for tests and pictures: each is a View made of what a server would say.

`python tests/terminal_scenes.py` (with the source roots on the path) writes those of tests/twoseat_client/screens anew.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from msgspec import structs

import online_talk
from table_talk import (
    BOT_AT_0,
    CHAIR,
    CODE,
    OPTIONS,
    away,
    by_bot,
    chair,
    fought,
    over,
    results,
    seated,
    state,
    waiting,
    welcome,
)
from twoseat import wire
from twoseat_client.facts import Lag, Lost, Stopped, Trying
from twoseat_client.model import Model, fold
from twoseat_client.screen import draw
from twoseat_client.screen.menu import Menu, Row
from twoseat_client.screen.view import Panel, View
from twoseat_client.text import Words

START = 10_000
SIZES = {"80x24": (80, 24), "40x12": (40, 12), "120x40": (120, 40)}
SCREENS = Path(__file__).parent / "twoseat_client" / "screens"
KEPT = (
    *("menu", "waiting", "turn", "war", "double war", "bot plays for me", "recap", "reconnecting", "results", "help"),
    *("online opening", "online place", "online attack", "online map", "online results", "online help"),
)
"""Scenes kept as files at 80x24 in English, 40x12 in Bulgarian."""

_ROUNDS = [fought(1, 0, (27, 25)), fought(2, 1, (26, 26)), fought(3, 0, (29, 23), wars=1, by=BOT_AT_0)]
_FACES = [
    structs.replace(done, cards=cards)
    for done, cards in zip(_ROUNDS, [("QH", "10S"), ("2C", "9D"), ("KH", "7S")], strict=True)
]
_WON: dict[str, Any] = {"won": (2, 1), "round_number": 4}
_AT_TABLE = (welcome(), seated(rounds=_ROUNDS), state(5, **_WON))


def _view(*items: Any, after: int = 0, **changes: Any) -> View:
    model = Model()
    for item in items:
        model, _ = fold(model, item, START)
    return View(model, Words("en"), **({"now": START + after, "sitting": True} | changes))


def _scenes() -> Mapping[str, View]:
    at_table = _AT_TABLE
    war = state(6, rounds=[fought(4, 0, (31, 21), wars=1)], pairs=[("9H", "9C"), ("KH", "7S")], won=(3, 1))
    double = state(
        6, rounds=[fought(4, 1, (19, 33), wars=2)], pairs=[("9H", "9C"), ("KH", "KS"), ("2D", "AS")], won=(2, 2)
    )
    short = over(6, [fought(4, 1, (0, 52), wars=1)], 1, wire.Termination.SHORTAGE, pairs=[("7H", "7S")], won=(2, 2))
    ended = over(6, [], won=(2, 1), round_number=3, pairs=[("KH", "7S")])
    classic = seated(rounds=_ROUNDS, bot=True, options=structs.replace(OPTIONS, preset="classic"))
    ten = structs.replace(state(5, **_WON), legal=(("turn", "turn 10"), ()))
    return {
        "menu": _view(sitting=False, menu=Menu(at=Row.TARGET, name="Ana", resume=CODE)),
        "connecting": _view(),
        "waiting": _view(welcome(), waiting(CODE, 12_000), link="http://play.example/j/K7RP2M"),
        "in the queue": _view(welcome(), waiting(None, 12_000)),
        "turn": _view(*at_table, state(6, chairs=(chair(due=11_000), CHAIR), **_WON)),
        "hurry": _view(*at_table, state(6, chairs=(chair(due=3_000), CHAIR), **_WON), Lag(900)),
        "card laid": _view(*at_table, state(6, turn=1, drawn=(True, False), **_WON)),
        "war": _view(*at_table, war, after=700),
        "war begins": _view(*at_table, war, after=100),
        "double war": _view(*at_table, double, after=1_300),
        "too few cards": _view(*at_table, short, after=9_000),
        "away": _view(*at_table, state(6, turn=1, chairs=(CHAIR, away(due=12_000)), **_WON)),
        "bot plays for her": _view(*at_table, state(6, turn=1, chairs=(CHAIR, away(driver=wire.Driver.BOT)), **_WON)),
        "she is back": _view(*at_table, state(6, turn=1, chairs=(CHAIR, by_bot(back=True)), **_WON)),
        "bot plays for me": _view(*at_table, state(6, chairs=(by_bot(due=700), CHAIR), **_WON)),
        "recap": _view(welcome(), seated(rounds=_ROUNDS), state(5, chairs=(by_bot(back=True), CHAIR), **_WON)),
        "reconnecting": _view(
            *at_table, state(6, chairs=(chair(due=9_000), CHAIR), **_WON), Lost(1006), Trying(3, 900)
        ),
        "storage away": _view(*at_table, wire.Degraded(True)),
        "replaced": _view(*at_table, Stopped(4409)),
        "no server": _view(Stopped(None)),
        "watching": _view(welcome(), seated(None, rounds=_ROUNDS), state(5, **_WON), wire.Watchers(3)),
        "series": _view(
            welcome(), seated(rounds=_ROUNDS, series=wire.SeriesView(5, 3, (3, 1), (0, None))), state(5, **_WON)
        ),
        "classic": _view(welcome(), classic, ten),
        "over": _view(welcome(), seated(rounds=_ROUNDS), ended, results(_FACES), after=9_000),
        "rematch wished": _view(
            welcome(),
            seated(rounds=_ROUNDS),
            ended,
            results(_FACES),
            over(7, [], chairs=(CHAIR, chair(rematch=True)), **_WON),
            after=9_000,
        ),
        "next game wished": _view(
            welcome(),
            seated(rounds=_ROUNDS, series=wire.SeriesView(3, 1, (2, 0), (0,))),
            over(7, _ROUNDS, chairs=(CHAIR, chair(rematch=True)), next_in=60_000, **_WON),
            after=9_000,
        ),
        "rounds": _view(*at_table, panel=Panel.ROUNDS),
        "results": _view(welcome(), seated(rounds=_ROUNDS), ended, results(_FACES), after=9_000, panel=Panel.ROUNDS),
        "help": _view(*at_table, panel=Panel.HELP),
        "leave?": _view(*at_table, panel=Panel.LEAVE),
        "resign?": _view(*at_table, panel=Panel.RESIGN),
        "Ctrl-C once": _view(*at_table, closing=True),
        **_online_scenes(),
    }


def _online_scenes() -> Mapping[str, View]:
    opening = online_talk.course()[0]
    place, attack = (online_talk.at_table(online_talk.moment(step)) for step in (wire.Step.PLACE, wire.Step.ATTACK))
    fallen = (*online_talk.at_table(online_talk.course()[-2]), *online_talk.ended())
    hers = online_talk.moment(wire.Step.ATTACK, mine=False)
    return {
        "online menu": _view(sitting=False, menu=Menu(at=Row.LEVEL, game="war-online")),
        "online waiting": _view(welcome(), structs.replace(waiting(None, 3_000), options=online_talk.TERMS)),
        "online opening": _view(*online_talk.at_table(opening)),
        "online place": _view(*place),
        "online attack": _view(*attack),
        "online her turn": _view(*online_talk.at_table(hers)),
        "online map": _view(*attack, sketch=True, line="attack ", offers=("algeria", "egypt")),
        "online answer": _view(*place, answer=("a line", "and another")),
        "online over": _view(*fallen),
        "online results": _view(*fallen, panel=Panel.ROUNDS),
        "online turns": _view(*place, panel=Panel.ROUNDS),
        "online help": _view(*place, panel=Panel.HELP),
    }


SCENES = _scenes()


def text(scene: str, size: str, lang: str) -> str:
    """Return a scene as plain text."""
    return draw(replace(SCENES[scene], words=Words(lang)), *SIZES[size]).text() + "\n"


def kept() -> dict[Path, str]:
    """Return the files of SCREENS with what they should hold."""
    shapes = (("80x24", "en"), ("40x12", "bg"))
    return {
        SCREENS / f"{scene.replace(' ', '-')}-{size}-{lang}.txt": text(scene, size, lang)
        for scene in KEPT
        for size, lang in shapes
    }


if __name__ == "__main__":
    SCREENS.mkdir(exist_ok=True)
    for path, content in kept().items():
        path.write_text(content, "utf-8")
