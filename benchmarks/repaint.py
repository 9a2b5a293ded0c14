"""How long a user waits between pressing a key on a slider and seeing the embedding repainted."""

from __future__ import annotations

import os
import statistics
from contextlib import AbstractContextManager, ExitStack

from playwright.sync_api import Browser, Page, expect, sync_playwright

from benchmarks.report import Table
from tests.browser.serving import launch_browser, served

PRESSES = 18
PAGES = ("page", "stored kernel", "bare page")
SIZES = {
    "B(10,10)": ("alpha=1", "alpha=1&n=30"),
    "Erdős–Rényi, 1,000 vertices": (
        "alpha=1&graph=Erdős–Rényi random graph&erdos-renyi-n=1000",
        "alpha=1&n=1000",
    ),
}
OURS = ".mpgk[data-drawn] .mpgk-embedding .main-svg"
BARE = ".st-key-embedding .js-plotly-plot .main-svg"

WATCH = """() => {
  window.repainted = null;
  let pressed = 0;
  const seen = () => document.querySelector('.mpgk-embedding')?.dataset.shows
    ?? [...document.querySelectorAll('.st-key-embedding path.point')]
      .map((point) => point.getAttribute('transform')).join();
  const before = seen();
  const look = () => {
    if (seen() && seen() !== before) {
      window.repainted = performance.now() - pressed;
    } else {
      requestAnimationFrame(look);
    }
  };
  window.addEventListener('keydown', () => { pressed = performance.now(); look(); },
                          { once: true, capture: true });
}"""


def measure() -> Table:
    """Compare the page with itself on a stored kernel, and with a bare page of two charts."""
    table = Table(
        "From key press to repainted pictures, in Chromium",
        f"Medians of {PRESSES} presses on the alpha slider, each to a value not seen before, the "
        "three pages taking turns. "
        "Targets: at most 1.2 (B(10,10)) and 1.5 (1,000 vertices) times the page with a stored "
        "kernel, at most 1.5 times a bare Streamlit page with two charts.",
        [
            "graph",
            "page (s)",
            "stored kernel (s)",
            "bare page (s)",
            "against stored",
            "against bare",
        ],
    )
    for title, (query, bare_query) in SIZES.items():
        with ExitStack() as stack:
            addresses = [
                stack.enter_context(_app("playground", "0")) + f"/?{query}",
                stack.enter_context(_app("playground", "1")) + f"/?{query}",
                stack.enter_context(_app("bare", "0")) + f"/?{bare_query}",
            ]
            browser = launch_browser(stack.enter_context(sync_playwright()))
            plots = (OURS, OURS, BARE)
            pages = [opened(browser, *what) for what in zip(addresses, plots, strict=True)]
            rounds = [[press(page) for page in pages] for _ in range(PRESSES)]
            ours, stored, bare = (statistics.median(times) for times in zip(*rounds, strict=True))
            table.add(title, ours, stored, bare, ours / stored, ours / bare)
            browser.close()
    return table


def _app(name: str, stored: str) -> AbstractContextManager[str]:
    os.environ["MPGK_STORED"] = stored
    return served(f"benchmarks/apps/{name}.py")


def opened(browser: Browser, url: str, plot: str) -> Page:
    """Open a page and wait until its picture stands still."""
    page = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
    page.goto(url)
    expect(page.locator(plot).first).to_be_visible(timeout=120_000)
    page.wait_for_timeout(3000)
    return page


def press(page: Page) -> float:
    """Press a key on the alpha slider; return the seconds until the embedding has changed."""
    page.evaluate(WATCH)
    page.locator(".st-key-alpha input[type=range]").press("ArrowLeft")
    page.wait_for_function("window.repainted !== null", timeout=30_000)
    milliseconds: float = page.evaluate("window.repainted")
    page.wait_for_timeout(300)
    return milliseconds / 1000
