"""One person's sitting at a server: a line, the model it feeds, the requests she or --auto makes; it shows nothing."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from pydantic import BaseModel

from twoseat import wire
from twoseat_client.address import Server
from twoseat_client.asides import aside
from twoseat_client.connection import Connection
from twoseat_client.events import Event, event
from twoseat_client.facts import Lost, Stopped
from twoseat_client.fairness import recalled
from twoseat_client.model import Model, fold, stop_sentence
from twoseat_client.nonces import Nonces
from twoseat_client.orders import NotOpen, Unclear, meant
from twoseat_client.receipts import Receipts
from twoseat_client.refusal import refusal
from twoseat_client.table import Table
from twoseat_client.text import Sentence, Words, say
from twoseat_client.tokens import Tokens

OK, USAGE, UNREACHABLE, BUG, VERSION, INTERRUPTED, TERMINATED = 0, 2, 69, 70, 76, 130, 143
"""Exit codes: fine, wrongly asked, no server, our fault, client and server of different versions, Ctrl-C, SIGTERM."""

_ASKED_WRONGLY = frozenset(
    {
        wire.ErrorCode.BAD_OPTIONS,
        wire.ErrorCode.BAD_NAME,
        wire.ErrorCode.NOT_FOUND,
        wire.ErrorCode.NOT_STARTED,
        wire.ErrorCode.FINISHED,
        wire.ErrorCode.MALFORMED,
    }
)
Tell = Callable[[Model, tuple[Event, ...]], None]


class Action(StrEnum):
    """What a person may ask for at any time; the words are those typed in --plain and --json."""

    DRAW = "draw"
    TURN = "turn"
    TURN_TEN = "turn 10"
    RETURN = "return"
    REMATCH = "rematch"
    RESIGN = "resign"
    LEAVE = "leave"
    CANCEL = "cancel"
    HELLO = "hello"
    WELL_PLAYED = "well played"
    OUCH = "ouch"
    THANKS = "thanks"
    RETRY = "retry"
    QUIT = "quit"


_REQUESTS: dict[Action, BaseModel] = {
    Action.RETURN: wire.TakeBack(type="return"),
    Action.RESIGN: wire.ResignMatch(type="resign"),
    Action.LEAVE: wire.LeaveMatch(type="leave"),
    Action.CANCEL: wire.Cancel(type="cancel"),
    Action.HELLO: wire.React(type="react", reaction=wire.Reaction.HELLO),
    Action.WELL_PLAYED: wire.React(type="react", reaction=wire.Reaction.WELL_PLAYED),
    Action.OUCH: wire.React(type="react", reaction=wire.Reaction.OUCH),
    Action.THANKS: wire.React(type="react", reaction=wire.Reaction.THANKS),
}


@dataclass(frozen=True, slots=True)
class Ending:
    """How a sitting ended: the exit code, and what to tell a person where it is not simply over."""

    code: int
    why: Sentence | None = None


class Sitting:
    """Runs until it is over; `tell` hears of each change. `begin` is the first request, None where hello is it."""

    def __init__(
        self,
        connection: Connection,
        server: Server,
        tokens: Tokens,
        begin: BaseModel | None,
        tell: Tell,
        *,
        auto: bool = False,
    ) -> None:
        self.model = Model()
        self._connection = connection
        self._server = server
        self._tokens = tokens
        self._begin = begin
        self._tell = tell
        self._auto = auto
        self._names = secrets.token_hex(4)
        self._nonces = Nonces()
        self._receipts = Receipts(tokens.folder / "receipts")
        self._moves = 0
        self._asked: tuple[str, int] | None = None
        self._placed = False
        """Whether this socket has reached a table or a place to wait."""
        self._alone = False
        self._ending: Ending | None = None

    async def run(self) -> Ending:
        """Sit until one quits or leaves, the line is given up, a request fails, a watched or automatic game is over."""
        async for item in self._connection.heard():
            self.model, events = fold(self.model, item, self._connection.now(), self._server.link)
            self._promised(item)
            events = (*map(self._linked, events), *self._kept(item))
            await self._follow(item)
            if self._ending is not None and self._ending.why is not None:
                events = tuple(replace(one, says=()) for one in events)  # the last word is said once, where errors go
            if events:
                self._tell(self.model, events)
            if self._ending is not None:
                return self._ending
        raise RuntimeError("the line ended without a word")

    async def act(self, action: Action) -> None:
        """Do what a person asks; nothing where it makes no sense now."""
        match action:
            case Action.DRAW | Action.TURN | Action.TURN_TEN:
                await self._play(action)
            case Action.RETRY:
                self._connection.hurry()
            case Action.QUIT:
                self.end(Ending(OK))
            case _:
                await self._connection.send(self._request(action))

    async def order(self, text: str, words: Words) -> list[str] | None:
        """Answer a question, or make the move a typed line means at a War Online table. Returns what to answer, None
        where the line means nothing here.
        """
        table = self.model.table
        if table is None or table.state is None:
            return None
        if (answer := aside(table, text, words)) is not None:
            return answer
        if not isinstance(table.state.view, wire.WarOnlineView):
            return None
        if table.kept_by_bot:
            await self.act(Action.RETURN)
            return []
        if not table.open_moves:
            return [words("say.online.wait")]
        try:
            await self._send(meant(text, table.open_moves, words))
        except NotOpen as problem:
            return [words.tell(refusal(text, table, words) or problem.why)]
        except Unclear as problem:
            return [words.tell(problem.why)]
        return []

    async def ask(self, request: BaseModel) -> None:
        """Ask for something else than what this sitting began with."""
        self._begin = request
        await self._connection.send(request)

    def alone(self) -> None:
        """Nobody is there to ask for more: stop when the game is over."""
        self._alone = True
        self._connection.wake()

    def end(self, ending: Ending) -> None:
        """Stop the sitting with this ending; the seat is kept."""
        self._ending = self._ending or ending
        self._connection.wake()

    async def _play(self, wanted: Action) -> None:
        table = self.model.table
        if table is None:
            return
        if table.kept_by_bot:
            await self.act(Action.RETURN)
            return
        move = wanted.value if wanted is Action.TURN_TEN else next(iter(table.open_moves), "")
        if move in table.open_moves:
            await self._send(move)

    async def _send(self, move: str) -> None:
        table = self.model.table
        if table is None or table.state is None or table.mine is None:
            return
        self._moves += 1
        name, number = f"{self._names}-{self._moves}", table.state.chairs[table.mine].number
        await self._connection.play(wire.PlayMove(type="play", id=name, number=number, move=move))

    async def _follow(self, item: Any) -> None:
        match item:
            case wire.Welcome():
                await self._resume_or_begin()
            case wire.Seated() | wire.Waiting():
                self._placed = True
            case wire.Fair():
                await self._shake(item)
            case wire.Idle():
                self._ending = Ending(OK)
            case wire.Error(code=code) if not self._placed:
                self._refused(code)
            case Lost():
                self._placed = False
            case Stopped(code=code):
                self._ending = stopped(code, self._server)
            case _:
                pass
        table = self.model.table
        if table is not None and table.gap:
            await self._connection.send(wire.Sync(type="sync"))
        if table is None:
            return
        if (self._auto or self._alone or table.mine is None) and self._finished(table):
            self._ending = Ending(OK)
        elif self._auto and table.state is not None:
            await self._go_on(table, table.state)

    def _linked(self, happened: Event) -> Event:
        """Add to a result where the game can be seen again."""
        if happened.name != "result" or happened.data["termination"] == wire.Termination.VOID:
            return happened
        link = self._server.replay(happened.data["match"])
        says = (*happened.says, say("replay.link", link=link))
        return replace(happened, data=happened.data | {"replay": link}, says=says)

    def _promised(self, item: Any) -> None:
        """Keep what was promised before a deal for a later run, and recall what an earlier one was promised."""
        memory = self.model.fair
        if isinstance(item, wire.Seated):
            self.model = replace(self.model, fair=recalled(memory, self._receipts.find(item.match)))
        elif isinstance(item, wire.Fair) and memory.receipt is not None:
            self._receipts.keep(memory.receipt)

    async def _shake(self, fair: wire.Fair) -> None:
        answer = self._nonces.answer(fair, self.model.table.mine if self.model.table else None)
        if answer is not None:
            await self._connection.send(answer)

    async def _resume_or_begin(self) -> None:
        """Ask for what this sitting is about, again after each reconnect until there is a table."""
        waiting, resume = self.model.waiting, self.model.resume
        if self.model.table is not None or self._begin is None:
            return
        if waiting is not None and resume is not None and not resume.present:
            request: BaseModel = wire.Join(type="join", code=resume.code)  # found while the line was down
        elif waiting is not None and waiting.code is not None:
            request = wire.Join(type="join", code=waiting.code)
        else:
            request = self._begin
        await self._connection.send(request)

    def _refused(self, code: wire.ErrorCode) -> None:
        sentence, problem = say(f"error.{code}"), self.model.problem
        if code is wire.ErrorCode.STORAGE_AWAY:
            self._connection.drop()
        elif code is wire.ErrorCode.OLD_CLIENT:
            self._ending = Ending(VERSION, sentence)
        elif code in _ASKED_WRONGLY:
            if self._begin is None and self._connection.match is not None:
                self._tokens.forget(self._connection.match)
            detail = problem.detail if problem is not None and code is wire.ErrorCode.BAD_OPTIONS else None
            self._ending = Ending(USAGE, say("tui.detail", why=sentence, detail=detail) if detail else sentence)
        else:
            self._ending = Ending(UNREACHABLE, sentence)

    def _finished(self, table: Table) -> bool:
        """Whether nothing more comes: a quick match that never began is followed by another place in the queue."""
        return table.decided or (table.void and not isinstance(self._begin, wire.Quick))

    async def _go_on(self, table: Table, state: wire.State) -> None:
        """Do what --auto does: every legal move at once, the seat taken back, the series played to its end."""
        if table.mine is None:
            return
        if table.kept_by_bot:
            await self._once(Action.RETURN, table.seated.match, state.version)
        elif table.results is not None and table.results.outcome.counts:
            await self._once(Action.REMATCH, table.seated.match)
        elif table.open_moves and self._connection.up:
            await self._send(table.open_moves[0])

    async def _once(self, action: Action, match: str, version: int = 0) -> None:
        if self._asked != (match, version) and await self._connection.send(self._request(action)):
            self._asked = (match, version)

    def _request(self, action: Action) -> BaseModel:
        """Return what an action says to the server; of a rematch, after which game."""
        if action is not Action.REMATCH:
            return _REQUESTS[action]
        return wire.AskRematch(type="rematch", match=self.model.table.seated.match if self.model.table else None)

    def _kept(self, item: Any) -> tuple[Event, ...]:
        """Keep the seat's token before anything else happens, and drop what is over."""
        token, match = self._connection.token, self._connection.match
        if token is None:
            return ()
        try:
            match item:
                case wire.Seated(seat=seat) if seat is not None:
                    self._tokens.remember(item.match, item.code, token)
                case wire.Results():
                    self._tokens.finish(item.match, token)
                case wire.Idle() if match is not None:
                    self._tokens.finish(match, token)
                case _:
                    pass
        except OSError:
            return (event("error", say("tui.unsaved"), code="unsaved", field=None, detail=None),)
        return ()


def stopped(code: int | None, server: Server) -> Ending:
    """Return how a sitting ends whose line was given up with this close code (None: no answer)."""
    if code is None:
        return Ending(UNREACHABLE, say("tui.no_answer", server=server.origin))
    if code in {wire.Close.OLD_CLIENT, wire.Close.FOREIGN}:
        return Ending(VERSION, stop_sentence(code))
    return Ending(OK if code == wire.Close.REPLACED else UNREACHABLE, stop_sentence(code))
