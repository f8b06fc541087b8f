"""The main job in real Chromium pages: two people meet and finish; one goes, is played for, and takes her seat back."""

from e2e.pages import chromium, hold_space, person, quick, rounds
from e2e.wiretap import Wiretap


def mirrored(rows: list[list[str]]) -> list[list[str]]:
    """The same rounds as the other side sees them."""
    swap = {"You": "Guest", "Guest": "You", "Guest 2": "You"}
    return [
        [n, theirs, mine, swap.get(who, who), war, ":".join(reversed(counts.split(":")))]
        for n, mine, theirs, who, war, counts in rows
    ]


def unnamed(rows: list[list[str]]) -> list[list[str]]:
    return [row[:3] + row[4:5] for row in rows]


async def test_two_pages_meet_by_quick_match_and_finish(tap: Wiretap) -> None:
    async with chromium() as browser:
        ann, bob = [await (await person(browser)).new_page() for _ in range(2)]
        for page in (ann, bob):
            await quick(page, tap.url, target=50)
        for page in (ann, bob):
            await page.wait_for_selector("#table:not([hidden])")
            await hold_space(page)
        hers, his = await rounds(ann), await rounds(bob)
    assert len(hers) >= 26
    assert unnamed(hers) == unnamed(mirrored(his))
    shown = [
        {line["n"]: line for message in tapped.messages("results") for line in message["rounds"]}
        for tapped in tap.sockets
    ]
    assert shown[0] == shown[1]
    assert [int(row[0]) for row in sorted(hers, key=lambda row: int(row[0]))] == sorted(shown[0])


async def test_a_page_that_goes_is_played_for_and_gets_its_seat_back(tap: Wiretap) -> None:
    async with chromium() as browser:
        ann, away = await (await person(browser)).new_page(), await person(browser)
        bob = await away.new_page()
        for page in (ann, bob):
            await quick(page, tap.url, target=50, turn=5)
        for page in (ann, bob):
            await page.wait_for_selector("#table:not([hidden])")
            await hold_space(page)
        await bob.wait_for_selector("#side-rounds .rounds li:nth-child(3)")
        address = bob.url
        await bob.close()
        await ann.wait_for_selector(".seat.them .badge:visible")
        drawn = await ann.locator("#side-rounds .rounds li").count()
        await ann.wait_for_selector(f"#side-rounds .rounds li:nth-child({drawn + 2})")  # one by the bot alone, at least
        await ann.keyboard.up("Space")  # so that the game is not over before he is back
        bob = await away.new_page()
        await bob.goto(address)
        await bob.wait_for_selector(".recap:not([hidden])")
        for page in (ann, bob):
            await hold_space(page)
        await ann.wait_for_selector(".seat.them .badge", state="hidden")
        hers, his = await rounds(ann), await rounds(bob)
    assert unnamed(hers) == unnamed(mirrored(his))
    drivers = [tuple(line["by"]) for message in tap.sockets[0].messages("results") for line in message["rounds"]]
    assert drivers[0] == drivers[-1] == ("human", "human")
    assert any("bot" in by for by in drivers)
