"""How smoothly a vertex follows the mouse in the drawing of a large graph."""

from __future__ import annotations

import statistics

from playwright.sync_api import Page, sync_playwright

from benchmarks.report import Table
from tests.browser.drawing import EDITOR, open_drawing
from tests.browser.serving import launch_browser, served

SIZES = {
    "B(10,10)": "",
    "Erdős–Rényi, 500 vertices": "graph=erdos-renyi&erdos-renyi-n=500&erdos-renyi-mean_degree=6",
}
MOVES = 240
WATCH = """() => {
  window.frames = [];
  let last = performance.now();
  const look = (now) => {
    window.frames?.push(now - last);
    last = now;
    window.frames && requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""


def measure() -> Table:
    """Drag one vertex, and all of them together, and time the frames in between."""
    table = Table(
        "Dragging in the drawing of a graph, in Chromium",
        f"Time between frames while the mouse makes {MOVES} moves, drawn by the processor alone. "
        "Nothing: the mouse moves as often beside the picture, which shows what the machine itself "
        "allows. Target: 30 frames a second, 33 ms each, with 500 vertices.",
        ["graph", "vertices", "edges", "dragged", "median (ms)", "95th percentile (ms)"],
    )
    with served() as url, sync_playwright() as playwright:
        browser = launch_browser(playwright)
        for title, query in SIZES.items():
            page = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
            open_drawing(page, url, query)
            n, m = page.evaluate(f"[{EDITOR}.cy.nodes().length, {EDITOR}.cy.edges().length]")
            for what in ("nothing", "one vertex", "all vertices"):
                frames = dragged(page, what)
                percentile = statistics.quantiles(frames, n=20)[-1]
                table.add(title, n, m, what, statistics.median(frames), percentile)
            page.context.close()
        browser.close()
    return table


def dragged(page: Page, what: str) -> list[float]:
    """Drag the vertex of the highest degree to and fro; return the times between frames in ms."""
    hub = page.evaluate(
        f"""(isAll) => {{
          const editor = {EDITOR};
          editor.fit(); // the vertex that was dragged before may have left the picture
          const hub = editor.cy.nodes().max((node) => node.degree()).ele.data('name');
          editor.mark({{ chosen: new Set(isAll ? editor.names.keys() : []) }});
          return editor.place(editor.names.indexOf(hub));
        }}""",
        what == "all vertices",
    )
    if what == "nothing":
        hub = {"x": 10, "y": 60}
    page.mouse.move(hub["x"], hub["y"])
    page.mouse.down()
    page.evaluate(WATCH)
    for step in range(MOVES):
        offset = 60 * (step % 40) / 40
        page.mouse.move(hub["x"] + offset, hub["y"] - offset / 2)
    frames: list[float] = page.evaluate("() => { const f = frames; frames = null; return f; }")
    page.mouse.up()
    return frames[1:]
