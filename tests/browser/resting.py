"""Wait until a page is complete: the script has ended, and nothing more is put on the page."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as StillMissing

__all__ = ["choose_option", "wait_until_answered", "wait_until_at_rest", "wait_until_quiet"]

QUIET = """([selector, milliseconds, watched]) => new Promise((resolve) => {
  let timer = setTimeout(done, milliseconds);
  const observer = new MutationObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(done, milliseconds);
  });
  function done() {
    observer.disconnect();
    resolve();
  }
  observer.observe(document.querySelector(selector), {childList: true, subtree: true, ...watched});
})"""


def wait_until_quiet(
    page: Page, selector: str = "body", milliseconds: int = 800, **watched: bool
) -> None:
    """Wait until nothing comes or goes in an element for a while.

    What else is watched: ``attributes=True``, ``characterData=True``.
    """
    page.evaluate(QUIET, [selector, milliseconds, watched])


def wait_until_answered(page: Page) -> None:
    """Wait until the script has ended: a file asked for earlier may not come."""
    expect(page.get_by_test_id("stApp")).to_have_attribute(
        "data-test-script-state", "notRunning", timeout=120_000
    )


def wait_until_at_rest(page: Page, shown: str) -> None:
    """Wait for something to be shown, and then until nothing comes or goes for a moment."""
    expect(page.locator(shown).first).to_be_visible(timeout=120_000)
    expect(page.get_by_test_id("stSpinner")).to_have_count(0, timeout=120_000)
    wait_until_answered(page)
    wait_until_quiet(page)


def choose_option(page: Page, field: Locator, name: str) -> None:
    """Choose from a list by its exact name.

    A list that is open closes when the page is drawn anew, so it is opened again where it did.
    """
    option = page.get_by_role("option", name=name, exact=True)
    for _ in range(8):
        wait_until_answered(page)
        field.click()
        field.fill(name)
        try:
            option.click(timeout=5_000)
            return
        except StillMissing:
            page.keyboard.press("Escape")
    raise AssertionError(f"the list did not offer {name!r}")
