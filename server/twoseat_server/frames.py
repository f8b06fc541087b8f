"""WebSocket frames where they are plain enough to be handled by hand; it knows no connection and no message."""

try:
    from websockets.speedups import apply_mask
except ImportError:  # where websockets was installed without a compiler
    from websockets.utils import apply_mask

_TEXT, _CONTROL, _MASKED = 0x81, 0x88, 0x80
_SHORT, _MEDIUM = 126, 1 << 16


def text_frame(payload: bytes) -> bytes:
    """Return a server's whole text frame: encoded once, it can be sent to many."""
    length = len(payload)
    if length < _SHORT:
        return bytes((_TEXT, length)) + payload
    if length < _MEDIUM:
        return bytes((_TEXT, 126, length >> 8, length & 255)) + payload
    return bytes((_TEXT, 127)) + length.to_bytes(8, "big") + payload


def whole_texts(data: bytes) -> list[str] | None:
    """Return the messages in `data` where it is short, whole, masked text frames and nothing else, as nearly all that
    a player sends is. None where it is anything else, to be read by the library.
    """
    texts, at, end = [], 0, len(data)
    try:
        while at < end:
            start = at + 6
            length = data[at + 1] ^ _MASKED
            if data[at] != _TEXT or length >= _SHORT or start + length > end:
                return None
            at = start + length
            texts.append(apply_mask(data[start:at], data[start - 4 : start]).decode())
    except (IndexError, UnicodeDecodeError):
        return None
    return texts


def lone_control(data: bytes) -> bool:
    """Whether `data` is one whole control frame, after which a new frame begins."""
    return len(data) >= 6 and data[0] >= _CONTROL and len(data) == 6 + (data[1] ^ _MASKED)
