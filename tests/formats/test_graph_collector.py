"""The collector that all formats with named vertices share."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core.errors import UnreadableFileError
from mpgk_core.formats import read_tables
from mpgk_core.formats.graph_collector import GraphCollector
from mpgk_core.formats.source import Source


def collector(content=b"", **options) -> GraphCollector:
    return GraphCollector(Source("a.txt", content), "Example", **options)


@given(st.permutations([("v", "a"), ("v", "b"), ("v", "c"), ("e", "ab"), ("e", "cb")]))
def test_vertices_and_edges_come_in_any_order(events):
    graphs = collector()
    graphs.start_graph()
    for kind, name in events:
        if kind == "v":
            graphs.vertex(name)
        else:
            graphs.edge(name[0], name[1])
    tables = graphs.tables()
    found = {frozenset((tables.names[a], tables.names[b])) for a, b in tables.edges.tolist()}
    assert found == {frozenset("ab"), frozenset("bc")}


def test_edges_never_reach_into_another_graph():
    graphs = collector(b"a\nb\na b", place=lambda: 5, place_is_line=False)
    graphs.start_graph()
    graphs.vertex("a")
    graphs.start_graph()
    graphs.vertex("b")
    graphs.edge("a", "b")
    with pytest.raises(UnreadableFileError, match=r"a\.txt, line 3: .* ends at 'a'"):
        graphs.tables()


@pytest.mark.parametrize(
    ("ids", "shown", "names", "columns"),
    [
        ("ab", "xy", ["x", "y"], {"id": ["a", "b"]}),
        ("ab", "ab", ["a", "b"], {}),
        ("01", "xy", ["x", "y"], {}),
        ("12", "xy", ["x", "y"], {}),
        ("21", "xy", ["x", "y"], {"id": [2, 1]}),
        ("ab", "xx", ["a", "b"], {"label": ["x", "x"]}),
        ("ab", "71", [7, 1], {"id": ["a", "b"]}),
    ],
)
def test_people_see_the_names_they_know(ids, shown, names, columns):
    graphs = collector()
    graphs.start_graph()
    for name, other in zip(ids, shown, strict=True):
        graphs.shown_name(graphs.vertex(name), other)
    tables = graphs.tables()
    assert tables.names == names
    assert {key: column.tolist() for key, column in tables.columns.items()} == columns


def test_names_that_count_from_zero_are_not_kept():
    graphs = collector()
    for n in (2, 0, 3):
        graphs.start_graph()
        for i in range(n):
            graphs.vertex(str(i))
    tables = graphs.tables()
    assert tables.names is None
    assert tables.offsets.tolist() == [0, 2, 2, 5]
    assert tables.edges.shape == (0, 2)
    assert tables.graph_set().sizes.tolist() == [2, 0, 3]


def test_what_is_said_last_holds_and_columns_without_values_are_left_out():
    graphs = collector()
    graphs.start_graph()
    vertex = graphs.vertex("a")
    graphs.value(vertex, "x", 1)
    graphs.value(vertex, "x", 2)
    graphs.value(vertex, "y", None)
    graphs.value(vertex, "z", "")
    columns = graphs.tables().columns
    assert list(columns) == ["x"]
    np.testing.assert_array_equal(columns["x"], [2])


def test_classes_count_only_if_every_graph_has_one():
    graphs = collector()
    graphs.start_graph()
    graphs.class_of_graph("x")
    assert graphs.tables().classes.tolist() == ["x"]
    graphs.start_graph()
    assert graphs.tables().classes is None


def test_graphs_without_end_are_refused(monkeypatch):
    monkeypatch.setenv("MPGK_MAX_GRAPHS", "3")
    assert len(read_tables("a.dot", b"graph{}" * 3)) == 3
    with pytest.raises(UnreadableFileError, match="4 graphs, and at most 3 are read"):
        read_tables("a.dot", b"graph{}" * 4)
