from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from browser import ARGUMENTS, CHROMIUM, LONG, WIDE, Watched, missing

Opens = Callable[..., Watched]


@pytest.fixture(scope="session")
def chromium_wanted() -> None:
    """Skip where Chromium or Playwright is missing; fail instead if BROWSER is `required`."""
    if wanted := missing():
        reason = f"The browser tests need {wanted}."
        (pytest.fail if os.environ.get("BROWSER") == "required" else pytest.skip)(reason)


@pytest.fixture(scope="module")
def chromium(chromium_wanted: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Chromium without a window; ended with the module, since Playwright keeps an event loop running in this thread."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=1000 * LONG)
    home = {**os.environ, "HOME": str(tmp_path_factory.mktemp("home"))}
    with sync_playwright() as playwright:
        # each launch has a new folder for its user data
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS, env=home)
        yield browser
        browser.close()


@pytest.fixture
def opens(chromium: Any) -> Iterator[Opens]:
    """A function that opens an address or a file in a new window and watches it."""
    contexts = []

    def open_page(where: str | Path, **options: Any) -> Watched:
        contexts.append(chromium.new_context(**{"viewport": WIDE, **options}))
        contexts[-1].set_default_timeout(1000 * LONG)
        watched = Watched(contexts[-1].new_page())
        watched.page.goto(where.as_uri() if isinstance(where, Path) else where)
        return watched

    yield open_page
    for context in contexts:
        context.close()
