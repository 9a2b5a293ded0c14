"""What was read is said in one place, with counts, losses and copies."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core import GraphSet
from mpgk_core.formats import counted, n_copies, read_many, read_tables, summary_of, write_graphs
from tests.strategies import graph_lists


def test_one_of_a_thing_is_singular():
    lone = summary_of(GraphSet.from_networkx(nx.empty_graph(1)), "Point")
    assert lone.sentence == "Point: 1 vertex, 0 edges."
    assert counted(2, "vertex", "vertices") == "2 vertices"
    pair = nx.path_graph(2)
    nx.set_node_attributes(pair, "C", "label")
    nx.set_node_attributes(pair, [0.5], "attributes")
    text = summary_of(GraphSet.from_networkx(pair), "Pair").counts
    assert text == "2 vertices, 1 edge, 1 label, 1 attribute per vertex"


def test_classes_are_counted_and_many_are_cut_short():
    graphs = GraphSet.from_networkx([nx.path_graph(n) for n in range(1, 13)])
    two = summary_of(graphs, "Paths", classes=["a", "b", "a"] * 4)
    assert two.counts == "12 graphs, 78 vertices, 66 edges, 2 classes (a: 8, b: 4)"
    many = summary_of(graphs, "Paths", classes=[*range(11), 0])
    assert many.counts.endswith("11 classes (1 to 2 graphs each)")


def test_the_reading_and_all_losses_are_said():
    text = summary_of(read_tables("a.txt", b"1 2 7\n2 1 7\n3 3 1\n")).text
    assert text == (
        "a.txt: 3 vertices, 1 edge, edge weights. Read as an edge list: one edge per line. Every "
        "edge is listed in both directions, and counts once. 1 self-loop is dropped. Kernels "
        "ignore edge weights by default."
    )
    kept = summary_of(read_tables("a.txt", b"1 2\n3 3\n"), self_loops="keep")
    assert (kept.n_edges, kept.losses) == (2, ("1 self-loop is kept.",))
    assert summary_of(read_tables("a.g6", b"Bw\n")).how == "Format: graph6."


def test_columns_that_are_not_used_are_named():
    files = [("v.csv", b"id,label,size\na,C,1\nb,C,2\n"), ("e.csv", b"source,target\na,b\n")]
    (tables,) = read_many(files)
    roles = {"label": "label", "size": "ignore"}
    summary = summary_of(tables, roles=roles)
    assert summary.losses == ("Column not used: size.",)
    assert summary.counts == "2 vertices, 1 edge, 1 label"


def test_classes_belong_to_all_graphs_of_a_file_only():
    graphs = GraphSet.from_networkx([nx.path_graph(2), nx.path_graph(3)])
    tables = read_tables("a.zip", write_graphs(graphs, "tu", np.array([0, 1])))
    assert summary_of(tables).classes == ((0, 1), (1, 1))
    assert summary_of(tables, graphs=tables.graph_set()[1]).classes == ()


@given(graph_lists(min_vertices=1), st.data())
def test_every_copy_is_counted(members, data):
    copies = data.draw(st.lists(st.sampled_from(members), max_size=4))
    once = n_copies(GraphSet.from_networkx(members))
    assert n_copies(GraphSet.from_networkx([*members, *copies])) == once + len(copies)


@pytest.mark.parametrize("change", ["edge", "label", "attribute", "vertex"])
def test_graphs_that_differ_in_anything_are_no_copies(change):
    graph = nx.path_graph(3)
    nx.set_node_attributes(graph, "C", "label")
    nx.set_node_attributes(graph, [0.5], "attributes")
    other = nx.Graph(graph)
    if change == "edge":
        other.add_edge(0, 2)
    elif change == "vertex":
        other.add_node(3, label="C", attributes=[0.5])
    else:
        other.nodes[1].update({"label": {"label": "O"}, "attribute": {"attributes": [1.0]}}[change])
    assert n_copies(GraphSet.from_networkx([graph, other])) == 0
    assert n_copies(GraphSet.from_networkx([graph, graph])) == 1


def test_copies_are_said():
    graphs = GraphSet.from_networkx([nx.path_graph(2)] * 3)
    assert summary_of(graphs, "Edges").remarks == ("2 graphs are identical to others.",)
    assert summary_of(graphs[[0, 1]], "E").remarks == ("1 graph is identical to another one.",)
