"""A finished match as one JSON object: what was said, dealt and done, and what everybody saw; it plays without rules.

docs/replays.md describes the format for readers in other languages. Nothing in it tells who the players are: no id, no
token, no connection, no code, and no moment but those since the match was made.
"""

import json
from collections.abc import Iterator
from itertools import zip_longest
from typing import Annotated, Any, Literal

from msgspec import to_builtins
from msgspec.structs import asdict, fields
from pydantic import Field, TypeAdapter, ValidationError

from twoseat import views, wire
from twoseat.chair import Millis
from twoseat.games.game import Driver, Options, Outcome, Seat
from twoseat.series import Series
from twoseat.values import Value

FORMAT: Literal[1] = 1
RULES = 1
"""Raised whenever a change of any game's rules, of the match machine or of its views makes an old log end in another
way or look different.
"""
MAX_BYTES = 8 << 20
_MAX_ENTRIES = 100_000

_Hex64 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
_Said = tuple[_Hex64 | None, _Hex64 | None]
_Name = Annotated[str, Field(max_length=80)]
_Span = Annotated[int, Field(ge=0, le=2**53)]
_Time = Annotated[int, Field(ge=-(2**53), le=2**53)]


class BadReplay(Exception):
    """The data is no replay, or none that this program can read; the text says why and what to do."""


class Entry(Value, frozen=True):
    """One thing that happened, `at` ms of game time after the match was made (two nodes' clocks may differ by a few, so
    times may go back by as much); fields that say nothing are left out.
    """

    at: _Time
    event: str
    """The input's name, as in a match's log."""
    seat: Seat | None = None
    move: str | None = None
    by: Driver | None = None
    digest: str | None = None
    nonce: str | None = None
    node_died: bool = False


class Replay(Value, frozen=True):
    """A finished match. `digests` and `nonces` by seat, None where nothing was said. `start_within` and
    `shake_within`: ms the players had to sit down, and to commit to a nonce (None: no nonces were asked for).
    """

    hidden = frozenset({"seed"})

    twoseat_replay: Literal[1]
    rules: int
    match: Annotated[str, Field(pattern=r"^[0-9a-f]{34}$")]
    options: Options
    names: tuple[_Name, _Name]
    bots: tuple[bool, bool]
    series: Series
    seed: _Hex64
    seed_digest: _Hex64
    digests: _Said
    nonces: _Said
    start_within: _Span
    shake_within: _Span | None
    log: Annotated[tuple[Entry, ...], Field(max_length=_MAX_ENTRIES)]
    outcome: Outcome
    rounds: tuple[dict[str, Any], ...]
    """All rounds with faces, as in the wire's `results`."""
    states: Annotated[tuple[dict[str, Any], ...], Field(max_length=_MAX_ENTRIES + 1)]
    """What a watcher saw, as in the wire's `state`: the first one before the log, then one after each entry. Each says
    only what is new (see `changes`).
    """

    @property
    def times(self) -> tuple[Millis, ...]:
        """The moment of each state."""
        return (0, *(entry.at for entry in self.log))


_REPLAY = TypeAdapter(Replay)
_BY_LINE = frozenset({"log", "rounds", "states"})
_SILENT = Entry(0, "")


def write(replay: Replay) -> bytes:
    """Return the replay as JSON, one entry, round and state a line."""
    lines = []
    for part in fields(replay):
        value = getattr(replay, part.name)
        if part.name in _BY_LINE and value:
            text = "[\n" + ",\n".join(f"  {_dump(_plain(item))}" for item in value) + "\n ]"
        else:
            text = _dump(_plain(value))
        lines.append(f" {_dump(part.name)}: {text}")
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def _plain(value: Any) -> Any:
    if isinstance(value, Entry):
        return {name: told for name, told in asdict(value).items() if name == "at" or told != getattr(_SILENT, name)}
    return to_builtins(value)


def read(data: bytes) -> Replay:
    """Return the replay that `write` wrote. Its shape is checked and not its truth. Raises BadReplay."""
    if len(data) > MAX_BYTES:
        raise BadReplay(f"this is larger than {MAX_BYTES >> 20} MB and no replay")
    try:
        head = json.loads(data)
    except (ValueError, RecursionError):
        raise BadReplay("this is no JSON file: fetch the replay again") from None
    if not isinstance(head, dict) or "twoseat_replay" not in head:
        raise BadReplay("this is no replay of twoseat: it has no field twoseat_replay")
    if (head["twoseat_replay"], head.get("rules")) != (FORMAT, RULES):
        raise BadReplay("this replay was written by another version of twoseat: use that version to read it")
    try:
        replay = _REPLAY.validate_json(data, strict=True)
    except ValidationError as error:
        place = ".".join(map(str, error.errors(include_url=False, include_input=False)[0]["loc"]))[:60]
        raise BadReplay(f"this replay is damaged at {place}: fetch it again") from None
    if len(replay.states) != len(replay.log) + 1:
        raise BadReplay("this replay is damaged at states: fetch it again")
    return replay


def messages(replay: Replay) -> Iterator[tuple[Millis, Any]]:
    """Return what a watcher was told, message by message, with the time of each. Raises BadReplay."""
    options = {name: getattr(replay.options, name) for name in wire.OptionsView.__struct_fields__}
    yield (
        0,
        wire.Seated(
            match=replay.match,
            code="",
            seat=None,
            names=replay.names,
            bots=replay.bots,
            options=wire.OptionsView(**options),
            series=views.series(replay.series),
            rounds=[],
        ),
    )
    now: dict[str, Any] = {}
    for number, (at, new) in enumerate(zip(replay.times, replay.states, strict=True)):
        try:
            now = merged(now, new)
        except TypeError:
            now = {}
        state = wire.parse_server(json.dumps(now))
        if not isinstance(state, wire.State):
            raise BadReplay(f"this replay is damaged at states.{number}: fetch it again")
        yield at, state
    results = wire.parse_server(json.dumps(_results(replay)))
    if not isinstance(results, wire.Results):
        raise BadReplay("this replay is damaged at rounds: fetch it again")
    yield replay.times[-1], results


def _results(replay: Replay) -> dict[str, Any]:
    after = replay.series.after(replay.outcome)
    series = to_builtins(views.series(after)) | {"game": replay.series.games + 1}
    said = {"match": replay.match, "outcome": to_builtins(replay.outcome), "rounds": replay.rounds, "series": series}
    return {"type": "results", **said, "decided": after.decided, "seed": replay.seed}


def changes(before: dict[str, Any], state: dict[str, Any]) -> dict[str, Any]:
    """Return what is new in a state: the fields that differ, of `view` and of each of `chairs` again only those that
    differ, and `rounds` where some ended.
    """
    new = _different(before, state)
    new.pop("rounds", None)
    if "view" in new and "view" in before:
        new["view"] = _different(before["view"], new["view"])
    if "chairs" in new and "chairs" in before:
        new["chairs"] = [_different(*pair) for pair in zip(before["chairs"], new["chairs"], strict=True)]
    return new | ({"rounds": state["rounds"]} if state["rounds"] else {})


def merged(before: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Return the state that `changes` told of."""
    view = {**before.get("view", {}), **new.get("view", {})}
    nothing: dict[str, Any] = {}
    pairs = zip_longest(before.get("chairs", ()), new.get("chairs", ()), fillvalue=nothing)
    chairs = [{**old, **own} for old, own in pairs]
    return {**before, "rounds": [], **new, "view": view, "chairs": chairs}


def _different(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in after.items() if key not in before or before[key] != value}


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
