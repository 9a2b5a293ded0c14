"""Take results away and bring them back, in a real browser."""

import json
import re
import subprocess
import sys
from contextlib import contextmanager
from xml.etree import ElementTree

import numpy as np
import pytest
from playwright.sync_api import expect

from mpgk_core.export import Session, load_session, save_session
from tests.browser.downloading import taken
from tests.browser.drawing import cross
from tests.browser.playground import (
    HAS_VISITED,
    click_vertex,
    expect_vertices,
    open_for_upload,
    open_playground,
    place_of_vertex,
    press,
    stamp,
    wait_for_other_pictures,
)
from tests.browser.resting import wait_until_answered

SETTINGS = (
    "graph=houses-on-a-ring&kernel=A: best matching&T=3&alpha=0.6&beta=0.4&seed=7&depth=5"
    "&features=degree&features=triangles&colour=Clusters of the kernel&clusters=3&rank=true"
    "&layout=circle&cosine=true&sel=2,3"
)

SAME_COLOURS = """() => {
  const [one, two] = [1, 2].map((n) =>
    [...document.querySelectorAll(`.st-key-compared-${n} path.point`)].map(
      (mark) => getComputedStyle(mark).fill));
  return new Set(one).size === 7 && String(one) === String(two);
}"""
BARBELL = "barbell-10-10_R_alpha0.8_beta0.35_T3_degree-label_normalised"
OTHERS = {
    "GraphML": "graph.graphml",
    "JSON": "graph.json",
    "Notebook": "notebook.ipynb",
    "Kernel, CSV": "kernel.csv",
    "Embedding, NPZ": "embedding.npz",
}


def open_box(page, name):
    page.locator("summary", has_text=name).click()


def load(page, name, content):
    page.locator(".st-key-session-file input[type=file]").set_input_files(
        [{"name": name, "mimeType": "application/json", "buffer": content}]
    )


def test_files_have_telling_names_and_the_script_gives_the_numbers_of_the_page(
    page, app_url, tmp_path
):
    open_playground(page, app_url, "T=3&beta=0.35")
    open_box(page, "Export")
    for button, ending in OTHERS.items():
        file = taken(page, button, tmp_path)
        assert file.name == f"{BARBELL}_{ending}"
        assert file.stat().st_size > 500
        if file.suffix in (".json", ".ipynb"):
            json.loads(file.read_text())
    program = taken(page, "Python script", tmp_path)
    assert program.name == f"{BARBELL}_script.py"
    kernel = taken(page, "Kernel, NPZ", tmp_path)
    table = taken(page, "Embedding, CSV", tmp_path)
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    subprocess.run([sys.executable, program], cwd=folder, check=True, capture_output=True)
    assert (folder / table.name).read_bytes() == table.read_bytes()
    np.testing.assert_array_equal(
        np.load(folder / kernel.name)["kernel"], np.load(kernel)["kernel"]
    )
    assert page.faults == []


@contextmanager
def opened_offline(browser, file, n_figures):
    """Open a report without a network; it asks for nothing else and complains of nothing."""
    context = browser.new_context(offline=True)
    alone = context.new_page()
    requested, faults = [], []
    alone.on("request", lambda request: requested.append(request.url))
    alone.on("pageerror", lambda error: faults.append(str(error)))
    alone.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
    alone.goto(file.as_uri())
    expect(alone.locator("body")).to_have_attribute("data-drawn", str(n_figures), timeout=60_000)
    yield alone
    assert {url for url in requested if not url.startswith(("data:", "blob:"))} == {file.as_uri()}
    assert faults == []
    context.close()


def test_the_report_opens_offline_with_living_pictures(page, app_url, browser, tmp_path):
    open_playground(page, app_url, SETTINGS)
    expect(page.locator(".mpgk-chosen")).to_contain_text("Selected: ")
    open_box(page, "Export")
    with opened_offline(browser, taken(page, "Report", tmp_path), 4) as alone:
        expect(alone.locator("h1")).to_contain_text("Houses on a ring")
        parameters = alone.locator("table").last
        for word in ("random_state", "7", "degree+triangles", "Clusters of the kernel"):
            expect(parameters).to_contain_text(word)


def test_the_report_of_a_sweep_opens_offline(page, app_url, browser, tmp_path):
    page.goto(f"{app_url}/tuning?barbell-h=5&barbell-k=4&tune-values=5&tune-last=2")
    expect(page.get_by_text(re.compile(r"\b(\d+) of \1 parts\."))).to_be_visible(timeout=240_000)
    file = taken(page, "Report", tmp_path)
    assert file.name == "barbell-5-4_R-A_5x5_T2_degree_report.html"
    with opened_offline(browser, file, 4) as alone:
        expect(alone.locator(".heatmaplayer image")).to_have_count(3)
        expect(alone.locator("table").first).to_contain_text("best by gap between orbits")
        expect(alone.locator("table").last).to_contain_text("0.2, 0.4, 0.6, 0.8, 1.0")
    assert page.faults == []


def test_a_session_comes_back_in_another_browser(page, app_url, browser, tmp_path):
    open_playground(page, app_url, SETTINGS)
    expect(page.locator(".mpgk-chosen")).to_contain_text("Selected: ")
    chosen = page.locator(".mpgk-chosen").inner_text()
    open_box(page, "Export")
    file = taken(page, "Session", tmp_path)
    elsewhere = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    elsewhere.add_init_script(HAS_VISITED)
    open_playground(elsewhere, app_url, "T=1")
    before = stamp(elsewhere)
    open_box(elsewhere, "Load a session")
    load(elsewhere, file.name, file.read_bytes())
    wait_for_other_pictures(elsewhere, before)
    expect(elsewhere.locator(".mpgk")).to_have_attribute("data-drawn", stamp(page), timeout=30_000)
    expect(elsewhere.locator(".mpgk-chosen")).to_have_text(chosen)
    expect(elsewhere.locator(".st-key-seed input")).to_have_value("7")
    for word in ("clusters=3", "seed=7", "depth=5", "T=3"):
        elsewhere.wait_for_function("word => location.search.includes(word)", arg=word)
    before = stamp(elsewhere)
    press(elsewhere, "T", "ArrowLeft")
    wait_for_other_pictures(elsewhere, before)
    expect(elsewhere.locator(".mpgk-where")).to_contain_text("t = 2 of 2")
    elsewhere.context.close()


def test_a_graph_of_ones_own_comes_back_with_the_session(page, app_url, tmp_path):
    open_for_upload(page, app_url)
    before = stamp(page)
    page.locator(".st-key-upload input[type=file]").set_input_files(
        [{"name": "path.txt", "mimeType": "text/plain", "buffer": b"a b\nb c\nc d\nd e\n"}]
    )
    wait_for_other_pictures(page, before)
    click_vertex(page, 0)
    expect(page.locator(".mpgk-chosen")).to_contain_text("Selected: a.")
    page.wait_for_function("location.search.includes('sel=0')")
    open_box(page, "Export")
    file = taken(page, "Session", tmp_path)
    assert load_session(file.read_bytes()).settings["sel"] == ("0",)
    open_playground(page, app_url)
    expect_vertices(page, 30)
    open_box(page, "Load a session")
    load(page, file.name, file.read_bytes())
    expect_vertices(page, 5)
    expect(page.locator(".mpgk-chosen")).to_contain_text("Selected: a.")
    page.get_by_role("radio", name="Build").click()
    expect_vertices(page, 30)
    page.get_by_role("radio", name="Loaded").click()
    expect_vertices(page, 5)
    assert page.faults == []


def test_a_damaged_session_changes_nothing(page, app_url, tmp_path):
    open_playground(page, app_url, SETTINGS)
    open_box(page, "Export")
    content = taken(page, "Session", tmp_path).read_bytes()
    before, address = stamp(page), page.url
    open_box(page, "Load a session")
    for name, damaged, word in (
        ("cut.json", content[:-40], "not complete, correct JSON"),
        ("changed.json", content.replace(b'"3"', b'"4"'), "changed after it was saved"),
        ("far.json", save_session(Session("playground", {"T": ("40",)})), "T is 40"),
        ("<img src=x onerror=window.hacked=1>.json", b"[]", "not a session"),
    ):
        load(page, name, damaged)
        problem = page.locator(".st-key-session-problem")
        expect(problem).to_contain_text(word, timeout=30_000)
        expect(problem).to_contain_text(name)
    assert (stamp(page), page.url) == (before, address)
    assert page.evaluate("window.hacked") is None
    assert page.faults == []


def test_pictures_are_saved_by_keyboard_without_asking_the_server(page, app_url, tmp_path):
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    open_playground(page, app_url)
    check_saving(page, sent, tmp_path, ("graph", "embedding", "other"))
    before = stamp(page)
    page.locator(".st-key-three label").first.click()
    wait_for_other_pictures(page, before)
    check_saving(page, sent, tmp_path, ("graph", "embedding", "other"))
    before = stamp(page)
    page.get_by_role("radio", name="Matrix").click()
    wait_for_other_pictures(page, before)
    check_saving(page, sent, tmp_path, ("matrix",))
    assert page.faults == []


def check_saving(page, sent, folder, names):
    wait_until_answered(page)
    page.wait_for_load_state("networkidle")
    sent.clear()
    for name in names:
        for kind, start in (("svg", b"<svg"), ("png", b"\x89PNG")):
            file = saved(page, name, kind, folder)
            assert file.name == f"{SAVED}_{name}_t5.{kind}"
            assert file.read_bytes().startswith(start)
            if kind == "svg":
                ElementTree.parse(file)
    assert sent == []


SAVED = "barbell-10-10_R_alpha0.8_beta0.2_T5_degree-label_normalised"


def saved(page, name, kind, folder):
    """Save a picture by keyboard, and return its file."""
    page.locator(f"[data-save={name}][data-format={kind}]").focus()
    with page.expect_download(timeout=60_000) as download:
        page.keyboard.press("Enter")
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file


def test_a_saved_graph_is_arranged_as_it_was_by_hand(page, app_url, tmp_path):
    open_playground(page, app_url)
    before = heights(saved(page, "graph", "svg", tmp_path))
    assert len(before) == 30
    assert before[14] == pytest.approx(before[13], abs=0.5), "a straight path"
    x, y = place_of_vertex(page, 14)
    cross(page, (x, y), (x, y + 40))
    after = heights(saved(page, "graph", "svg", tmp_path))
    assert after[14] > after[13] + 20
    assert after[15] == pytest.approx(after[13], abs=0.5)
    assert page.faults == []


def heights(file):
    """Return how far below the upper edge the vertices of a saved graph lie."""
    marks = re.findall(r'<path class="point[^>]*transform="translate\(([^)]*)\)"', file.read_text())
    return [float(mark.split(",")[1]) for mark in marks]


def test_settings_are_kept_side_by_side_in_the_same_colours(page, app_url):
    open_playground(page, app_url)
    open_box(page, "Compare settings")
    keep = page.get_by_role("button", name="Keep", exact=True)
    keep.click()
    first, second = (page.locator(f".st-key-compared-{n} path.point") for n in (1, 2))
    expect(first).to_have_count(7, timeout=30_000)
    expect(keep).to_be_disabled()
    before = stamp(page)
    press(page, "alpha", "Home")
    wait_for_other_pictures(page, before)
    expect(keep).to_be_enabled()
    keep.click()
    expect(second).to_have_count(7, timeout=30_000)
    page.wait_for_function(SAME_COLOURS, timeout=30_000)
    page.get_by_role("button", name="Remove 1").click()
    expect(first).to_have_count(0, timeout=30_000)
    expect(second).to_have_count(7)
    assert page.faults == []
