"""Plain HTTP, byte by byte: the page and its files, health, metrics, invitations as QR, and nothing foreign."""

import asyncio
import gzip
import re
from dataclasses import dataclass

import pytest

from caller import Callers
from twoseat_server.settings import Settings


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


async def ask(call: Callers, *lines: str, host: str = "127.0.0.1") -> Answer:
    """Send a request of these lines; Host is added."""
    reader, writer = await asyncio.open_connection("127.0.0.1", call.port)
    request = "\r\n".join((lines[0], f"Host: {host}", *lines[1:], "", ""))
    writer.write(request.encode())
    async with asyncio.timeout(10):
        raw = await reader.read()
    writer.close()
    head, _, body = raw.partition(b"\r\n\r\n")
    first, *rest = head.decode().split("\r\n")
    return Answer(int(first.split()[1]), {k.lower(): v for k, v in (line.split(": ", 1) for line in rest)}, body)


async def get(call: Callers, path: str, *headers: str) -> Answer:
    return await ask(call, f"GET {path} HTTP/1.1", *headers)


async def test_health_and_readiness(call: Callers) -> None:
    assert (await get(call, "/healthz")).body == b"ok\n"
    ready = await get(call, "/readyz")
    assert (ready.status, ready.body) == (200, b"ready\n")


async def test_metrics_are_what_prometheus_reads(call: Callers) -> None:
    host, guest = await call.pair(target=1)
    await asyncio.gather(host.results(), guest.results())
    text = (await get(call, "/metrics")).body.decode()
    numbers = dict(re.findall(r"^(twoseat_\S+) (\S+)$", text, re.MULTILINE))
    assert float(numbers["twoseat_sockets"]) >= 2
    for name in (
        'twoseat_commits_total{outcome="stored"}',
        "twoseat_frames_sent_total",
        "twoseat_message_seconds_count",
    ):
        assert float(numbers[name]) > 0, name
    assert numbers["twoseat_store_away"] == "0.0"
    assert {"twoseat_deadline_late_seconds_count", "twoseat_loop_late_seconds_count"} <= numbers.keys()


@pytest.mark.parametrize("path", ["/", "/j/BCDFGH", "/w/BCDFGH", "/m/" + "0" * 34, "/?lang=bg"])
async def test_the_page_is_at_each_of_its_addresses(call: Callers, path: str) -> None:
    page = await get(call, path)
    assert page.status == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert b"<html" in page.body


async def test_every_answer_is_kept_from_foreign_hands(call: Callers) -> None:
    for path in ("/", "/web/app.js", "/healthz", "/nowhere", "/qr/BCDFGH.svg"):
        headers = (await get(call, path)).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers


async def test_files_are_packed_and_known_by_their_etag(call: Callers) -> None:
    plain = await get(call, "/web/app.js")
    assert plain.headers["content-type"] == "text/javascript; charset=utf-8"
    packed = await get(call, "/web/app.js", "Accept-Encoding: br, gzip")
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert packed.headers["etag"] == plain.headers["etag"]
    assert "Accept-Encoding" in packed.headers["vary"]
    same = await get(call, "/web/app.js", f"If-None-Match: {plain.headers['etag']}")
    assert (same.status, same.body) == (304, b"")
    other = await get(call, "/web/app.js", 'If-None-Match: "other"')
    assert other.status == 200


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere",
        "/web/",
        "/web/../__init__.py",
        "/web/%2e%2e/__init__.py",
        "/text/__init__.py",
        "/j/BCDFGH/more",
        "/qr/bad.svg",
        "/.env",
    ],
)
async def test_what_is_not_there_is_not_found_in_words(call: Callers, path: str) -> None:
    answer = await get(call, path)
    assert answer.status == 404
    assert answer.body.endswith(b"\n")


@pytest.mark.parametrize(
    ("lang", "words"), [("en", "Nothing here"), ("bg-BG,bg;q=0.9", "Тук няма нищо"), ("pt", "Aqui não há nada")]
)
async def test_a_browser_that_went_astray_is_shown_the_way_home_in_its_language(
    call: Callers, lang: str, words: str
) -> None:
    answer = await get(call, "/nope", "Accept: text/html,*/*", f"Accept-Language: {lang}")
    assert (answer.status, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    page = answer.body.decode()
    assert f"<h1>{words}</h1>" in page
    assert f'<html lang="{lang[:2]}">' in page
    assert 'class="button primary" href="/"' in page
    assert "data-t=" not in page


async def test_head_has_no_body_and_other_methods_are_refused(call: Callers) -> None:
    whole, head = await get(call, "/web/app.js"), await ask(call, "HEAD /web/app.js HTTP/1.1")
    assert (head.status, head.body) == (200, b"")
    assert head.headers["content-length"] == whole.headers["content-length"]
    for method in ("POST", "DELETE", "BREW"):
        answer = await ask(call, f"{method} / HTTP/1.1")
        assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD")


async def test_an_invitation_is_a_picture_of_its_link(call: Callers) -> None:
    picture = await get(call, "/qr/bcd-fgh.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.body.startswith(b"<?xml")
    secure = await get(call, "/qr/BCDFGH.svg", "X-Forwarded-Proto: https")
    assert secure.body != picture.body


@pytest.mark.parametrize("host", ["evil.example", "", "[::bad", "127.0.0.1, evil.example", "127.0.0.1@evil.example"])
async def test_an_unknown_host_is_refused_on_every_path(call: Callers, host: str) -> None:
    for path in ("/", "/healthz", "/ws"):
        assert (await ask(call, f"GET {path} HTTP/1.1", host=host)).status == 421


async def test_a_doubled_header_is_none_that_counts(call: Callers) -> None:
    assert (await get(call, "/", "Host: 127.0.0.1")).status == 421
    assert (await get(call, "/", "If-None-Match: a", "If-None-Match: b", "X-Forwarded-Proto: x")).status == 200
    upgrade = (
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: " + "A" * 22 + "==",
    )
    doubled = (f"Origin: http://127.0.0.1:{call.port}", "Origin: https://evil.example")
    assert (await get(call, "/ws", *upgrade, *doubled)).status == 403


class TestPublic:
    """A server that knows the address people reach it at."""

    @pytest.fixture
    def settings(self) -> Settings:
        return Settings(host="127.0.0.1", port=0, public_url="https://play.example/", origins="https://other.example")

    async def test_its_own_name_is_a_host(self, call: Callers) -> None:
        assert (await ask(call, "GET /healthz HTTP/1.1", host="play.example")).status == 200
        assert (await ask(call, "GET /healthz HTTP/1.1", host="PLAY.example:443")).status == 200

    async def test_an_invitation_leads_there_whatever_the_way_to_the_server_is(self, call: Callers) -> None:
        near = await get(call, "/qr/BCDFGH.svg")
        far = await ask(call, "GET /qr/BCDFGH.svg HTTP/1.1", "X-Forwarded-Proto: https", host="play.example")
        assert near.body == far.body

    @pytest.mark.parametrize("origin", ["https://play.example", "https://other.example"])
    async def test_pages_from_there_and_from_listed_origins_may_open_sockets(self, call: Callers, origin: str) -> None:
        assert (await call.connect(origin=origin)).socket.response is not None
