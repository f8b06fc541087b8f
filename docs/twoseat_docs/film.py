"""A war as it moves, filmed slowly and told at its true speed: pictures from the browser, put into one animated WebP.

The container is a dozen bytes around each picture (developers.google.com/speed/webp/docs/riff_container), so no library
for pictures comes along for it.
"""

import asyncio
import base64

from playwright.async_api import Browser, CDPSession, Page

from twoseat_docs.people import arrive, draw, host, join, person

SIZE = (400, 560)
SLOWER = 2
"""So many times slower than life the war is filmed, for a picture takes its time."""
COUNTED_MS = 500
"""In which the numbers have run to what they are after the war."""
REST_MS = 1_500
"""How long the last picture stays."""
EACH_MS = 50
"""How long each picture stays at least: enough for the eye, and fewer bytes than all that a quick machine takes."""
QUALITY = 40
ROUND_MS = 500
"""A draw, the sweep before it and the turning over, after which a war would have begun."""
_SLOW = f"""() => {{
  const later = window.setTimeout;
  window.setTimeout = (deed, ms) => later(deed, ms >= 1000 ? ms * {SLOWER} : ms);
  document.addEventListener('DOMContentLoaded', () => new MutationObserver(() => {{
    if (!document.querySelector('.ground.war') || window.fighting) return;
    window.fighting = true;
    document.getAnimations().filter((one) => one.playState === 'running').forEach((one) => one.pause());
  }}).observe(document.body, {{ subtree: true, attributes: true }}));
}}"""
"""Holds the first war's first moment still until the camera runs; what is said beside it stays as much longer."""


async def take(browser: Browser, url: str) -> bytes:
    """Let two play until there is a war, and film that."""
    page, other = await person(browser, SIZE, moving=True), await person(browser, SIZE)
    await page.add_init_script(f"({_SLOW})()")
    await arrive(page, url, "Ann")
    code = await host(page, timer="0")
    await arrive(other, url, "Bruno")
    await join(other, code)
    while not await page.evaluate("() => window.fighting"):
        if await draw(page, other):
            await page.wait_for_timeout(ROUND_MS)  # a press would end the motion
    line = await page.context.new_cdp_session(page)
    await line.send("Animation.enable")
    await line.send("Animation.setPlaybackRate", {"playbackRate": 1 / SLOWER})
    await page.evaluate("() => document.getAnimations().forEach((one) => one.playState === 'paused' && one.play())")
    frames = await _frames(page, line)
    for one in (page, other):
        await one.context.close()
    return animated(frames, SIZE)


async def _frames(page: Page, line: CDPSession) -> list[tuple[bytes, int]]:
    """Return pictures until the war is decided, each with how long it stays in milliseconds of the game."""
    clock = asyncio.get_running_loop().time
    frames: list[tuple[bytes, int]] = []
    taken, over = clock(), False
    while not over:
        over = await page.query_selector("#table .ground:not(.war) .slot.won") is not None
        if over:
            await page.wait_for_timeout(COUNTED_MS)
        await page.wait_for_timeout(max(0, EACH_MS * SLOWER - (clock() - taken) * 1000))
        shot = await line.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
        picture, now = base64.b64decode(shot["data"]), clock()
        lasted = round((now - taken) * 1000 / SLOWER)
        taken = now
        if frames and frames[-1][0] == picture:
            frames[-1] = (picture, frames[-1][1] + lasted)
        else:
            frames.append((picture, lasted))
    return [*frames[:-1], (frames[-1][0], REST_MS)]


def animated(frames: list[tuple[bytes, int]], size: tuple[int, int]) -> bytes:
    """Return one WebP that shows these, each a still WebP without transparency, for ever."""
    width, height = (_number(side - 1, 3) for side in size)
    parts = [_chunk(b"VP8X", b"\x02\0\0\0" + width + height), _chunk(b"ANIM", bytes(6))]
    for picture, lasts in frames:
        place = bytes(6) + width + height + _number(lasts, 3) + b"\x02"  # at 0, 0; not mixed with the one before
        parts.append(_chunk(b"ANMF", place + picture[picture.index(b"VP8 ") :]))
    body = b"WEBP" + b"".join(parts)
    return b"RIFF" + _number(len(body), 4) + body


def _chunk(name: bytes, data: bytes) -> bytes:
    return name + _number(len(data), 4) + data + b"\0" * (len(data) % 2)


def _number(value: int, size: int) -> bytes:
    return value.to_bytes(size, "little")
