"""The pure core of twoseat: rules, the match machine, fair chance and the wire; no sockets, no store, no clock."""

__version__ = "0.1.0"
