"""Editing in a real browser: edit, undo, redo, reset, perturb, and two users side by side."""

import re

from playwright.sync_api import expect

from tests.browser.charts import chart
from tests.browser.drawing import SURFACE, names, settle, spot
from tests.browser.playground import EDITOR
from tests.browser.resting import choose_option


def opened(page, address):
    page.goto(address)
    expect(page.locator(".mpgk[data-drawn]")).to_be_visible(timeout=90_000)
    return page


def press(page, name):
    button = page.get_by_role("button", name=name, exact=True)
    expect(button).to_be_enabled(timeout=60_000)
    button.click()


def draw(page, key):
    """Press a key in the drawing of the graph."""
    page.locator(SURFACE).press(key)


def said(page, words):
    expect(page.get_by_text(f"Now: {words}")).to_be_visible(timeout=60_000)


def test_edit_undo_redo_and_reset(page, app_url):
    opened(page, f"{app_url}/?sel=0,1&panel=edit")
    assert len(names(page)) == 30
    draw(page, "j")
    said(page, "removed edge 0 – 1")
    draw(page, "Shift+N")
    said(page, "added vertex 30 joined to 0, 1")
    assert len(names(page)) == 31
    panel = page.locator(".st-key-undo, .st-key-redo, .st-key-reset")
    press(panel, "Undo")
    said(page, "removed edge 0 – 1")
    assert len(names(page)) == 30
    press(panel, "Redo")
    said(page, "added vertex 30 joined to 0, 1")
    press(panel, "Reset")
    said(page, "back to the original graph")
    assert len(names(page)) == 30
    assert page.faults == []


def test_the_brittle_and_the_graded_are_one_click_away(page, app_url):
    opened(page, f"{app_url}/?graph=cycle")
    page.get_by_role("radio", name="Robustness").click()
    expect(chart(page, "perturbation")).to_be_visible(timeout=90_000)
    expect(page.get_by_text(re.compile(r"(\d+) of \1 measurements"))).to_be_visible(timeout=180_000)
    assert page.faults == []


def test_before_and_after_an_edit(page, app_url):
    opened(page, f"{app_url}/?panel=edit")
    press(page, "Remove at random")
    expect(page.get_by_text("Now: removed edge")).to_be_visible(timeout=60_000)
    page.get_by_role("radio", name="Before and after").click()
    expect(chart(page, "change-Before")).to_be_visible(timeout=90_000)
    expect(chart(page, "change-After")).to_be_visible()
    expect(page.get_by_text("have another WL colour")).to_be_visible()
    assert page.faults == []


def test_two_users_edit_at_the_same_time(page, browser, app_url):
    other = browser.new_context().new_page()
    for one in (page, other):
        opened(one, f"{app_url}/?sel=0,1&panel=edit")
    draw(page, "j")
    said(page, "removed edge 0 – 1")
    draw(other, "Delete")
    said(other, "removed vertices 0, 1")
    assert len(names(other)) == 28
    draw(page, "Control+z")
    said(page, "the original graph")
    assert len(names(page)) == 30
    assert len(names(other)) == 28
    other.context.close()


def test_edits_and_the_round_survive_a_reload_and_travel_with_the_link(page, browser, app_url):
    opened(page, f"{app_url}/?sel=0,1&panel=edit")
    draw(page, "j")
    said(page, "removed edge 0 – 1")
    page.wait_for_function("location.search.includes('edits=1..')", timeout=30_000)
    page.locator(".mpgk-round").press("Home")
    page.locator(".mpgk-round").press("ArrowRight")
    where = page.locator(".mpgk-where")
    expect(where).to_contain_text("t = 1 of 5")
    page.wait_for_function("location.search.includes('round=1')", timeout=10_000)
    draw(page, "j")
    said(page, "added edge 0 – 1")
    page.wait_for_function("!location.search.includes('edits=')", timeout=30_000)
    assert "round=1" in page.evaluate("location.search"), "the server leaves the round alone"
    page.go_back()
    said(page, "removed edge 0 – 1")
    page.wait_for_function("/edits=1[.].*round=1/.test(location.search)", timeout=30_000)
    address = page.evaluate("location.href")
    page.reload()
    elsewhere = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    opened(elsewhere, address)
    for one in (page, elsewhere):
        expect(one.locator(".mpgk-where")).to_contain_text("t = 1 of 5", timeout=90_000)
        said(one, "removed edge 0 – 1")
        expect(one.locator(".mpgk-chosen")).to_contain_text("Selected: 0, 1.")
    elsewhere.locator(".mpgk-round").press("End")
    elsewhere.wait_for_function("!location.search.includes('round=')", timeout=10_000)
    elsewhere.context.close()
    assert page.faults == []


def click_edge(page, one, other):
    """Click the middle of an edge in the drawing."""
    settle(page)
    page.locator(SURFACE).evaluate("surface => surface.scrollIntoView({block: 'center'})")
    (x, y), (u, v) = spot(page, one), spot(page, other)
    page.mouse.click((x + u) / 2, (y + v) / 2)


def chosen_edge(page):
    """Return the ends of the edges that are marked in the drawing."""
    settle(page)
    ends = "(edge) => [edge.source().data('name'), edge.target().data('name')].sort().join(' – ')"
    return page.evaluate(f"{EDITOR}.cy.edges('.chosen').map({ends})")


def test_the_edge_that_is_marked_is_the_one_that_is_set(page, app_url):
    opened(page, f"{app_url}/?graph=cycle&cycle-n=6&panel=edit&sel=1,2")
    box = page.get_by_role("combobox", name="Edge", exact=True)
    expect(box).to_have_value("1 – 2", timeout=60_000)
    click_edge(page, "4", "5")
    expect(box).to_have_value("4 – 5", timeout=60_000)
    field = page.get_by_role("textbox", name="Label", exact=True)
    field.fill("bond")
    field.press("Enter")
    press(page, "Set")
    said(page, "changed edge 4 – 5")
    assert chosen_edge(page) == ["4 – 5"]
    expect(box).to_have_value("4 – 5")
    expect(field).to_have_value("bond")
    choose_option(page, box, "0 – 1")
    page.wait_for_function(f"{EDITOR}.edge === JSON.stringify(['0', '1'])", timeout=30_000)
    assert chosen_edge(page) == ["0 – 1"]
    click_edge(page, "0", "1")
    expect(box).to_have_value("1 – 2", timeout=60_000)
    page.locator(SURFACE).press("Escape")
    expect(box).to_have_value("", timeout=60_000)
    expect(page.get_by_role("button", name="Set", exact=True)).to_have_count(0)
    assert page.faults == []
