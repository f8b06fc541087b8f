"""`twoseat serve`: settings from flags and environment, the store, one node, and what a host is told; it knows no
match.
"""

import argparse
import asyncio
import contextlib
import errno
import gc
import signal
import sys
from collections.abc import AsyncIterator, Coroutine
from typing import Any

import segno
import structlog
from pydantic import ValidationError
from redis.exceptions import RedisError

from twoseat_server import logs
from twoseat_server.app import Node
from twoseat_server.settings import Settings, complaint, lan_address
from twoseat_server.store import rights
from twoseat_server.store.checks import advice
from twoseat_server.store.embedded import EmbeddedStore, EmbeddedStoreError
from twoseat_server.store.link import Away, StoreAway

USAGE, UNAVAILABLE = 2, 69
_COLLECT = 20_000, 20, 100

_CHECK = "check --redis, or leave it out to use the embedded one"
_DATABASE = "a number behind the port of --redis is that of a database: leave it out, for a cluster has only 0"
_NEXT = {
    Away.NO_CLUSTER: "give --redis one address, that of the primary",
    Away.DENIED: "check the account and password of --redis; it needs the ACL line of docs/hosting.md on every server",
}
"""What to do about an outage at the start, where it is not to look at the address."""

log = structlog.get_logger()


class CannotServe(Exception):
    """The server cannot start; the text says why and what to do next."""

    def __init__(self, text: str, code: int = UNAVAILABLE) -> None:
        super().__init__(text)
        self.code = code


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `serve` with one flag for each setting."""
    parser = subparsers.add_parser(
        "serve",
        help="run a server (a node) that people play on",
        description="Run a server. Every flag is also an environment variable: --public-url is TWOSEAT_PUBLIC_URL.",
    )
    for name, setting in Settings.model_fields.items():
        flag = f"--{name.replace('_', '-')}"
        shown = "off" if setting.default is None else setting.default
        text = f"{setting.description} (default: {shown})"
        if setting.annotation is bool:
            parser.add_argument(flag, action="store_true", default=None, help=text)
        else:
            parser.add_argument(flag, default=None, metavar=name.split("_")[-1].upper(), help=text)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until SIGTERM or Ctrl-C. Returns the exit code: 0, 2 for a bad setting, 69 where it cannot start."""
    chosen = {name: getattr(args, name) for name in Settings.model_fields}
    try:
        settings = Settings(**{name: value for name, value in chosen.items() if value is not None})
        logs.configure(settings.log_format, settings.log_level)
        _run(_serve(settings))
    except ValidationError as error:
        return _sorry(f"{complaint(error)} (see twoseat serve --help)", USAGE)
    except CannotServe as error:
        return _sorry(str(error), error.code)
    except EmbeddedStoreError as error:
        return _sorry(str(error), UNAVAILABLE)
    except KeyboardInterrupt:
        return 0
    return 0


def _run(work: Coroutine[Any, Any, None]) -> None:
    if sys.platform == "win32":
        asyncio.run(work)
    else:
        import uvloop

        uvloop.run(work)


async def _serve(settings: Settings) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stop.set)
    async with _store(settings) as url:
        node = Node(settings, url)
        # What is loaded by now stays: no collection has to walk through it again. And later ones come seldom: matches
        # make no cycles, so a collection finds next to nothing, and with thousands open it would hold up the loop.
        gc.collect()
        gc.freeze()
        gc.set_threshold(*_COLLECT)
        try:
            if settings.redis is not None:
                await rights.check(url)
            async with node.running() as server:
                await _advise(url, settings.wait_replicas)
                port = next(iter(server.sockets)).getsockname()[1]
                _tell_host(settings, port)
                await stop.wait()
                log.info("stopping", node=node.name)
        except (StoreAway, RedisError) as error:
            raise _store_refused(error) from error
        except OSError as error:
            raise CannotServe(_listening_failed(settings, error)) from error


async def _advise(url: str, wait_replicas: int) -> None:
    try:
        for line in await advice(url, wait_replicas):
            log.warning(line)
    except StoreAway as error:
        log.warning("the settings of the store cannot be read, so nothing is said about them", why=error.why)


@contextlib.asynccontextmanager
async def _store(settings: Settings) -> AsyncIterator[str]:
    if settings.redis is not None:
        yield settings.redis
        return
    if settings.wait_replicas:
        raise CannotServe(
            "--wait-replicas: the embedded store has no replicas, so no move would ever count as stored: "
            "leave it out, or name a store that has some with --redis",
            USAGE,
        )
    async with EmbeddedStore(settings.data) as url:
        yield url


def _store_refused(error: StoreAway | RedisError) -> CannotServe:
    # Behind these words a server repeats what it was sent.
    said = str(error).partition(", with args beginning with")[0]
    if "DB index" in said or "SELECT" in said:
        return CannotServe(f"storage has no such database ({said}): {_DATABASE}", USAGE)
    if isinstance(error, RedisError):
        return CannotServe(f"storage refuses what a node needs ({said}): docs/hosting.md says what may be a store")
    what = "refuses the account" if error.why is Away.DENIED else "does not answer"
    return CannotServe(f"storage {what} ({said}): {_NEXT.get(error.why, _CHECK)}")


def _listening_failed(settings: Settings, error: OSError) -> str:
    where = f"{settings.host}:{settings.port}"
    if error.errno == errno.EADDRINUSE:
        other = f"choose another with --port {settings.port + 1}"
        return f"port {settings.port} is taken by another program: stop it, or {other}"
    if error.errno == errno.EACCES:
        return f"port {settings.port} needs rights you do not have: choose one above 1023 with --port"
    return f"cannot listen on {where} ({error.strerror}): choose another address with --host"


def _tell_host(settings: Settings, port: int) -> None:
    """Print where the game is to be found, once it can be."""
    lan = lan_address() if settings.host in ("0.0.0.0", "::") else None  # noqa: S104 comparing, not binding
    here = f"http://127.0.0.1:{port}"
    shared = settings.public_url or (f"http://{lan}:{port}" if lan else None)
    print(f"twoseat is ready: {here}", flush=True)
    if shared is not None:
        label = "for everybody" if settings.public_url else "in your network"
        print(f"{label}: {shared}", flush=True)
        if sys.stdout.isatty():
            segno.make(shared, error="l").terminal(compact=True, border=1)
    print("press Ctrl-C to stop", flush=True)


def _sorry(text: str, code: int) -> int:
    print(f"twoseat: {text}", file=sys.stderr)
    return code
