"""A graph drawn by hand in a real browser: by mouse, by touch and by keyboard alone."""

import pytest
from playwright.sync_api import expect

from tests.browser.drawing import (
    EDITOR,
    SURFACE,
    cross,
    edges,
    ground,
    names,
    open_drawing,
    settle,
    spot,
    tool,
)
from tests.browser.playground import choose_graph, stamp, wait_for_other_pictures
from tests.browser.playground import press as press_slider
from tests.browser.resting import choose_option

RING = {frozenset((str(v), str((v + 1) % 6))) for v in range(6)}


def pair(one, other):
    return frozenset((one, other))


def note(page, words):
    expect(page.locator(".mpgk-note")).to_have_text(words, timeout=30_000)


def counts(page, words):
    expect(page.locator(".mpgk-graph-title")).to_contain_text(words, timeout=30_000)


def selected(page, words):
    expect(page.locator(".mpgk-chosen")).to_contain_text(f"Selected: {words}.", timeout=30_000)


def test_vertices_and_edges_are_added_by_mouse(page, app_url):
    open_drawing(page, app_url)
    tool(page, "Draw")
    page.mouse.click(*ground(page, 30, 30))
    note(page, "Added vertex 6.")
    assert names(page)[-1] == "6"
    assert spot(page, "6") == pytest.approx(ground(page, 30, 30), abs=2), "where the click was"
    cross(page, spot(page, "6"), spot(page, "0"))
    note(page, "Added edge 6 – 0.")
    cross(page, spot(page, "6"), ground(page, 30, 120))
    note(page, "Added vertex 7, joined to 6.")
    page.mouse.click(*spot(page, "0"))
    page.mouse.click(*spot(page, "3"))
    note(page, "Added edge 0 – 3.")
    assert edges(page) == RING | {pair("6", "0"), pair("7", "6"), pair("0", "3")}
    counts(page, "edited: 8 vertices, 9 edges")
    cross(page, spot(page, "0"), spot(page, "3"))
    note(page, "0 and 3 are joined already.")
    assert page.faults == []


def test_vertices_and_edges_are_removed_by_mouse(page, app_url):
    open_drawing(page, app_url)
    page.mouse.click(*spot(page, "2"))
    selected(page, "2")
    tool(page, "Delete")
    note(page, "Removed vertex 2.")
    assert names(page) == ["0", "1", "3", "4", "5"]
    (x, y), (u, v) = spot(page, "4"), spot(page, "5")
    page.mouse.click((x + u) / 2, (y + v) / 2)
    note(page, "Edge 4 – 5 selected.")
    page.keyboard.press("Delete")
    note(page, "Removed edge 4 – 5.")
    assert pair("4", "5") not in edges(page)
    tool(page, "Delete")
    page.mouse.click(*spot(page, "0"))
    note(page, "Removed vertex 0.")
    assert names(page) == ["1", "3", "4", "5"]
    assert page.faults == []


def test_a_late_answer_does_not_select_what_has_been_removed(page, app_url):
    open_drawing(page, app_url)
    found = page.evaluate(
        f"""() => {{
          {EDITOR}.removeVertices(["2"]);
          {EDITOR}.removeEdge('["4","5"]');
          {EDITOR}.mark({{ chosen: new Set([2]), edge: [4, 5] }});
          return [{EDITOR}.chosen.size, {EDITOR}.edge];
        }}"""
    )
    assert found == [0, None]
    tool(page, "Delete")
    page.mouse.click(*spot(page, "0"))
    note(page, "Removed vertex 0.")
    assert names(page) == ["1", "3", "4", "5"]
    assert page.faults == []


def test_undo_redo_and_reset_keep_places(page, app_url):
    open_drawing(page, app_url)
    tool(page, "Draw")
    page.mouse.click(*ground(page, 30, 30))
    settle(page)
    tool(page, "Undo")
    counts(page, "6 vertices, 6 edges")
    assert names(page) == list("012345")
    tool(page, "Redo")
    counts(page, "edited: 7 vertices, 6 edges")
    assert names(page) == list("0123456")
    assert spot(page, "6") == pytest.approx(ground(page, 30, 30), abs=2)
    tool(page, "Reset")
    counts(page, "6 vertices, 6 edges")
    assert names(page) == list("012345")
    assert page.faults == []


def test_names_and_labels_are_typed_in_place_and_are_never_html(page, app_url):
    hostile = "<img src=x onerror=alert(1)>"
    open_drawing(page, app_url)
    page.mouse.dblclick(*spot(page, "1"))
    expect(page.locator(".mpgk-new-name")).to_be_focused()
    page.keyboard.type(hostile)
    page.keyboard.press("Enter")
    note(page, f"Renamed 1 to {hostile}.")
    assert names(page)[1] == hostile
    selected(page, hostile)
    page.keyboard.press("l")
    expect(page.locator(".mpgk-new-label")).to_be_focused()
    page.keyboard.type("<b>C</b>")
    page.keyboard.press("Enter")
    note(page, f"Vertex {hostile} has the label <b>C</b>.")
    settle(page)
    assert page.evaluate(f"{EDITOR}.drawn.labels") == ["-", "<b>C</b>", "-", "-", "-", "-"]
    page.wait_for_function("location.search.includes('edits=1..')")
    page.reload()
    expect(page.locator(".mpgk[data-drawn]")).to_be_visible(timeout=90_000)
    assert names(page)[1] == hostile, "the link holds names and labels"
    assert page.locator("img[src=x]").count() == 0
    assert page.locator(".mpgk b").count() == 0
    page.mouse.dblclick(*spot(page, "2"))
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    note(page, "There is a vertex 3 already.")
    assert names(page)[2] == "2"
    assert page.faults == []


def test_dragged_places_and_the_view_survive_sliders_and_edits(page, app_url):
    open_drawing(page, app_url)
    target = ground(page, 40, 40)
    cross(page, spot(page, "0"), target)
    assert spot(page, "0") == pytest.approx(target, abs=2)
    tool(page, "Zoom out")
    places = [spot(page, name) for name in "1234"]
    before = stamp(page)
    press_slider(page, "alpha", "ArrowLeft")
    wait_for_other_pictures(page, before)
    page.locator(SURFACE).scroll_into_view_if_needed()
    now = [spot(page, name) for name in "1234"]
    shift = now[0][1] - places[0][1]  # the page may have scrolled
    for one, other in zip(places, now, strict=True):
        assert (other[0], other[1] - shift) == pytest.approx(one, abs=1)
    places = now
    page.locator(SURFACE).focus()
    page.keyboard.press("n")
    assert names(page)[-1] == "6"
    now = [spot(page, name) for name in "1234"]
    for one, other in zip(places, now, strict=True):
        assert other == pytest.approx(one, abs=1)
    tool(page, "Arrange again")
    assert len({spot(page, name) for name in names(page)}) == 7
    assert page.faults == []


def test_many_are_selected_by_shift_by_a_box_and_moved_together(page, app_url):
    open_drawing(page, app_url)
    page.mouse.click(*spot(page, "0"))
    settle(page)
    page.keyboard.down("Shift")
    page.mouse.click(*spot(page, "3"))
    page.keyboard.up("Shift")
    selected(page, "0, 3")
    settle(page)
    (x, y), (u, v) = spot(page, "0"), spot(page, "3")
    cross(page, (x, y), (x + 20, y + 10))
    assert spot(page, "0") == pytest.approx((x + 20, y + 10), abs=3)
    assert spot(page, "3") == pytest.approx((u + 20, v + 10), abs=3)
    page.mouse.click(*ground(page, 5, 5))
    expect(page.locator(".mpgk-chosen")).not_to_contain_text("Selected", timeout=30_000)
    box = page.locator(SURFACE).bounding_box()
    page.keyboard.down("Shift")
    cross(page, ground(page, 3, 3), ground(page, box["width"] - 3, box["height"] - 3))
    page.keyboard.up("Shift")
    selected(page, "0, 1, 2, 3, 4, 5")
    assert page.faults == []


@pytest.mark.parametrize(("n", "chosen"), [(70, 70), (70, 65), (70, 3), (6, 1)])
def test_what_is_dragged_moves_and_nothing_else_is_drawn_meanwhile(page, app_url, n, chosen):
    open_drawing(page, app_url, f"graph=cycle&cycle-n={n}")
    page.evaluate(f"n => {EDITOR}.mark({{ chosen: new Set(Array(n).keys()) }})", chosen)
    places = dict(zip(names(page), page.evaluate(f"{EDITOR}.positions()"), strict=True))
    x, y = spot(page, "0")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 12, y + 6)
    page.wait_for_function(f"{EDITOR}.held && !{STILL_IS_DRAWN}")
    page.mouse.move(x + 30, y + 15)
    assert page.evaluate(STILL_IS_DRAWN) is False
    page.mouse.up()
    assert spot(page, "0") == pytest.approx((x + 30, y + 15), abs=2)
    now = page.evaluate(f"{EDITOR}.positions()")
    steps = [(now[v][0] - a, now[v][1] - b) for v, (a, b) in enumerate(places.values())]
    assert steps == [pytest.approx(steps[0] if v < chosen else (0, 0)) for v in range(n)]
    assert page.evaluate(f"{EDITOR}.cy.edges().every((edge) => edge.visible())")
    assert page.evaluate(f"{EDITOR}.cy.renderer().data.canvases[1].style.transform") == ""
    assert page.faults == []


STILL_IS_DRAWN = f"{EDITOR}.cy.renderer().data.canvasNeedsRedraw[2]"


def test_all_of_it_by_keyboard_alone(page, app_url):
    open_drawing(page, app_url)
    page.locator(SURFACE).focus()
    for _ in range(12):  # the way there by keyboard: backwards over the buttons, and again here
        page.keyboard.press("Shift+Tab")
    for _ in range(30):
        if page.evaluate("document.activeElement.className") == "mpgk-surface":
            break
        page.keyboard.press("Tab")
    keys = page.keyboard
    keys.press("ArrowRight")
    at = page.evaluate(f"{EDITOR}.cursor")
    keys.press("Space")
    selected(page, at)
    keys.press("Shift+N")
    note(page, f"Added vertex 6, joined to {at}.")
    assert pair("6", at) in edges(page)
    keys.press("j")
    note(page, f"Removed edge {at} – 6.")
    assert edges(page) == RING
    keys.press("j")
    assert pair("6", at) in edges(page)
    place = spot(page, "6")
    keys.press("Control+ArrowDown")
    assert spot(page, "6")[1] == pytest.approx(place[1] + 10, abs=1)
    keys.press("Escape")
    expect(page.locator(".mpgk-chosen")).not_to_contain_text("Selected", timeout=30_000)
    keys.press("F2")
    keys.type("new")
    keys.press("Enter")
    note(page, "Renamed 6 to new.")
    keys.press("l")
    keys.type("C")
    keys.press("Enter")
    note(page, "Vertex new has the label C.")
    assert names(page)[-1] == "new"
    keys.press("Delete")
    note(page, "Removed vertex new.")
    assert names(page) == list("012345")
    keys.press("Control+z")
    counts(page, "edited: 7 vertices, 7 edges")
    keys.press("Control+y")
    counts(page, "edited: 6 vertices, 6 edges")
    assert page.faults == []


@pytest.fixture
def phone(browser, app_url):
    """A page on a small screen that is touched."""
    context = browser.new_context(has_touch=True, viewport={"width": 420, "height": 800})
    page = context.new_page()
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    yield page
    context.close()


def swipe(page, start, end):
    """Drag with a finger."""
    session = page.context.new_cdp_session(page)

    def send(kind, *points):
        touches = [{"x": x, "y": y} for x, y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    send("touchStart", start)
    for point in (middle, end, end):
        send("touchMove", point)
    send("touchEnd")
    session.detach()


def test_all_of_it_by_touch(phone, app_url):
    open_drawing(phone, app_url)
    tool(phone, "Draw").scroll_into_view_if_needed()
    assert tool(phone, "Draw").bounding_box()["width"] >= 44
    phone.touchscreen.tap(*ground(phone, 25, 25))
    note(phone, "Added vertex 6.")
    settle(phone)
    swipe(phone, spot(phone, "6"), spot(phone, "0"))
    note(phone, "Added edge 6 – 0.")
    phone.touchscreen.tap(*spot(phone, "6"))
    phone.touchscreen.tap(*spot(phone, "3"))
    note(phone, "Added edge 6 – 3.")
    assert edges(phone) == RING | {pair("6", "0"), pair("6", "3")}
    tool(phone, "Select and move")
    swipe(phone, spot(phone, "6"), ground(phone, 60, 30))
    assert spot(phone, "6") == pytest.approx(ground(phone, 60, 30), abs=5)
    tool(phone, "Select many")
    phone.touchscreen.tap(*spot(phone, "6"))
    phone.touchscreen.tap(*spot(phone, "1"))
    selected(phone, "1, 6")
    tool(phone, "Name and label")
    note(phone, "Select one vertex first.")
    tool(phone, "Delete")
    note(phone, "Removed vertices 1, 6.")
    assert names(phone) == ["0", "2", "3", "4", "5"]
    box = phone.locator(SURFACE).bounding_box()
    swipe(phone, ground(phone, 4, 4), ground(phone, box["width"] - 4, box["height"] - 4))
    note(phone, "5 selected.")
    tool(phone, "Select many")
    phone.touchscreen.tap(*spot(phone, "2"))
    selected(phone, "2")
    tool(phone, "Name and label")
    phone.keyboard.type("two")
    phone.keyboard.press("Enter")
    assert "two" in names(phone)
    tool(phone, "Undo")
    phone.wait_for_function(f"{EDITOR}.names.includes('2')")
    assert phone.faults == []


def test_the_page_can_be_scrolled_past_the_drawing(page, phone, app_url):
    scrolled = "document.querySelector('[data-testid=stMain]').scrollTop"
    for one in (page, phone):
        open_drawing(one, app_url)
    page.mouse.move(*ground(page, 20, 20))
    before = page.evaluate(scrolled)
    page.mouse.wheel(0, 40)
    page.wait_for_function(f"{scrolled} > {before}")
    zoom = page.evaluate(f"{EDITOR}.cy.zoom()")
    page.mouse.click(*ground(page, 20, 150))
    for _ in range(60):  # not while the page still scrolls
        page.mouse.wheel(0, -20)
        page.wait_for_timeout(50)
        if page.evaluate(f"{EDITOR}.cy.zoom()") > zoom:
            break
    assert page.evaluate(f"{EDITOR}.cy.zoom()") > zoom
    before = phone.evaluate(scrolled)
    swipe(phone, ground(phone, 8, 280), ground(phone, 8, 10))
    phone.wait_for_function(f"{scrolled} > {before}")


def test_a_click_meets_a_vertex_also_after_the_page_has_moved_it(page, app_url):
    open_drawing(page, app_url)
    page.mouse.move(*spot(page, "0"))
    page.evaluate(f"{EDITOR}.box.closest('figure').style.setProperty('margin-top', '40px')")
    page.mouse.click(*spot(page, "0"))
    selected(page, "0")


def test_an_edit_that_is_refused_is_undone_and_the_reason_is_shown(page, app_url):
    open_drawing(page, app_url)
    page.locator(SURFACE).focus()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    note(page, "No vertex would be left. Keep at least one.")
    assert names(page) == list("012345")
    assert page.evaluate(f"{EDITOR}.cy.nodes().length") == 6


def test_edits_made_faster_than_the_server_answers_are_all_kept(page, app_url):
    open_drawing(page, app_url)
    tool(page, "Draw")
    for step in range(5):
        page.mouse.click(*ground(page, 20 + 35 * step, 70))
    counts(page, "edited: 11 vertices, 6 edges")
    assert names(page) == [str(v) for v in range(11)]
    assert page.faults == []


def test_two_users_do_not_share_a_drawing_and_nothing_leaves_the_machine(page, phone, app_url):
    for one in (page, phone):
        open_drawing(one, app_url)
    page.locator(SURFACE).focus()
    page.keyboard.press("n")
    assert len(names(page)) == 7
    tool(phone, "Draw")
    phone.touchscreen.tap(*ground(phone, 25, 25))
    settle(phone)
    swipe(phone, spot(phone, "0"), spot(phone, "3"))
    assert pair("0", "3") in edges(phone)
    page.keyboard.press("n")
    assert len(names(page)) == 8
    assert edges(page) == RING
    assert len(names(phone)) == 7
    assert [url for url in page.requested if not url.startswith((app_url, "data:", "blob:"))] == []


STYLES = f"""() => {EDITOR}.cy.edges().map((edge) => [
  `${{edge.source().data("name")}} ${{edge.target().data("name")}}`,
  edge.style("line-color"), edge.style("line-style"), edge.style("target-arrow-shape"),
])"""


def styles(page):
    """Return colour, dash and arrow head of every edge."""
    settle(page)
    return {ends: look for ends, *look in page.evaluate(STYLES)}


def test_edges_show_what_is_known_and_used_of_them(page, app_url):
    open_drawing(page, app_url, "graph=aspirin")
    expect(page.locator(".mpgk-edge-label")).to_have_text(
        ["Edges: bonds by colour and lines", "aromatic", "double", "single"]
    )
    looks = styles(page)
    assert looks["C9 O3"] != looks["C9 O4"]
    assert {arrow for *_, arrow in looks.values()} == {"none"}
    drawn = page.evaluate(STYLES)
    assert [ends for ends, *_ in drawn].count("C9 O3") == 2  # a double bond is two lines
    assert [look for ends, _, look, _ in drawn if ends == "C1 C2"] == ["solid", "dashed"]
    (x, y), (u, v) = spot(page, "C9"), spot(page, "O3")
    page.mouse.click((x + u) / 2, (y + v) / 2)
    note(page, "Edge C9 – O3 (double) selected.")
    before = stamp(page)
    choose_option(page, page.locator(".st-key-edges-labels input"), "Ignore")
    wait_for_other_pictures(page, before)
    expect(page.locator(".mpgk-edge-label").first).to_contain_text("not used by the kernel")
    assert len({colour for colour, *_ in styles(page).values()}) == 1
    choose_graph(page, "Pond food web")
    assert {arrow for *_, arrow in styles(page).values()} == {"triangle"}
    assert page.faults == []
