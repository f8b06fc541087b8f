"""A player's own share of the chance in each deal: a nonce committed to first and opened later; it shows nothing."""

import secrets

from pydantic import BaseModel

from twoseat import wire
from twoseat.shake import NONCE_BYTES, nonce_digest


class Nonces:
    """One nonce a match, made when it is asked for and never used again."""

    def __init__(self) -> None:
        self._nonces: dict[str, str] = {}

    def answer(self, fair: wire.Fair, seat: wire.Seat | None) -> BaseModel | None:
        """Return what the person at `seat` has to say at this point before the deal, None where nothing."""
        if seat is None:
            return None
        if fair.stage is wire.Stage.COMMIT and fair.digests[seat] is None:
            nonce = self._nonces.setdefault(fair.match, secrets.token_hex(NONCE_BYTES))
            return wire.CommitNonce(type="commit", digest=nonce_digest(nonce))
        nonce = self._nonces.get(fair.match, "")
        if fair.stage is wire.Stage.OPEN and fair.nonces[seat] is None and fair.digests[seat] == _digest(nonce):
            return wire.OpenNonce(type="open", nonce=nonce)
        return None


def _digest(nonce: str) -> str | None:
    return nonce_digest(nonce) if nonce else None
