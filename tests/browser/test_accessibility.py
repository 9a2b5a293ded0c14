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


GROUND = "() => getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"


@pytest.mark.parametrize(("address", "shown"), PAGES.items())
def test_no_page_has_a_serious_fault_in_light_or_dark(page, app_url, address, shown):
    page.emulate_media(color_scheme="light")
    page.goto(f"{app_url}/{address}")
    wait_until_at_rest(page, shown)
    assert page.evaluate(UNTOLD) == []
    assert serious_faults(page) == []
    before = page.evaluate(GROUND)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"before => ({GROUND})() !== before", arg=before)
    wait_until_at_rest(page, shown)
    assert serious_faults(page, runOnly=["color-contrast", "link-in-text-block"]) == []


def serious_faults(page, **options):
    return [
        (fault["id"], fault["nodes"][0]["html"][:200])
        for fault in Axe().run(page, options=options).response["violations"]
        if fault["impact"] in ("serious", "critical")
    ]
