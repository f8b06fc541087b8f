"""Processes that are measured: started on one core, watched through /proc, ended; it knows not what they serve."""

import contextlib
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

SERVER_CORE, LOAD_CORE = "0", "1"
_TICK = os.sysconf("SC_CLK_TCK")


def free_port() -> int:
    """Return a port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def running(command: Sequence[str], port: int, core: str = SERVER_CORE, cwd: Path | None = None) -> Iterator[int]:
    """Run a server on one core until the block ends, and give its process id once its port answers."""
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(
        ["taskset", "-c", core, *command], stdin=quiet, stdout=quiet, stderr=quiet, cwd=cwd, start_new_session=True
    )
    try:
        until_listening(process, port)
        yield process.pid
    finally:
        # With what it has started: the `node` of a Python package, say, starts the real one.
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def until_listening(process: "subprocess.Popen[bytes]", port: int) -> None:
    """Wait until the port answers. Raises RuntimeError where the process ends or is silent for 20 s."""
    ends = time.monotonic() + 20
    while time.monotonic() < ends and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.005)
    raise RuntimeError(f"{process.args!r} does not listen on port {port}")


def children(pid: int) -> list[int]:
    """Return the processes this one has started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def pin(pid: int, core: str) -> None:
    """Give a running process another core, and with it what it starts from now on."""
    for thread in Path(f"/proc/{pid}/task").iterdir():
        os.sched_setaffinity(int(thread.name), {int(core)})


def cpu_seconds(pid: int) -> float:
    """Return user and system time so far, seconds, in steps of 10 ms."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICK


def resident_kb(pid: int) -> int:
    """Return the memory in use, KB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])
