"""A process that holds an embedded store and waits to be killed; it prints one line, the URL or why there is none."""

import asyncio
import sys
from pathlib import Path

import structlog

from twoseat_server.store.embedded import EmbeddedStore, EmbeddedStoreError


async def hold(folder: Path, server: Path | None = None) -> None:
    try:
        async with EmbeddedStore(folder, server=server) as url:
            print(url, flush=True)
            await asyncio.Event().wait()
    except EmbeddedStoreError as error:
        print(error, flush=True)


if __name__ == "__main__":
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    asyncio.run(hold(*map(Path, sys.argv[1:])))
