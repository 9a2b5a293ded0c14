"""Find a Plotly chart on a page, also while it is being replaced."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

__all__ = ["chart"]


def chart(page: Page, key: str) -> Locator:
    """Return the chart that the user sees under a key.

    A chart with other data is a new chart to Streamlit. On a busy machine the old ones stay in
    the page for a while, hidden, so that a plain search finds several.
    """
    return page.locator(f".st-key-{key} .js-plotly-plot").filter(visible=True)
