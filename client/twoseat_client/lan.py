"""This machine's address in its own network, so that a link made here opens on a phone too; it sends nothing."""

import socket

from twoseat_client.address import Server


def shared(server: Server) -> Server:
    """Return the server as others in this network reach it, unchanged where it is not on this machine."""
    if not server.local:
        return server
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address of nobody; connecting a datagram socket only picks a route
            address: str = probe.getsockname()[0]
        except OSError:
            return server
    return server if address.startswith("127.") else server.at(address)
