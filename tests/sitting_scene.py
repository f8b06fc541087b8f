"""A sitting at a scripted server, and what its person is told; scenes for tests of the sitting."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from scripted_server import DEADLINE, Dialogue, Peer, scripted
from table_talk import fought, over, results, seated, welcome
from twoseat import wire
from twoseat_client.connection import Connection
from twoseat_client.events import Event
from twoseat_client.model import Model
from twoseat_client.sitting import Action, Ending, Sitting
from twoseat_client.tokens import Tokens

TOKEN = "t" * 43
QUICK = wire.Quick(type="quick")
ENDED = (over(9, [fought(1)]), results([fought(1)]))


class Table:
    """A sitting on its way, with all it told."""

    def __init__(self, sitting: Sitting, tokens: Tokens) -> None:
        self.sitting = sitting
        self.tokens = tokens
        self.told: list[Event] = []

    def tell(self, model: Model, events: tuple[Event, ...]) -> None:
        self.told += events

    def names(self) -> list[str]:
        return [event.name for event in self.told]


async def sits(
    tmp_path: Path,
    *dialogues: Dialogue,
    begin: BaseModel | None = QUICK,
    auto: bool = True,
    acts: dict[str, Action | Callable[[Sitting], Awaitable[None]]] | None = None,
    **line: Any,
) -> tuple[Ending, Table]:
    """Run a sitting against these dialogues; `acts` are done when an event of that name is told."""
    async with scripted(*dialogues) as server:
        tokens = Tokens(tmp_path / "tokens.json", server.origin)
        tasks: list[asyncio.Future[None]] = []

        def tell(model: Model, events: tuple[Event, ...]) -> None:
            table.tell(model, events)
            for event in events:
                if acts and event.name in acts:
                    act = acts[event.name]
                    tasks.append(asyncio.ensure_future(sitting.act(act) if isinstance(act, Action) else act(sitting)))

        connection = Connection(server, draw=lambda: 0.0, **line)
        sitting = Sitting(connection, server, tokens, begin, tell, auto=auto)
        table = Table(sitting, tokens)
        async with asyncio.timeout(DEADLINE):
            ending = await sitting.run()
        await asyncio.gather(*tasks)
    return ending, table


async def meets(peer: Peer, *more: Any, request: str = "quick") -> None:
    await peer.hears("hello")
    await peer.says(welcome(token=TOKEN))
    await peer.hears(request)
    await peer.says(seated(), *more)
