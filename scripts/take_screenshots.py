"""Take the pictures of the README from the running app: ``python -m scripts.take_screenshots``."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from tests.browser.serving import launch_browser, served

FOLDER = Path(__file__).parents[1] / "docs"
PICTURES = {
    "playground.png": ("", "light", 1600, 900),
    "playground-dark.png": ("graph=Houses on a ring&rank=true&sel=0", "dark", 1600, 900),
}


def main() -> None:
    """Open each page, wait until it is drawn, and keep what is seen."""
    FOLDER.mkdir(exist_ok=True)
    with served() as url, sync_playwright() as playwright:
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
        browser.close()


if __name__ == "__main__":
    main()
