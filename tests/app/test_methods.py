"""All methods on one graph: the table, its file and the pictures have the numbers of the engine."""

import csv
import io
import math

import pytest

from mpgk_core import MessagePassingNodeKernel, orbits, verdict
from mpgk_core.embedding.methods import VERTEX_METHODS, orbit_separation, vertex_vectors
from mpgk_core.export import PresetGraph
from tests.app.shown import without_edges
from ui.shared.widgets import help_of

TITLES = {one.title: key for key, one in VERTEX_METHODS.items()}


def scores(app):
    (table,) = [frame.value for frame in app.dataframe if "orbits recovered" in frame.value]
    return table


def expected(graph, **settings):
    """Return what is to be said of every method, computed one by one."""
    found = orbits(graph)
    rows = {}
    for way in ("R", "A"):
        kernel = MessagePassingNodeKernel(way, **settings).fit(graph)
        rows[f"MPGK {way}"] = verdict(graph, kernel, orbits=found)
    for title, key in TITLES.items():
        vectors = vertex_vectors(key, graph, settings["n_iterations"])
        rows[title] = orbit_separation(vectors, found.of_vertex)
    return rows


@pytest.mark.parametrize(
    ("query", "graph"),
    [
        ({"T": "2"}, "barbell"),
        ({"graph": "houses-on-a-ring", "kernel": "A", "T": "3"}, "houses-on-a-ring"),
        ({"graph": "cycle", "T": "1"}, "cycle"),
    ],
)
def test_the_table_has_the_numbers_of_every_method(query, graph, open_playground, charts):
    app = open_playground("methods", **query)
    settings = {"n_iterations": int(query["T"]), "features": "degree-label", "normalize": True}
    rows = expected(PresetGraph(graph, {}).build(), **settings)
    table = scores(app)
    assert list(table["method"]) == list(rows)
    for row, found in zip(table.to_dict("records"), rows.values(), strict=True):
        assert row["orbits"] == found.n_orbits
        assert row["orbits recovered"] == found.n_recovered
        assert row["distinct points"] == found.n_points
        inside, between = found.largest_spread, found.smallest_gap
        assert row["largest distance inside an orbit"] == pytest.approx(inside, abs=1e-9)
        if between is None:
            assert row["smallest distance between orbits"] is None
        else:
            assert row["smallest distance between orbits"] == pytest.approx(between, abs=1e-9)
        if between:
            assert row["inside / between"] == pytest.approx(inside / between, abs=1e-6)
    assert all(f"{title}: {one.summary}" in charts["all-methods"] for title, one in rows.items())


def test_the_file_equals_the_table(open_playground, monkeypatch):
    offered = {}
    monkeypatch.setattr(
        "ui.playground.compare.download_row",
        lambda _, downloads: offered.update({one.key: one for one in downloads}),
    )
    app = open_playground("methods", graph="cycle")
    assert help_of("methods-csv").startswith("The table above")
    content = offered["methods-csv"].make()
    text = content.decode() if isinstance(content, bytes) else content
    head, *rows = csv.reader(io.StringIO(text))
    table = scores(app)
    assert head == list(table.columns)
    for row, shown in zip(rows, table.to_dict("records"), strict=True):
        for name, cell in zip(head, row, strict=True):
            value = shown[name]
            if name == "method":
                assert cell == value
            elif cell == "":
                assert value is None or math.isnan(value)
            else:
                assert float(cell) == pytest.approx(float(value), rel=1e-12)


@pytest.mark.parametrize(
    ("n", "missing"),
    [
        (250, set()),
        (251, {"struc2vec", "node2vec"}),
        (801, {"struc2vec", "node2vec", "deepwalk", "line"}),
        (1_501, {"struc2vec", "node2vec", "deepwalk", "line", "spectral"}),
    ],
)
def test_methods_that_would_take_too_long_are_named(n, missing, open_playground):
    app = open_playground("methods", graph="star", **{"star-n": str(n - 1)})
    shown = set(scores(app)["method"]) - {"MPGK R", "MPGK A"}
    assert {TITLES[title] for title in shown} == VERTEX_METHODS.keys() - missing
    words = [one.value for one in app.caption if "would take long" in one.value]
    assert len(words) == bool(missing)
    for title, key in TITLES.items():
        assert any(title in one for one in words) == (key in missing)


def test_a_graph_without_edges_has_all_methods(open_playground):
    app = open_playground(source="file")
    app.file_uploader(key="upload").set_value([without_edges("abc")]).run()
    app.segmented_control(key="panel").set_value("methods").run()
    assert not app.exception
    assert list(scores(app)["orbits"]) == [1] * (2 + len(VERTEX_METHODS))


def test_names_of_vertices_are_never_markup(open_playground, charts):
    evil = "<img src=x onerror=alert(1)>"
    app = open_playground(source="file")
    file = ("own.csv", f"{evil},b\nb,c\n".encode(), "text/csv")
    app.file_uploader(key="upload").set_value([file]).run()
    app.segmented_control(key="panel").set_value("methods").run()
    assert not app.exception
    (figure,) = app.get("plotly_chart")
    assert evil not in figure.proto.spec
