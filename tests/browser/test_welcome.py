"""The app in a real browser: it shows its first page, answers, and keeps to itself."""

from urllib.parse import urlsplit

from playwright.sync_api import expect


def test_a_slider_moved_by_keyboard_changes_the_number_of_classes(page, app_url):
    page.goto(app_url)
    metric = page.get_by_test_id("stMetricValue")
    expect(metric).to_have_text("7 of 7", timeout=60_000)
    page.locator(".st-key-rounds input[type=range]").press("Home")
    expect(metric).to_have_text("3 of 7", timeout=30_000)
    assert page.faults == []


def test_no_request_leaves_the_machine(page, app_url):
    page.goto(app_url)
    expect(page.get_by_test_id("stMetricValue")).to_be_visible(timeout=60_000)
    hosts = {urlsplit(url).hostname for url in page.requested if not url.startswith("data:")}
    assert hosts == {"127.0.0.1"}
