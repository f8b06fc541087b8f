"""Which hosts and origins a browser may come from, and whose address a socket has behind proxies; it knows no socket.

A missing Origin is a program, not a page: no cookie or other ambient right exists that a foreign page could ride on.
"""

import ipaddress
import re
import socket
from collections.abc import Sequence
from urllib.parse import SplitResult, urlsplit

_LOCAL = {"localhost", socket.gethostname().lower()}
_HOST = re.compile(r"[A-Za-z0-9._-]+(:\d+)?|\[[0-9A-Fa-f:.]+\](:\d+)?")
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Origins:
    """The allowlist of one node: its public address, what the host added, and names that cannot be rebound to it."""

    def __init__(self, public_url: str | None, more: str) -> None:
        listed = [text.strip().rstrip("/") for text in (public_url or "", *more.split(",")) if text.strip()]
        self._origins = {_origin(text) for text in listed}
        self._hosts = {urlsplit(text).hostname for text in listed}

    def host_allowed(self, host: str | None) -> bool:
        """Whether a request may name this Host: a listed one, this machine's own name, or a bare address."""
        if host is None or not _HOST.fullmatch(host):
            return False
        name = _split(f"//{host}").hostname or ""
        return name in self._hosts or name in _LOCAL or _is_address(name)

    def origin_allowed(self, origin: str | None, host: str | None) -> bool:
        """Whether a page from `origin` may open a socket: the very host it asks, or a listed origin."""
        if origin is None:
            return True
        return origin.lower() in self._origins or (host is not None and _split(origin).netloc.lower() == host.lower())


def networks(text: str) -> tuple[Network, ...]:
    """Return the networks in a list separated by commas. Raises ValueError."""
    return tuple(ipaddress.ip_network(part.strip()) for part in text.split(",") if part.strip())


def client_address(peer: str, forwarded: Sequence[str], trusted: Sequence[Network]) -> str:
    """Return the client's address: the peer's, or walking X-Forwarded-For from the right past trusted proxies."""
    chain = [part.strip() for line in forwarded for part in line.split(",") if part.strip()]
    address = peer
    while chain and _within(address, trusted):
        address = chain.pop()
    return address if _is_address(address) else peer


def of_this_machine(address: str) -> bool:
    """Whether whoever asks is on this machine: a proxy that is not named as one, or the host."""
    return _is_address(address) and ipaddress.ip_address(address).is_loopback


def _within(address: str, trusted: Sequence[Network]) -> bool:
    return _is_address(address) and any(ipaddress.ip_address(address) in network for network in trusted)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")


def _origin(url: str) -> str:
    parts = urlsplit(url.lower())
    return f"{parts.scheme}://{parts.netloc}"
