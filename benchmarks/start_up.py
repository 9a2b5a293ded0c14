"""What a user waits for at the first call in a fresh process, and at the first picture."""

from __future__ import annotations

import json
import statistics
import time
from typing import TYPE_CHECKING

from benchmarks.measure import in_fresh_process, seconds, wait_for_picture
from benchmarks.report import Table
from mpgk_core.warm_up import warm_up

if TYPE_CHECKING:
    from playwright.sync_api import Browser

STARTS = 9
OURS = ".mpgk[data-drawn]"
BARE = "body:has(.st-key-graph path.point):has(.st-key-embedding path.point)"


def measure() -> list[Table]:
    """Measure both."""
    return [_first_call(), _first_picture()]


def _first_picture() -> Table:
    """Compare the app with a bare page of two charts, started anew and loaded again."""
    table = Table(
        "From `make run` to the first complete picture, in Chromium",
        f"Medians of {STARTS} starts, the two taking turns; the browser runs already. Cold: from "
        "the command to all pictures (the graph and both planes, or both charts, with their "
        "points), with nothing in the browser's cache. Warm: the same page loaded again by the "
        "same browser, once, a second later. Target: at most 1.5 times a bare Streamlit page with "
        "two charts.",
        ["start", "app (s)", "bare page (s)", "ratio"],
    )
    from playwright.sync_api import sync_playwright  # here: a fresh process measures its imports

    from tests.browser.serving import launch_browser

    with sync_playwright() as playwright:
        browser = launch_browser(playwright)
        turns = [
            (
                _opened(browser, OURS, "app.py", is_rehearsed=True),
                _opened(browser, BARE, "benchmarks/apps/bare.py"),
            )
            for _ in range(STARTS)
        ]
        browser.close()
    for kind, word in enumerate(("cold", "warm")):
        pairs = [(ours[kind], bare[kind]) for ours, bare in turns]
        medians = (statistics.median(side) for side in zip(*pairs, strict=True))
        table.add(word, *medians, statistics.median(ours / bare for ours, bare in pairs))
    return table


def _opened(
    browser: Browser, picture: str, script: str, is_rehearsed: bool = False
) -> tuple[float, float]:
    """Start a server, open its page and load it again; return the seconds until the pictures."""
    from tests.browser.serving import serving

    start = time.perf_counter()
    with serving(script, is_rehearsed=is_rehearsed) as server:
        page = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
        page.goto(server.url, wait_until="commit")
        wait_for_picture(page, picture)
        cold = time.perf_counter() - start
        page.wait_for_timeout(1000)
        start = time.perf_counter()
        page.reload(wait_until="commit")
        wait_for_picture(page, picture)
        warm = time.perf_counter() - start
        page.context.close()
    return cold, warm


def _first_call() -> Table:
    """Compare the first run of all kernels on tiny graphs with the second."""
    warm_up()
    table = Table(
        "First call in a fresh process, compiled code on disk",
        "All four variants, both node kernels, WL-OA and orbits on two tiny graphs. Target: the "
        "first within 2 s of the second.",
        ["import (s)", "first call (s)", "second call (s)", "difference (s)"],
    )
    runs = [in_fresh_process("benchmarks.start_up") for _ in range(5)]
    median = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
    difference = median["first"] - median["second"]
    table.add(median["import"], median["first"], median["second"], difference)
    return table


def _one() -> None:
    answer = {"first": seconds(warm_up), "second": seconds(warm_up)}
    print(json.dumps({"import": IMPORT_SECONDS, **answer}))


IMPORT_SECONDS = time.process_time()

if __name__ == "__main__":
    _one()
