"""What people do at the page, in a few words each."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import pairwise

from playwright.async_api import Page

from page.staged import WITHIN

Newcomer = Callable[..., Awaitable[Page]]
"""Makes a person with a browser of her own, at a width."""
PLAY = "#start button[type=submit]"
_LISTEN = """(selector) => { const said = (window.said ??= {})[selector] = [];
  const look = () => { const text = [...document.querySelectorAll(selector)].map((node) => node.textContent).join();
    if (text !== said.at(-1)) said.push(text); };
  const all = { subtree: true, childList: true, characterData: true, attributes: true };
  new MutationObserver(look).observe(document.body, all);
  look(); }"""


async def arrive(page: Page, url: str) -> None:
    """Open the start page and wait until it can be used."""
    await page.goto(url)
    await page.wait_for_selector(f"{PLAY}[aria-disabled=false]")


async def terms(page: Page, **fields: str) -> None:
    """Open the options and fill some in."""
    await page.click("details.options summary")
    for name, value in fields.items():
        field = page.locator(f"#start [name={name}]")
        await (field.select_option(value) if name in ("timer", "games") else field.fill(value))


async def choose(page: Page, control: str, *, on: bool = True) -> None:
    """Press a choice or a switch by its label, as people do, once it is to be seen: before, it may stand otherwise."""
    label = page.locator(f"label:has({control})")
    await label.wait_for()
    await label.set_checked(on)


async def play_bot(page: Page, url: str, **fields: str) -> None:
    """Sit down with the bot."""
    await arrive(page, url)
    if fields:
        await terms(page, **fields)
    await page.click("#start [data-do=bot]")
    await seated(page)


async def seated(page: Page) -> None:
    """Wait for the table and the deal."""
    await page.wait_for_selector("#table:not([hidden])")
    await page.wait_for_selector("#table:not([hidden]) .seat[data-turn]")


async def together(ann: Page, bob: Page, url: str, **fields: str) -> str:
    """Ann opens a table, Bob comes by the link; returns the code."""
    await arrive(ann, url)
    if fields:
        await terms(ann, **fields)
    await ann.click("#start [data-do=host]")
    link = await invitation(ann)
    await bob.goto(link)
    await asyncio.gather(seated(ann), seated(bob))
    return link[-6:]


async def invitation(host: Page) -> str:
    """Return the link of the table one waits at."""
    await host.wait_for_selector("#wait:not([hidden]) #link")
    await host.wait_for_function("() => document.querySelector('#link').value !== ''")
    return await host.input_value("#link")


async def to_move(*pages: Page) -> Page:
    """Wait until it is somebody's turn here, and return whose."""
    async with asyncio.timeout(WITHIN):
        while True:
            for page in pages:
                if await page.locator("#draw[data-kind=draw]").count():
                    return page
            await asyncio.sleep(0.02)


async def draw(*pages: Page) -> None:
    """Make the draw that is due."""
    await (await to_move(*pages)).click("#draw")


async def until_shown(page: Page, selector: str, text: str) -> None:
    """Wait until the first such element holds the text."""
    await page.wait_for_function(
        "([selector, text]) => document.querySelector(selector)?.textContent.includes(text)", arg=[selector, text]
    )


async def listen(page: Page, selector: str) -> None:
    """Keep what such elements say together, whenever that changes from now on: what passes is not missed."""
    await page.evaluate(_LISTEN, selector)


async def said(page: Page, selector: str) -> list[str]:
    """Return what was kept since `listen`, oldest first."""
    kept: list[str] = await page.evaluate("(selector) => window.said[selector]", selector)
    return kept


async def until_said(page: Page, selector: str, text: str) -> None:
    """Wait until what was kept since `listen` holds the text."""
    await page.wait_for_function(
        "([selector, text]) => window.said[selector].some((said) => said.includes(text))", arg=[selector, text]
    )


async def held_down(page: Page, url: str, *, target: str) -> list[float]:
    """Play the bot with the key held down, to the end; returns the seconds from draw to draw."""
    drawn: list[float] = []

    def sent(text: str | bytes) -> None:
        if '"play"' in str(text):
            drawn.append(asyncio.get_running_loop().time())

    page.on("websocket", lambda socket: socket.on("framesent", sent))
    await play_bot(page, url, target=target)
    await page.locator("#draw").focus()
    await page.keyboard.down("Space")
    await page.wait_for_selector("#results[open]")
    assert len(drawn) == await page.locator("#results tbody tr").count()
    return [after - before for before, after in pairwise(drawn)]
