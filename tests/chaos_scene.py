"""`twoseat chaos` as a process, for tests of what it found."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from e2e.nodes import ENVIRONMENT


async def chaos(order: str, folder: Path) -> dict[str, Any]:
    """Run it on an empty folder; it ends well and no node has raised anything. Returns what it found."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "twoseat_server", "chaos", *order.split(), "--data", str(folder)),
        env=ENVIRONMENT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    said, complained = await process.communicate()
    assert process.returncode == 0, (said, complained)
    assert "Traceback" not in "".join(path.read_text() for path in folder.glob("n*.log"))
    found: dict[str, Any] = json.loads(said)
    return found
