"""Take a file from a page, as a user does who waits until the page is complete."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

from tests.browser.resting import wait_until_at_rest

__all__ = ["taken"]


def taken(page: Page, button: str, folder: Path) -> Path:
    """Press a button and return the file that comes.

    A button belongs to one run of the page: pressed while the next one comes, it gives nothing.
    """
    shown = f'role=button[name="{button}"]'
    wait_until_at_rest(page, shown)
    with page.expect_download(timeout=60_000) as download:
        page.locator(shown).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path
