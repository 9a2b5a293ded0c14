"""No page has a serious fault that axe-core finds, on light ground or on dark."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

PAGES = {
    "": ".mpgk[data-drawn]",
    "?sel=9,10&panel=Explain": ".st-key-history .js-plotly-plot",
    "?panel=Hierarchy": "[class*=st-key-tree] .js-plotly-plot",
    "?panel=Edit": ".st-key-undo",
    "lessons": "[data-testid=stButton]",
    "lessons?lesson=how-far&step=2": ".mpgk[data-drawn]",
    "lessons?glossary=orbit": "[data-testid=stMarkdown]",
    "tuning": ".st-key-tune-run",
    "variants": ".st-key-graph-matching .js-plotly-plot",
    "graph_classification": ".st-key-run",
    "node_classification": ".st-key-role-map .js-plotly-plot",
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_serious_fault(browser, app_url, scheme):
    page = browser.new_context(color_scheme=scheme).new_page()
    faults = {}
    for address, shown in PAGES.items():
        page.goto(f"{app_url}/{address}")
        expect(page.locator(shown).first).to_be_visible(timeout=120_000)
        page.wait_for_timeout(1500)
        expect(page.get_by_test_id("stSpinner")).to_have_count(0, timeout=120_000)
        expect(page.get_by_test_id("stStatusWidget")).to_have_count(0, timeout=120_000)
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
