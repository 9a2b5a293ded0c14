"""Wait until a page is complete: the script has ended, and nothing more is put on the page."""

from __future__ import annotations

from playwright.sync_api import Page, expect

__all__ = ["wait_until_answered", "wait_until_at_rest"]

QUIET = """() => new Promise((resolve) => {
  let timer = setTimeout(done, 800);
  const observer = new MutationObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(done, 800);
  });
  function done() {
    observer.disconnect();
    resolve();
  }
  observer.observe(document.body, {childList: true, subtree: true});
})"""


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
    page.evaluate(QUIET)
