"""Every setting in one table: a flag, an environment variable TWOSEAT_…, a default; it reads nothing else."""

import re
import socket
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from platformdirs import user_data_path
from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from twoseat_server.origins import networks

_ENCODE = "in a password `/`, `#`, `?`, `@`, `,` and `%` are written %2F, %23, %3F, %40, %2C and %25"
_NUMBER = re.compile(r"^/?\d*$")
"""What may follow the port of a store: the number of a database."""


class Settings(BaseSettings):
    """How a node is run. Flags win over environment variables, these over defaults."""

    model_config = SettingsConfigDict(env_prefix="TWOSEAT_", frozen=True, extra="ignore")

    host: Annotated[str, Field(description="address to listen on")] = "0.0.0.0"  # noqa: S104 a game server is for others
    port: Annotated[int, Field(description="port to listen on, 0 for any free one", ge=0, le=65535)] = 8765
    redis: Annotated[
        str | None,
        Field(
            description="URL of a Redis or Valkey, or of several servers of one cluster, separated by commas; "
            "without it one is started in the data folder"
        ),
    ] = None
    data: Annotated[Path, Field(description="folder of the embedded store")] = user_data_path(
        "twoseat", appauthor=False
    )
    wait_replicas: Annotated[
        int, Field(description="replicas of the store that must have a change before it counts as stored", ge=0, le=8)
    ] = 0
    node: Annotated[
        str, Field(description="name of this node in logs and metrics", pattern=r"^[A-Za-z0-9_.-]{1,40}$")
    ] = "node"
    public_url: Annotated[
        str | None, Field(description="address people reach this server at, for links and allowed origins")
    ] = None
    origins: Annotated[str, Field(description="further origins browsers may come from, separated by commas")] = ""
    trusted_proxies: Annotated[
        str, Field(description="networks whose X-Forwarded-For is believed, separated by commas")
    ] = ""
    reuse_port: Annotated[bool, Field(description="share the port with other nodes on this machine")] = False
    retention_days: Annotated[float, Field(description="days a finished match is kept", ge=0)] = 30.0
    max_sockets: Annotated[int, Field(description="sockets this node accepts", ge=1)] = 20_000
    max_matches: Annotated[int, Field(description="matches one address may start in a minute", ge=1)] = 60
    moves_per_second: Annotated[int, Field(description="moves one seat may make in a second", ge=1)] = 20
    log_format: Annotated[str, Field(description="`text` or `json`", pattern="^(text|json)$")] = "text"
    log_level: Annotated[
        str, Field(description="debug, info, warning or error", pattern="^(debug|info|warning|error)$")
    ] = "info"

    @field_validator("redis")
    @classmethod
    def _is_store(cls, url: str | None) -> str | None:
        for each in (url or "").split(",") if url is not None else ():
            _checked(each, ("redis", "rediss", "unix"), "redis://HOST:PORT, rediss:// or unix://PATH", _ENCODE)
            parts = urlsplit(each)
            # What stands behind an unescaped sign of a password looks like a path, and what is before it like a host.
            if parts.scheme != "unix" and (parts.fragment or "@" in parts.query or not _NUMBER.match(parts.path)):
                raise ValueError(f"the address has more than host, port and number of a database: {_ENCODE}")
        return url

    @field_validator("public_url")
    @classmethod
    def _is_page(cls, url: str | None) -> str | None:
        return _checked(url, ("http", "https"), "https://HOST")

    @field_validator("trusted_proxies")
    @classmethod
    def _are_networks(cls, text: str) -> str:
        networks(text)
        return text

    @property
    def retention_ms(self) -> int:
        """Milliseconds a finished match is kept, at least long enough to see its result."""
        return max(60_000, int(self.retention_days * 24 * 3600 * 1000))


def _checked(url: str | None, schemes: tuple[str, ...], form: str, hint: str = "") -> str | None:
    if url is None:
        return None
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 raises ValueError where it is no number
    except ValueError:
        # Not in the words of the library: they show a piece of the address, which may be one of a password.
        reason = "the address cannot be read, or its port is no number up to 65535"
        raise ValueError(f"{reason}: {hint}" if hint else reason) from None
    if parts.scheme not in schemes or not (parts.hostname or parts.path.strip("/")):
        raise ValueError(f"an address such as {form} is needed")
    return url


def complaint(error: ValidationError) -> str:
    """Return what is wrong with which flag, as it is said to a person; it shows nothing of what was given."""
    first = error.errors(include_url=False, include_input=False)[0]
    flag = "--" + str(first["loc"][0]).replace("_", "-")
    said = first["msg"].removeprefix("Value error, ").replace("Input should be", "it must be")
    return f"{flag}: {said.replace('String should', 'it must')}"


def lan_address() -> str | None:
    """Return this machine's address in the local network, None where it has none. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if address.startswith("127.") else address
