"""One real server and one real browser for all tests here that a process runs, and fresh people for each of them."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from e2e.nodes import ServerProcess, serving
from e2e.pages import chromium, person
from page.hands import Newcomer
from page.staged import Stage

HEIGHTS = {360: 640, 1280: 860}


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ServerProcess]:
    """A real server on an empty folder."""
    async with serving(
        tmp_path_factory.mktemp("page"), "--moves-per-second", "500", "--max-matches", "1000"
    ) as process:
        yield process


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """Real Chromium."""
    async with chromium() as browser:
        yield browser


@pytest.fixture(params=[360, 1280])
def width(request: pytest.FixtureRequest) -> int:
    """A phone's width and a desk's."""
    assert isinstance(request.param, int)
    return request.param


@pytest_asyncio.fixture(loop_scope="session")
async def newcomer(browser: Browser) -> AsyncIterator[Newcomer]:
    """Makes people, each with a browser of her own; no page may raise an error."""
    contexts, errors = [], []

    async def make(width: int = 1280, **options: object) -> Page:
        viewport = {"width": width, "height": HEIGHTS.get(width, 860)}
        contexts.append(await person(browser, viewport=viewport, **options))
        page = await contexts[-1].new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        return page

    yield make
    await asyncio.gather(*(context.close() for context in contexts))
    assert errors == []


@pytest_asyncio.fixture(loop_scope="session")
async def page(newcomer: Newcomer, width: int) -> Page:
    """A person at the width."""
    return await newcomer(width)


@pytest_asyncio.fixture(loop_scope="session")
async def stage(page: Page) -> Stage:
    """A person whose server is the test."""
    return Stage(page)
