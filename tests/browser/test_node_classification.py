"""Node classification in a real browser: the map, run, download."""

from playwright.sync_api import expect

from tests.browser.charts import chart
from tests.browser.downloading import taken
from tests.browser.resting import choose_option


def test_the_curve_grows_and_can_be_downloaded(page, app_url, tmp_path):
    page.goto(f"{app_url}/node_classification")
    run, stop = (page.get_by_role("button", name=name, exact=True) for name in ("Run", "Stop"))
    expect(run).to_be_visible(timeout=90_000)
    expect(page.locator(".st-key-role-map .points path")).to_have_count(80, timeout=60_000)
    expect(page.get_by_text("of 64 predictions are right")).to_be_visible()
    expect(page.get_by_text("40 of 40 parts.")).to_be_visible(timeout=300_000)
    expect(run).to_be_disabled()
    expect(stop).to_be_disabled()
    expect(chart(page, "curve")).to_be_visible(timeout=60_000)
    lines = taken(page, "Trials as CSV", tmp_path).read_text().splitlines()
    assert lines[0].startswith("kernel,classifier,share labelled")
    assert len(lines) == 1 + 720 + 90  # nine shares of ten repetitions for the majority
    assert page.faults == []


def test_a_slider_changes_the_map_and_the_link(page, app_url):
    page.goto(f"{app_url}/node_classification?extra-edges=0&node-T=5")
    expect(page.get_by_text("64 of 64 predictions are right (100.0 %)")).to_be_visible(
        timeout=90_000
    )
    choose_option(page, page.get_by_role("combobox", name="Kernel", exact=True), "Degree only")
    expect(page.get_by_text("of 64 predictions are right (50.0 %)")).to_be_visible(timeout=60_000)
    assert "node-method=degree" in page.url
    assert page.faults == []
