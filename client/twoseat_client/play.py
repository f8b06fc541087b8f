"""Plays one sitting without a screen, or hands the plan to the screen; it ties line, output and signals together."""

import asyncio
import contextlib
import signal
import sys
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from twoseat import wire
from twoseat_client.connection import Connection
from twoseat_client.lines import JsonLines, PlainLines, read_actions
from twoseat_client.plan import Front, Plan
from twoseat_client.resume import Unanswered, find_seat
from twoseat_client.sitting import INTERRUPTED, UNREACHABLE, USAGE, Action, Ending, Sitting, stopped
from twoseat_client.text import Words, say

TERMINATED = 143
ASK_AGAIN = 5.0
"""Seconds after which a first Ctrl-C is forgotten."""


def run(plan: Plan) -> int:
    """Play it and return the exit code; what ended it badly is said on stderr."""
    if plan.front is Front.SCREEN:
        from twoseat_client.tui import run_screen

        ending = run_screen(plan)
    else:
        ending = asyncio.run(_without_screen(plan))
    if ending.why is not None:
        sys.stderr.write(f"twoseat: {Words(plan.lang).tell(ending.why)}\n")
    return ending.code


async def open_line(plan: Plan) -> tuple[Connection, BaseModel | None]:
    """Return the line to sit down with and the first request, None where it comes back to a seat. Raises Unanswered."""
    if plan.code is not None and (claim := plan.tokens.by_code(plan.code)) is not None:
        return Connection(plan.server, name=plan.name, token=claim.token, match=claim.match), None
    if plan.begin is not None:
        return Connection(plan.server, name=plan.name), plan.begin
    found = await find_seat(plan.tokens, lambda token: Connection(plan.server, token=token), even_taken=plan.resume)
    if found is not None:
        return Connection(plan.server, name=plan.name, token=found.token, match=found.match), None
    return Connection(plan.server, name=plan.name), wire.Quick(type="quick", terms=plan.terms)


async def _without_screen(plan: Plan) -> Ending:
    words = Words(plan.lang)
    try:
        connection, begin = await open_line(plan)
    except Unanswered as error:
        return at_server(plan, stopped(error.code))
    if plan.resume and begin is not None:
        return Ending(USAGE, say("tui.nothing_to_resume"))
    lines = JsonLines() if plan.front is Front.JSON else PlainLines(words)
    sitting = Sitting(connection, plan.server, plan.tokens, begin, lines.show, auto=plan.auto)
    loop = asyncio.get_running_loop()
    acts: set[asyncio.Task[None]] = set()

    def take(action: Action | None) -> None:
        if action is None:
            sitting.alone()
            return
        task = loop.create_task(sitting.act(action))
        acts.add(task)
        task.add_done_callback(acts.discard)

    def typed(action: Action | None) -> None:
        with contextlib.suppress(RuntimeError):  # the sitting is over
            loop.call_soon_threadsafe(take, action)

    _on_signals(loop, sitting, words)
    read_actions(typed)
    return at_server(plan, await sitting.run())


def at_server(plan: Plan, ending: Ending) -> Ending:
    """Return the ending with the server's address in it, where nobody answered there."""
    if ending.code == UNREACHABLE and ending.why == say("error.unreachable"):
        return Ending(ending.code, say("tui.no_answer", server=plan.server.origin))
    return ending


def _on_signals(loop: asyncio.AbstractEventLoop, sitting: Sitting, words: Words) -> None:
    asked_at = -ASK_AGAIN

    def interrupt() -> None:
        nonlocal asked_at
        if loop.time() - asked_at < ASK_AGAIN:
            sitting.end(Ending(INTERRUPTED))
            return
        asked_at = loop.time()
        sys.stderr.write(words("tui.interrupt") + "\n")
        sys.stderr.flush()

    hear: list[tuple[int, Callable[[], Any]]] = [
        (signal.SIGINT, interrupt),
        (signal.SIGTERM, lambda: sitting.end(Ending(TERMINATED))),
    ]
    for number, heard in hear:
        try:
            loop.add_signal_handler(number, heard)
        except NotImplementedError:  # Windows: Ctrl-C ends the program at once
            return
