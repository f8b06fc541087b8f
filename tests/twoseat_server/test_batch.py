"""What comes in one turn of the loop is done together, in order, and what comes meanwhile with the next."""

import asyncio

from twoseat_server.batch import Batch


async def test_all_of_a_turn_are_done_at_once_and_in_order() -> None:
    done: list[list[int]] = []
    batch = Batch(done.append)
    for item in range(3):
        batch.add(item)
    assert done == [], "soon, not now"
    await asyncio.sleep(0)
    assert done == [[0, 1, 2]]
    await asyncio.sleep(0)
    assert done == [[0, 1, 2]]


async def test_what_comes_while_others_are_done_is_done_next() -> None:
    done: list[list[str]] = []

    def work(items: list[str]) -> None:
        done.append(items)
        if items == ["first"]:
            batch.add("second")

    batch = Batch(work)
    batch.add("first")
    for _ in range(2):
        await asyncio.sleep(0)
    assert done == [["first"], ["second"]]


async def test_work_that_fails_takes_nothing_of_the_next_turn_with_it() -> None:
    done: list[list[str]] = []
    failures: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: failures.append(context["exception"]))

    def work(items: list[str]) -> None:
        if items == ["bad"]:
            raise RuntimeError("as planned")
        done.append(items)

    batch = Batch(work)
    batch.add("bad")
    await asyncio.sleep(0)
    batch.add("good")
    await asyncio.sleep(0)
    assert done == [["good"]]
    assert len(failures) == 1
