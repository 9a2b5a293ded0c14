"""Drawing a graph by hand, as a few words for tests and benchmarks."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.playground import EDITOR, open_playground
from tests.browser.resting import wait_until_answered

__all__ = [
    "EDITOR",
    "SURFACE",
    "cross",
    "edges",
    "ground",
    "names",
    "open_drawing",
    "settle",
    "spot",
    "tool",
]

SURFACE = ".mpgk-surface"


def open_drawing(page: Page, url: str, query: str = "graph=cycle&cycle-n=6") -> None:
    """Open the playground, and see the whole drawing."""
    open_playground(page, url, query)
    page.locator(SURFACE).scroll_into_view_if_needed()
    settle(page)


def settle(page: Page) -> None:
    """Wait until the server has answered all edits, and the page stands still."""
    page.wait_for_function(f"{EDITOR}?.cy && {EDITOR}.pending.length === 0", timeout=60_000)
    wait_until_answered(page)


def names(page: Page) -> list[str]:
    """Return the names of the vertices that the server has sent last."""
    settle(page)
    found: list[str] = page.evaluate(f"{EDITOR}.names")
    return found


def edges(page: Page) -> set[frozenset[str]]:
    """Return the edges that the server has sent last, as pairs of names."""
    shown = names(page)
    pairs: list[list[int]] = page.evaluate(f"{EDITOR}.drawn.edges")
    return {frozenset(shown[v] for v in pair) for pair in pairs}


def spot(page: Page, name: str) -> tuple[float, float]:
    """Return where a vertex is seen."""
    found: dict[str, float] | None = page.evaluate(
        f"name => {EDITOR}.place({EDITOR}.names.indexOf(name))", name
    )
    assert found is not None, f"vertex {name} is not in view"
    return found["x"], found["y"]


def ground(page: Page, right: float, down: float) -> tuple[float, float]:
    """Return a point of the drawing, given by its distances from the upper left corner."""
    box = page.locator(SURFACE).bounding_box()
    assert box is not None
    return box["x"] + right, box["y"] + down


def cross(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag with the mouse."""
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    page.mouse.move(*end)
    page.mouse.up()


def tool(page: Page, name: str) -> Any:
    """Press a button of the drawing."""
    button = page.locator(".mpgk-tools").get_by_role("button", name=name, exact=True)
    expect(button).to_be_enabled(timeout=30_000)
    button.click()
    return button
