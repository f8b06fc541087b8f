"""A page whose line the test answers itself: real browser, real files, scripted server; any state is at hand."""

import asyncio
import json
import re
from typing import Any

from playwright.async_api import Page, WebSocketRoute

from table_talk import fought, seated, state, welcome
from twoseat import wire

TOKEN = "t" * 43
_SCREENS: dict[type, str] = {wire.Waiting: "#wait", wire.Seated: "#table"}
_MISSED = 50
"""A round so late that some before it are missing, for which the page asks."""
_START = "#start [type=submit][aria-disabled=false]"
WITHIN = 10.0
"""Real seconds after which a test that waits in vain fails."""


class Stage:
    """The server's end of every socket the page opens; the newest one is spoken to."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.heard: list[dict[str, Any]] = []
        self.sockets: list[WebSocketRoute] = []
        self._news = asyncio.Event()
        self.answers = True
        """Whether pings are answered."""
        self.first: tuple[Any, ...] = ()
        """What every new socket is told after its hello."""

    async def open(self, url: str, *first: Any) -> None:
        """Show the page as it is once it has heard `first`, which follows the welcome."""
        self.first = (welcome(token=TOKEN), *first)
        await self.page.route_web_socket(re.compile("/ws$"), self._meet)
        await self.page.goto(url)
        screens = [_SCREENS[type(told)] for told in first if type(told) in _SCREENS]
        await self.page.wait_for_selector(screens[0] if screens else _START)

    async def table(self, url: str, *, seat: wire.Seat | None = 0, bot: bool = False, **changes: Any) -> None:
        """Show a running table; `changes` as for `table_talk.state`."""
        await self.open(url, seated(seat, changes.pop("before", ()), bot=bot), state(**changes))

    def says(self, *messages: Any) -> None:
        """Send messages to the newest socket."""
        for message in messages:
            self.sockets[-1].send(wire.encode(message).decode())

    async def closes(self, code: int) -> None:
        """Close the newest socket with a code."""
        await self.sockets[-1].close(code=code)

    async def hears(self, kind: str, count: int = 1) -> dict[str, Any]:
        """Wait for the `count`-th message of a kind and return it."""
        async with asyncio.timeout(WITHIN):
            while len(found := [message for message in self.heard if message["type"] == kind]) < count:
                self._news.clear()
                await self._news.wait()
        return found[count - 1]

    async def is_heard(self) -> int:
        """Say something that the page answers, wait for the answer, and return how many pings came before it."""
        answers = self.count("sync") + 1
        self.says(state(rounds=[fought(_MISSED)]))
        await self.hears("sync", answers)
        return self.count("ping")

    def count(self, kind: str) -> int:
        """Return how many messages of a kind came."""
        return len([message for message in self.heard if message["type"] == kind])

    def _meet(self, socket: WebSocketRoute) -> None:
        self.sockets.append(socket)
        socket.on_message(lambda text: self._hear(socket, text))

    def _hear(self, socket: WebSocketRoute, text: str | bytes) -> None:
        message = json.loads(text)
        self.heard.append(message)
        self._news.set()
        if message["type"] == "hello":
            for answer in self.first:
                socket.send(wire.encode(answer).decode())
        elif message["type"] == "ping" and self.answers:
            socket.send(wire.encode(wire.Pong(message["n"])).decode())
