"""Plays one sitting without a screen, or hands the plan to the screen; it ties line, output and signals together."""

import asyncio
import contextlib
import signal
import sys
from collections.abc import Callable
from typing import Any

from twoseat_client.lines import JsonLines, PlainLines, no_command, read_typed
from twoseat_client.plan import Front, Plan
from twoseat_client.resume import NothingToResume, Unanswered, open_line
from twoseat_client.sitting import INTERRUPTED, OK, TERMINATED, USAGE, Action, Ending, Sitting, stopped
from twoseat_client.text import Words, say

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


async def _without_screen(plan: Plan) -> Ending:
    words = Words(plan.lang)
    try:
        connection, begin = await open_line(plan)
    except Unanswered as error:
        return stopped(error.code, plan.server)
    except NothingToResume:
        return Ending(USAGE, say("tui.nothing_to_resume"))
    lines = JsonLines() if plan.front is Front.JSON else PlainLines(words)
    sitting = Sitting(connection, plan.server, plan.tokens, begin, lines.show, auto=plan.auto)
    return await _typed_at(sitting, words, plan.front)


async def _typed_at(sitting: Sitting, words: Words, front: Front) -> Ending:
    """Sit, and do what is typed meanwhile. Re-raises what went wrong in doing it."""
    loop = asyncio.get_running_loop()
    acts: set[asyncio.Task[None]] = set()
    broken: list[BaseException] = []

    async def do(typed: Action | str) -> None:
        if isinstance(typed, Action):
            await sitting.act(typed)
        elif (answer := await sitting.order(typed, words)) is None:
            no_command(words)
        elif answer:
            # What a program hears stays one JSON object a line.
            print(*answer, sep="\n", file=sys.stderr if front is Front.JSON else sys.stdout, flush=True)

    def take(typed: Action | str | None) -> None:
        if typed is None:
            sitting.alone()
            return
        task = loop.create_task(do(typed))
        acts.add(task)
        task.add_done_callback(done)

    def done(task: asyncio.Task[None]) -> None:
        acts.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            broken.append(error)
            sitting.end(Ending(OK))

    def hear(typed: Action | str | None) -> None:
        with contextlib.suppress(RuntimeError):  # the sitting is over
            loop.call_soon_threadsafe(take, typed)

    _on_signals(loop, sitting, words)
    read_typed(hear)
    ending = await sitting.run()
    if broken:
        raise broken[0]
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
