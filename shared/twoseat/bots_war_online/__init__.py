"""How bots play War Online, at three levels, each from its own seat's view alone; it knows no state and no seed."""

from twoseat.bots_war_online.levels import LEVELS, play

__all__ = ["LEVELS", "play"]
