"""The Prometheus rules and the Grafana dashboard ask only for metrics a server shows, and every one is looked at."""

import json
import re
from pathlib import Path
from typing import Any

import prometheus_client
import pytest
import yaml

import twoseat_server.metrics  # noqa: F401 what it makes is what a server shows

DEPLOY = Path(__file__).parents[2] / "deploy"
RULES: Any = yaml.safe_load((DEPLOY / "prometheus-rules.yml").read_text())
BOARD: Any = json.loads((DEPLOY / "grafana-dashboard.json").read_text())
ALARMS = [rule for group in RULES["groups"] for rule in group["rules"]]


def shown() -> dict[str, set[str]]:
    """Every sample a server shows, with the labels it has."""
    found: dict[str, set[str]] = {}
    for family in prometheus_client.REGISTRY.collect():
        for sample in family.samples:
            if sample.name.startswith("twoseat_"):
                found.setdefault(sample.name, set()).update(sample.labels)
    return found


def asked(expression: str) -> set[str]:
    return set(re.findall(r"\btwoseat_\w+", expression))


EXPRESSIONS = [rule["expr"] for rule in ALARMS]
EXPRESSIONS += [target["expr"] for panel in BOARD["panels"] for target in panel["targets"]]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_every_expression_asks_for_what_is_there(expression: str) -> None:
    samples = shown()
    assert asked(expression) <= samples.keys()
    assert expression.count("(") == expression.count(")")
    for metric, label, value in re.findall(r'(twoseat_\w+)\{(\w+)="(\w+)"\}', expression):
        assert label in samples[metric]
        assert value in {"stored", "conflict", "unknown"}


def test_every_metric_is_looked_at() -> None:
    parts = ("_bucket", "_count", "_sum", "_created")
    families = {re.sub("|".join(f"{part}$" for part in parts), "", name) for name in shown()}
    looked_at = {re.sub(r"_bucket$", "", name) for expression in EXPRESSIONS for name in asked(expression)}
    assert families == looked_at


def test_every_alarm_says_what_is_wrong_and_how_urgent_it_is() -> None:
    assert len({rule["alert"] for rule in ALARMS}) == len(ALARMS)
    for rule in ALARMS:
        assert rule["alert"].startswith("Twoseat")
        assert rule["labels"]["severity"] in {"page", "ticket"}
        assert rule["annotations"]["summary"].endswith(".")
        assert re.fullmatch(r"\d+[sm]", rule["for"])


def test_the_dashboard_finds_its_source_and_no_panel_lies_on_another() -> None:
    assert [variable["name"] for variable in BOARD["templating"]["list"]] == ["source"]
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in BOARD["panels"]]
    assert len(set(places)) == len(places)
    assert all(panel["datasource"]["uid"] == "${source}" for panel in BOARD["panels"])
