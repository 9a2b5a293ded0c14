"""What a user does on the playground, as a few words for tests."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.resting import choose_option, wait_until_quiet

EMBEDDING_POINTS = ".mpgk-embedding path.point"
EDITOR = "document.querySelector('.mpgk-graph')?.editor"
HAS_VISITED = "try { localStorage.setItem('mpgk-visited', 'yes'); } catch { /* no page */ }"
"""Run in a browser before every page, so that the playground does not play by itself."""


def open_playground(page: Page, url: str, query: str = "") -> None:
    """Open the page and wait until its pictures are drawn."""
    page.goto(f"{url}/?{query}")
    expect(page.locator(".mpgk[data-drawn]")).to_be_visible(timeout=90_000)


def open_for_upload(page: Page, url: str) -> None:
    """Open the page with nothing but a place to upload files to."""
    page.goto(f"{url}/?source=file")
    expect(page.locator(".st-key-upload")).to_be_visible(timeout=90_000)


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


def expect_vertices(page: Page, n_vertices: int, timeout: float = 60_000) -> None:
    """Wait until the drawing has this many vertices."""
    page.wait_for_function(
        f"n => ({EDITOR}?.nodes.size ?? 0) === n && ({EDITOR}?.cy.nodes().length ?? 0) === n",
        arg=n_vertices,
        timeout=timeout,
    )


def place_of_vertex(page: Page, number: int) -> tuple[float, float]:
    """Return where the window shows a vertex, by its number."""
    page.locator(".mpgk-surface").scroll_into_view_if_needed()
    found: dict[str, float] | None = page.evaluate(f"v => {EDITOR}.place(v)", number)
    assert found is not None, f"vertex {number} is not in view"
    return found["x"], found["y"]


def click_vertex(page: Page, number: int) -> None:
    """Click a vertex of the drawing."""
    page.mouse.click(*place_of_vertex(page, number))


def marked_vertices(page: Page, mark: str) -> list[int]:
    """Return the numbers of the vertices with a mark: chosen, alike, near or dim."""
    found: list[int] = page.evaluate(
        f"mark => {EDITOR}.cy.nodes('.' + mark).map((n) => {EDITOR}.number.get(n.data('name')))",
        mark,
    )
    return sorted(found)


def graph_colours(page: Page) -> list[str]:
    """Return the colours of the vertices as a browser writes them, in the order of the vertices."""
    found: list[str] = page.evaluate(GRAPH_COLOURS)
    return found


GRAPH_COLOURS = f"""() => {EDITOR}.names.map((name) => {{
  const probe = document.createElement("i");
  probe.style.color = {EDITOR}.nodes.get(name).data("colour");
  return probe.style.color;
}})"""


def go_to_round(page: Page, t: int) -> None:
    """Press keys on the scrubber until it is at a round, and wait until the charts stand still."""
    slider = page.locator(".mpgk-round")
    slider.press("Home")
    for _ in range(t):
        slider.press("ArrowRight")
    wait_until_still(page)


def wait_until_still(page: Page) -> None:
    """Wait until nothing has changed in the pictures for a while that is longer than a journey."""
    wait_until_quiet(page, ".mpgk-stage", 1200, attributes=True, characterData=True)


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
