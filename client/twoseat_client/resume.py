"""Chooses the line to sit down with: a seat this machine has already, found by asking the server, or a new one."""

from pydantic import BaseModel

from twoseat import wire
from twoseat_client.connection import Connection
from twoseat_client.facts import Stopped
from twoseat_client.plan import Plan
from twoseat_client.tokens import Claim


class Unanswered(Exception):
    """The server could not be asked; `code` is how it closed the line, None for no answer."""

    def __init__(self, code: int | None) -> None:
        super().__init__("the server does not answer")
        self.code = code


class NothingToResume(Exception):
    """There is no unfinished game on this machine."""


async def open_line(plan: Plan) -> tuple[Connection, BaseModel | None]:
    """Return the line to sit down with and the first request, None where hello names the seat.

    Raises Unanswered and, where the plan is to resume, NothingToResume.
    """
    if plan.code is not None and (claim := plan.tokens.by_code(plan.code)) is not None:
        return _at_seat(plan, claim), None
    if plan.begin is not None:
        return Connection(plan.server, name=plan.name), plan.begin
    found = await _free_seat(plan)
    if found is not None:
        return _at_seat(plan, found), None
    if plan.resume:
        raise NothingToResume
    return Connection(plan.server, name=plan.name), plan.queue


def _at_seat(plan: Plan, claim: Claim) -> Connection:
    return Connection(plan.server, name=plan.name, token=claim.token, match=claim.match)


async def _free_seat(plan: Plan) -> Claim | None:
    """Return the newest unfinished seat that nobody sits at; where one is asked for, else the newest at all, and those
    of this host's other ports come after the server's own.
    """
    taken: Claim | None = None
    for claim in (*plan.tokens.unfinished(), *(plan.tokens.next_door() if plan.resume else ())):
        seat = await _ask(Connection(plan.server, token=claim.token))
        if seat is None or seat.match != claim.match:
            continue
        if not seat.present:
            return claim
        taken = taken or claim
    return taken if plan.resume else None


async def _ask(connection: Connection) -> wire.Resumable | None:
    async for item in connection.heard():
        if isinstance(item, wire.Welcome):
            return item.resume
        if isinstance(item, Stopped):
            raise Unanswered(item.code)
    return None
