"""The page of graph classification: run, stop, resume, and what it refuses."""

import time
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

APP = str(Path(__file__).parents[2] / "app.py")


@pytest.fixture
def app(tmp_path, monkeypatch):
    monkeypatch.setenv("MPGK_CACHE", str(tmp_path))
    monkeypatch.delenv("MPGK_DATA", raising=False)
    app = AppTest.from_file(APP, default_timeout=300).run()
    app.switch_page("pages/graph_classification.py").run()
    assert not app.exception
    yield app
    for process in app.session_state["runs"].values() if "runs" in app.session_state else ():
        process.terminate()
        process.wait(timeout=20)


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


def test_too_few_graphs_are_refused_before_any_work(app):
    app.segmented_control(key="set-source").set_value("made").run()
    app.slider(key="per-class").set_value(10).run()
    assert not app.exception
    assert not app.error
    app.segmented_control(key="set-source").set_value("file").run()
    app.file_uploader(key="upload-set").set_value([("a.txt", b"1 2\n2 3\n", "text/plain")]).run()
    assert any("no classes" in text.value for text in app.text)
    assert not [button for button in app.button if button.key == "run"]
