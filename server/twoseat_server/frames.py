"""WebSocket frames where they are plain enough to be handled by hand; it knows no connection and no message."""

from collections.abc import Sequence

from websockets.frames import Frame, Opcode

try:
    from websockets.speedups import apply_mask
except ImportError:  # where websockets was installed without a compiler
    from websockets.utils import apply_mask

PING = b"\x89\x00"
"""A whole ping that says nothing."""
_TEXT, _FINAL, _MASKED = 0x81, 0x80, 0x80
_PONG = b"\x8a\x80"
_SHORT, _MEDIUM = 126, 1 << 16


def text_frame(payload: bytes) -> bytes:
    """Return a server's whole text frame: encoded once, it can be sent to many."""
    length = len(payload)
    if length < _SHORT:
        return bytes((_TEXT, length)) + payload
    if length < _MEDIUM:
        return bytes((_TEXT, 126, length >> 8, length & 255)) + payload
    return bytes((_TEXT, 127)) + length.to_bytes(8, "big") + payload


def is_pong(data: bytes) -> bool:
    """Whether `data` is the whole answer to `PING` and nothing else: it is masked, as all that clients send."""
    return len(data) == 6 and data.startswith(_PONG)


def whole_texts(data: bytes, most: int) -> list[str] | None:
    """Return the messages in `data` where it is whole, masked text frames of at most so many bytes and nothing else, as
    nearly all that a player sends is. None where it is anything else, to be read by the library.
    """
    texts, at, end = [], 0, len(data)
    try:
        while at < end:
            length, start = data[at + 1] ^ _MASKED, at + 6
            if data[at] != _TEXT or length > _SHORT:
                return None
            if length == _SHORT:
                length, start = data[at + 2] << 8 | data[at + 3], at + 8
                if length < _SHORT:
                    return None
            at = start + length
            if length > most or at > end:
                return None
            texts.append(apply_mask(data[start:at], data[start - 4 : start]).decode())
    except (IndexError, UnicodeDecodeError):
        return None
    return texts


def whole_frames(data: bytes) -> bool:
    """Whether `data` is whole, short frames that each end their message, so that another message begins after it."""
    at, end = 0, len(data)
    while at + 6 <= end and data[at] >= _FINAL and (length := data[at + 1] ^ _MASKED) < _SHORT:
        at += 6 + length
    return at == end


def joined(pieces: Sequence[Frame]) -> str | bytes:
    """Return the message that came in these frames. Raises UnicodeDecodeError where it is text that is no UTF-8."""
    data = b"".join(piece.data for piece in pieces)
    return data if pieces[0].opcode is Opcode.BINARY else data.decode()
