"""What people do at the page's board of War Online, in a few words each."""

import asyncio

from playwright.async_api import Page

_ACT = """(bold) => {
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
    if (all) return press(all);
    if (lands('source').length) return press(lands('source')[0]);
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
  if (step === '2' && bold) {
    if (lands('to').length) return press(seen('[data-do=attackUntil]'));
    const from = lands('source').find((node) => strong(node) > 3);
    if (lands('target').length && lands('from').some((node) => strong(node) > 3)) return press(lands('target')[0]);
    if (from) return press(from);
  }
  const end = step === '2' ? seen('[data-do=endTurn]') : draw.dataset.kind === 'draw' && draw;
  return end ? press(end) : '';
}"""


async def act(page: Page, *, bold: bool = True) -> str:
    """Do the next thing that can be done, attacking as long as it looks good if `bold`; returns what was pressed."""
    return str(await page.evaluate(_ACT, bold))


async def to_the_end(*pages: Page, within: float) -> None:
    """Play on at all these pages until each shows the results."""
    over: set[Page] = set()
    async with asyncio.timeout(within):
        while len(over) < len(pages):
            for page in pages:
                if page not in over and await act(page) == "over":
                    over.add(page)
            await asyncio.sleep(0.03)
