"""What is written as a TU archive is read back, as far as the format can hold it."""

import io
import zipfile

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core import GraphSet, InvalidGraphError
from mpgk_core.formats import read_tables
from mpgk_core.writers import write_graphs
from tests.strategies import graph_lists

FLOATS = st.floats(allow_nan=False, allow_infinity=False)


def with_labels(graphs, labels, attributes=None):
    stacked = GraphSet.from_networkx(graphs, node_label=None, node_attributes=None)
    return GraphSet(stacked.adjacency, stacked.offsets, labels=labels, attributes=attributes)


@given(graph_lists(), st.data())
def test_numbers_come_back_exactly(graphs, data):
    n = sum(map(len, graphs))
    labels = data.draw(st.lists(st.integers(-(2**63) + 1, 2**63 - 1), min_size=n, max_size=n))
    rows = data.draw(st.lists(st.tuples(FLOATS, FLOATS), min_size=n, max_size=n))
    written = with_labels(graphs, labels, rows)
    classes = np.arange(len(graphs)) - 1
    tables = read_tables("graphs.zip", write_graphs(written, "tu", classes))
    again = tables.graph_set()
    assert again.offsets.tolist() == written.offsets.tolist()
    assert (again.adjacency != written.adjacency).nnz == 0
    assert again.labels == labels
    assert again.attributes.tobytes() == written.attributes.tobytes()
    assert tables.classes.tolist() == classes.tolist()
    assert tables.notes == ()


def test_tuples_of_numbers_become_columns():
    written = with_labels([nx.path_graph(2)], [(6, 1), (8, 2)])
    tables = read_tables("graphs.zip", write_graphs(written, "tu"))
    assert tables.graph_set({"label": "label", "label_2": "label"}).labels == [(6, 1), (8, 2)]


@pytest.mark.parametrize("labels", [["C", "O", "C"], [3, (3,), 3], [0.5, 1.5, 0.5], [2**70, 1, 2]])
def test_other_labels_are_numbered_and_explained(labels):
    content = write_graphs(with_labels([nx.path_graph(3)], labels), "tu")
    codes = read_tables("graphs.zip", content).graph_set().labels
    assert all(
        (codes[i] == codes[j]) == (labels[i] == labels[j]) for i in range(3) for j in range(3)
    )
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        meanings = archive.read("graphs/README.txt").decode().splitlines()
    for code, label in zip(codes, labels, strict=True):
        assert f"Node label {code}: {label}" in meanings


def test_classes_of_text_are_numbered_in_their_order():
    graphs = with_labels([nx.path_graph(2), nx.path_graph(3), nx.path_graph(2)], None)
    tables = read_tables("a.zip", write_graphs(graphs, "tu", np.array(["ring", "chain", "ring"])))
    assert tables.classes.tolist() == [1, 0, 1]


def test_self_loops_that_were_kept_are_written():
    loop = GraphSet.from_networkx(nx.Graph([(0, 0), (0, 1)]), self_loops="keep")
    tables = read_tables("a.zip", write_graphs(loop, "tu"))
    assert tables.graph_set(self_loops="keep").n_edges == 2


def test_the_same_graphs_give_the_same_bytes():
    graphs = with_labels([nx.karate_club_graph()], list(range(34)))
    content = write_graphs(graphs, "tu")
    assert content == write_graphs(graphs, "tu")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_a_graph_without_vertices_needs_a_class():
    graphs = with_labels([nx.path_graph(2), nx.empty_graph(0)], None)
    with pytest.raises(InvalidGraphError, match="Graph 1 has no vertices"):
        write_graphs(graphs, "tu")
    tables = read_tables("a.zip", write_graphs(graphs, "tu", np.array([0, 1])))
    assert tables.offsets.tolist() == [0, 2, 2]
