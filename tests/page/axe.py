"""Asks axe-core what is wrong with a page as it stands, for people who see, hear or move differently."""

from pathlib import Path

from playwright.async_api import Page

_AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
_SMALL = """() => [...document.querySelectorAll('a[href], button, input, select, summary')].filter((node) => {
  const box = (node.closest('label') ?? node).getBoundingClientRect();
  return node.checkVisibility({ visibilityProperty: true }) && box.width && (box.width < 44 || box.height < 44); })
  .map((node) => node.outerHTML.slice(0, 120))"""
_ASK = """rules => axe.run({ runOnly: rules, resultTypes: ['violations'] })
  .then(({ violations }) => violations)"""
_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


async def faults(page: Page) -> list[str]:
    """Return each violation with its places; none is what is wanted."""
    assert _AXE.exists(), "axe-core is missing: ./dev test installs it"
    if not await page.evaluate("() => 'axe' in window"):
        await page.evaluate(_AXE.read_text("utf-8"))
    found = await page.evaluate(_ASK, _RULES)
    return [f"{fault['id']}: {node['target']} {node['failureSummary']}" for fault in found for node in fault["nodes"]]


async def small(page: Page) -> list[str]:
    """Return what can be pressed and is smaller than a finger."""
    found: list[str] = await page.evaluate(_SMALL)
    return found
