"""The command as a real process beside a scripted server; scenes for tests of the command line."""

import asyncio
import os
import sys
from pathlib import Path

from scripted_server import Peer
from table_talk import CODE, MATCH, fought, over, results, seated, state, waiting, welcome
from twoseat import wire

TOKEN = "t" * 43
COMMAND = [sys.executable, "-m", "twoseat_server"]
ROOTS = [str(Path(__file__).parents[1] / root) for root in ("shared", "client", "server")]
SLOW = 20.0
"""Real seconds a process may take to start and end on a busy machine."""


def environ(tmp_path: Path, **more: str) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "TWOSEAT_", "NO_COLOR"))}
    return (
        kept
        | {
            "PYTHONPATH": os.pathsep.join(ROOTS),
            "TWOSEAT_HOME": str(tmp_path / "home"),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
        }
        | more
    )


async def start(tmp_path: Path, *words: str, **more: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *COMMAND,
        *words,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=environ(tmp_path, **more),
    )


async def run(tmp_path: Path, *words: str, **more: str) -> tuple[int, str, str]:
    process = await start(tmp_path, *words, **more)
    async with asyncio.timeout(SLOW):
        out, error = await process.communicate(b"")
    assert process.returncode is not None
    return process.returncode, out.decode(), error.decode()


async def plays(peer: Peer) -> None:
    await peer.hears("hello")
    await peer.says(welcome(token=TOKEN))
    await peer.hears("quick")
    await peer.says(seated(), state(1))
    await peer.hears("play")
    await peer.says(over(2, [fought(1)]), results([fought(1, cards=("QH", "10S"))]))
    await peer.stays()


async def asked(peer: Peer, *, present: bool = False) -> None:
    """Offer the seat that is kept; `present`: somebody sits there."""
    assert (await peer.hears("hello"))["token"] == TOKEN
    await peer.says(welcome(resume=wire.Resumable(MATCH, CODE, present=present)))
    await peer.stays()


async def sits(peer: Peer) -> None:
    """Let her sit down at the seat offered, at the end of its game."""
    assert (await peer.hears("hello"))["match"] == MATCH
    await peer.says(welcome(), seated(), over(2, [fought(1)]), results([fought(1)]))
    await peer.stays()


async def waits(peer: Peer) -> None:
    await peer.hears("hello")
    await peer.says(welcome(token=TOKEN))
    await peer.hears("host")
    await peer.says(waiting(CODE))
    await peer.stays()
