"""The page of graph classification: run, stop, resume, and what it refuses."""

import io
import time
import zipfile

import numpy as np
import pytest

from mpgk_core.datasets import load
from mpgk_core.evaluation import PUBLISHED
from mpgk_core.evaluation.feature_comparison import ADVICE
from mpgk_core.export import GivenSet, Session
from mpgk_core.formats import read_tables, write_graphs
from tests.app.opening_sessions import opened
from tests.mixed_sets import mixed_set


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
    """Return the folds done of every kernel shown; the last row is that of the majority class."""
    tables = [table.value for table in app.dataframe if "folds" in table.value.columns]
    if not tables:
        return []
    *kernels, majority = tables[0]["kernel"]
    assert majority == "Majority class"
    return [int(folds.split(" of ")[0]) for folds in tables[0]["folds"][: len(kernels)]]


def test_mutag_is_offered_at_the_first_start(app):
    assert app.selectbox(key="set").value == "MUTAG"
    assert any("188 graphs" in text.value for text in app.text)
    assert not app.button(key="classify-run").disabled
    assert app.button(key="classify-stop").disabled


def test_graphs_of_every_class_are_shown_until_there_are_accuracies(app, charts):
    drawn = [int(key.split()[1]) for key in charts if key.startswith("example ")]
    classes = load("MUTAG").classes
    assert [int(classes[place]) for place in drawn] == [1, 1, 1, -1, -1, -1]
    assert any(text.value == "Class 1: 3 of 125 graphs" for text in app.text)
    small_set(app)
    charts.clear()
    app.button(key="classify-run").click().run()
    wait_until(app, lambda app: n_folds(app) == [10, 10])
    assert "accuracies" in charts
    charts.clear()
    app.run()
    assert not any(key.startswith("example ") for key in charts)


def test_run_shows_accuracies_and_what_lies_behind_them(app):
    small_set(app)
    app.button(key="classify-run").click().run()
    wait_until(app, lambda app: n_folds(app) == [10, 10])
    columns = {column for table in app.dataframe for column in table.value.columns}
    assert {"accuracy (%)", "precision", "recall", "C", "T"} <= columns
    assert app.segmented_control(key="closer").options == ["size", "AA"]
    offered = {button.key for button in app.get("download_button")}
    assert {"csv", "report", "notebook", "map-csv", "map-kernel-npz", "map-json"} <= offered
    words = "No graph is misclassified in most repetitions."
    app.segmented_control(key="closer").set_value("AA").run()
    assert words in [caption.value for caption in app.caption]
    app.segmented_control(key="closer").set_value("size").run()
    app.number_input(key="seen size").set_value(3).run()
    assert not app.exception
    drawn = [text.value for text in app.text if text.value.startswith(("Graph ", "Most similar"))]
    assert next(words.split(",")[0] for words in drawn) == "Graph 3"
    assert len(drawn) == 2


def run_size_only(app):
    app.multiselect(key="methods").set_value(["size"]).run()
    app.button(key="classify-run").click().run()
    wait_until(app, lambda app: n_folds(app) == [10])


def test_published_figures_are_shown_beside_those_of_the_same_set_under_any_name(app, charts):
    mutag = load("MUTAG")
    upload(app, ("anything.zip", write_graphs(mutag.graphs, "tu", mutag.classes)))
    run_size_only(app)
    told = charts["accuracies"].split("Published for MUTAG: ")[1]
    for one in PUBLISHED.figures("MUTAG"):
        assert f"{one.method or one.title} {one.mean:.2f} %" in told
    said = " ".join(caption.value for caption in app.caption)
    assert "The axis begins at " in said
    assert "standard deviation over the folds" in said
    assert "Majority class: 66.5 %" in said
    assert PUBLISHED.caveat in said


def test_nothing_is_published_for_a_part_that_has_the_name_of_a_known_set(app, charts):
    mutag = load("MUTAG")
    upload(app, ("MUTAG.zip", write_graphs(mutag.graphs[:60], "tu", mutag.classes[:60])))
    run_size_only(app)
    assert "Accuracies: size" in charts["accuracies"]
    assert "ublished" not in charts["accuracies"]
    assert not any("ublished" in caption.value for caption in app.caption)


def test_stop_keeps_what_is_done_and_run_resumes(app, workers):
    workers.rest()
    small_set(app)
    app.multiselect(key="methods").set_value(["size"]).run()
    app.button(key="classify-run").click().run()
    step(app, workers, 3)
    assert n_folds(app) == [3]
    assert any("3 of 10 steps" in bar.proto.text for bar in app.get("progress"))
    app.button(key="classify-stop").click().run()
    assert app.button(key="classify-stop").disabled
    assert n_folds(app) == [3]
    assert any("3 of 10 steps. Press Run to resume." in item.value for item in app.caption)
    workers.go_on()
    app.button(key="classify-run").click().run()
    wait_until(app, lambda app: n_folds(app) == [10])
    assert app.button(key="classify-run").disabled


def step(app, workers, n_units):
    """Let the workers do so many units, each as soon as it was handed out."""
    for _ in range(n_units):
        wait_until(app, lambda app: workers.advance())
    app.run()


def other_jobs(app):
    """Return what the page says of other jobs of the user."""
    return [text.value for text in app.text if text.value.startswith("Another job of yours")]


def test_a_job_with_other_settings_is_named_and_can_be_stopped(app, workers):
    workers.rest()
    small_set(app)
    app.number_input(key="cv-seed").set_value(77).run()
    app.button(key="classify-run").click().run()
    assert other_jobs(app) == []
    app.number_input(key="cv-seed").set_value(78).run()
    [words] = other_jobs(app)
    assert "size, AA; 1 × 10 folds, seed 77" in words
    app.segmented_control(key="set-source").set_value("here").run()
    assert len(other_jobs(app)) == 1
    assert not app.button(key="classify-run").disabled
    app.button(key="classify-stop-other-0").click().run()
    assert other_jobs(app) == []


def test_a_second_user_waits_in_the_queue_and_is_told_so(app, open_page, workers):
    workers.rest()
    small_set(app)
    app.button(key="classify-run").click().run()
    other = small_set(open_page("pages/graph_classification.py"))
    other.number_input(key="cv-seed").set_value(5).run()
    other.button(key="classify-run").click().run()
    assert any("Waiting: place 2" in bar.proto.text for bar in other.get("progress"))
    step(app, workers, 5)
    other.run()
    assert (n_folds(app), n_folds(other)) == ([3], [2])


def test_two_users_share_the_results_of_the_same_settings(app, open_page, workers):
    workers.rest()
    small_set(app)
    app.button(key="classify-run").click().run()
    step(app, workers, 1)
    other = small_set(open_page("pages/graph_classification.py"))
    assert n_folds(other) == [1]
    assert any("Another user runs the same work" in bar.proto.text for bar in other.get("progress"))
    assert other.button(key="classify-stop").disabled


def test_a_job_that_fails_says_why_and_opens_its_log(app, workers, monkeypatch):
    def broken(*_arguments):
        raise ZeroDivisionError("a mistake in the program")

    monkeypatch.setattr("mpgk_core.evaluation.nested_cv.evaluate_fold", broken)
    small_set(app)
    app.button(key="classify-run").click().run()
    wait_until(app, lambda app: app.error)
    assert any("ZeroDivisionError" in text.value for text in app.text)
    assert any("Traceback" in code.value for code in app.code)
    assert not app.button(key="classify-run").disabled


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


def upload(app, *files):
    app.segmented_control(key="set-source").set_value("file").run()
    given = [(name, content, "text/plain") for name, content in files]
    app.file_uploader(key="upload-set").set_value(given).run()
    assert not app.exception


def refused(app, words):
    """Return whether these words are shown and nothing can be started."""
    shown = any(words in text.value for text in app.text)
    return shown and not [button for button in app.button if button.key == "classify-run"]


def test_a_set_without_classes_then_a_broken_file_are_both_refused(app):
    upload(app, ("a.txt", b"1 2\n2 3\n"))
    assert refused(app, "a.txt: 1 graph, 3 vertices. There are no classes")
    assert [error.value for error in app.error] == [
        "The file was read, but it cannot be used here."
    ]
    assert any("Read as an edge list" in text.value for text in app.text)
    upload(app, ("bad.graphml", b"<graphml><graph>"))
    assert refused(app, "bad.graphml")
    assert [error.value for error in app.error] == ["This could not be read."]


def test_graphs_in_files_of_their_own_take_their_classes_from_a_table(app):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for g in range(24):
            edges = "".join(f"{v} {v + 1}\n" for v in range(1, 3 + g % 2 * 3))
            archive.writestr(f"graph{g}.txt", edges)
    upload(app, ("set.zip", packed.getvalue()))
    assert refused(app, "set.zip: 24 graphs")
    rows = "".join(f"graph{g}.txt,{g},{'ab'[g % 2]}\n" for g in reversed(range(24)))
    table = f"file,number,kind\n{rows}".encode()
    app.file_uploader(key="upload-classes").set_value([("t.csv", table, "text/csv")]).run()
    assert not app.exception
    app.selectbox(key="class-of-table").set_value("kind").run()
    assert not app.button(key="classify-run").disabled
    assert any("2 classes" in text.value for text in app.text)
    broken = ("t.csv", table[: len(table) // 2], "text/csv")
    app.file_uploader(key="upload-classes").set_value([broken]).run()
    assert refused(app, "There is no row for graph")


def test_sets_are_never_mixed_unless_that_is_asked_for(app):
    small, large = ("A.zip", tu_archive([1, 2] * 10)), ("B.zip", tu_archive([1, 2] * 15))
    upload(app, small)
    assert any("A.zip: 20 graphs" in text.value for text in app.text)
    upload(app, small, large)
    assert any("B.zip: 30 graphs" in text.value for text in app.text)
    upload(app, small, large, small)
    assert any("A.zip: 20 graphs" in text.value for text in app.text)
    (use,) = [box for box in app.selectbox if box.label == "Files in use"]
    use.select_index(3).run()
    assert any("70 graphs" in text.value for text in app.text)
    (warning,) = app.warning
    assert warning.value.startswith("Identical graphs")
    assert any("69 graphs are identical to others" in text.value for text in app.text)
    upload(app)
    assert not [button for button in app.button if button.key == "classify-run"]
    assert not any("graphs" in text.value for text in app.text)
    assert "Upload a TU data set" in app.info[0].value


@pytest.mark.parametrize(
    ("classes", "words"),
    [
        ([1] * 20, "All graphs are of class 1"),
        ([1] * 17 + [2] * 3, "Class 2 has only 3 graphs"),
        ([1, 2] * 4, "only 8 graphs"),
    ],
)
def test_sets_that_cannot_be_evaluated_are_refused_before_any_work(app, classes, words):
    upload(app, ("DS.zip", tu_archive(classes)))
    assert refused(app, words)


def test_an_uploaded_set_can_be_run(app):
    upload(app, ("DS.zip", tu_archive([1, 2] * 10)))
    assert not app.error
    assert not app.button(key="classify-run").disabled


def test_labels_and_attributes_are_compared_on_request(app):
    made = mixed_set("labels", 20)
    upload(app, ("DS.zip", write_graphs(made.graphs, "tu", np.array(made.classes))))
    said = [caption.value for caption in app.caption]
    assert any("labels, attributes-standardised, degree;" in words for words in said)
    assert ADVICE in said
    app.button(key="compare-features").click().run()
    assert not app.exception
    (table,) = (item.value for item in app.dataframe if "features" in item.value.columns)
    assert table["features"].tolist()[:3] == ["labels", "attributes-standardised", "degree"]
    assert table["features"].tolist()[-1] == "majority class"
    assert table["accuracy (%)"].tolist()[-1] <= 50.0


def test_graphs_without_attributes_have_nothing_to_compare(app):
    said = [caption.value for caption in app.caption]
    assert any("chosen by the training folds, among labels; labels, degree;" in x for x in said)
    assert ADVICE not in said


def test_a_session_of_an_own_set_finds_its_results(app):
    content = tu_archive([1, 2] * 10)
    upload(app, ("DS.zip", content))
    app.multiselect(key="methods").set_value(["size"]).run()
    app.button(key="classify-run").click().run()
    wait_until(app, lambda app: n_folds(app) == [10])
    tables = read_tables("DS.zip", content)
    own = GivenSet("DS.zip", tables.graph_set({}), tables.classes.tolist())
    settings = {"methods": ("Graph size (vertices and edges only)",)}
    other = opened(app, Session("graph_classification", settings, own))
    assert other.segmented_control(key="set-source").value == "loaded"
    assert n_folds(other) == [10]


def test_a_set_that_is_too_large_is_refused_before_any_work(app, monkeypatch):
    monkeypatch.setenv("MPGK_MEMORY_LIMIT", "100000")
    app.run()
    assert refused(app, "but only 0.00 GB are available")
    app.toggle(key="linear").set_value(True).run()
    app.multiselect(key="methods").set_value(["AA"]).run()
    assert not app.button(key="classify-run").disabled


def test_a_kernel_without_features_is_refused_for_the_linear_machine(app):
    app.toggle(key="linear").set_value(True).run()
    assert refused(app, "The kernel 'size' has no explicit features")


def test_inductive_results_are_results_of_their_own(app):
    small_set(app)
    app.multiselect(key="methods").set_value(["size"]).run()
    app.button(key="classify-run").click().run()
    wait_until(app, lambda app: n_folds(app) == [10])
    app.toggle(key="inductive").set_value(True).run()
    assert n_folds(app) == []
    app.button(key="classify-run").click().run()
    wait_until(app, lambda app: n_folds(app) == [10])
