"""What people do at the page's board of War Online, in a few words each."""

import asyncio

from playwright.async_api import Page

from twoseat_docs.campaign import act


async def to_the_end(*pages: Page, within: float) -> None:
    """Play on at all these pages until each shows the results."""
    over: set[Page] = set()
    async with asyncio.timeout(within):
        while len(over) < len(pages):
            for page in pages:
                if page not in over and await act(page) == "over":
                    over.add(page)
            await asyncio.sleep(0.03)
