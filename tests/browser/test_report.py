"""A report opens from the disk, without a network, and draws itself."""

import plotly.graph_objects as go
import pytest
from playwright.sync_api import expect

from mpgk_core import MessagePassingNodeKernel, orbits
from mpgk_core.embedding.trajectory import trajectory
from mpgk_core.export import ReportFigure, ReportTable, report
from mpgk_core.plotting import (
    colour_by_orbit,
    draw_embedding,
    draw_graph,
    draw_matrix,
    graph_layout,
    matrix_rows,
    safe_names,
)
from tests.export.studies import NASTY, STUDIES

EVIL = (
    "<img src=http://127.0.0.1:9/x onerror='window.hacked = 1'><script>window.hacked = 1</script>"
)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A report on a hostile graph, with figures of all kinds, as a file."""
    study = STUDIES["nasty R"]
    graph = study.data.build()
    kernel = MessagePassingNodeKernel(**study.kernel.settings()).fit(graph)
    way, roles, names = trajectory(graph, kernel, 3), orbits(graph), safe_names(graph.names)
    colouring = colour_by_orbit(roles.of_vertex, way.point_of_class[:, way.class_of_vertex])
    rows = matrix_rows(roles.of_vertex)
    drawings = [
        draw_graph(graph, graph_layout(graph), colouring).figure(controls=True),
        draw_graph(graph, graph_layout(graph), colouring),
        draw_embedding(way, colouring, names).figure(controls=True),
        draw_matrix(kernel.kernels_at_all_t(rows), rows, names),
        go.Figure(go.Scattergl(x=[1, 2], y=[1, 2], text=safe_names([EVIL, "b"]))),
    ]
    figures = [ReportFigure(drawing, EVIL, f"alternative {EVIL}") for drawing in drawings]
    table = ReportTable(EVIL, ("vertex", "orbit"), list(zip(NASTY, [1] * 13, strict=True)))
    page = report(EVIL, figures, {**study.kernel.settings(), EVIL: EVIL}, [table], [EVIL])
    file = tmp_path_factory.mktemp("report") / "report.html"
    file.write_text(page, encoding="utf-8")
    return file.as_uri()


@pytest.fixture(scope="module")
def page(browser, address):
    """The report, opened once in a browser that is offline."""
    context = browser.new_context(offline=True, color_scheme="light")
    page = context.new_page()
    page.requested, page.faults = [], []
    page.on("request", lambda request: page.requested.append(request.url))
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.on("console", lambda line: page.faults.append(line.text) if line.type == "error" else None)
    page.goto(address)
    expect(page.locator("body")).to_have_attribute("data-drawn", "5", timeout=60_000)
    yield page
    context.close()


def test_it_draws_all_figures_without_a_request_or_an_error(page, address):
    plots = page.locator(".plot")
    assert plots.locator("svg.main-svg").count() >= 5
    assert plots.nth(1).locator(".scatterlayer .point").count() == len(NASTY)
    assert plots.nth(2).locator("canvas").count() >= 1
    assert plots.nth(3).locator(".heatmaplayer image").count() == 1
    assert plots.nth(4).locator("canvas").count() >= 1
    assert all(url == address or url.startswith(("data:", "blob:")) for url in page.requested)
    assert page.faults == []


def test_foreign_text_is_shown_and_does_nothing(page):
    assert page.locator("h1").inner_text() == EVIL
    assert page.locator("figcaption").first.inner_text() == f"Figure 1. {EVIL}"
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img").count() == 0


def test_its_figures_are_alive(page):
    plot = page.locator(".plot").first
    now = plot.locator(".slider-label").first
    expect(now).to_have_text(f"t = {STUDIES['nasty R'].kernel.n_iterations}")
    rail = plot.locator(".slider-rail-touch-rect")
    rail.scroll_into_view_if_needed()
    rail.click(position={"x": 2, "y": 4}, force=True)
    expect(now).to_have_text("t = 0")
    assert page.faults == []


def test_it_is_light_or_dark_as_the_reader_prefers(page):
    word = page.locator(".plot").first.locator(".slider-label").first
    for scheme, ground, ink in (
        ("dark", "rgb(16, 21, 27)", "rgb(232, 237, 242)"),
        ("light", "rgb(255, 255, 255)", "rgb(28, 39, 51)"),
    ):
        page.emulate_media(color_scheme=scheme)
        expect(page.locator("body")).to_have_css("background-color", ground)
        expect(word).to_have_css("fill", ink)
    assert page.faults == []


def test_it_fits_a_phone(page):
    before = page.viewport_size
    page.set_viewport_size({"width": 360, "height": 640})
    first = page.locator(".plot svg.main-svg").first
    expect(first).to_have_css("width", "328px")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.set_viewport_size(before)
    assert page.faults == []


def test_it_forbids_itself_all_requests(page):
    tries = {
        "fetch": "fetch('http://127.0.0.1:9/').then(() => 'sent', () => 'refused')",
        "script": "new Promise((done) => { const s = document.createElement('script'); "
        "s.textContent = 'window.hacked = 1'; document.body.append(s); "
        "done(window.hacked ? 'ran' : 'refused'); })",
        "picture": "new Promise((done) => { const i = new Image(); i.onload = () => done('sent'); "
        "i.onerror = () => done('refused'); i.src = 'http://127.0.0.1:9/x.png'; })",
    }
    said = {name: page.evaluate(code) for name, code in tries.items()}
    assert said == dict.fromkeys(tries, "refused")
    refusals = [fault for fault in page.faults if "Content Security Policy" in fault]
    page.faults.clear()
    for word in ("127.0.0.1:9/'", "inline script", "127.0.0.1:9/x.png"):
        assert any(word in refusal for refusal in refusals)
