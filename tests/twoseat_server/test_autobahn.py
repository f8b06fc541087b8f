"""Autobahn's cases of the WebSocket protocol against the transport, without those of compression, which is off."""

import kosoku

from echo import echoing
from twoseat_server.patience import Limits

EXPECTED_TO_FAIL = {"7.1.5"}
"""A close inside an unfinished message: websockets answers 1002 where Autobahn, unlike RFC 6455, wants 1000."""
CORE_CASES = 301


async def test_autobahns_cases_pass() -> None:
    async with echoing(Limits(message_bytes=32 << 20, loose=1_000_000)) as (_, port):
        try:
            results = await kosoku.run_fuzzingclient(
                f"ws://127.0.0.1:{port}", exclude_cases=["12.*", "13.*"], concurrency=4
            )
        except kosoku.FailureError as failure:
            results = failure.results
    assert len(results) == CORE_CASES
    good = {"OK", "NON-STRICT", "INFORMATIONAL"}
    failed = {
        result.case_id
        for result in results
        if result.behavior.value not in good or result.behavior_close.value not in good
    }
    assert failed == EXPECTED_TO_FAIL
