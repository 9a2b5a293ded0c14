"""Fixed splits and a kernel matrix of one's own on the page of graph classification."""

import io

import numpy as np
import pytest

from mpgk_core import GraphSizeKernel
from mpgk_core.evaluation import Protocol, evaluate, generate
from tests.app.test_graph_classification import n_folds, refused, small_set, wait_until
from tests.app.test_links import opened

MADE = generate("rings", 20)
SPLIT = [(0, 1, -1, -2)[g % 4] for g in range(40)]
TABLE = "\n".join({-1: "train", -2: "-"}.get(fold, str(fold)) for fold in SPLIT).encode()


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


MATRIX = npy(GraphSizeKernel().fit_transform(MADE.graphs))


@pytest.fixture
def app(open_page):
    app = small_set(open_page("pages/graph_classification.py"))
    return app.multiselect(key="methods").set_value(["size"]).run()


@pytest.fixture
def files(monkeypatch):
    """The files that the page offers, by the keys of their buttons."""
    offered = {}
    monkeypatch.setattr(
        "ui.classification.export.download_row",
        lambda _, downloads: offered.update({item.key: item for item in downloads}),
    )
    return offered


def give(app, key, name, content):
    app.file_uploader(key=key).set_value((name, content, "text/plain")).run()
    assert not app.exception
    return app


def with_splits(app, content=TABLE):
    app.segmented_control(key="scope").set_value("own").run()
    return give(app, "upload-splits", "splits.csv", content)


def run(app, folds):
    app.button(key="classify-run").click().run()
    wait_until(app, lambda app: n_folds(app) == folds)


def texts(app):
    return [text.value for text in app.text]


def test_kernels_are_evaluated_in_the_folds_of_a_table(app, files):
    app.segmented_control(key="scope").set_value("own").run()
    assert not [button for button in app.button if button.key == "classify-run"]
    with_splits(app)
    words = (
        "Fixed splits, 1 x 2 folds: 20 of 40 graphs are tested, 10 take no part in some of them."
    )
    assert f"splits.csv: {words}" in texts(app)
    run(app, [2])
    assert words in files["report"].make()
    assert "-1, -2" not in files["report"].make()
    protocol = Protocol(splits=(tuple(SPLIT),))
    assert f"splits=({tuple(SPLIT)},)" in files["script"].make()
    found = evaluate(MADE.graphs, MADE.classes, "size", protocol)
    rows = files["csv"].make().splitlines()[1:]
    assert [float(row.split(",")[4]) for row in rows] == [one.accuracy for one in found.records]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"0\n1\n", "There are 2 rows for 40 graphs"),
        (TABLE.replace(b"train", b"sometimes"), "line 3"),
        (b"\n".join(b"01"[g // 20 : g // 20 + 1] for g in range(40)), "in the training part"),
        (b"\xff\xfe\x00", "splits.csv"),
    ],
)
def test_tables_that_are_no_splits_are_refused_before_any_work(app, content, words):
    with_splits(app, content)
    assert refused(app, words)


def test_a_table_stays_while_another_page_is_visited(app):
    with_splits(app)
    app.switch_page("pages/variants.py").run()
    app.switch_page("pages/graph_classification.py").run()
    small_set(app).segmented_control(key="scope").set_value("own").run()
    assert "In use: splits.csv" in texts(app)
    assert not app.button(key="classify-run").disabled


def test_a_link_to_fixed_splits_asks_for_the_table(open_page):
    app = opened("graph_classification", {"scope": "own"})
    assert any("Upload a table of splits" in info.value for info in app.info)
    assert not [button for button in app.button if button.key == "classify-run"]


def test_a_matrix_is_one_more_kernel_in_the_same_folds(app, files):
    give(app, "upload-matrix", "k.npy", MATRIX)
    assert "k.npy: kernel matrix of 40 × 40 numbers" in texts(app)
    run(app, [10, 10])
    table, *_ = (item.value for item in app.dataframe if "folds" in item.value.columns)
    assert table["kernel"].tolist()[1] == "Own kernel matrix"
    ours, own = table["accuracy (%)"].tolist()[:2]
    assert own == ours, "the size kernel, from a file"
    assert app.segmented_control(key="closer").options == ["size", "own matrix"]
    app.segmented_control(key="closer").set_value("own").run()
    assert not app.exception
    assert files["own-npy"].name in files["script"].make()
    np.testing.assert_array_equal(np.load(io.BytesIO(files["own-npy"].make())), own_values())
    app.segmented_control(key="compare-view").set_value("training").run()
    app.button(key="growth-run").click().run()
    wait_until(app, lambda app: app.button(key="growth-run").disabled and not app.get("progress"))
    assert "own," in files["growth-csv"].make()


def own_values():
    return np.load(io.BytesIO(MATRIX))


def test_a_matrix_alone_can_be_run(app):
    app.multiselect(key="methods").set_value([]).run()
    give(app, "upload-matrix", "k.csv", "\n".join(rows_of(own_values())).encode())
    run(app, [10])


def rows_of(matrix):
    return [",".join(map(repr, row)) for row in matrix.tolist()]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (npy(np.eye(39)), "shape 39 × 39, and there are 40 graphs"),
        (npy(np.triu(np.ones((40, 40)))), "not symmetric"),
        (npy(np.full((40, 40), np.nan)), "holds nan"),
        (npy(np.array([{}] * 40)), "could run code"),
    ],
)
def test_matrices_that_are_no_kernels_are_refused(app, content, words):
    give(app, "upload-matrix", "k.npy", content)
    assert any(words in text for text in texts(app))
    assert not any("kernel matrix of 40" in text for text in texts(app))


def test_negative_eigenvalues_are_named_and_fixed_matrices_cannot_be_inductive(app):
    give(app, "upload-matrix", "k.npy", npy(own_values() - np.eye(40)))
    assert any("smallest eigenvalue is -" in warning.value for warning in app.warning)
    app.toggle(key="inductive").set_value(True).run()
    assert refused(app, "cannot be combined with inductive=True")
