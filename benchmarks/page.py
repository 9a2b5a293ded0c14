"""How long a user waits between pressing a key on a slider and seeing the embedding repainted."""

from __future__ import annotations

import os
import statistics
from contextlib import ExitStack

from playwright.sync_api import Browser, Page, expect, sync_playwright

from benchmarks.report import Table
from tests.browser.serving import launch_browser, served

PRESSES = 24
SIZES = {
    "B(10,10)": ("", "30"),
    "1,000 vertices": ("graph=Erdős–Rényi random graph&erdos-renyi-n=1000", "1000"),
}

REPAINTED = """selector => new Promise(resolve => {
  const plot = document.querySelector(selector);
  const done = () => requestAnimationFrame(() => resolve(performance.now() - window.pressed));
  const root = plot.closest('.mpgk');
  if (root) {
    new MutationObserver((_, watch) => { watch.disconnect(); done(); })
      .observe(root, { attributes: true, attributeFilter: ['data-drawn'] });
  } else {
    plot.once('plotly_afterplot', done);
  }
  window.addEventListener('keydown', () => { window.pressed = performance.now(); },
                          { once: true, capture: true });
})"""


def measure() -> Table:
    """Compare the page with itself on a stored kernel, and with a bare page of two charts."""
    table = Table(
        "From key press to repainted embedding, in Chromium",
        f"Medians of {PRESSES} presses on the alpha slider, the three pages taking turns. Targets: "
        "at most 1.2 (B(10,10)) and 1.5 (1,000 vertices) times the page with a stored kernel, at "
        "most 1.5 times a bare Streamlit page with two charts.",
        ["graph", "page (s)", "stored kernel (s)", "bare page (s)", "against stored",
         "against bare"],
    )  # fmt: skip
    for title, (query, n_vertices) in SIZES.items():
        os.environ["MPGK_VERTICES"] = n_vertices
        with ExitStack() as stack:
            page_url = stack.enter_context(_app("playground", "0"))
            stored_url = stack.enter_context(_app("playground", "1"))
            bare_url = stack.enter_context(_app("bare", "0"))
            browser = launch_browser(stack.enter_context(sync_playwright()))
            pages = [
                _opened(browser, f"{page_url}/?{query}", ".mpgk[data-drawn] .mpgk-embedding"),
                _opened(browser, f"{stored_url}/?{query}", ".mpgk[data-drawn] .mpgk-embedding"),
                _opened(browser, bare_url, ".st-key-embedding .js-plotly-plot"),
            ]
            times: list[list[float]] = [[], [], []]
            for press in range(PRESSES):
                key = "ArrowLeft" if press < PRESSES // 2 else "ArrowRight"
                for (page, plot), found in zip(pages, times, strict=True):
                    found.append(_press(page, plot, key))
            ours, stored, bare = (statistics.median(found[2:]) for found in times)
            table.add(title, ours, stored, bare, ours / stored, ours / bare)
            browser.close()
    return table


def _app(name: str, stored: str):  # type: ignore[no-untyped-def]
    os.environ["MPGK_STORED"] = stored
    return served(f"benchmarks/apps/{name}.py")


def _opened(browser: Browser, url: str, plot: str) -> tuple[Page, str]:
    page = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
    page.goto(url)
    expect(page.locator(plot)).to_be_visible(timeout=120_000)
    page.wait_for_timeout(2000)
    return page, plot


def _press(page: Page, plot: str, key: str) -> float:
    slider = page.locator(".st-key-alpha input[type=range]")
    slider.focus()
    waiting = page.evaluate_handle(f"selector => ({{ promise: ({REPAINTED})(selector) }})", plot)
    slider.press(key)
    milliseconds: float = waiting.evaluate("handle => handle.promise")
    page.wait_for_timeout(300)
    return milliseconds / 1000
