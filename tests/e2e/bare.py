"""Bare sockets to a real server: a client that says just what a test tells it, and nothing by itself."""

import asyncio
import contextlib
import json
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from twoseat import wire
from twoseat.shake import nonce_digest

WITHIN = 20.0
Message = dict[str, Any]


class Bare:
    """One socket; `heard` is all the server has said."""

    def __init__(self, socket: ClientConnection, nonce: str) -> None:
        self._socket = socket
        self.nonce = nonce
        self.heard: list[Message] = []
        self.seat = -1

    async def says(self, kind: str, **fields: Any) -> None:
        """Send a message."""
        await self._socket.send(json.dumps({"type": kind, **fields}))

    async def hears(self, kind: str, **having: Any) -> Message:
        """Return the next message of a kind that has these values."""
        async with asyncio.timeout(WITHIN):
            while True:
                message: Message = json.loads(await self._socket.recv())
                self.heard.append(message)
                if message["type"] == "seated":
                    self.seat = message["seat"]
                if message["type"] == kind and all(message[name] == value for name, value in having.items()):
                    return message

    async def commits(self) -> None:
        """Commit to the nonce."""
        await self.says("commit", digest=nonce_digest(self.nonce))

    async def opens(self, nonce: str = "") -> None:
        """Open the nonce, or another one."""
        await self.says("open", nonce=nonce or self.nonce)

    async def plays(self) -> Message:
        """Draw whenever it is this seat's turn, until the results."""
        while True:
            message = await self.hears_any()
            if message["type"] == "results":
                return message
            if message["type"] == "state" and message["legal"][self.seat]:
                number = message["chairs"][self.seat]["number"]
                await self.says("play", id=f"n{number}", number=number, move=message["legal"][self.seat][0])

    async def hears_any(self) -> Message:
        """Return the next message."""
        async with asyncio.timeout(WITHIN):
            message: Message = json.loads(await self._socket.recv())
        self.heard.append(message)
        return message

    def named(self, kind: str) -> list[Message]:
        """Return all messages of a kind so far."""
        return [message for message in self.heard if message["type"] == kind]


@contextlib.asynccontextmanager
async def bare(url: str, nonce: str = "a1" * 32) -> AsyncIterator[Bare]:
    """Open a socket and say hello, as a new player."""
    async with connect(f"ws{url.removeprefix('http')}/ws", compression=None, proxy=None) as socket:
        client = Bare(socket, nonce)
        await client.says("hello", protocol=wire.PROTOCOL_VERSION)
        await client.hears("welcome")
        yield client


async def get(url: str) -> tuple[int, bytes]:
    """Return status and body of a GET."""
    return await asyncio.to_thread(_get, url)


def _get(url: str) -> tuple[int, bytes]:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=WITHIN) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()
