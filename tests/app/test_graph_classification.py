"""The page of graph classification: run, stop, resume, and what it refuses."""

import io
import time
import zipfile

import pytest

from mpgk_core.readers import read_many
from mpgk_core.takeaway import GivenSet, PageSession
from tests.app.opening_sessions import opened


@pytest.fixture
def app(open_page):
    return open_page("pages/graph_classification.py")


def small_set(app):
    """Choose a generated set that takes little time."""
    app.segmented_control(key="set-source").set_value("made").run()
    app.slider(key="per-class").set_value(20).run()
    app.multiselect(key="methods").set_value(["size", "AA"]).run()
    return app


def wait_until(app, is_done, seconds=240):
    for _ in range(seconds):
        app.run()
        assert not app.exception
        if is_done(app):
            return
        time.sleep(1)
    pytest.fail("the run did not get there")


def n_folds(app):
    """Return the folds done of every kernel shown."""
    tables = [table.value for table in app.dataframe if "folds" in table.value.columns]
    return [int(folds.split(" of ")[0]) for folds in tables[0]["folds"]] if tables else []


def test_mutag_is_offered_at_the_first_start(app):
    assert app.selectbox(key="set").value == "MUTAG"
    assert any("188 graphs" in text.value for text in app.text)
    assert not app.button(key="run").disabled
    assert app.button(key="stop").disabled


def test_run_shows_accuracies_and_what_lies_behind_them(app):
    small_set(app)
    app.button(key="run").click().run()
    wait_until(app, lambda app: n_folds(app) == [10, 10] and not app.button(key="run").disabled)
    columns = {column for table in app.dataframe for column in table.value.columns}
    assert {"accuracy (%)", "precision", "recall", "C", "T"} <= columns
    assert app.segmented_control(key="closer").options == ["size", "AA"]
    offered = {button.key for button in app.get("download_button")}
    assert {"csv", "report", "notebook", "map-csv", "map-kernel-npz", "map-json"} <= offered
    app.number_input(key="seen size").set_value(3).run()
    assert not app.exception
    drawn = [text.value for text in app.text if text.value.startswith(("Graph ", "Most similar"))]
    assert next(words.split(",")[0] for words in drawn) == "Graph 3"
    assert len(drawn) == 2


def test_stop_keeps_what_is_done_and_run_goes_on(app):
    small_set(app)
    app.slider(key="per-class").set_value(100).run()
    app.button(key="run").click().run()
    wait_until(app, lambda app: sum(n_folds(app)) >= 1)
    if not app.button(key="stop").disabled:
        app.button(key="stop").click().run()
    kept = sum(n_folds(app))
    assert kept >= 1
    assert app.button(key="stop").disabled
    app.button(key="run").click().run()
    wait_until(app, lambda app: n_folds(app) == [10, 10])


def tells_of_another_run(app, words):
    """Return whether the page says that a run with other settings goes on, and which one."""
    said = any("A run with other settings is still going on" in item.value for item in app.info)
    return said and any(words in text.value for text in app.text)


def test_a_run_with_other_settings_is_named_and_can_be_stopped(app):
    small_set(app)
    app.slider(key="per-class").set_value(200).run()
    app.segmented_control(key="scope").set_value("full").run()
    app.number_input(key="cv-seed").set_value(77).run()
    app.button(key="run").click().run()
    assert not app.info
    app.number_input(key="cv-seed").set_value(78).run()
    assert tells_of_another_run(app, "size, AA; 10 × 10 folds, seed 77")
    app.segmented_control(key="set-source").set_value("here").run()
    assert tells_of_another_run(app, "seed 77")
    assert app.button(key="run").disabled
    app.button(key="stop").click().run()
    assert not tells_of_another_run(app, "")
    assert not app.button(key="run").disabled
    assert app.button(key="stop").disabled


def tu_archive(classes):
    """Return a TU data set of paths of two vertices with these classes."""
    n = len(classes)
    parts = {
        "A": "".join(f"{2 * g + 1}, {2 * g + 2}\n{2 * g + 2}, {2 * g + 1}\n" for g in range(n)),
        "graph_indicator": "".join(f"{g + 1}\n{g + 1}\n" for g in range(n)),
        "graph_labels": "".join(f"{c}\n" for c in classes),
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for part, text in parts.items():
            archive.writestr(f"DS/DS_{part}.txt", text)
    return packed.getvalue()


def upload(app, name, content):
    app.segmented_control(key="set-source").set_value("file").run()
    app.file_uploader(key="upload-set").set_value([(name, content, "text/plain")]).run()
    assert not app.exception


def refused(app, words):
    """Return whether these words are shown and nothing can be started."""
    shown = any(words in text.value for text in app.text)
    return shown and not [button for button in app.button if button.key == "run"]


def test_a_set_without_classes_then_a_broken_file_are_both_refused(app):
    upload(app, "a.txt", b"1 2\n2 3\n")
    assert refused(app, "no classes")
    upload(app, "bad.graphml", b"<graphml><graph>")
    assert refused(app, "bad.graphml")


@pytest.mark.parametrize(
    ("classes", "words"),
    [
        ([1] * 20, "All graphs are of class 1"),
        ([1] * 17 + [2] * 3, "Class 2 has only 3 graphs"),
        ([1, 2] * 4, "only 8 graphs"),
    ],
)
def test_sets_that_cannot_be_evaluated_are_refused_before_any_work(app, classes, words):
    upload(app, "DS.zip", tu_archive(classes))
    assert refused(app, words)


def test_an_uploaded_set_can_be_run(app):
    upload(app, "DS.zip", tu_archive([1, 2] * 10))
    assert not app.error
    assert not app.button(key="run").disabled


def test_a_session_of_an_own_set_finds_its_results(app):
    content = tu_archive([1, 2] * 10)
    upload(app, "DS.zip", content)
    app.multiselect(key="methods").set_value(["size"]).run()
    app.button(key="run").click().run()
    wait_until(app, lambda app: n_folds(app) == [10])
    tables = read_many([("DS.zip", content)])
    own = GivenSet("DS.zip", tables.graph_set({}), tables.classes.tolist())
    settings = {"methods": ("Graph size (vertices and edges only)",)}
    other = opened(app, PageSession("graph_classification", settings, own))
    assert other.segmented_control(key="set-source").value == "loaded"
    assert n_folds(other) == [10]


def test_a_set_that_is_too_large_is_refused_before_any_work(app, monkeypatch):
    monkeypatch.setenv("MPGK_MEMORY_LIMIT", "100000")
    app.run()
    assert refused(app, "but only 0.00 GB are available")
    app.toggle(key="linear").set_value(True).run()
    app.multiselect(key="methods").set_value(["AA"]).run()
    assert not app.button(key="run").disabled


def test_a_kernel_without_features_is_refused_for_the_linear_machine(app):
    app.toggle(key="linear").set_value(True).run()
    assert refused(app, "The kernel 'size' has no explicit features")


def test_inductive_results_are_results_of_their_own(app):
    small_set(app)
    app.multiselect(key="methods").set_value(["size"]).run()
    app.button(key="run").click().run()
    wait_until(app, lambda app: n_folds(app) == [10] and not app.button(key="run").disabled)
    app.toggle(key="inductive").set_value(True).run()
    assert n_folds(app) == []
    app.button(key="run").click().run()
    wait_until(app, lambda app: n_folds(app) == [10])
