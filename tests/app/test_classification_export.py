"""Files of the page of graph classification hold what the page shows."""

import csv
import io
import json

import numpy as np
import pytest

from mpgk_core import kernel_pca
from mpgk_core.evaluation import Protocol, evaluate, generate
from mpgk_core.export import GivenSet
from ui.classification import export as classification_export
from ui.classification.export import map_downloads
from ui.shared.widgets import help_of
from ui.sources.sets import ChosenSet

DATA = generate("rings", 10)
CHOSEN = ChosenSet(
    "Rings", DATA.graphs, DATA.classes, "", GivenSet("Rings", DATA.graphs, DATA.classes)
)


@pytest.fixture
def offered(monkeypatch):
    """Collect what is offered, by key, instead of drawing buttons."""
    found = {}
    monkeypatch.setattr(
        classification_export,
        "download_row",
        lambda _, downloads: found.update({item.key: item for item in downloads}),
    )
    return found


def test_folds_hold_what_their_help_promises(offered):
    evaluation = evaluate(DATA.graphs, DATA.classes, "size", Protocol().quick())
    classification_export.classification_downloads(CHOSEN, [evaluation], None)
    folds = offered["csv"]
    rows = list(csv.DictReader(io.StringIO(folds.make())))
    assert len(rows) == 10
    assert {"C", "T", "parameters", "accuracy"} <= set(rows[0])
    promised = "Every fold with its accuracy and the C, T and parameters chosen in it."
    assert help_of(folds.key) == promised


def test_map_kernel_and_graphs_are_those_of_the_page(offered):
    evaluation = evaluate(DATA.graphs, DATA.classes, "size", Protocol().quick())
    gram = np.eye(len(DATA.graphs)) + 0.1
    points = kernel_pca(gram, n_components=2).points
    map_downloads(CHOSEN, evaluation, gram, points)
    assert {name.rsplit("_", 1)[1] for name in (item.name for item in offered.values())} == {
        "map.csv",
        "kernel.csv",
        "kernel.npz",
        "graphs.graphml",
        "graphs.json",
    }
    rows = list(csv.DictReader(io.StringIO(offered["map-csv"].make())))
    assert [row["class"] for row in rows] == list(map(str, DATA.classes))
    np.testing.assert_array_equal(
        [[float(row["axis 1"]), float(row["axis 2"])] for row in rows], points
    )
    assert [row["mostly misclassified"] == "True" for row in rows] == list(
        evaluation.is_mostly_wrong
    )
    np.testing.assert_array_equal(
        np.load(io.BytesIO(offered["map-kernel-npz"].make()))["size"], gram
    )
    lines = list(csv.reader(io.StringIO(offered["map-kernel-csv"].make().decode())))
    np.testing.assert_array_equal([list(map(float, line[3:])) for line in lines[1:]], gram)
    assert len(json.loads(offered["map-json"].make())) == len(DATA.graphs)
    assert offered["map-graphml"].make().count(b"<graph ") == len(DATA.graphs)
