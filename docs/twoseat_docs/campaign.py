"""War Online at a page, played by pressing what can be pressed; its screens for pictures. It knows no rule."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import asdict, dataclass

from playwright.async_api import Browser, Page

from twoseat_docs.people import arrive, person

STEP = 0.05
"""Seconds from one press to the next look."""


@dataclass(frozen=True, slots=True)
class Wish:
    """Where to place armies and which attack to make, by territory; nothing where none is wanted."""

    place: str = ""
    all: bool = True
    """Whether all armies go there that may; else one."""
    source: str = ""
    target: str = ""


_ACT = """async ({ bold, ends, wish }) => {
  window.borders ??= (await import('/web/online_map.js')).lands();
  const seen = (selector) => [...document.querySelectorAll(selector)].find((node) => node.checkVisibility());
  const press = (node) => {
    node.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    return node.id || node.dataset.do || node.dataset.land;
  };
  const draw = document.querySelector('#draw');
  if (document.querySelector('#results').open) return 'over';
  if (draw.dataset.kind === 'return') return press(draw);
  const step = document.querySelector('.steps [aria-current=step] b')?.textContent;
  const strong = (node) => Number(/(\\d+) arm/.exec(node.getAttribute('aria-label'))?.[1] ?? 0);
  const lands = (lit) => [...document.querySelectorAll(`.land[data-lit=${lit}]`)];
  const into = [...document.querySelectorAll('[data-do=advance]')].filter((node) => node.checkVisibility()).at(-1);
  if (into) return press(into);
  if (step === '1') {
    const all = seen('[data-do=placeAll]');
    if (all && (wish?.all ?? true)) return press(all);
    const foreign = (id) => document.querySelector(`.land[data-land=${id}]`).dataset.owner !== 'me';
    const exposed = (node) => window.borders[node.dataset.land].beside.filter(foreign).length;
    const open = lands('source').concat(lands('from'));
    const wished = open.find(({ dataset }) => dataset.land === wish?.place);
    const best = wish ? wished : lands('source').sort((a, b) => exposed(b) - exposed(a))[0];
    if (best) return press(best);
    const cards = [...document.querySelectorAll('[data-do=card]')];
    const trade = document.querySelector('[data-do=trade]:not([hidden])');
    if (trade) {
      if (trade.getAttribute('aria-disabled') === 'false') return press(trade);
      const up = cards.map((card) => card.getAttribute('aria-pressed') === 'true');
      window.tried = ((window.tried ?? 0) + 1) % (1 << cards.length);
      cards.forEach((card, n) => { if (up[n] !== Boolean(window.tried & (1 << n))) press(card); });
      return 'cards';
    }
  }
  if (step === '2' && (wish ? wish.target : bold)) {
    if (lands('to').length) return press(seen('[data-do=attackUntil]'));
    const near = wish && lands('from')[0]?.dataset.land === wish.source;
    if (wish) return press(document.querySelector(`.land[data-land=${near ? wish.target : wish.source}]`));
    const from = lands('source').find((node) => strong(node) > 3);
    if (lands('target').length && lands('from').some((node) => strong(node) > 3)) return press(lands('target')[0]);
    if (from) return press(from);
  }
  const end = step === '2' ? ends && seen('[data-do=endTurn]') : draw.dataset.kind === 'draw' && draw;
  return end ? press(end) : '';
}"""


async def act(page: Page, *, bold: bool = True, ends: bool = True, wish: Wish | None = None) -> str:
    """Do the next thing that can be done; returns what was pressed. `bold`: attack as long as it looks good. Without
    `ends` a turn that has come to its attacks is left there. With a `wish`, place and attack as it says.
    """
    return str(await page.evaluate(_ACT, {"bold": bold, "ends": ends, "wish": wish and asdict(wish)}))


async def scene(browser: Browser, url: str) -> AsyncGenerator[tuple[str, Page]]:
    """Play against the bot: the screen before the first round, an attack, the cards, the results."""
    ann = await person(browser, (1280, 800))
    await arrive(ann, url, "Ann")
    await ann.check("label:has([name=preset][value=objectives])")
    await ann.click("details.options summary")
    await ann.select_option("[name=level]", "easy")
    await ann.click("#start [data-do=bot]")
    await ann.wait_for_selector("#board:not([hidden]) .opening:not([hidden])")
    await ann.click("header [data-do=settings]")
    await ann.wait_for_selector("#settings[open]")
    await ann.keyboard.press("Escape")
    await ann.locator("#draw").focus()
    yield "online-opening", ann
    await _until(ann, ".steps li:nth-of-type(1)[aria-current=step]")
    await ann.wait_for_selector(".seat.me[data-turn] ~ .act #draw")
    yield "online-place", ann
    await _until(ann, ".seat.me .backs i")
    await _until(ann, ".land[data-lit=to]")
    await ann.click(".console [data-do=attackOnce]")
    await ann.wait_for_selector("#dice:not([hidden])")
    yield "online-attack", ann
    await ann.click("[popovertarget=menu]")
    await ann.click("#menu [data-do=resign]")
    await ann.click("#confirm [value=yes]")
    await ann.wait_for_selector("#results[open] .objectives div")
    yield "online-results", ann


async def _until(page: Page, selector: str) -> None:
    """Play on until something is there in a turn of one's own."""
    while not await page.locator(".seat.me[data-turn] ~ .act").count() or not await page.locator(selector).count():
        if await act(page) == "over":
            raise LookupError("the game ended before it was worth a picture: try again")
        await asyncio.sleep(STEP)
