"""Tuning in a real browser: a sweep stopped halfway, cells clicked, opened and downloaded."""

import re
from urllib.parse import quote

from playwright.sync_api import expect

from mpgk_core.graphs.generators import PRESETS
from tests.browser.charts import chart
from tests.browser.downloading import taken
from tests.browser.playground import EMBEDDING_POINTS

MAP = "tune-map"
ALL_PARTS = re.compile(r"\b(\d+) of \1 parts\.")


def open_tuning(page, url, query):
    """Open the page and return its buttons to run and to stop."""
    page.goto(f"{url}/tuning?{query}")
    run, stop = (page.get_by_role("button", name=name, exact=True) for name in ("Run", "Stop"))
    expect(run).to_be_visible(timeout=90_000)
    return run, stop


def click_cell(page, row, column, n):
    """Click the cell in a row (of α, from below) and a column (of β) of an n × n map."""
    expect(chart(page, MAP)).to_have_count(1)
    chart(page, MAP).scroll_into_view_if_needed()
    box = chart(page, MAP).locator(".heatmaplayer image").bounding_box()
    page.mouse.click(
        box["x"] + (column + 0.3) / n * box["width"], box["y"] + (n - row - 0.3) / n * box["height"]
    )


def test_a_sweep_stopped_halfway_keeps_what_is_done_also_on_another_page(page, app_url):
    graph = quote(PRESETS["barabasi-albert"].title)
    query = f"graph={graph}&barabasi-albert-n=400&tune-values=20"
    run, stop = open_tuning(page, app_url, query)
    expect(page.get_by_text(": 400 vertices")).to_be_visible()
    run.click()
    expect(chart(page, MAP)).to_be_visible(timeout=240_000)
    stop.click()
    rest = page.get_by_text(re.compile(r"\d+ of \d+ parts\. Press Run to resume\."))
    expect(rest).to_be_visible(timeout=30_000)
    expect(stop).to_be_disabled(timeout=30_000)
    expect(chart(page, MAP)).to_be_visible()
    kept = rest.inner_text()
    page.get_by_test_id("stTopNav").get_by_role("link", name="Playground").click()
    expect(page.locator(".mpgk[data-drawn]")).to_be_visible(timeout=90_000)
    page.get_by_test_id("stTopNav").get_by_role("link", name="Tuning").click()
    expect(page.get_by_text(kept)).to_be_visible(timeout=60_000)
    expect(chart(page, MAP)).to_be_visible()
    assert page.faults == []


def test_a_cell_that_is_clicked_opens_in_the_playground(page, app_url, tmp_path):
    open_tuning(page, app_url, "barbell-h=8&tune-values=5&tune-last=4&tune-T-4=3&tune-variant=R")
    expect(page.get_by_text(ALL_PARTS)).to_be_visible(timeout=240_000)
    expect(chart(page, "tune-embedding-0")).to_be_visible(timeout=90_000)
    click_cell(page, row=3, column=1, n=5)
    expect(page.get_by_text("over T, at α = 0.8, β = 0.4")).to_be_visible(timeout=30_000)
    click_cell(page, row=1, column=2, n=5)
    expect(page.get_by_text("over T, at α = 0.4, β = 0.6")).to_be_visible(timeout=30_000)
    saved = taken(page, "Cells as CSV", tmp_path)
    assert saved.name == "barbell-8-10_R-A_5x5_T4_degree_sweep.csv"
    lines = saved.read_text().splitlines()
    assert lines[0] == "variant,features,alpha,beta,T,recovered,gap,points"
    assert len(lines) == 201
    page.get_by_role("link", name="Open in the playground").click()
    expect(page.locator(".mpgk[data-drawn]")).to_be_visible(timeout=90_000)
    for key, value in {"T": "3", "alpha": "0.4", "beta": "0.6", "barbell-h": "8"}.items():
        expect(page.locator(f".st-key-{key} input[type=range]")).to_have_value(value)
    row = next(line for line in lines if line.startswith("R,degree,0.4,0.6,3,"))
    expect(page.locator(EMBEDDING_POINTS)).to_have_count(int(float(row.split(",")[-1])))
    assert page.faults == []


def test_the_map_selects_its_best_cell_when_the_sweep_has_ended(page, app_url):
    open_tuning(page, app_url, "tune-values=10&tune-variant=A")
    expect(page.get_by_text(ALL_PARTS)).to_be_visible(timeout=240_000)
    best = page.get_by_text(re.compile(r"best \S+ at α = \S+, β = \S+$"))
    expect(best).to_be_visible(timeout=60_000)
    place = best.inner_text().split(" at ")[1]
    expect(page.get_by_text(f"over T, at {place}")).to_be_visible(timeout=30_000)
