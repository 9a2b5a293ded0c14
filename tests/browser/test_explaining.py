"""Explanations and hierarchies in a real browser: step into a pair, click a tree."""

import math
from itertools import combinations

from playwright.sync_api import expect

from tests.browser.charts import chart
from tests.browser.resting import wait_until_answered, wait_until_at_rest


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
    wait_until_at_rest(page, "[class*=st-key-tree] .js-plotly-plot")  # what comes later moves it
    bars = page.locator("[class*=st-key-tree] .js-plotly-plot").filter(visible=True).first
    bars.scroll_into_view_if_needed()
    point = bars.locator(".bars .point path").last
    for _ in range(4):  # a chart that is drawn anew below a resting mouse hears no click
        page.mouse.move(1, 1)
        point.hover(force=True)
        expect(bars.locator(".hoverlayer .hovertext").first).to_be_attached()
        page.wait_for_timeout(300)
        point.click(force=True, delay=60)
        try:
            expect(page.get_by_text("Selected:")).to_be_visible(timeout=8_000)
            break
        except AssertionError:
            continue
    expect(page.get_by_text("Selected:")).to_be_visible()
    assert "sel=" in page.url
    assert page.faults == []


VARIANTS = ("RR", "RA", "AR", "AA")


def test_four_variants_are_drawn_beside_their_matrices(page, app_url):
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{app_url}/variants")
    wait_until_at_rest(page, ".st-key-shares-AA .js-plotly-plot")
    expect(page.get_by_text("is largest under")).to_be_visible()
    for variant in VARIANTS:
        drawn, matrix = chart(page, f"links-{variant}"), chart(page, f"shares-{variant}")
        texts = drawn.locator(".textpoint text").all_text_contents()
        assert texts.count("N14") == 1
        assert len(texts) == 33
        rows = matrix.locator(".ytick text").all_text_contents()
        columns = matrix.locator(".xtick text").all_text_contents()
        assert [*rows, *columns] == sorted(texts[:17], key=atom) + sorted(texts[17:], key=atom)
        left, right = drawn.bounding_box(), matrix.bounding_box()
        assert left["x"] + left["width"] <= right["x"]
        assert abs(left["y"] - right["y"]) < 2
    assert page.faults == []


def atom(title):
    return int("".join(letter for letter in title if letter.isdigit()))


def test_on_a_phone_matrices_stand_below_the_graphs_and_nothing_is_cut_off(page, app_url):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{app_url}/variants")
    wait_until_at_rest(page, ".st-key-shares-AA .js-plotly-plot")
    for variant in VARIANTS:
        drawn, matrix = chart(page, f"links-{variant}"), chart(page, f"shares-{variant}")
        assert drawn.bounding_box()["y"] < matrix.bounding_box()["y"]
        for picture in (drawn, matrix):
            box = picture.bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 390
            for mark in picture.locator(".points path, .ytick text").all()[::8]:
                inside = mark.bounding_box()
                assert inside["x"] >= box["x"]
                assert inside["x"] + inside["width"] <= box["x"] + box["width"]
        middles = [
            (one["x"] + one["width"] / 2, one["y"] + one["height"] / 2)
            for one in (text.bounding_box() for text in drawn.locator(".textpoint text").all())
        ]
        apart = min(math.dist(one, other) for one, other in combinations(middles, 2))
        assert apart > 12


def test_the_whole_set_is_drawn_and_saved_as_a_picture(page, app_url):
    page.goto(f"{app_url}/variants")
    wait_until_at_rest(page, ".st-key-shares-AA .js-plotly-plot")
    page.get_by_role("radio", name="The whole set").click()
    wait_until_at_rest(page, ".st-key-set-maps .js-plotly-plot")
    page.locator("summary", has_text="Session and pictures").click()
    wait_until_answered(page)
    page.get_by_role("radio", name="PNG").click()
    expect(page.get_by_role("radio", name="PNG")).to_be_checked()
    wait_until_answered(page)
    camera = chart(page, "set-maps").locator("[data-title='Download plot as a PNG']")
    with page.expect_download(timeout=60_000) as download:
        camera.click()
    assert download.value.suggested_filename.endswith(".png")
    assert page.faults == []
