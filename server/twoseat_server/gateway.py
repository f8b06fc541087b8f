"""The door: who may open a socket, and who gets a page instead; it knows no message and no match."""

import http

from websockets.http11 import Request, Response

from twoseat import wire
from twoseat_server import metrics
from twoseat_server.background import Background
from twoseat_server.dialogue import Dialogue
from twoseat_server.listener import Listener
from twoseat_server.origins import Network, Origins, client_address
from twoseat_server.pages import Pages, header, refusal
from twoseat_server.patience import Limits
from twoseat_server.settings import Settings
from twoseat_server.transport import Connection
from twoseat_server.visit import Visit

SOCKET_PATH = "/ws"
HELLO_WITHIN = 5.0
"""Seconds a new socket may be silent."""
_READ_BYTES = 4 * wire.MAX_MESSAGE_BYTES
"""A message up to this is read and answered `too_large`; beyond it the socket is closed with 1009."""


class Gateway:
    """Admits sockets, and answers everybody else."""

    def __init__(
        self,
        settings: Settings,
        dialogue: Dialogue,
        pages: Pages,
        trusted: tuple[Network, ...],
        background: Background,
    ) -> None:
        self._settings = settings
        self._dialogue = dialogue
        self._pages = pages
        self._trusted = trusted
        self._background = background
        self._origins = Origins(settings.public_url, settings.origins)
        self._open = 0
        self.draining = False
        """Whether this node stops, so that no new socket may come."""

    async def listen(self) -> Listener:
        """Start listening. Raises OSError where the address cannot be had."""
        listener = Listener(self, Limits(message_bytes=_READ_BYTES))
        await listener.open(self._settings.host, self._settings.port, reuse_port=self._settings.reuse_port)
        return listener

    async def admit(self, request: Request) -> Response | None:
        """Return the answer to a request that gets no socket, None for one that does."""
        host = header(request, "Host")
        if not self._origins.host_allowed(host):
            return refusal(http.HTTPStatus.MISDIRECTED_REQUEST, "unknown Host: start the server with --public-url\n")
        if request.path.partition("?")[0] != SOCKET_PATH:
            return await self._pages.answer(request)
        if not self._origins.origin_allowed(header(request, "Origin"), host):
            return refusal(http.HTTPStatus.FORBIDDEN, "this origin may not open sockets: see --origins\n")
        if self.draining:
            return refusal(http.HTTPStatus.SERVICE_UNAVAILABLE, "this server restarts: try again in a moment\n")
        if self._open >= self._settings.max_sockets:
            return refusal(http.HTTPStatus.SERVICE_UNAVAILABLE, "this server is full: try again later\n")
        return None

    def opened(self, connection: Connection, request: Request) -> Visit:
        """Return whom the messages of this WebSocket are for."""
        forwarded = request.headers.get_all("X-Forwarded-For")
        connection.address = client_address(connection.address, forwarded, self._trusted)
        connection.expect(HELLO_WITHIN, wire.Close.SILENT)
        self._open += 1
        metrics.SOCKETS.inc()
        return Visit(connection, self._dialogue, self._left)

    def _left(self, visit: Visit) -> None:
        self._open -= 1
        metrics.SOCKETS.dec()
        self._background.start(visit.end())
