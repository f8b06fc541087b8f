"""The container files agree with the program and with each other; checked by reading: no container runs in a test."""

import argparse
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from twoseat_server import serve_command
from twoseat_server.settings import Settings

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
CADDYFILE = (ROOT / "deploy" / "Caddyfile").read_text()
NODES = {name: service for name, service in SERVICES.items() if service.get("build") == "."}


def given(command: list[str]) -> Settings:
    parser = argparse.ArgumentParser()
    serve_command.add_parser(parser.add_subparsers(required=True))
    arguments = vars(parser.parse_args(command))
    return Settings(**{name: arguments[name] for name in Settings.model_fields if arguments[name] is not None})


@pytest.mark.parametrize("node", NODES)
def test_each_node_is_started_with_flags_the_program_knows(node: str) -> None:
    settings = given(NODES[node]["command"])
    assert settings.node == node
    assert settings.redis == "redis://redis:6379"
    assert "redis" in SERVICES


def test_there_are_two_nodes_with_names_and_ports_of_their_own() -> None:
    assert len(NODES) == 2
    published = [port for node in NODES.values() for port in node["ports"]]
    assert len(set(published)) == 2
    assert {port.rpartition(":")[2] for port in published} == {str(Settings.model_fields["port"].default)}


def test_the_environment_names_settings_that_exist() -> None:
    named = re.findall(r"\bTWOSEAT_[A-Z_]+(?==)", DOCKERFILE)
    named += [name for node in NODES.values() for name in node["environment"]]
    assert named
    assert {name.removeprefix("TWOSEAT_").lower() for name in named} <= Settings.model_fields.keys()


def test_redis_stores_every_move_and_forgets_none() -> None:
    command = " ".join(SERVICES["redis"]["command"])
    assert "--appendonly yes" in command
    assert "--maxmemory-policy noeviction" in command
    assert SERVICES["redis"]["volumes"] == ["redis:/data"]


def test_caddy_goes_to_every_node_where_it_listens_and_is_the_one_trusted() -> None:
    port = Settings.model_fields["port"].default
    upstreams = re.search(r"reverse_proxy (.*) \{", CADDYFILE)
    assert upstreams is not None
    assert set(upstreams[1].split()) == {f"{name}:{port}" for name in NODES}
    caddy = SERVICES["caddy"]["networks"]["default"]["ipv4_address"]
    assert all(node["environment"]["TWOSEAT_TRUSTED_PROXIES"] == f"{caddy}/32" for node in NODES.values())
    assert SERVICES["caddy"]["profiles"] == ["tls"]


def test_the_image_copies_files_that_exist_and_runs_as_nobody_special() -> None:
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    for source in re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE):
        for path in source.split():
            assert (ROOT / path).exists()
            assert f"!{path.partition('/')[0]}" in ignored
    assert DOCKERFILE.index("USER twoseat") < DOCKERFILE.index("ENTRYPOINT")
    assert "--require-hashes" in DOCKERFILE
    assert "/healthz" in DOCKERFILE
