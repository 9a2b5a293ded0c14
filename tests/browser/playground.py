"""What a user does on the playground, as a few words for tests."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.resting import choose_option

GRAPH_POINTS = ".mpgk-graph path.point"
EMBEDDING_POINTS = ".mpgk-embedding path.point"


def open_playground(page: Page, url: str, query: str = "") -> None:
    """Open the page and wait until its pictures are drawn."""
    page.goto(f"{url}/?{query}")
    expect(page.locator(".mpgk[data-drawn]")).to_be_visible(timeout=90_000)


def open_for_upload(page: Page, url: str) -> None:
    """Open the page with nothing but a place to upload files to."""
    page.goto(f"{url}/?source=file")
    expect(page.get_by_text("Upload a graph in the sidebar")).to_be_visible(timeout=90_000)


def stamp(page: Page) -> str:
    """Return a word that changes whenever other pictures are drawn."""
    pictures = page.locator(".mpgk")
    return (pictures.get_attribute("data-drawn") or "") if pictures.count() else ""


def wait_for_other_pictures(page: Page, before: str) -> None:
    """Wait until the pictures have changed."""
    page.wait_for_function(
        "before => (document.querySelector('.mpgk')?.dataset.drawn ?? '') !== before",
        arg=before,
        timeout=60_000,
    )


def press(page: Page, slider: str, key: str) -> None:
    """Move a slider of the sidebar by keyboard."""
    page.locator(f".st-key-{slider} input[type=range]").press(key)


def choose_graph(page: Page, title: str) -> None:
    """Choose a graph by typing its name, and wait until it is drawn."""
    field = page.locator(".st-key-graph input")
    if field.input_value() == title:
        return
    before = stamp(page)
    choose_option(page, field, title)
    wait_for_other_pictures(page, before)


def click_point(page: Page, points: str, number: int) -> None:
    """Click in the middle of a marker."""
    page.locator(points).nth(number).scroll_into_view_if_needed()
    box = page.locator(points).nth(number).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def colours(page: Page, points: str) -> set[str]:
    """Return the colours of all markers."""
    return set(
        page.locator(points).evaluate_all("marks => marks.map(m => getComputedStyle(m).fill)")
    )


def outlines(page: Page, points: str) -> list[float]:
    """Return how thick the rings around the markers are."""
    found: list[Any] = page.locator(points).evaluate_all(
        "marks => marks.map(m => parseFloat(getComputedStyle(m).strokeWidth))"
    )
    return [float(width) for width in found]
