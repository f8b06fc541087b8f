"""The command on a real terminal, whose state it has to give back."""

import asyncio
import os
import pty
import termios
from collections.abc import Awaitable, Callable
from pathlib import Path

from command_scene import COMMAND, SLOW, environ


class Terminal:
    """A pseudo-terminal with a program on it."""

    def __init__(self) -> None:
        self.master, self.slave = pty.openpty()
        self.before = termios.tcgetattr(self.slave)
        self.output = b""

    async def sees(self, text: str) -> None:
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(SLOW):
            while text.encode() not in self.output:
                self.output += await loop.run_in_executor(None, os.read, self.master, 65_536)

    def types(self, keys: bytes) -> None:
        os.write(self.master, keys)

    async def closes(self, process: asyncio.subprocess.Process) -> int:
        async with asyncio.timeout(SLOW):
            code = await process.wait()
        os.set_blocking(self.master, False)
        try:
            while chunk := os.read(self.master, 65_536):
                self.output += chunk
        except OSError:
            pass
        return code


async def on_terminal(
    tmp_path: Path, words: list[str], then: Callable[[Terminal], Awaitable[None]], **more: str
) -> tuple[int, Terminal]:
    terminal = Terminal()
    process = await asyncio.create_subprocess_exec(
        *COMMAND,
        *words,
        stdin=terminal.slave,
        stdout=terminal.slave,
        stderr=terminal.slave,
        env=environ(tmp_path, COLUMNS="80", LINES="24", **more),
        start_new_session=True,
    )
    await then(terminal)
    return await terminal.closes(process), terminal


async def test_on_a_terminal_the_menu_opens_and_ctrl_c_twice_restores_the_terminal(tmp_path: Path) -> None:
    async def interrupts(terminal: Terminal) -> None:
        await terminal.sees("Play now")
        terminal.types(b"\x03")
        await terminal.sees("Ctrl-C again leaves")
        terminal.types(b"\x03")

    code, terminal = await on_terminal(tmp_path, ["play"], interrupts)
    assert code == 130
    assert b"\x1b[?1049h" in terminal.output
    assert terminal.output.rindex(b"\x1b[?1049l") > terminal.output.rindex(b"\x1b[?1049h")
    assert terminal.output.rindex(b"\x1b[?25h") > terminal.output.rindex(b"\x1b[?25l")
    assert termios.tcgetattr(terminal.slave) == terminal.before


async def test_no_color_is_obeyed_on_a_terminal(tmp_path: Path) -> None:
    async def quits(terminal: Terminal) -> None:
        await terminal.sees("Play now")
        terminal.types(b"q")

    code, terminal = await on_terminal(tmp_path, ["play"], quits, NO_COLOR="1")
    assert code == 0
    for colour in (b"\x1b[38;", b"\x1b[48;", b";38;2;", b";48;2;", b"[31m"):
        assert colour not in terminal.output
    assert b"\x1b[1;39;49m" in terminal.output


async def test_a_dumb_terminal_gets_lines(tmp_path: Path) -> None:
    async def reads_lines(terminal: Terminal) -> None:
        await terminal.sees("does not answer")

    code, terminal = await on_terminal(
        tmp_path, ["play", "--quick", "--server", "127.0.0.1:1"], reads_lines, TERM="dumb"
    )
    assert code == 69
    assert b"\x1b" not in terminal.output
