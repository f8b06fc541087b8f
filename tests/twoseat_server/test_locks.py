"""One holder a key, in the order of asking, whoever stops waiting."""

import asyncio

import pytest

from twoseat_server.locks import Locks


async def _turns() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_a_lock_is_taken_once_and_other_keys_are_free() -> None:
    locks = Locks()
    assert locks.take("a")
    assert not locks.take("a")
    assert locks.take("b")
    locks.release("a")
    assert locks.take("a")


async def test_who_asked_first_holds_it_first() -> None:
    locks, order = Locks(), []
    assert locks.take("a")

    async def hold(name: int) -> None:
        async with locks.holding("a"):
            order.append(name)
            await asyncio.sleep(0)
            order.append(name)

    holding = [asyncio.create_task(hold(name)) for name in range(3)]
    await _turns()
    assert order == []
    assert not locks.take("a")
    locks.release("a")
    await asyncio.gather(*holding)
    assert order == [0, 0, 1, 1, 2, 2]
    assert locks.take("a")


@pytest.mark.parametrize("given", [False, True], ids=["still waiting", "just given it"])
async def test_who_is_cancelled_keeps_it_from_nobody(given: bool) -> None:
    locks = Locks()
    assert locks.take("a")

    async def hold() -> None:
        async with locks.holding("a"):
            pass

    first, second = asyncio.create_task(hold()), asyncio.create_task(hold())
    await _turns()
    if given:
        locks.release("a")
        first.cancel()
    else:
        first.cancel()
        await _turns()
        locks.release("a")
    with pytest.raises(asyncio.CancelledError):
        await first
    await second
    assert locks.take("a")


async def test_an_error_inside_gives_it_back() -> None:
    locks = Locks()
    with pytest.raises(ZeroDivisionError):
        async with locks.holding("a"):
            raise ZeroDivisionError
    assert locks.take("a")
