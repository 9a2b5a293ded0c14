"""Explanations and hierarchies in a real browser: step into a pair, click a tree."""

from playwright.sync_api import expect

from tests.browser.charts import chart


def opened(page, address):
    page.goto(address)
    expect(page.locator(".mpgk[data-drawn]")).to_be_visible(timeout=90_000)


def test_two_vertices_are_explained_and_stepped_into(page, app_url):
    opened(page, f"{app_url}/?sel=9,10&panel=explain&kernel=A")
    expect(chart(page, "matching")).to_be_visible(timeout=90_000)
    expect(chart(page, "history")).to_be_visible()
    expect(page.get_by_text("9 and 10, t = 5, A:")).to_be_visible()
    page.get_by_role("button", name="Step into this pair").click()
    expect(page.get_by_text("t = 4, A:")).to_be_visible(timeout=30_000)
    page.get_by_role("button", name="Back", exact=True).click()
    expect(page.get_by_text("9 and 10, t = 5, A:")).to_be_visible(timeout=30_000)
    assert page.faults == []


def test_a_tree_node_lights_its_vertices_up(page, app_url):
    opened(page, f"{app_url}/?panel=tree&graph=houses-on-a-ring")
    bars = page.locator("[class*=st-key-tree] .js-plotly-plot").first
    expect(bars).to_be_visible(timeout=90_000)
    bars.scroll_into_view_if_needed()
    point = bars.locator(".bars .point path").last
    point.hover(force=True)
    page.wait_for_timeout(300)
    point.click(force=True, delay=60)
    expect(page.get_by_text("Selected:")).to_be_visible(timeout=60_000)
    assert "sel=" in page.url
    assert page.faults == []


def test_four_variants_side_by_side(page, app_url):
    page.goto(f"{app_url}/variants")
    expect(chart(page, "four")).to_be_visible(timeout=120_000)
    expect(chart(page, "graph-matching")).to_be_visible()
    expect(page.get_by_text("is largest under")).to_be_visible()
    page.get_by_role("radio", name="The whole set").click()
    expect(chart(page, "set-maps")).to_be_visible(timeout=120_000)
    page.locator("summary", has_text="Session and pictures").click()
    page.get_by_role("radio", name="PNG").click()
    camera = chart(page, "set-maps").locator("[data-title='Download plot as a PNG']")
    with page.expect_download(timeout=60_000) as download:
        camera.click()
    assert download.value.suggested_filename.endswith(".png")
    assert page.faults == []
