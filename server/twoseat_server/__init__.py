"""The server: sockets, sessions, the lobby, the referee and the store around the pure core."""
