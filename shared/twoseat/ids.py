"""Names the server gives: match ids, codes for people, player ids from tokens; all of them ours, so no key holds
foreign text.
"""

import hashlib
import secrets

from twoseat.chair import PlayerId
from twoseat.match import Match, MatchId

SHARDS = 64
"""For ever: a match, its deadline and its announcements share one shard, which a cluster may put on any master."""
_SHARD_OF = {f"{number:02x}": number % SHARDS for number in range(256)}
CODE_ALPHABET = "BCDFGHJKLMNPQRSTVWXYZ23456789"
"""No vowel, so no word; no 0, 1, I, O to mistake."""
CODE_LENGTH = 6
_READ_AS = str.maketrans("", "", " -_")


def new_match_id() -> MatchId:
    """Return a shard (2 hex digits) and 128 random bits (32 hex digits): nobody guesses a match."""
    return MatchId(f"{secrets.randbelow(SHARDS):02x}{secrets.token_hex(16)}")


def next_match_id(match: Match) -> MatchId:
    """Return the id of the game after `match`, the same on every node, in the same shard.

    The seed is shown when the game is over, so the players' ids, which never are, keep it from those who have the seed.
    """
    players = "|".join(chair.player or "" for chair in match.chairs)
    digest = hashlib.sha256(b"twoseat next\0" + match.seed + players.encode()).hexdigest()
    return MatchId(match.id[:2] + digest[:32])


def shard_of(match_id: MatchId) -> int:
    """Return the match's shard, 0 to 63."""
    return _SHARD_OF[match_id[:2]]


def new_code() -> str:
    """Return six characters a person can read out."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


def read_code(text: str) -> str | None:
    """Return the code a person typed in any case with spaces or dashes, or None where it cannot be one."""
    code = text.translate(_READ_AS).upper()
    return code if len(code) == CODE_LENGTH and set(code) <= set(CODE_ALPHABET) else None


def new_token() -> str:
    """Return a player's secret, 256 bits as 43 characters."""
    return secrets.token_urlsafe(32)


def player_of(token: str) -> PlayerId:
    """Return the public id of the player with this token: its hash, the only form in which a token is ever stored."""
    return PlayerId(hashlib.sha256(token.encode()).hexdigest())
