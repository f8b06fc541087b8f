"""Every code the wire knows: why a socket is closed, and what was wrong with a message; it knows no message."""

from enum import IntEnum, StrEnum


class Close(IntEnum):
    """Every code a socket is closed with. A client tries again after 1001, 1006, 1011, 1012 and 1013; never after
    1007, 1008, 1009 and 4xxx.
    """

    BYE = 1000
    GOING_AWAY = 1001
    FOREIGN = 1007
    FLOOD = 1008
    TOO_LARGE = 1009
    FAULT = 1011
    RESTART = 1012
    BUSY = 1013
    NO_HELLO = 4401
    SILENT = 4408
    REPLACED = 4409
    OLD_CLIENT = 4426


class Reaction(StrEnum):
    """The four things people may call across the table."""

    HELLO = "hello"
    WELL_PLAYED = "well_played"
    OUCH = "ouch"
    THANKS = "thanks"


class ErrorCode(StrEnum):
    """What was wrong with a message, where no match was asked about it."""

    MALFORMED = "malformed"
    TOO_LARGE = "too_large"
    HELLO_FIRST = "hello_first"
    OLD_CLIENT = "old_client"
    SLOW_DOWN = "slow_down"
    BAD_OPTIONS = "bad_options"
    BAD_NAME = "bad_name"
    NOT_FOUND = "not_found"
    FINISHED = "finished"
    NOT_STARTED = "not_started"
    NOT_SEATED = "not_seated"
    ALREADY_SEATED = "already_seated"
    BUSY = "busy"
    STORAGE_AWAY = "storage_away"
