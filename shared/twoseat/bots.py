"""What a bot plays: a choice among the legal moves from its own seat's view; it never sees the state, the seed or a
clock.
"""

from collections.abc import Callable, Sequence
from typing import Any

from twoseat import bots_war_online
from twoseat.games.game import Move, allows

Bot = Callable[[Any, Sequence[Move]], Move]
"""(view, legal) -> one of legal, or of those a range among them stands for."""


def steady(view: Any, legal: Sequence[Move]) -> Move:
    """Play the first legal move: all there is to choose in War."""
    return legal[0]


BOTS: dict[str, Bot] = {"war": steady, "war-online": bots_war_online.play}


def choose(game: str, view: Any, legal: Sequence[Move]) -> Move:
    """Return the bot's move for `game`, always a legal one: the first where the bot has none or names a move it may
    not make.
    """
    move = BOTS.get(game, steady)(view, legal)
    return move if allows(legal, move) else legal[0]
