"""Every page without a mouse and without eyes: Tab reaches all, axe-core finds no serious fault."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.playground import open_playground
from tests.browser.resting import wait_until_at_rest

TREE = "?panel=tree&graph=houses-on-a-ring"
PAGES = {
    "": ".mpgk[data-drawn]",
    "?sel=9,10&panel=explain": ".st-key-history .js-plotly-plot",
    TREE: "[class*=st-key-tree] .js-plotly-plot",
    "?panel=edit&sel=0,1": ".st-key-undo",
    "?graph=cycle&panel=perturb": ".st-key-perturbation .js-plotly-plot",
    "lessons": ".st-key-open-how-far",
    "lessons?lesson=how-far&step=2": ".mpgk[data-drawn]",
    "lessons?lesson=how-far&step=end": ".st-key-answers-file",
    "lessons?lesson=how-far&print=questions": ".mpgk-printed",
    "lessons?class=": ".st-key-class-files",
    "lessons?glossary=orbit": "[data-testid=stMarkdown]",
    "lessons?lesson=one-round-by-hand": ".js-plotly-plot",
    "lessons?lesson=brittle&step=2": ".js-plotly-plot",
    "lessons?lesson=molecules&step=3": ".js-plotly-plot",
    "tuning": ".st-key-tune-run",
    "variants": ".st-key-shares-AA .js-plotly-plot",
    "variants?four-view=set": ".st-key-set-maps .js-plotly-plot",
    "graph_classification": ".st-key-classify-run",
    "graph_regression": ".st-key-baselines .js-plotly-plot",
    "node_classification": ".st-key-role-map .js-plotly-plot",
}
SAME_CONTROLS = {
    "",
    "?graph=cycle&panel=perturb",
    "lessons?lesson=how-far&print=questions",
    "lessons?glossary=orbit",
    "lessons?lesson=one-round-by-hand",
    "lessons?lesson=brittle&step=2",
    "lessons?lesson=molecules&step=3",
    "variants?four-view=set",
}
"""Pages whose controls are those of another one: Tab need not go through them again."""


UNTOLD = """() => [...document.querySelectorAll(".js-plotly-plot")]
  .map((plot) => plot.closest("[role=figure], [role=group]")?.getAttribute("aria-label") ?? "")
  .filter((words) => !/\\d/.test(words))"""
"""Finds charts whose words hold no number."""


GROUND = "() => getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"

MOST_KEYS = 400

# Small buttons in a field, such as the arrow of a list, only repeat what its keys do.
LISTENING = """() => {
  const wanted = "button, a[href], input, select, textarea, summary, [role=tab], [role=slider]";
  const besides = "[data-testid^=stNumberInputStep], " +
    "[data-testid=stFileUploaderDropzoneInput], :is([data-testid=stSelectbox], " +
    "[data-testid=stMultiSelect]) [tabindex='-1']";
  const groups = "[data-testid=stButtonGroup]";
  const seen = (e) => e.checkVisibility({visibilityProperty: true}) && e.getClientRects().length;
  const look = (e) => {
    const parts = [];
    for (let i = 0; i < 4 && e; i++, e = e.parentElement) {
      const s = getComputedStyle(e);
      parts.push([s.outlineStyle, s.outlineWidth, s.outlineColor, s.boxShadow, s.borderColor,
                  s.backgroundColor, s.color, s.clip, s.transform, s.opacity].join());
    }
    return parts.join(";");
  };
  const controls = [...document.querySelectorAll(wanted)].filter(
    (e) => seen(e) && !e.disabled && !e.closest("[aria-disabled=true]") && !e.matches(besides));
  const before = new Map(controls.map((e) => [e, look(e)]));
  const reached = new Set(), unseen = new Set();
  window.keyboard = {
    note() {
      const e = document.activeElement;
      if (e === document.body) return "end";
      reached.add(e);
      if (before.has(e) && before.get(e) === look(e)) unseen.add(e);
      return e.closest(groups) && !e.ariaLabel?.startsWith("Help") ? "group" : "on";
    },
    missed() {
      const tell = (e) => e.outerHTML.slice(0, 160);
      const grouped = (e) => e.matches("input[type=radio]") &&
        [...document.getElementsByName(e.name)].some((other) => reached.has(other));
      const isLeft = (e) => e.isConnected && !reached.has(e) && !grouped(e);
      return {
        unreached: controls.filter(isLeft).map(tell),
        unseen: [...unseen].map(tell),
        count: controls.length,
      };
    },
    size: () => document.activeElement.parentElement.querySelectorAll("button").length,
  };
}"""


def tab_through(page):
    """Press Tab from the top to the end, and arrow keys within groups; say what was missed."""
    page.add_style_tag(content="*, *::before, *::after {transition: none !important}")
    page.evaluate(LISTENING)
    for _ in range(MOST_KEYS):
        page.keyboard.press("Tab")
        state = page.evaluate("keyboard.note()")
        if state == "end":
            break
        if state == "group":
            for _ in range(page.evaluate("keyboard.size()") - 1):
                page.keyboard.press("ArrowRight")
                page.evaluate("keyboard.note()")
    return page.evaluate("keyboard.missed()")


def serious_faults(page, **options):
    return [
        (fault["id"], fault["nodes"][0]["html"][:200])
        for fault in Axe().run(page, options=options).response["violations"]
        if fault["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("address", PAGES)
def test_a_page_is_told_in_words_seen_in_light_and_dark_and_used_by_keyboard(
    page, app_url, address
):
    page.emulate_media(color_scheme="dark")
    page.goto(f"{app_url}/{address}")
    wait_until_at_rest(page, PAGES[address])
    assert serious_faults(page, runOnly=["color-contrast", "link-in-text-block"]) == []
    before = page.evaluate(GROUND)
    page.emulate_media(color_scheme="light")
    page.wait_for_function(f"before => ({GROUND})() !== before", arg=before)
    wait_until_at_rest(page, PAGES[address])
    assert page.evaluate(UNTOLD) == []
    assert serious_faults(page) == []
    if address not in SAME_CONTROLS:
        found = tab_through(page)
        assert found["count"] > 15
        assert (found["unreached"], found["unseen"]) == ([], [])


def test_a_vertex_is_selected_by_its_name(page, app_url):
    open_playground(page, app_url)
    field = page.locator(".mpgk-name")
    for name in ("9", "10"):
        field.fill(name)
        field.press("Enter")
    expect(page.locator(".mpgk-chosen")).to_contain_text("Selected: 9, 10.")
    page.wait_for_url(re.compile("sel=9(,|%2C)10"))
    field.fill("9")
    field.press("Enter")
    expect(page.locator(".mpgk-chosen")).to_contain_text("Selected: 10.")
    field.fill("nobody")
    field.press("Enter")
    assert field.evaluate("field => field.validationMessage") == "There is no vertex nobody."
    expect(page.locator(".mpgk-chosen")).to_contain_text("Selected: 10.")
    assert page.faults == []


def test_a_tree_node_is_chosen_from_a_list(page, app_url):
    open_playground(page, app_url, TREE.removeprefix("?"))
    wait_until_at_rest(page, PAGES[TREE])  # a list that is open closes when the page is redrawn
    box = page.get_by_role("combobox", name="Tree node").first
    box.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".mpgk-chosen")).to_contain_text("Selected:", timeout=30_000)
    assert page.faults == []
