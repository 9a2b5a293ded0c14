"""Linked pictures in a real browser: numbers, counts, lines, marks and views, round by round."""

import re
from collections import Counter

import numpy as np
import pytest
from playwright.sync_api import expect

from mpgk_core import GraphSet, MessagePassingNodeKernel, orbits
from mpgk_core.embedding.methods import method_trajectory
from mpgk_core.embedding.trajectory import trajectory
from mpgk_core.graphs.generators import PRESETS, build_graph
from mpgk_core.kernels.update import KernelParameters
from mpgk_core.plotting.colouring import class_colours, colour_by_class
from mpgk_core.plotting.embedding_figure import draw_embedding
from mpgk_core.recovery.verdict import verdicts
from tests.browser.playground import (
    EDITOR,
    EMBEDDING_POINTS,
    choose_graph,
    click_point,
    click_vertex,
    go_to_round,
    graph_colours,
    marked_vertices,
    open_playground,
    place_of_vertex,
    press,
    stamp,
    wait_for_other_pictures,
    wait_until_still,
)
from tests.browser.resting import wait_until_answered

OTHER_POINTS = ".mpgk-other path.point"
DEFAULT = KernelParameters().settings() | {"features": "degree-label", "normalize": True}


def computed(name):
    """Return graph, kernel and ways of both planes as the default page has them."""
    graph = GraphSet.from_networkx(build_graph(name))
    kernel = MessagePassingNodeKernel(**DEFAULT).fit(graph)
    T = kernel.n_iterations
    return graph, kernel, trajectory(graph, kernel), method_trajectory("struc2vec", graph, T)


def drawn_counts(graph, way):
    """Return what stands beside points in every round, as Python has written it."""
    colouring = colour_by_class("Orbit", np.array([orbits(graph).of_vertex] * 6), "orbit")
    frames = draw_embedding(way, colouring, [str(name) for name in graph.names]).frames
    texts = [frame["data"][0]["text"] for frame in frames]
    return [Counter(word.split(",")[0] for word in some if word.strip()) for some in texts]


def counts_seen(page, plane):
    """Return the counts that stand beside points in the picture."""
    words = page.locator(f".mpgk-{plane} .textpoint text").all_text_contents()
    return Counter(word.split(",")[0] for word in words if word.strip())


def check_counts(page, drawn, t):
    for plane, counts in drawn.items():
        assert counts_seen(page, plane) == counts[t], (plane, t)


def test_counts_beside_points_are_complete_in_every_round_and_graph(page, app_url):
    open_playground(page, app_url)
    for key in ("barbell", "houses-on-a-ring"):
        choose_graph(page, PRESETS[key].title)
        graph, _, way, other = computed(key)
        drawn = {"embedding": drawn_counts(graph, way), "other": drawn_counts(graph, other)}
        assert all(some.total() for counts in drawn.values() for some in counts)
        wait_until_still(page)
        check_counts(page, drawn, 5)
        for t in (0, 1, 2, 3, 4, 5, 2, 1, 4):
            go_to_round(page, t)
            check_counts(page, drawn, t)
        go_to_round(page, 0)
        page.locator(".mpgk-play").click()
        expect(page.locator(".mpgk-where")).to_contain_text("t = 5 of 5", timeout=30_000)
        wait_until_still(page)
        check_counts(page, drawn, 5)
    assert page.faults == []


def test_all_numbers_follow_the_scrubber(page, app_url):
    graph, kernel, way, _ = computed("barbell")
    shown = way.with_axes("fit")
    found = verdicts(graph, kernel, orbits=orbits(graph))
    open_playground(page, app_url)
    for t in (5, 1, 0, 3):
        go_to_round(page, t)
        one = found[t]
        expect(page.locator(".mpgk-where")).to_have_text(
            f"t = {t} of 5: {one.n_points} points, {one.n_recovered} of 7 orbits recovered"
        )
        under = page.locator(".mpgk-embedding-under").inner_text()
        assert under.startswith(f"{one.n_recovered} of 7 orbits recovered.")
        gap = float(re.search(r"≥ (\S+) between them\.$", under)[1])
        assert gap == pytest.approx(one.smallest_gap, rel=5e-3)
        for axis, letter in enumerate("xy"):
            title = page.locator(f".mpgk-embedding .{letter}title").text_content()
            share = float(re.search(r"([\d.]+) %", title)[1])
            if not title.split(":")[1].strip().startswith("below"):
                assert share == pytest.approx(100 * way.explained[t, axis], rel=5e-3)
            ticks = page.locator(f".mpgk-embedding .{letter}tick text").all_text_contents()
            largest = max(abs(float(tick.replace("−", "-"))) for tick in ticks)
            assert shown.scales[t, axis] / 3 <= largest <= shown.scales[t, axis] * 1.0001
    assert page.faults == []


LINES = """() => [...document.querySelectorAll(".mpgk-lines line")].map((line) => {
  const { left, top } = document.querySelector(".mpgk-lines").getBoundingClientRect();
  const at = (name) => line[name].baseVal.value;
  return [at("x1") + left, at("y1") + top, at("x2") + left, at("y2") + top];
})"""


def middle(page, points, number):
    box = page.locator(points).nth(number).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def hold_still_over(page, x, y):
    """Move the mouse to a point in small steps, as a hand does."""
    page.mouse.move(x - 3, y - 3)
    page.mouse.move(x, y, steps=3)


def test_a_vertex_below_the_mouse_is_joined_to_its_points_in_both_planes(page, app_url):
    _, _, way, other = computed("barbell")
    open_playground(page, app_url)
    wait_until_still(page)
    for vertex in (4, 12, 20):
        x, y = place_of_vertex(page, vertex)
        hold_still_over(page, x, y)
        expect(page.locator(".mpgk-lines line")).to_have_count(2)
        ends = [
            middle(page, points, int(one.class_of_vertex[vertex]))
            for points, one in ((EMBEDDING_POINTS, way), (OTHER_POINTS, other))
        ]
        for line, end in zip(page.evaluate(LINES), ends, strict=True):
            assert line == pytest.approx([x, y, *end], abs=2)
        page.mouse.move(5, 5)
        expect(page.locator(".mpgk-lines line")).to_have_count(0)
    assert page.faults == []


def test_a_point_below_the_mouse_is_joined_to_its_vertices(page, app_url):
    _, _, way, _ = computed("barbell")
    open_playground(page, app_url)
    wait_until_still(page)
    number = int(way.class_of_vertex[12])
    vertices = np.flatnonzero(way.class_of_vertex == number).tolist()
    assert vertices == [12, 17]
    x, y = middle(page, EMBEDDING_POINTS, number)
    hold_still_over(page, x, y)
    expect(page.locator(".mpgk-lines line")).to_have_count(4)
    starts = {tuple(round(v) for v in line[:2]) for line in page.evaluate(LINES)}
    wanted = {tuple(round(v) for v in place_of_vertex(page, v)) for v in vertices}
    assert starts == wanted
    page.mouse.move(5, 5)
    expect(page.locator(".mpgk-lines line")).to_have_count(0)
    assert page.faults == []


def test_a_class_of_the_legend_selects_its_vertices(page, app_url):
    open_playground(page, app_url)
    legend = page.locator(".mpgk-legend button")
    expect(legend).to_have_count(7)
    page.get_by_role("button", name="orbit 3 ×2").click()
    expect(page.locator(".mpgk-chosen")).to_contain_text("Selected: 10, 19.")
    assert marked_vertices(page, "chosen") == [10, 19]
    go_to_round(page, 0)
    expect(legend).to_have_count(3)
    legend.first.focus()
    page.keyboard.press("Enter")
    colours = graph_colours(page)
    same = [v for v, colour in enumerate(colours) if colour == colours[0]]
    assert marked_vertices(page, "chosen") == same
    assert page.faults == []


MARKS = f"""() => [
  ...{EDITOR}.cy.nodes().flatMap((node) =>
    ["border-color", "outline-color", "underlay-color"].map((part) => node.style(part))),
  ...[...document.querySelectorAll(".mpgk-plot path.point")].map((m) => getComputedStyle(m).stroke),
  ...[...document.querySelectorAll(".mpgk-lines line")].map((m) => getComputedStyle(m).stroke),
]"""


def test_marks_use_no_colour_of_the_palette(page, app_url):
    open_playground(page, app_url)
    click_vertex(page, 9)
    expect(page.locator(".mpgk-chosen")).to_contain_text("Selected: 9.")
    assert marked_vertices(page, "near") == [*range(9), 10]
    assert marked_vertices(page, "alike") == [20]
    assert marked_vertices(page, "dim") == [*range(11, 20), *range(21, 30)]
    hold_still_over(page, *place_of_vertex(page, 14))
    expect(page.locator(".mpgk-lines line")).to_have_count(2)
    palette = {tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5)) for colour in class_colours(10)}
    marks = {tuple(map(int, re.findall(r"\d+", mark)[:3])) for mark in page.evaluate(MARKS)}
    assert marks
    assert marks & palette == set()
    assert all(max(mark) - min(mark) <= 20 for mark in marks), "marks are grey, black or white"


RANGES = """name => {
  const { xaxis, yaxis } = document.querySelector(`.mpgk-${name}`).layout;
  return [...xaxis.range, ...yaxis.range];
}"""
VIEW = f"[{EDITOR}.cy.zoom(), {EDITOR}.cy.pan().x, {EDITOR}.cy.pan().y]"
PLACES = f"{EDITOR}.positions()"


def drag(page, start, end):
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=5)
    page.mouse.up()


def change_slider(page, slider, key):
    before = stamp(page)
    press(page, slider, key)
    wait_for_other_pictures(page, before)
    wait_until_still(page)


def test_views_of_planes_and_places_of_vertices_survive_a_slider(page, app_url):
    open_playground(page, app_url)
    wait_until_still(page)
    for name in ("embedding", "other"):
        plot = page.locator(f".mpgk-{name}")
        before = page.evaluate(RANGES, name)
        plot.hover()
        plot.locator("[data-title='Zoom in']").click()
        wait_until_still(page)
        box = plot.locator(".nsewdrag").bounding_box()
        corner = box["x"] + box["width"] * 0.55, box["y"] + box["height"] * 0.9
        drag(page, corner, (corner[0] + 30, corner[1] - 20))
        assert page.evaluate(RANGES, name) != before
    x, y = place_of_vertex(page, 14)
    drag(page, (x, y), (x + 12, y + 45))
    page.locator(".mpgk-tools").get_by_role("button", name="Zoom in").click()
    before = (
        [page.evaluate(RANGES, name) for name in ("embedding", "other")],
        page.evaluate(VIEW),
        page.evaluate(PLACES),
    )
    assert before[2][14][1] < before[2][13][1], "it was dragged downwards"
    for slider, key in (("alpha", "ArrowLeft"), ("beta", "ArrowRight"), ("T", "ArrowRight")):
        change_slider(page, slider, key)
        assert [page.evaluate(RANGES, name) for name in ("embedding", "other")] == before[0]
        assert page.evaluate(VIEW) == pytest.approx(before[1])
        np.testing.assert_allclose(page.evaluate(PLACES), before[2])
    page.get_by_role("radio", name="Matrix").click()
    expect(page.locator(".mpgk-matrix .heatmaplayer image")).to_be_visible(timeout=60_000)
    np.testing.assert_allclose(page.evaluate(PLACES), before[2])
    assert page.faults == []


CAMERA = "document.querySelector('.mpgk-embedding')._fullLayout.scene._scene.getCamera().eye"
CAMERA_AT_REST = f"""() => new Promise((resolve) => {{
  let [last, frames] = ["", 0];
  const look = () => {{
    const now = JSON.stringify({CAMERA});
    frames = now === last ? frames + 1 : 0;
    last = now;
    frames < 20 ? requestAnimationFrame(look) : resolve();
  }};
  look();
}})"""


def in_space(page, app_url, query=""):
    open_playground(page, app_url, f"three=true&{query}")
    expect(page.locator(".mpgk-embedding canvas").first).to_be_visible(timeout=60_000)
    wait_until_answered(page)
    wait_until_still(page)
    return page.locator(".mpgk-embedding").bounding_box()


def test_the_camera_survives_a_slider(page, app_url):
    box = in_space(page, app_url)
    before = page.evaluate(CAMERA)
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0] + 60, middle[1] + 10, steps=5)
    page.wait_for_function(f"before => {CAMERA}.x !== before", arg=before["x"])
    page.evaluate(CAMERA_AT_REST)  # the camera follows the mouse some frames later
    page.mouse.up()
    page.evaluate(CAMERA_AT_REST)
    turned = page.evaluate(CAMERA)
    change_slider(page, "alpha", "ArrowLeft")
    assert page.evaluate(CAMERA) == pytest.approx(turned, abs=1e-3)
    go_to_round(page, 2)
    assert page.evaluate(CAMERA) == pytest.approx(turned, abs=1e-3)
    assert page.faults == []


def test_a_click_in_space_selects_the_vertices_of_the_point(page, app_url):
    box = in_space(page, app_url)
    _, _, way, _ = computed("barbell")
    chosen = page.locator(".mpgk-chosen")
    for number in (4, 6, 3):  # others lie close together
        vertices = np.flatnonzero(way.class_of_vertex == number).tolist()
        x, y = page.evaluate(SEEN_IN_SPACE)[number]
        hold_still_over(page, box["x"] + x, box["y"] + y)
        expect(page.locator(".mpgk-lines circle").first).to_be_attached()
        page.mouse.down()
        page.wait_for_timeout(200)
        page.mouse.up()
        expect(chosen).to_contain_text(f"Selected: {', '.join(map(str, vertices))}.")
        wait_until_still(page)
        assert marked_vertices(page, "chosen") == vertices
    assert page.faults == [], "no call stack overflows"


SEEN_IN_SPACE = """() => {
  const plot = document.querySelector(".mpgk-embedding");
  const { glplot, dataScale } = plot._fullLayout.scene._scene;
  const { model, view, projection } = glplot.cameraParams;
  const times = (m, v) =>
    [0, 1, 2, 3].map((r) => v.reduce((sum, x, c) => sum + m[4 * c + r] * x, 0));
  const { x, y, z } = plot._fullData[0];
  return Array.from(x, (_, i) => [x, y, z].map((axis, a) => axis[i] * dataScale[a]).concat(1))
    .map((point) => times(projection, times(view, times(model, point))))
    .map(([a, b, , w]) => [
      (1 + a / w) / 2 * plot.clientWidth, (1 - b / w) / 2 * plot.clientHeight]);
}"""
"""Where the points of the solid picture are seen, in pixels from its corner."""


def test_tabs_change_what_is_below_the_graph(page, app_url):
    page.set_viewport_size({"width": 1280, "height": 800})
    open_playground(page, app_url)
    graph = page.locator(".mpgk-graph")

    def tab(name):
        wait_until_answered(page)
        page.get_by_role("radio", name=name, exact=True).click()

    tab("Matrix")
    expect(page.locator(".mpgk-matrix .heatmaplayer image")).to_be_visible(timeout=60_000)
    expect(page.locator(".mpgk-embedding-card")).to_be_hidden()
    expect(page.locator(".mpgk-matrix .ytick")).to_have_count(30)  # the name of every row
    tab("All methods")
    multiples = page.locator(".st-key-all-methods .js-plotly-plot").filter(visible=True)
    expect(multiples).to_be_visible(timeout=120_000)
    titles = " ".join(multiples.locator(".annotation-text").all_text_contents())
    for method in ("MPGK R: 7 of 7", "MPGK A", "struc2vec", "DeepWalk", "LINE", "Spectral"):
        assert method in titles
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    expect(page.get_by_role("button", name="Scores, CSV")).to_be_visible()
    expect(page.locator(".mpgk-matrix-card")).to_be_hidden()
    tab("Explain")
    first = page.locator(".st-key-history .js-plotly-plot").filter(visible=True)
    expect(first).to_be_visible(timeout=120_000)
    wait_until_answered(page)
    page.locator("[data-testid=stMain]").evaluate("main => main.scrollTo(0, 0)")
    expect(graph).to_be_in_viewport(ratio=1)
    expect(page.get_by_text("t = 5, R:")).to_be_in_viewport(ratio=1)
    tab("Planes")
    expect(page.locator(EMBEDDING_POINTS)).to_have_count(7, timeout=60_000)
    click_point(page, EMBEDDING_POINTS, 3)
    expect(page.locator(".mpgk-chosen")).to_contain_text("Selected: ")
    assert page.faults == []


@pytest.mark.parametrize("query", ["", "graph=cycle&cycle-n=600", "panel=matrix"])
def test_charts_fill_their_places_also_where_styles_come_late(page, app_url, query):
    open_playground(page, app_url, query)
    page.add_style_tag(content=".mpgk-plot { height: 331px !important; }")
    page.wait_for_function(UNFILLED + ".length === 0", timeout=10_000)
    assert page.faults == []


UNFILLED = """[...document.querySelectorAll(".mpgk-plot.js-plotly-plot")].filter((plot) => {
  const { width, height } = plot.querySelector(".main-svg").getBoundingClientRect();
  return plot.offsetWidth && (height !== 331 || Math.abs(width - plot.offsetWidth) > 1);
})"""
