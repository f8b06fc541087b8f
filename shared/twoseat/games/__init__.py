"""The games there are, one line each: a new game is a module beside this one and a line here."""

from typing import Any

from twoseat.games.game import Game
from twoseat.games.war import War
from twoseat.games.war_online import WarOnline

GAMES: dict[str, Game[Any]] = {game.name: game for game in (War(), WarOnline())}
