"""War Online: territories, dice and secret objectives for two; it knows no clock, no player and no wire.

`board`, `deck`, `objectives` and `odds` are facts; `state` is a game between two moves; `course` and `battle` change
it by `moves`, of which `legal` lists those open; `view` and `turn_log` show it; `encoding` writes it down; `game` is
all of it behind the protocol.
"""

from twoseat.games.war_online.game import WarOnline

__all__ = ["WarOnline"]
