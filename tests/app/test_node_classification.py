"""The page of node classification: the map, the learning curve in portions, and own files."""

import re
import time

import pytest

from mpgk_core.embedding.methods import VERTEX_METHODS

TABLES = [
    (
        "vertices.csv",
        b"id,role\n" + b"".join(b"%d,%s\n" % (v, b"ab"[v % 2 : v % 2 + 1]) for v in range(12)),
    ),
    ("edges.csv", b"source,target\n" + b"".join(b"%d,%d\n" % (v, v + 1) for v in range(11))),
]
OFFERED = {
    "curve-csv",
    "curve-report",
    "curve-script",
    "curve-notebook",
    "curve-graphml",
    "curve-json",
    "page-session-save",
}


@pytest.fixture
def app(open_page, workers):
    """The page; short curves begin at once, so workers rest until a test wants results."""
    workers.rest()
    return open_page("pages/node_classification.py")


def words(app):
    return " ".join(item.value for item in [*app.caption, *app.text, *app.info])


def upload(app, *files):
    app.segmented_control(key="roles-source").set_value("file").run()
    given = [(name, content, "text/csv") for name, content in files]
    app.file_uploader(key="upload-roles").set_value(given).run()
    assert not app.exception
    return app


def run_to_the_end(app, workers):
    workers.go_on()
    if not app.button(key="curve-run").disabled:
        app.button(key="curve-run").click().run()
    for _ in range(400):
        if app.button(key="curve-stop").disabled:
            return
        app.run()
        assert not app.exception
    pytest.fail("the curve did not come to an end")


def offered(app):
    return {button.key for button in app.get("download_button")}


@pytest.mark.parametrize("name", ["houses", "karate", "barbell"])
@pytest.mark.parametrize("extra", [0, 60])
def test_every_demonstration_is_mapped(app, name, extra):
    app.selectbox(key="roles").set_value(name).run()
    app.slider(key="extra-edges").set_value(extra).run()
    assert not app.exception
    assert "predictions are right" in words(app)


@pytest.mark.parametrize("method", ["struc2vec", "deepwalk", "node2vec", "line", "spectral"])
def test_embeddings_can_be_looked_at_and_say_how_they_are_computed(app, method):
    app.selectbox(key="node-method").set_value(method).run()
    app.multiselect(key="node-methods").set_value([method]).run()
    assert not app.exception
    assert "predictions are right" in words(app)
    assert f": {VERTEX_METHODS[method].note}" in words(app)


@pytest.mark.parametrize("method", ["R", "A", "WL", "degree"])
@pytest.mark.parametrize("classifier", ["svm", "knn"])
def test_every_kernel_and_classifier_can_be_looked_at(app, method, classifier):
    app.selectbox(key="node-method").set_value(method).run()
    app.segmented_control(key="classifier").set_value(classifier).run()
    app.slider(key="extra-edges").set_value(0).run()
    app.slider(key="node-T").set_value(5).run()
    assert not app.exception
    assert ("(100.0 %)" in words(app)) == (method != "degree")


def test_what_was_missed_is_listed(app):
    app.slider(key="extra-edges").set_value(30).run()
    found, n_others = map(
        int, re.search(r"(\d+) of (\d+) predictions are right", words(app)).groups()
    )
    (table,) = [frame.value for frame in app.dataframe if "predicted" in frame.value.columns]
    assert len(table) == n_others - found > 0
    assert (table["role"] != table["predicted"]).all()


def test_the_curve_runs_stops_goes_on_and_can_be_downloaded(app, workers):
    app.slider(key="repeats").set_value(2).run()
    app.multiselect(key="node-methods").set_value(["A", "degree"]).run()
    assert not app.button(key="curve-stop").disabled
    while not workers.advance():
        time.sleep(0.01)
    app.button(key="curve-stop").click().run()
    assert app.button(key="curve-stop").disabled
    assert "1 of 4 parts. Press Run to resume." in words(app)
    assert [table for table in app.dataframe if "kernel" in table.value.columns]
    run_to_the_end(app, workers)
    assert "4 of 4 parts." in words(app)
    (table,) = [frame.value for frame in app.dataframe if "kernel" in frame.value.columns]
    assert table["kernel"].tolist()[-1] == "Most frequent role"
    assert app.button(key="curve-run").disabled
    assert offered(app) == OFFERED


def test_curves_of_earlier_settings_are_not_lost(app, workers):
    app.slider(key="repeats").set_value(1).run()
    app.multiselect(key="node-methods").set_value(["degree"]).run()
    run_to_the_end(app, workers)
    workers.rest()
    app.slider(key="node-T").set_value(4).run()
    assert "1 of 1 parts." not in words(app)
    app.slider(key="node-T").set_value(2).run()
    assert "1 of 1 parts." in words(app)


def test_own_tables_with_a_column_of_roles(app, workers):
    upload(app, *TABLES)
    assert "12 vertices, 11 edges, 2 roles" in words(app)
    app.selectbox(key="node-method").set_value("WL").run()
    assert "predictions are right" in words(app)
    app.slider(key="repeats").set_value(1).run()
    app.multiselect(key="node-methods").set_value(["degree"]).run()
    run_to_the_end(app, workers)
    assert offered(app) == OFFERED


@pytest.mark.parametrize(
    ("vertices", "problem"),
    [
        (b"id,role\n0,a\n1,a\n2,a\n", "same role"),
        (b"id,role\n0,a\n1,a\n2,b\n", "Only one vertex has the role 'b'"),
        (b"id\n0\n1\n2\n", "no columns"),
        (b"id,role\n0,a\n1,\n2,a\n", "has no role"),
    ],
)
def test_roles_that_cannot_be_learnt_are_refused_in_words(app, vertices, problem):
    upload(app, ("vertices.csv", vertices), ("edges.csv", b"source,target\n0,1\n1,2\n"))
    assert problem in words(app)
    assert not [button for button in app.button if button.key == "curve-run"]


def test_the_column_of_roles_is_remembered_while_other_pages_are_visited(app):
    kinds = b"id,role,kind\n" + b"".join(b"%d,%d,%d\n" % (v, v % 2, v % 3) for v in range(12))
    upload(app, ("vertices.csv", kinds), TABLES[1])
    (target,) = [box for box in app.selectbox if box.label == "Column of roles"]
    target.set_value("kind").run()
    assert "12 vertices, 11 edges, 2 labels, 3 roles" in words(app)
    app.switch_page("pages/lessons.py").run()
    app.switch_page("pages/node_classification.py").run()
    assert "12 vertices, 11 edges, 2 labels, 3 roles" in words(app)


def test_no_kernel_chosen_is_no_error(app):
    app.multiselect(key="node-methods").set_value([]).run()
    assert not app.exception
    assert "at least one kernel" in words(app)


def test_the_same_graph_with_other_roles_has_its_own_numbers(open_page):
    ends = b"id,role\n" + b"".join(b"%d,%d\n" % (v, v in (0, 11)) for v in range(12))
    found = []
    for vertices in (TABLES[0], ("vertices.csv", ends), TABLES[0]):
        user = upload(open_page("pages/node_classification.py"), vertices, TABLES[1])
        user.slider(key="share").set_value(50).run()
        found.append(re.search(r"\d+ of \d+ predictions are right \(.* %\)", words(user)).group())
    assert found[0] == found[2] != found[1]
