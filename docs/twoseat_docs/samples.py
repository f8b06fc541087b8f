"""One example of every message, each made by the code that sends it and read by the code that takes it."""

from typing import Any

from twoseat import views, wire
from twoseat.games.game import Options
from twoseat.match import Rejected
from twoseat.shake import nonce_digest
from twoseat_docs import messages, story

_TERMS = wire.Terms(target=30, timer=2, games=3)
_CLIENT: tuple[Any, ...] = (
    wire.Hello(
        type="hello",
        protocol=wire.PROTOCOL_VERSION,
        token=story.TOKENS[0],
        match=story.MATCH,
        name="Ann",
        client="my-client 1.0",
    ),
    wire.Quick(type="quick", terms=wire.Terms(game="war-online")),
    wire.Host(type="host", terms=_TERMS),
    wire.Join(type="join", code="k7r-p2m"),
    wire.Bot(type="bot", terms=wire.Terms(preset="classic", timer=0)),
    wire.Cancel(type="cancel"),
    wire.Watch(type="watch", code=story.CODE),
    wire.CommitNonce(type="commit", digest=nonce_digest(story.NONCES[0])),
    wire.OpenNonce(type="open", nonce=story.NONCES[0]),
    wire.PlayMove(type="play", id="a1", number=0, move="draw"),
    wire.TakeBack(type="return"),
    wire.LeaveMatch(type="leave"),
    wire.ResignMatch(type="resign"),
    wire.AskRematch(type="rematch"),
    wire.React(type="react", reaction=wire.Reaction.WELL_PLAYED),
    wire.Sync(type="sync"),
    wire.Ping(type="ping", n=7),
)


def _played() -> dict[str, Any]:
    """The last message of each kind in a game of one round."""
    heard = story.one_round(Options(target=1)).lines
    return {messages.name(type(line.message)): line.message for line in heard if not line.sent}


def _refused() -> wire.RejectedMessage:
    """What Bob is told who draws before Ann."""
    table = story.meeting(story.seed_of_a_war(), Options())
    try:
        table.draw(1, "b1")
    except Rejected as refusal:
        return wire.RejectedMessage(refusal.reason, "b1", refusal.by_bot)
    raise AssertionError("the rules let Bob draw first")


def _malformed() -> wire.Error:
    """What a move with a wrong number is answered."""
    try:
        wire.parse('{"type":"play","id":"a1","number":-1,"move":"draw"}')
    except wire.Malformed as problem:
        return wire.Error(problem.code, problem.field)
    raise AssertionError("the wire takes a negative number")


def _server() -> dict[str, Any]:
    running = story.one_round()
    playing = [line.message for line in running.lines if isinstance(line.message, wire.State)]
    return _played() | {
        "state": playing[-1],
        "idle": wire.Idle(),
        "waiting": wire.Waiting("host", story.CODE, 2_000, views.options(Options())),
        "done": wire.Done("a1", running.match.version),
        "rejected": _refused(),
        "error": _malformed(),
        "degraded": wire.Degraded(on=True),
        "reacted": wire.Reacted(1, wire.Reaction.WELL_PLAYED),
        "watchers": wire.Watchers(3),
        "pong": wire.Pong(7),
    }


def _samples() -> dict[str, str]:
    found: dict[str, str] = {}
    for message in _CLIENT:
        text = story.as_text(message)
        if wire.parse(text) != message:
            raise AssertionError(f"the wire reads something else than {text}")
        found[message.type] = text
    for word, message in _server().items():
        frame = wire.encode(message)
        if wire.parse_server(frame) != message:
            raise AssertionError(f"a client reads something else than {frame.decode()}")
        found[word] = frame.decode()
    return found


SAMPLES: dict[str, str] = _samples()
"""The example's JSON by message name, as it goes over the wire."""
