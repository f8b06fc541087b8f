"""Where a server or a table is, from what a person typed: URL, host:port, invite link or code; it opens nothing."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

DEFAULT_SERVER = "http://127.0.0.1:8765"
_CODE = re.compile(r"[BCDFGHJKLMNPQRSTVWXYZ2-9]{6}")
_SCHEMES = {"http": "http", "https": "https", "ws": "http", "wss": "https"}


class BadAddress(Exception):
    """The text is no address; the message says what one looks like."""


@dataclass(frozen=True, slots=True)
class Server:
    """A server's origin, such as `https://play.example`."""

    origin: str

    @property
    def socket(self) -> str:
        """The WebSocket address."""
        return "ws" + self.origin.removeprefix("http") + "/ws"

    @property
    def local(self) -> bool:
        """Whether the server is on this very machine, where no proxy belongs in between."""
        return urlsplit(self.origin).hostname in {"localhost", "127.0.0.1", "::1"}

    def at(self, host: str) -> "Server":
        """Return the same server under another host name."""
        parts = urlsplit(self.origin)
        port = "" if parts.port is None else f":{parts.port}"
        return Server(f"{parts.scheme}://{host}{port}")

    def link(self, code: str) -> str:
        """Return the invite link of the table with this code."""
        return f"{self.origin}/j/{code}"

    def replay(self, match: str) -> str:
        """Return the link under which a finished match can be seen again."""
        return f"{self.origin}/r/{match}"


def read_code(text: str) -> str | None:
    """Return the six characters of a code typed in any case, with spaces or dashes, or None where it is none."""
    code = re.sub(r"[\s-]", "", text).upper()
    return code if _CODE.fullmatch(code) else None


def read_server(text: str) -> tuple[Server, str | None]:
    """Return the server and, from an invite link, the code. Raises BadAddress."""
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port, parts = None, None, urlsplit("")
    if not host or parts.scheme not in _SCHEMES or not _resolvable(host):
        raise BadAddress("write it as http://host:port, host:port or an invite link http://host:port/j/CODE")
    scheme = _SCHEMES[parts.scheme]
    name = f"[{host}]" if ":" in host else host
    default_port = port is None or port == {"http": 80, "https": 443}[scheme]
    server = Server(f"{scheme}://{name}" if default_port else f"{scheme}://{name}:{port}")
    found = re.fullmatch(r"/j(?:/([^/]*)/?)?", parts.path)
    if found is None:
        return server, None
    code = read_code(found[1] or "")
    if code is None:
        raise BadAddress("the code in this link is not six letters and digits; ask for the link again")
    return server, code


def _resolvable(host: str) -> bool:
    """Whether a resolver takes this name at all; one that does not raises no OSError but something of its own."""
    try:
        host.encode("idna")
    except UnicodeError:
        return False
    return host.isprintable() and " " not in host
