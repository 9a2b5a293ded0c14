"""Take the pictures of the README from the running app: ``python -m scripts.take_screenshots``."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.serving import launch_browser, served

FOLDER = Path(__file__).parents[1] / "docs"
PICTURES = {
    "playground.png": ("", "light", 1600, 900),
    "playground-dark.png": ("graph=Houses on a ring&rank=true&sel=0", "dark", 1600, 900),
}
PLAIN = {
    "lesson.png": "lessons?lesson=how-far&step=2",
    "variants.png": "variants",
}


def main() -> None:
    """Open each page, wait until it is drawn, and keep what is seen."""
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as cache, ExitStack() as stack:
        os.environ["MPGK_CACHE"] = cache
        url = stack.enter_context(served())
        playwright = stack.enter_context(sync_playwright())
        browser = launch_browser(playwright)
        for name, (query, scheme, width, height) in PICTURES.items():
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=scheme
            )
            page = context.new_page()
            page.goto(f"{url}/?{query}")
            expect(page.locator(".mpgk[data-drawn]")).to_be_visible(timeout=60_000)
            page.wait_for_timeout(1500)
            page.screenshot(path=FOLDER / name)
            context.close()
        _classification(browser, url)
        _roles(browser, url)
        _tuning(browser, url)
        for name, address in PLAIN.items():
            _plain(browser, f"{url}/{address}", name)
        browser.close()


def _classification(browser: Browser, url: str) -> None:
    """Run MUTAG to its end, and keep the page."""
    page = browser.new_context(viewport={"width": 1400, "height": 1400}).new_page()
    page.goto(f"{url}/graph_classification")
    page.get_by_role("button", name="Run", exact=True).click(timeout=60_000)
    expect(page.locator(".st-key-confusion .js-plotly-plot")).to_be_visible(timeout=300_000)
    page.wait_for_timeout(3000)
    page.screenshot(path=FOLDER / "classification.png")


def _roles(browser: Browser, url: str) -> None:
    """Run the learning curve to its end, and keep the page."""
    page = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
    page.goto(f"{url}/node_classification")
    page.get_by_role("button", name="Run", exact=True).click(timeout=60_000)
    expect(page.get_by_text("720 of 720 trials.")).to_be_visible(timeout=300_000)
    page.wait_for_timeout(3000)
    page.screenshot(path=FOLDER / "roles.png")


def _tuning(browser: Browser, url: str) -> None:
    """Run a sweep to its end, and keep the page."""
    page = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
    page.goto(f"{url}/tuning?kernel=A")
    page.get_by_role("button", name="Run", exact=True).click(timeout=60_000)
    expect(page.locator(".st-key-tune-embedding-0 .js-plotly-plot")).to_be_visible(timeout=300_000)
    page.wait_for_timeout(3000)
    page.screenshot(path=FOLDER / "tuning.png")


def _plain(browser: Browser, address: str, name: str) -> None:
    """Keep a page as it opens."""
    page = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
    page.goto(address)
    expect(page.locator(".js-plotly-plot").first).to_be_visible(timeout=120_000)
    page.wait_for_timeout(4000)
    page.screenshot(path=FOLDER / name)


if __name__ == "__main__":
    main()
