"""A page at a War Online table whose server is the test: the real rules, from a position and with dice it wants."""

from typing import Any, Literal

from msgspec.structs import replace
from playwright.async_api import Page, WebSocketRoute

from online import CHANCE, ONLINE, OPTIONS
from page.staged import Stage
from table_talk import MATCH, SERIES, chair, seated
from twoseat import wire
from twoseat.fair import Chance
from twoseat.games.game import Driver, Move
from twoseat.games.war_online.state import Step, WarOnlineState

TERMS = wire.OptionsView("war-online", "objectives", 50, 120, 1, 1, 100, "middle")


class OnlineTable(Stage):
    """The page of seat 0, or of a watcher; its moves are played by the rules and answered with the new state."""

    def __init__(self, page: Page, position: WarOnlineState, chance: Chance = CHANCE) -> None:
        super().__init__(page)
        self.position = position
        self.chance = chance
        self.seat: wire.Seat | None = 0
        self.moves: list[str] = []
        self.holds = False
        """Whether moves are kept unanswered, as on a slow line."""
        self._held: list[dict[str, Any]] = []
        self._version = 1
        self._shown = 0
        self._chairs = [chair(due=120_000), chair()]

    async def sit(self, url: str, *, seat: wire.Seat | None = 0, bot: bool = False) -> None:
        """Show the table."""
        self.seat = seat
        played = ONLINE.history(self.position, 0, faces=False)
        table = replace(seated(seat, bot=bot, options=TERMS), rounds=list(played))
        self._shown = ONLINE.rounds(self.position)
        await self.open(url, table, self.state())
        await self.page.wait_for_selector("#board:not([hidden])")
        await self.page.wait_for_selector(".strip span:not(:empty)")

    def state(self, **changes: Any) -> wire.State:
        """Return the table as it stands."""
        over = self.position.outcome is not None
        mine = ONLINE.legal(self.position, self.seat) if self.seat is not None and not over else ()
        legal = (mine, ()) if self.seat == 0 else ((), ())
        view = ONLINE.view(self.position, self.seat, over=over)
        rounds = ONLINE.history(self.position, self._shown, faces=over)
        self._shown = ONLINE.rounds(self.position)
        phase: Literal["playing", "over"] = "over" if over else "playing"
        chairs = (self._chairs[0], self._chairs[1])
        outcome = self.position.outcome and wire.Outcome(
            self.position.outcome.winner, self.position.outcome.termination
        )
        return replace(wire.State(self._version, phase, chairs, legal, view, rounds, outcome), **changes)

    def does(self, *moves: str, seat: wire.Seat = 0, by: Driver = Driver.HUMAN, **chairs: Any) -> None:
        """Make moves for a seat and show what came of each."""
        for move in moves:
            self.position = ONLINE.play(self.position, seat, Move(move), by, self.chance)
            self._version += 1
            self.says(self.state())

    def chairs(self, *chairs: wire.ChairView) -> None:
        """Show other chairs."""
        self._chairs = list(chairs)
        self._version += 1
        self.says(self.state())

    def ends(self, winner: wire.Seat, why: wire.Termination = wire.Termination.RESIGNED) -> None:
        """Show the end of the game, and the results."""
        outcome = wire.Outcome(winner, why)
        self._version += 1
        view = ONLINE.view(self.position, self.seat, over=True)
        self.says(self.state(phase="over", outcome=outcome, view=view, legal=((), ())))
        rounds = ONLINE.history(self.position, 0, faces=True)
        self.says(wire.Results(MATCH, outcome, rounds, SERIES, decided=True, seed="0" * 64))

    def _hear(self, socket: WebSocketRoute, text: str | bytes) -> None:
        super()._hear(socket, text)
        message = self.heard[-1]
        if message["type"] == "play":
            self.moves.append(message["move"])
            self._held.append(message)
            if not self.holds:
                self.answer()

    def answer(self) -> None:
        """Make the moves that were kept, and answer from now on."""
        self.holds = False
        while self._held:
            message = self._held.pop(0)
            number = self._chairs[0].number + 1
            self._chairs[0] = replace(self._chairs[0], number=number, last=message["id"])
            self.does(message["move"])


def placing(position: WarOnlineState, **changes: Any) -> WarOnlineState:
    """Return a position at the beginning of its turn."""
    return replace(position, step=Step.PLACE, **changes)


def undealt() -> WarOnlineState:
    """Return a game whose seats have yet to press Play."""
    return ONLINE.new(OPTIONS, None, CHANCE)
