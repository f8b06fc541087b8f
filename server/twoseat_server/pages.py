"""Everything that is answered over plain HTTP: the page and its files, invitations as QR, replays, health and
metrics; it knows no match.
"""

import gzip
import hashlib
import html
import io
import json
import mimetypes
import re
from collections.abc import Awaitable, Callable, Container
from dataclasses import dataclass
from http import HTTPStatus
from importlib import resources
from importlib.resources.abc import Traversable

import prometheus_client
import segno
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from twoseat.ids import CODE_ALPHABET, CODE_LENGTH, read_code

_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; frame-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'"
)
_SAFETY = {
    "Content-Security-Policy": _CSP,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
_TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".json": "application/json"}
_GZIP_FROM = 200
_NAMED = ("j", "w", "m", "r")
"""Pages of something: an invitation, a match to watch, one's own seat, a replay."""
_ROUTES = {**dict.fromkeys(("", *_NAMED), "index.html"), "demo": "demo.html"}
"""The first part of a path that is a page, and its file."""
_PAGE, _FALLBACK = "index.html", "en"
_NOWHERE = "nowhere.html"
"""What a browser is shown where there is nothing."""
_WORKER = "sw.js"
"""Served at the root, for a service worker may only answer for what lies below it."""
_NO_WORDS = b'<script type="application/json" id="catalogue" lang=""></script>'
"""Where the page takes its sentences from, if they came along."""
_TERRITORIES = ("page.online.", "say.online.", *(f"word.{kind}." for kind in ("territory", "continent", "objective")))
_NOT_AT_FIRST = ("tui.", "verify.", "replay.", *_TERRITORIES)
"""Sentences the page fetches when a match of War Online opens, or never."""


@dataclass(frozen=True, slots=True)
class File:
    """A file ready to be served."""

    kind: str
    plain: bytes
    packed: bytes | None
    etag: str


class NotHere(Exception):
    """What was asked for cannot be served, and why, in words for a person."""

    def __init__(self, status: HTTPStatus, text: str) -> None:
        super().__init__(text)
        self.status = status


class Pages:
    """Answers requests that are no socket. `replay` returns a finished match's replay by id, or raises NotHere."""

    def __init__(
        self, ready: Callable[[], bool], public_url: str | None, replay: Callable[[str], Awaitable[bytes]]
    ) -> None:
        self._ready = ready
        self._public_url = public_url
        self._replay = replay
        client = resources.files("twoseat_client")
        self._files = {f"/web/{name}": file for name, file in _read(client.joinpath("web"), "")}
        texts = [(name, file) for name, file in _read(client.joinpath("text"), "") if name.endswith(".json")]
        self._files |= {f"/text/{name}": file for name, file in texts}
        self._files |= {f"/{_WORKER}": file for path, file in self._files.items() if path == f"/web/{_WORKER}"}
        page = self._files.get(f"/web/{_PAGE}")
        self._spoken = {
            name.removesuffix(".json"): _spoken(page, name.removesuffix(".json"), file.plain)
            for name, file in texts
            if page is not None
        }
        nowhere = self._files.pop(f"/web/{_NOWHERE}", None)
        self._nowhere = {
            name.removesuffix(".json"): _written(nowhere, name.removesuffix(".json"), file.plain)
            for name, file in texts
            if nowhere is not None
        }

    async def answer(self, request: Request) -> Response:
        """Return the response; to a HEAD, without its body."""
        if request.method not in ("GET", "HEAD"):
            refused = _text(HTTPStatus.METHOD_NOT_ALLOWED, "Only GET and HEAD are served here.\n")
            refused.headers["Allow"] = "GET, HEAD"
            return refused
        response = await self._answer(request, request.path.partition("?")[0])
        if request.method == "HEAD":
            response.body = b""
        return response

    async def _answer(self, request: Request, path: str) -> Response:
        if path == "/healthz":
            return _text(HTTPStatus.OK, "ok\n")
        if path == "/readyz":
            if self._ready():
                return _text(HTTPStatus.OK, "ready\n")
            return _text(HTTPStatus.SERVICE_UNAVAILABLE, "not ready\n")
        if path == "/metrics":
            return _response(HTTPStatus.OK, prometheus_client.CONTENT_TYPE_LATEST, prometheus_client.generate_latest())
        if path.startswith("/qr/") and path.endswith(".svg"):
            return self._qr(request, path.removeprefix("/qr/").removesuffix(".svg"))
        if path.startswith("/replay/"):
            name = path.removeprefix("/replay/")
            try:
                return _served(request, _file("replay.json", await self._replay(name.removesuffix(".json"))))
            except NotHere as reason:
                return _text(reason.status, f"{reason}\n")
        file = self._files.get(path) or self._page(path, request)
        return self._none(request) if file is None else _served(request, file)

    def _none(self, request: Request) -> Response:
        """Say that nothing is here: to a browser in a page with a way home, to all others in a line."""
        if not self._nowhere or "text/html" not in (header(request, "Accept") or ""):
            return _text(HTTPStatus.NOT_FOUND, "There is nothing here. The game is at /\n")
        page = self._nowhere[_language(request, self._nowhere)]
        return _response(HTTPStatus.NOT_FOUND, page.kind, page.plain, {"Vary": "Accept, Accept-Language"})

    def _page(self, path: str, request: Request) -> File | None:
        parts = path.strip("/").split("/")
        name = _ROUTES.get(parts[0])
        if name is None or len(parts) > (2 if parts[0] in _NAMED else 1):
            return None
        if name == _PAGE and self._spoken:
            return self._spoken[_language(request, self._spoken)]
        return self._files.get(f"/web/{name}")

    def _qr(self, request: Request, text: str) -> Response:
        code = read_code(text)
        if code is None:
            return _text(HTTPStatus.NOT_FOUND, f"a code has {CODE_LENGTH} of {CODE_ALPHABET}\n")
        scheme = "https" if header(request, "X-Forwarded-Proto") == "https" else "http"
        here = self._public_url or f"{scheme}://{header(request, 'Host')}"
        picture = io.BytesIO()
        link = f"{here.rstrip('/')}/j/{code}"
        segno.make(link, error="m").save(picture, kind="svg", scale=4, border=2, light="#fff")
        return _response(HTTPStatus.OK, "image/svg+xml", picture.getvalue())


def _read(folder: Traversable, prefix: str) -> list[tuple[str, File]]:
    found = []
    for entry in folder.iterdir() if folder.is_dir() else ():
        if entry.is_dir():
            found += _read(entry, f"{prefix}{entry.name}/")
        elif not entry.name.startswith((".", "_")):
            found.append((f"{prefix}{entry.name}", _file(entry.name, entry.read_bytes())))
    return found


def _spoken(page: File, lang: str, catalogue: bytes) -> File:
    """Return the page with the sentences of one language in it, which saves each visitor a round trip."""
    entries = {key: entry for key, entry in json.loads(catalogue).items() if not key.startswith(_NOT_AT_FIRST)}
    words = json.dumps(entries, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    element = _NO_WORDS.decode().replace('lang="">', f'lang="{lang}">{words}')
    plain = page.plain.replace(_NO_WORDS, element.encode())
    return _file(_PAGE, plain.replace(b'<html lang="en">', f'<html lang="{lang}">'.encode()))


def _written(page: File, lang: str, catalogue: bytes) -> File:
    """Return a page that runs no code, with the sentences of one language where it asks for them."""
    said = json.loads(catalogue)
    text = re.sub(r' data-t="([\w.]+)">', lambda asked: f">{html.escape(said[asked[1]])}", page.plain.decode())
    return _file(_NOWHERE, text.replace('<html lang="en">', f'<html lang="{lang}">').encode())


def _language(request: Request, spoken: Container[str]) -> str:
    """Return the first of the reader's languages that there is."""
    wanted = ",".join(request.headers.get_all("Accept-Language")).split(",")
    codes = (choice.strip()[:2].lower() for choice in wanted)
    return next((code for code in codes if code in spoken), _FALLBACK)


def _file(name: str, plain: bytes) -> File:
    suffix = name[name.rfind(".") :]
    kind = _TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    if kind.startswith("text/") or kind == "application/json":
        kind += "; charset=utf-8"
    packed = gzip.compress(plain, mtime=0) if len(plain) > _GZIP_FROM else None
    return File(kind, plain, packed, f'"{hashlib.sha256(plain).hexdigest()[:20]}"')


def _served(request: Request, file: File) -> Response:
    extra = {"ETag": file.etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding, Accept-Language"}
    if header(request, "If-None-Match") == file.etag:
        return _response(HTTPStatus.NOT_MODIFIED, file.kind, b"", extra)
    if file.packed is not None and "gzip" in (header(request, "Accept-Encoding") or ""):
        return _response(HTTPStatus.OK, file.kind, file.packed, extra | {"Content-Encoding": "gzip"})
    return _response(HTTPStatus.OK, file.kind, file.plain, extra)


def _text(status: HTTPStatus, text: str) -> Response:
    return _response(status, "text/plain; charset=utf-8", text.encode())


def header(request: Request, name: str) -> str | None:
    """Return a header, None where there is none; one sent twice is the list of both, and so none that is expected."""
    return ", ".join(request.headers.get_all(name)) or None


def refusal(status: HTTPStatus, text: str) -> Response:
    """Return a refusal in words."""
    return _text(status, text)


def _response(status: HTTPStatus, kind: str, body: bytes, extra: dict[str, str] | None = None) -> Response:
    headers = Headers(
        {"Content-Type": kind, "Content-Length": str(len(body)), "Connection": "close", **_SAFETY, **(extra or {})}
    )
    return Response(status.value, status.phrase, headers, body)
