"""Replays from anywhere: whatever is changed in one, it is refused in words or judged, and nothing falls over."""

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from recorded import quiet_game
from script import BOT_AND_PERSON
from twoseat import replay, rerun
from twoseat.games.game import Options
from twoseat.replay import BadReplay, Replay
from twoseat.verify import verify
from twoseat_client.playback import playback

CHANGED = 500
STRANGE: list[Any] = [
    *(None, True, False, 0, -1, 1, 2, 1.5, 10**30, -(10**30)),
    *("", "x", "a" * 64, "zz", "tick", "play", "connect", "draw", "turn 10", "human", "bot"),
    *([], {}, [1], [[]], {"a": 1}),
]
Path = tuple[str | int, ...]


def paths(value: Any, here: Path = ()) -> Iterator[Path]:
    """Every place in a JSON value."""
    yield here
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inside:
        yield from paths(part, (*here, key))


def change(data: Any, path: Path, dice: random.Random) -> None:
    """Put something strange at a place, or take what is there away."""
    try:
        for key in path[:-1]:
            data = data[key]
        if dice.random() < 0.2:
            del data[path[-1]]
        else:
            data[path[-1]] = copy.deepcopy(dice.choice(STRANGE))
    except (IndexError, KeyError, TypeError):
        pass  # an earlier change has taken the place away


def readable(told: Replay, dice: random.Random) -> Iterator[Replay]:
    """What is still readable of many changed copies."""
    whole = json.loads(replay.write(told))
    places = list(paths(whole))[1:]
    for _ in range(CHANGED):
        data = copy.deepcopy(whole)
        for _ in range(dice.choice((1, 1, 2, 5))):
            change(data, dice.choice(places), dice)
        try:
            yield replay.read(json.dumps(data).encode())
        except BadReplay:
            continue


@pytest.mark.parametrize("players", [None, BOT_AND_PERSON])
def test_a_changed_replay_is_refused_or_judged(players: Any) -> None:
    more = {} if players is None else {"players": players}
    told = rerun.export(quiet_game(Options(target=3), **more).log)
    left = list(readable(told, random.Random(1)))
    assert CHANGED / 10 < len(left) < CHANGED
    verified, refusals = 0, []
    for changed in left:
        try:
            verified += verify(changed).verified
            playback(changed)
        except BadReplay as refused:
            refusals.append(str(refused))
    assert verified < len(left)
    assert [text for text in refusals if not 10 < len(text) < 120] == []
