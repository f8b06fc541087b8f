"""The games there are, one line each: a new game is a module beside this one and a line here."""

from typing import Any

from twoseat.games.game import Game
from twoseat.games.war import War

GAMES: dict[str, Game[Any]] = {game.name: game for game in (War(),)}
