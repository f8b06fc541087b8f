"""A player's own share of the chance in each deal: a nonce committed to first and opened later; it shows nothing."""

import secrets

from pydantic import BaseModel

from twoseat import wire
from twoseat.shake import NONCE_BYTES, nonce_digest


class Nonces:
    """One nonce a match, made when it is asked for and never used again.

    It is opened only where the server's own commitment is still the one it was committed against.
    """

    def __init__(self) -> None:
        self._nonces: dict[str, tuple[str, str]] = {}
        """By match: the nonce, and the seed digest it was committed against."""

    def answer(self, fair: wire.Fair, seat: wire.Seat | None) -> BaseModel | None:
        """Return what the person at `seat` has to say at this point before the deal, None where nothing."""
        if seat is None:
            return None
        if fair.stage is wire.Stage.COMMIT and fair.digests[seat] is None:
            nonce, _ = self._nonces.setdefault(fair.match, (secrets.token_hex(NONCE_BYTES), fair.seed_digest))
            return wire.CommitNonce(type="commit", digest=nonce_digest(nonce))
        if fair.stage is wire.Stage.OPEN and fair.nonces[seat] is None and fair.match in self._nonces:
            nonce, seed_digest = self._nonces[fair.match]
            if (fair.digests[seat], fair.seed_digest) == (nonce_digest(nonce), seed_digest):
                return wire.OpenNonce(type="open", nonce=nonce)
        return None
