"""The playground in a real browser."""

import re
from urllib.parse import parse_qsl, urlencode, urlsplit

import networkx as nx
import numpy as np
import pytest
from playwright.sync_api import expect

from mpgk_core import MessagePassingNodeKernel
from mpgk_core.arrays import cosine_normalised
from mpgk_core.graphs.generators import PRESETS
from tests.browser.playground import (
    EMBEDDING_POINTS,
    choose_graph,
    click_point,
    click_vertex,
    colours,
    expect_vertices,
    go_to_round,
    graph_colours,
    marked_vertices,
    open_playground,
    outlines,
    press,
    stamp,
    wait_for_other_pictures,
    wait_until_still,
)
from tests.browser.resting import wait_until_answered
from tests.extremes import EXTREMES


def test_first_paint_shows_the_papers_figure(page, app_url):
    open_playground(page, app_url)
    expect_vertices(page, 30)
    expect(page.locator(EMBEDDING_POINTS)).to_have_count(7)
    assert len(set(graph_colours(page))) == 7
    assert colours(page, EMBEDDING_POINTS) == set(graph_colours(page))
    expect(page.locator(".mpgk-where")).to_contain_text("7 of 7 orbits recovered")
    expect(page.locator(".mpgk-other-title")).to_have_text("struc2vec")
    assert page.locator(".mpgk-other path.point").count() >= 7
    page.reload()
    expect(page.locator(".mpgk[data-drawn]")).to_be_visible(timeout=90_000)
    assert page.evaluate(SENT) == [0, 0], "the two libraries are fetched once"
    assert page.faults == []


SENT = r"""() => performance.getEntriesByType("resource")
  .filter((entry) => /(plotly-cartesian|cytoscape)-[\d.]+min.js/.test(entry.name))
  .map((entry) => entry.transferSize)"""


def test_a_slider_moved_by_keyboard_changes_the_embedding(page, app_url):
    open_playground(page, app_url)
    before = stamp(page)
    press(page, "T", "Home")
    wait_for_other_pictures(page, before)
    expect(page.locator(EMBEDDING_POINTS)).to_have_count(3)
    expect(page.locator(".mpgk-where")).to_contain_text("t = 0 of 0: 3 points, 2 of 7 orbits")


def test_pictures_and_their_rounds_are_replaced_however_many_there_are(page, app_url):
    open_playground(page, app_url, "T=12")
    slider = page.locator(".mpgk-round")
    expect(slider).to_have_attribute("max", "12")
    for change in (
        lambda: press(page, "alpha", "Home"),
        lambda: page.locator(".st-key-three label").first.click(),
        lambda: choose_graph(page, "Path"),
        lambda: page.locator(".st-key-three label").first.click(),
    ):
        before = stamp(page)
        change()
        wait_for_other_pictures(page, before)
        expect(slider).to_have_attribute("max", "12")
        expect(page.locator(".mpgk-where")).to_contain_text("t = 12 of 12")
    before = stamp(page)
    press(page, "T", "Home")
    wait_for_other_pictures(page, before)
    expect(slider).to_have_attribute("max", "0")
    expect(page.locator(".mpgk-where")).to_contain_text("t = 0 of 0")
    assert page.faults == []


def test_clicks_are_heard_after_three_axes_have_been_drawn_by_the_larger_library(page, app_url):
    open_playground(page, app_url)
    for _ in range(2):
        before = stamp(page)
        page.locator(".st-key-three label").first.click()
        wait_for_other_pictures(page, before)
    assert page.evaluate(LIBRARIES) == 2
    click_vertex(page, 10)
    expect(page.locator(".mpgk-chosen")).to_contain_text("Selected: 10.")
    assert page.faults == []


LIBRARIES = "() => Object.keys(window.mpgkLibraries).filter((it) => it.includes('/plotly')).length"


def test_a_click_in_one_picture_marks_the_others_and_survives_a_slider(page, app_url):
    open_playground(page, app_url)
    click_vertex(page, 10)
    chosen = page.locator(".mpgk-chosen")
    expect(chosen).to_have_text("Selected: 10. Equivalent (ring): 1. Neighbours (dashed): 2.")
    assert marked_vertices(page, "chosen") == [10]
    assert marked_vertices(page, "alike") == [19]
    assert marked_vertices(page, "near") == [9, 11]
    marked = [i for i, width in enumerate(outlines(page, EMBEDDING_POINTS)) if width > 3.5]
    assert len(marked) == 1
    before = stamp(page)
    press(page, "alpha", "ArrowLeft")
    wait_for_other_pictures(page, before)
    expect(chosen).to_contain_text("Selected: 10.")
    assert marked_vertices(page, "chosen") == [10]
    page.get_by_role("radio", name="Matrix").click()
    expect(page.locator(".mpgk-matrix .shapelayer path")).to_have_count(2, timeout=60_000)
    page.get_by_role("button", name="Clear selection").click()
    expect(chosen).to_be_empty()
    expect(page.locator(".mpgk-note")).to_contain_text("Click selects")
    expect(page.locator(".mpgk-matrix .shapelayer path")).to_have_count(0)
    assert marked_vertices(page, "chosen") == []


def test_a_click_on_a_point_selects_all_vertices_on_it(page, app_url):
    open_playground(page, app_url, "round=0")  # where no other point covers it
    click_point(page, EMBEDDING_POINTS, 0)
    expect(page.locator(".mpgk-chosen")).to_contain_text("and 12 more. Equivalent")
    assert marked_vertices(page, "chosen") == [*range(9), *range(21, 30)]


def test_a_click_on_a_cell_of_the_matrix_selects_the_pair(page, app_url):
    open_playground(page, app_url, "panel=matrix")
    page.locator(".mpgk-matrix").scroll_into_view_if_needed()
    box = page.locator(".mpgk-matrix .heatmaplayer image").bounding_box()
    page.mouse.click(box["x"] + 0.01 * box["width"], box["y"] + 0.99 * box["height"])
    expect(page.locator(".mpgk-chosen")).to_contain_text("Selected: 15, 0.")


def test_every_vertex_has_its_row_in_the_matrix_of_every_round(page, app_url):
    open_playground(page, app_url, "panel=matrix")
    kernel = MessagePassingNodeKernel("R", n_iterations=5, features="degree-label")
    kernels = kernel.fit(nx.barbell_graph(10, 10)).kernels_at_all_t()
    rows = [
        int(text.split(" · ")[0]) for text in page.evaluate(f"{CELLS}.text.map((row) => row[0])")
    ]
    assert sorted(rows) == list(range(30))
    for t, whole in enumerate(kernels):
        go_to_round(page, t)
        wanted = cosine_normalised(whole, whole.diagonal(), whole.diagonal())[np.ix_(rows, rows)]
        np.testing.assert_allclose(page.evaluate(f"{CELLS}.z"), wanted, atol=1e-6)


CELLS = "document.querySelector('.mpgk-matrix').data[0]"


def test_the_scrubber_plays_all_rounds_without_asking_the_server(page, app_url):
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    open_playground(page, app_url)
    page.wait_for_load_state("networkidle")
    sent.clear()
    play = page.get_by_role("button", name="Play")
    expect(play).to_have_text("Play")
    play.click()
    expect(page.locator(".mpgk-play")).to_have_text("Pause")
    where = page.locator(".mpgk-where")
    for t, n_points in enumerate([3, 4, 5, 6, 7, 7]):
        expect(where).to_contain_text(f"t = {t} of 5: {n_points} points", timeout=10_000)
    expect(page.locator(".mpgk-play")).to_have_text("Play", timeout=10_000)
    assert sent == []
    page.locator(".mpgk-round").press("Home")
    expect(where).to_have_text("t = 0 of 5: 3 points, 2 of 7 orbits recovered")
    wait_until_still(page)
    assert len(set(graph_colours(page))) == 3
    assert sent == []
    assert page.faults == []


def test_a_link_restores_everything_in_another_browser(page, app_url, browser):
    open_playground(page, app_url)
    page.get_by_role("radio", name="A: best matching").click()
    expect(page.locator(".st-key-depth")).to_be_visible()
    press(page, "barbell-h", "ArrowLeft")
    expect_vertices(page, 28)
    before = stamp(page)
    press(page, "beta", "End")
    wait_for_other_pictures(page, before)
    click_vertex(page, 12)
    expect(page.locator(".mpgk-chosen")).to_contain_text("Selected: 12.")
    page.wait_for_function("location.search.includes('sel=12')")
    elsewhere = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    elsewhere.goto(page.url)
    expect(elsewhere.locator(".mpgk[data-drawn]")).to_be_visible(timeout=60_000)
    expect(elsewhere.locator(".mpgk-chosen")).to_contain_text("Selected: 12.")
    assert stamp(elsewhere) == stamp(page)
    elsewhere.context.close()


def test_the_same_vertex_can_be_selected_in_one_graph_after_the_other(page, app_url):
    open_playground(page, app_url)
    for title in ("Cycle", "Path"):
        click_vertex(page, 5)
        page.wait_for_function("location.search.includes('sel=5')", timeout=30_000)
        choose_graph(page, title)
        page.wait_for_function("!location.search.includes('sel=')", timeout=30_000)
    assert page.faults == []


def test_everything_is_set_as_before_when_the_user_comes_back(page, app_url):
    query = "T=3&graph=cycle&features=degree&features=triangles&sel=2,3&panel=explain"
    open_playground(page, app_url, query)
    before = stamp(page)
    press(page, "alpha", "ArrowLeft")
    wait_for_other_pictures(page, before)
    page.wait_for_function("location.search.includes('alpha=')")
    wait_until_answered(page)
    left, address = stamp(page), page.url
    links = page.get_by_test_id("stTopNav")
    for come_back in (page.go_back, links.get_by_role("link", name="Playground").click):
        links.get_by_role("link", name="Lessons").click()
        expect(page.locator(".st-key-open-how-far")).to_be_visible(timeout=60_000)
        come_back()
        drawn = page.locator(f".mpgk[data-drawn='{left}']")
        expect(drawn).to_be_visible(timeout=60_000)
        expect(page.locator(".mpgk-chosen")).to_contain_text("Selected: 2, 3.")
        wait_until_answered(page)
        now, then = (sorted(parse_qsl(urlsplit(url).query)) for url in (page.url, address))
        assert now == then
    assert page.faults == []


def test_a_drawing_is_there_again_after_a_visit_to_a_page_that_shares_its_graph(page, app_url):
    open_playground(page, app_url, "graph=cycle")
    expect_vertices(page, 12)
    page.locator(".mpgk-surface").focus()
    page.keyboard.press("n")
    page.wait_for_function("location.search.includes('edits=')", timeout=30_000)
    wait_until_answered(page)
    page.get_by_test_id("stTopNav").get_by_role("link", name="Tuning").click()
    page.wait_for_url(re.compile("/tuning.graph=cycle"))
    wait_until_answered(page)
    while "/tuning" in page.url:  # with and without the graph, if the page was slow to name it
        page.go_back()
        wait_until_answered(page)
    expect_vertices(page, 13)
    page.wait_for_function("location.search.includes('edits=')", timeout=30_000)
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    assert page.faults == []


def test_nothing_leaves_the_machine(page, app_url):
    open_playground(page, app_url)
    click_vertex(page, 3)
    expect(page.locator(".mpgk-chosen")).to_contain_text("Selected: 3.")
    wait_until_still(page)
    addresses = [url for url in page.requested if not url.startswith(("data:", "blob:"))]
    assert {urlsplit(url).hostname for url in addresses} == {"127.0.0.1"}


def test_a_phone_stacks_the_pictures(page, app_url):
    page.set_viewport_size({"width": 390, "height": 844})
    open_playground(page, app_url)
    boxes = page.evaluate(  # at one moment: the page may still settle
        """() => [".mpgk-graph-card", ".mpgk-embedding-card"].map((card) => {
          const { y, width, height } = document.querySelector(card).getBoundingClientRect();
          return { y, width, height };
        })"""
    )
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]
    assert all(box["width"] <= 390 for box in boxes)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.thorough
@pytest.mark.parametrize("settings", EXTREMES.values(), ids=EXTREMES)
def test_no_graph_fails_at_any_end_of_any_control(page, app_url, settings):
    open_playground(page, app_url, urlencode(settings))
    for preset in PRESETS.values():
        choose_graph(page, preset.title)
        for parameter in preset.parameters:
            key = f"{preset.key}-{parameter.key}"
            slider = page.locator(f".st-key-{key} input[type=range]")
            expect(slider).to_have_value(f"{settings[key]:g}", timeout=30_000)
        expect(page.locator(".mpgk-graph")).to_be_visible()
        assert page.get_by_test_id("stException").count() == 0, preset.key
        assert page.faults == [], preset.key
