"""Graph classification in a real browser: run, partial table, stop, resume, download."""

import pytest
from playwright.sync_api import expect

from tests.browser.charts import chart
from tests.browser.downloading import taken
from tests.browser.resting import wait_until_at_rest
from tests.browser.serving import serving

FIRST_SIGHT = "[class*='st-key-example-'] .js-plotly-plot"


def test_a_link_to_a_page_is_the_first_thing_a_server_is_asked_for(page, tmp_path):
    # With results of its own: where another test has finished this run, there is nothing to run.
    with serving(MPGK_CACHE=str(tmp_path)) as server:
        url = server.url
        page.goto(f"{url}/graph_classification")
        expect(page.get_by_role("button", name="Run", exact=True)).to_be_enabled(timeout=90_000)
        expect(page.get_by_test_id("stTopNav")).to_be_visible()
        expect(page.get_by_test_id("stSidebarNav")).to_have_count(0)
        assert page.get_by_role("dialog").count() == 0


@pytest.mark.parametrize(
    "query", ["?fixed=true", pytest.param("", marks=pytest.mark.thorough, id="chosen by the folds")]
)
def test_mutag_runs_stops_goes_on_and_can_be_downloaded(page, app_url, tmp_path, query):
    page.goto(f"{app_url}/graph_classification")  # the search by the folds leaves time to stop
    run, stop = (page.get_by_role("button", name=name, exact=True) for name in ("Run", "Stop"))
    expect(run).to_be_enabled(timeout=90_000)
    expect(page.get_by_text("188 graphs")).to_be_visible()
    page.get_by_role("radio", name="Full: 10 × 10").click()
    run.click()
    expect(page.get_by_role("progressbar")).to_be_visible(timeout=120_000)
    expect(chart(page, "accuracies")).to_be_visible(timeout=600_000)
    page.reload()
    expect(stop).to_be_enabled(timeout=90_000)
    stop.click()
    expect(page.get_by_text("Press Run to resume.")).to_be_visible(timeout=120_000)
    expect(chart(page, "accuracies")).to_be_visible()
    page.goto(f"{app_url}/graph_classification{query}")
    page.get_by_role("radio", name="Quick: 1 × 10 folds").click()
    run.click()
    points = chart(page, "accuracies").locator(".points path.point")
    expect(points).to_have_count(4 + 8, timeout=600_000)  # four kernels, and what is published
    expect(chart(page, "confusion")).to_be_visible(timeout=600_000)
    wait_until_at_rest(page, ".st-key-map-AA .points path")
    point = page.locator(".st-key-map-AA .points path").first
    point.scroll_into_view_if_needed()
    point.hover(force=True)
    page.wait_for_timeout(300)
    point.click(force=True, delay=60)
    expect(page.get_by_text("Most similar:")).to_have_count(1, timeout=120_000)
    assert taken(page, "Notebook", tmp_path).name.endswith("notebook.ipynb")
    lines = taken(page, "Folds as CSV", tmp_path).read_text().splitlines()
    assert lines[0].startswith("data set,kernel,repeat,fold,accuracy")
    assert len(lines) == 41
    assert page.get_by_test_id("stException").count() == 0
    assert page.faults == []


def test_accuracies_and_published_figures_are_legible_on_a_phone(page, app_url):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{app_url}/graph_classification?methods=size&cv-seed=3")
    wait_until_at_rest(page, FIRST_SIGHT)
    page.get_by_role("button", name="Run", exact=True).click()
    picture = chart(page, "accuracies")
    expect(picture.locator(".points path.point")).to_have_count(1 + 8, timeout=600_000)
    expect(page.get_by_text("The axis begins at")).to_be_visible()
    expect(page.get_by_text("Hollow diamonds: published for MUTAG")).to_be_visible()
    wait_until_at_rest(page, ".st-key-accuracies .js-plotly-plot")
    box = picture.bounding_box()
    assert box["x"] + box["width"] <= 390
    names = picture.locator(".ytick text")
    assert names.all_text_contents()[:2] == ["size", "SP"]
    heights = []
    for mark in [*names.all(), *picture.locator(".points path.point").all()]:
        inside = mark.bounding_box()
        assert inside["x"] >= box["x"]
        assert inside["x"] + inside["width"] <= box["x"] + box["width"]
        heights.append(inside["y"])
    assert len(set(heights[:9])) == 9
    assert page.faults == []


def test_kernels_are_compared_on_a_phone(page, app_url):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{app_url}/graph_classification?methods=size&methods=VH&cv-seed=4")
    wait_until_at_rest(page, FIRST_SIGHT)
    page.get_by_role("button", name="Run", exact=True).click()
    expect(chart(page, "paired")).to_be_visible(timeout=600_000)
    expect(page.get_by_text("size is better than VH", exact=False).first).to_be_visible()
    page.get_by_role("radio", name="By training graphs").click()
    page.locator(".st-key-growth-run").get_by_role("button").click()
    lines = chart(page, "growth").locator(".scatterlayer .trace")
    expect(lines).to_have_count(2, timeout=600_000)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.get_by_test_id("stException").count() == 0
    assert page.faults == []
