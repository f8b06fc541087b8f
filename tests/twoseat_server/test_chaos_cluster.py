"""`twoseat chaos --cluster` in its short form: a master is cut off from its replica and dies, and nothing is lost."""

from pathlib import Path

import pytest

from chaos_scene import chaos
from twoseat_server import chaos_command
from twoseat_server.__main__ import main
from twoseat_server.chaos.cluster import Cluster
from twoseat_server.chaos.faults import Faults
from twoseat_server.chaos.plan import Fault, Strike
from twoseat_server.chaos.stores import Masters
from twoseat_server.chaos.way import Way
from twoseat_server.store.slots import SLOTS


async def test_a_failover_to_a_replica_that_lacks_the_last_moments_loses_nothing_where_it_was_waited_for(
    tmp_path: Path,
) -> None:
    order = (
        "--cluster --wait-replicas 1 --nodes 2 --matches 3 --kills 0 --store-splits 1 --longest-stop 1 --seconds 1 "
        "--think 50 --seed 7"
    )
    found = await chaos(order, tmp_path)
    assert found["store_splits"] == 1
    assert (found["lost"], found["doubled"], found["violations"], found["broken"]) == (0, 0, 0, [])
    assert found["matches_finished"] == found["matches"] >= 3
    assert found["acked"] > 100


async def test_an_outage_of_one_master_is_none_for_what_the_others_have(tmp_path: Path) -> None:
    faults = Faults()
    async with Cluster(tmp_path) as cluster, faults.among((), Way(cluster.urls), Masters(cluster)):
        await faults.strike_all([Strike(at=0.0, fault=Fault.STORE_STOP, node=0, lasts=0.01, drawn=0.5)])
    assert [len(faults.outages_of(slot)) for slot in (0, SLOTS // 2, SLOTS - 1)] == [0, 1, 0]


@pytest.mark.parametrize(
    "order",
    ["--cluster --cuts 1", "--cluster --answers 1", "--store-splits 1", "--wait-replicas 1", "--min-replicas 1"],
)
def test_what_does_not_go_together_is_said(order: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chaos", *order.split()]) == chaos_command.USAGE
    assert "--cluster" in capsys.readouterr().err
