"""A WebSocket client as cheap as Python can: frames made by hand and cut by hand; it knows no message."""

import asyncio
from typing import cast

_MASK = b"\0\0\0\0"
"""A mask of zeros is a mask; it costs this side nothing and the server the same as any other."""
_HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


class Client(asyncio.Protocol):
    """One socket. A subclass says what `opened` and `heard` do."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._buffer = b""
        self._open = False
        self._transport: asyncio.Transport

    def opened(self) -> None:
        """The socket is open."""

    def heard(self, text: bytes) -> None:
        """A text message came."""

    def say(self, text: bytes) -> None:
        """Send a text message."""
        length = len(text)
        head = bytes((0x81, 0x80 | length)) if length < 126 else bytes((0x81, 0xFE, length >> 8, length & 255))
        self._transport.write(head + _MASK + text)

    def leave(self) -> None:
        """Drop the connection."""
        self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(_HANDSHAKE.format(path=self._path).encode())

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer + data if self._buffer else data
        if not self._open:
            head, found, buffer = buffer.partition(b"\r\n\r\n")
            if not found:
                self._buffer = head
                return
            self._open = True
            self.opened()
        at, end = 0, len(buffer)
        while end - at >= 2:
            length, start = buffer[at + 1], at + 2
            if length == 126:
                if end - at < 4:
                    break
                length, start = buffer[at + 2] << 8 | buffer[at + 3], at + 4
            if end - start < length:
                break
            opcode, at = buffer[at] & 15, start + length
            if opcode == 1:
                self.heard(buffer[start:at])
            elif opcode == 9:
                self._transport.write(bytes((0x8A, 0x80 | length)) + _MASK + buffer[start:at])
        self._buffer = buffer[at:]
