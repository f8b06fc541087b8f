"""What a store keeps is read and written letter by letter as by the nodes before: old and new ones share a store, and a
match outlives the program that began it.

`stored.json` was written by the first version that kept matches so: records, each a line and its body in hex, and log
entries of every kind.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from twoseat import record
from twoseat.games import GAMES

STORED: dict[str, Any] = json.loads(Path(__file__).with_name("stored.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("kept", STORED["records"])
def test_a_record_is_read_and_written_as_ever(kept: dict[str, str]) -> None:
    data = kept["line"].encode() + b"\n" + bytes.fromhex(kept["body"])
    match = record.decode(GAMES, data)
    assert record.encode(GAMES[match.options.game], match) == data


@pytest.mark.parametrize("entry", STORED["entries"])
def test_a_log_entry_is_read_and_written_as_ever(entry: str) -> None:
    event, version, now = record.decode_entry(entry.encode())
    assert json.loads(record.encode_entry(event, version, now)) == json.loads(entry)


def test_entries_of_every_kind_and_records_before_and_after_the_deal_are_there() -> None:
    assert {json.loads(entry)["in"] for entry in STORED["entries"]} == record.KINDS.keys()
    assert {(json.loads(kept["line"])["options"]["game"], bool(kept["body"])) for kept in STORED["records"]} == {
        ("war", False),
        ("war", True),
        ("war-online", True),
    }
