"""Own files in a real browser: uploaded, drawn, refused, and never executed."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from mpgk_core.datasets import samples
from mpgk_core.formats import read_graphs
from tests.browser.playground import (
    click_vertex,
    expect_vertices,
    open_for_upload,
    place_of_vertex,
    stamp,
    wait_for_other_pictures,
    wait_until_still,
)
from tests.browser.resting import choose_option, wait_until_answered

FILES = {sample.path.name: sample for sample in samples()}
SCRIPT = "<img src=x onerror=window.hacked=1>"
ESCAPED = "&lt;img src=x onerror=window.hacked=1&gt;&lt;script&gt;window.hacked=1&lt;/script&gt;"
NODES = "".join(
    f'<node id="{n}{ESCAPED}"><data key="d0">{ESCAPED}{n % 2}</data>'
    '<data key="d1">[x](javascript:window.hacked=1)</data></node>'
    for n in range(4)
)
EDGES = "".join(f'<edge source="0{ESCAPED}" target="{n}{ESCAPED}"/>' for n in range(1, 4))
HOSTILE = f"""<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="d0" for="node" attr.name="label" attr.type="string"/>
<key id="d1" for="node" attr.name="{ESCAPED}" attr.type="string"/>
<graph edgedefault="undirected">{NODES}{EDGES}</graph></graphml>"""


def upload(page, *files):
    page.locator(".st-key-upload input[type=file]").set_input_files(
        [
            {"name": name, "mimeType": "application/octet-stream", "buffer": content}
            for name, content in files
        ]
    )


@pytest.mark.parametrize(
    "files",
    [["caffeine.cyjs", "MUTAG.zip"], pytest.param(sorted(FILES), marks=pytest.mark.thorough)],
    ids=["two", "all"],
)
def test_samples_can_be_uploaded(page, app_url, files):
    open_for_upload(page, app_url)
    for sample in map(FILES.get, files):
        content = sample.path.read_bytes()
        first = read_graphs(sample.path.name, content)[0]
        upload(page, (sample.path.name, content))
        counts = re.compile(f": {first.n_vertices} vertices, {first.n_edges} edges")
        expect(page.locator(".mpgk-graph")).to_have_attribute("aria-label", counts, timeout=30_000)
        expect(page.get_by_text("Columns of").first).to_be_visible()
        assert page.locator("[class*=problem]").count() == 0, sample.title
        remove = page.get_by_role("button", name=f"Remove {sample.path.name}")
        remove.first.click()
        expect(remove).to_have_count(0, timeout=30_000)
        wait_until_answered(page)
    assert page.get_by_test_id("stException").count() == 0
    assert page.faults == []


def test_a_broken_file_stands_alone(page, app_url):
    open_for_upload(page, app_url)
    before = stamp(page)
    upload(page, ("path.txt", b"a b\nb c\nc d\nd e\n"))
    wait_for_other_pictures(page, before)
    expect_vertices(page, 5)
    page.get_by_role("button", name="Remove path.txt").first.click()
    upload(page, ("broken.gml", b"graph [ node [ id 1 "))
    expect(page.locator(".st-key-upload-problem")).to_contain_text("broken.gml")
    expect_vertices(page, 0)
    page.reload()
    expect(page.get_by_text("upload them again")).to_be_visible(timeout=60_000)
    expect_vertices(page, 0)
    assert page.faults == []


def test_labels_never_run_as_code(page, app_url):
    open_for_upload(page, app_url)
    before = stamp(page)
    upload(page, (f"{SCRIPT}.graphml", HOSTILE.encode()))
    wait_for_other_pictures(page, before)
    wait_until_answered(page)
    page.get_by_text("Columns of").click()
    choose_option(page, page.get_by_role("combobox", name="Colour by"), "Label")
    wait_until_still(page)
    click_vertex(page, 0)
    page.mouse.move(*place_of_vertex(page, 1))
    expect(page.locator(".mpgk-lines line").first).to_be_attached()
    page.locator(".mpgk-embedding path.point").first.hover(force=True)
    expect(page.locator(".mpgk-chosen")).to_contain_text("<img src=x")
    wait_until_still(page)
    assert page.evaluate("window.hacked") is None
    assert page.locator("img[src=x]").count() == 0
    addresses = [url for url in page.requested if not url.startswith(("data:", "blob:"))]
    assert {urlsplit(url).hostname for url in addresses} == {"127.0.0.1"}
    assert not any(urlsplit(url).path.endswith("/x") for url in addresses)
