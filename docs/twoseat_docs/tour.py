"""The contact sheets of docs/tour.md: screens of one evening side by side, made from those of screens.py."""

import base64
import tempfile
from pathlib import Path

from playwright.async_api import Browser

from twoseat_docs import screens
from twoseat_docs.people import chromium

SHEETS = {
    "arrive": ("arrive-1280-light-en", "arrive-360-dark-bg", "wait-qr-360-light-pt"),
    "table": ("war-won-or-lost-1280-dark-bg", "first-360-light-en", "not-my-turn-360-light-pt"),
    "war": ("war-1280-light-en", "war-360-dark-bg", "war-360-light-pt"),
    "away": ("bot-1280-light-en", "away-360-dark-bg", "back-360-light-pt"),
    "end": ("results-1280-light-en", "results-360-dark-bg", "results-next-wanted-360-light-pt"),
    "online": ("online-attack-1280-light-en", "online-opening-360-dark-bg", "online-attack-360-light-pt"),
    "more": ("demo-1280-light-en", "replay-360-dark-bg", "how-to-360-light-pt"),
}
"""Which screens stand on which sheet."""
HEIGHT = 420
GAP = 14
QUALITY = 78


async def take() -> dict[str, bytes]:
    """Play an evening and put its screens together. Returns the sheets by the names of their files."""
    with tempfile.TemporaryDirectory() as name:
        async for _ in screens.take(Path(name), every=False):
            pass
        async with chromium() as browser:
            return {
                f"tour-{title}.webp": await _sheet(
                    browser, [(Path(name) / f"{screen}.png").read_bytes() for screen in row]
                )
                for title, row in SHEETS.items()
            }


async def _sheet(browser: Browser, pictures: list[bytes]) -> bytes:
    """Return pictures side by side, all of one height."""
    page = await browser.new_page()
    images = "".join(f'<img src="data:image/png;base64,{base64.b64encode(one).decode()}">' for one in pictures)
    style = (
        f"body {{ margin: 0; display: inline-flex; gap: {GAP}px }} img {{ height: {HEIGHT}px; border-radius: 10px }}"
    )
    await page.set_content(f"<style>{style}</style><body>{images}</body>", wait_until="load")
    box = await page.locator("body").bounding_box()
    if box is None:
        raise LookupError("there is nothing on this sheet")
    await page.set_viewport_size({"width": round(box["width"]), "height": HEIGHT})
    line = await page.context.new_cdp_session(page)
    await line.send("Emulation.setDefaultBackgroundColorOverride", {"color": {"r": 0, "g": 0, "b": 0, "a": 0}})
    shot = await line.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
    await page.close()
    return base64.b64decode(shot["data"])
