"""Take the pictures of docs/ from the running app: ``python -m scripts.take_screenshots``."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.serving import launch_browser, served

FOLDER = Path(__file__).parents[1] / "docs" / "images"
MILLISECONDS_TO_SETTLE = 3_000


@dataclass(frozen=True)
class Picture:
    """A page as it is to be seen.

    Attributes
    ----------
    name : str
        Of the file.
    address : str
    shown : str
        What is drawn last.
    runs : bool
        Whether "Run" is pressed first.
    width, height : int
        Of the window.
    scheme : {"light", "dark"}
    """

    name: str
    address: str
    shown: str
    runs: bool = False
    width: int = 1400
    height: int = 1000
    scheme: Literal["light", "dark"] = "light"


PICTURES = (
    Picture("playground", "?round=5", ".mpgk[data-drawn]", width=1280, height=800),
    Picture(
        "playground-dark",
        "?graph=houses-on-a-ring&kernel=A&round=5&sel=0",
        ".mpgk[data-drawn]",
        width=1280,
        height=800,
        scheme="dark",
    ),
    Picture(
        "explain",
        "?graph=houses-on-a-ring&kernel=A&panel=explain&round=5&sel=0,1",
        "text=Step into this pair",
        height=1200,
    ),
    Picture(
        "classification",
        "graph_classification",
        ".st-key-confusion .js-plotly-plot",
        runs=True,
        height=1400,
    ),
    Picture(
        "regression", "graph_regression", ".st-key-by-element .js-plotly-plot", True, height=1800
    ),
    Picture("roles", "node_classification", "text=40 of 40 parts."),
    Picture("tuning", "tuning", ".st-key-tune-embedding-0 .js-plotly-plot"),
    Picture("lesson", "lessons?lesson=how-far&step=2", ".js-plotly-plot"),
    Picture("variants", "variants", ".st-key-shares-AA .js-plotly-plot", height=1500),
)


def main() -> None:
    """Serve the app and keep every picture."""
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as cache, ExitStack() as stack:
        os.environ["MPGK_CACHE"] = cache
        url = stack.enter_context(served())
        browser = launch_browser(stack.enter_context(sync_playwright()))
        for picture in PICTURES:
            _take(browser, url, picture)
        browser.close()


def _take(browser: Browser, url: str, picture: Picture) -> None:
    context = browser.new_context(
        viewport={"width": picture.width, "height": picture.height}, color_scheme=picture.scheme
    )
    page = context.new_page()
    page.goto(f"{url}/{picture.address}")
    if picture.runs:
        page.get_by_role("button", name="Run", exact=True).click(timeout=60_000)
    expect(page.locator(picture.shown).first).to_be_visible(timeout=300_000)
    page.wait_for_timeout(MILLISECONDS_TO_SETTLE)
    page.screenshot(path=FOLDER / f"{picture.name}.png")
    context.close()


if __name__ == "__main__":
    main()
