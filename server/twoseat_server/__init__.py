"""The server: sockets, sessions, the lobby, the referee and the store around the pure core."""

from twoseat import __version__ as __version__
