"""No page has a serious fault that axe-core finds, in light or dark; charts have words."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.resting import wait_until_at_rest

PAGES = {
    "": ".mpgk[data-drawn]",
    "?sel=9,10&panel=Explain": ".st-key-history .js-plotly-plot",
    "?panel=Hierarchy": "[class*=st-key-tree] .js-plotly-plot",
    "?panel=Edit": ".st-key-undo",
    "?graph=Cycle&panel=Brittle or graded%3F": ".st-key-perturbation .js-plotly-plot",
    "lessons": "[data-testid=stButton]",
    "lessons?lesson=how-far&step=2": ".mpgk[data-drawn]",
    "lessons?glossary=orbit": "[data-testid=stMarkdown]",
    "lessons?lesson=one-round-by-hand": ".js-plotly-plot",
    "lessons?lesson=brittle&step=2": ".js-plotly-plot",
    "lessons?lesson=molecules&step=3": ".js-plotly-plot",
    "tuning": ".st-key-tune-run",
    "variants": ".st-key-graph-matching .js-plotly-plot",
    "variants?four-view=The whole set": ".st-key-set-maps .js-plotly-plot",
    "graph_classification": ".st-key-run",
    "node_classification": ".st-key-role-map .js-plotly-plot",
}


UNTOLD = """() => [...document.querySelectorAll(".js-plotly-plot")]
  .map((plot) => plot.closest("[role=figure], [role=group]")?.getAttribute("aria-label") ?? "")
  .filter((words) => !/\\d/.test(words))"""
"""Finds charts whose words hold no number."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_serious_fault(browser, app_url, scheme):
    page = browser.new_context(color_scheme=scheme).new_page()
    faults = {}
    for address, shown in PAGES.items():
        page.goto(f"{app_url}/{address}")
        wait_until_at_rest(page, shown)
        untold = page.evaluate(UNTOLD)
        if untold:
            faults[f"charts of {address}"] = untold
        found = Axe().run(page).response["violations"]
        serious = [
            (fault["id"], fault["nodes"][0]["html"][:200])
            for fault in found
            if fault["impact"] in ("serious", "critical")
        ]
        if serious:
            faults[address] = serious
    page.context.close()
    assert faults == {}
