"""Finds the seat to come back to among those this machine remembers, by asking the server; it plays nothing."""

from collections.abc import Callable

from twoseat import wire
from twoseat_client.connection import Connection
from twoseat_client.facts import Stopped
from twoseat_client.tokens import Claim, Tokens


class Unanswered(Exception):
    """The server could not be asked; `code` is how it closed the line, None for no answer."""

    def __init__(self, code: int | None) -> None:
        super().__init__("the server does not answer")
        self.code = code


async def find_seat(tokens: Tokens, line: Callable[[str], Connection], *, even_taken: bool) -> Claim | None:
    """Return the newest unfinished seat that nobody sits at; with `even_taken`, else the newest at all.

    `line` makes a connection that greets with a token. Raises Unanswered.
    """
    taken: Claim | None = None
    for claim in tokens.unfinished():
        seat = await _ask(line(claim.token))
        if seat is None or seat.match != claim.match:
            continue
        if not seat.present:
            return claim
        taken = taken or claim
    return taken if even_taken else None


async def _ask(connection: Connection) -> wire.Resumable | None:
    async for item in connection.heard():
        if isinstance(item, wire.Welcome):
            return item.resume
        if isinstance(item, Stopped):
            raise Unanswered(item.code)
    return None
