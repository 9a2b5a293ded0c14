"""A served app and a real browser, started once for all browser tests."""

from __future__ import annotations

import os

import pytest
from playwright.sync_api import Error, sync_playwright

from tests.browser.playground import HAS_VISITED
from tests.browser.serving import launch_browser, serving


def pytest_collection_modifyitems(items):
    """Try a browser test once more: on a busy machine a click may meet a page that is redrawn."""
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker(pytest.mark.flaky(retries=1, delay=1))


@pytest.fixture(scope="session")
def browser():
    """A real browser; without any, skip (in CI: fail)."""
    with sync_playwright() as playwright:
        try:
            browser = launch_browser(playwright)
        except Error as error:
            message = f"no Chromium or Chrome to test with: {error.message.splitlines()[0]}"
            if os.environ.get("CI") == "true":
                pytest.fail(message)
            pytest.skip(message)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def app_url(tmp_path_factory):
    """The address of the app, served on a free port of this machine with a cache of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MPGK_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.delenv("MPGK_DATA", raising=False)
        with serving(is_rehearsed=True) as server:
            yield server.url


def _is_fault(line):
    """Return whether a console line is an error, but for Streamlit's own search.

    Opened at the address of a page, it first asks for its settings below that address, where
    there are none.
    """
    return line.type == "error" and "/_stcore/" not in line.location.get("url", "")


@pytest.fixture(scope="session")
def context(browser):
    """A browser window for all tests, which loads the app's own code only once."""
    context = browser.new_context()
    context.add_init_script(HAS_VISITED)
    yield context
    context.close()


@pytest.fixture
def page(context, app_url):
    """A fresh page that records its requests, console errors and page errors."""
    page = context.new_page()
    page.set_viewport_size({"width": 1280, "height": 900})
    page.requested = []
    page.faults = []
    page.on("request", lambda request: page.requested.append(request.url))
    page.on("console", lambda line: page.faults.append(line.text) if _is_fault(line) else None)
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    yield page
    page.evaluate("try { localStorage.clear(); sessionStorage.clear(); } catch { /* no page */ }")
    page.close()
