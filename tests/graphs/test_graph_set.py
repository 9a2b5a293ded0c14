"""Every decision about what a graph is, one test each."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from scipy.sparse import csr_array

from mpgk_core import GraphSet, InvalidGraphError, MPGKError
from mpgk_core.graphs import as_graph_set
from tests.strategies import graph_lists


def dense(graphs):
    return graphs.adjacency.toarray()


def test_stacks_graphs_as_a_block_diagonal_matrix():
    graphs = GraphSet.from_networkx([nx.path_graph(2), nx.path_graph(3)])
    expected = np.zeros((5, 5))
    for a, b in [(0, 1), (2, 3), (3, 4)]:
        expected[a, b] = expected[b, a] = 1
    np.testing.assert_array_equal(dense(graphs), expected)
    assert graphs.offsets.tolist() == [0, 2, 5]
    assert graphs.graph_of_vertex.tolist() == [0, 0, 1, 1, 1]
    assert (len(graphs), graphs.n_vertices, graphs.n_edges) == (2, 5, 3)


def test_directed_edges_join_their_ends():
    graphs = GraphSet.from_networkx(nx.DiGraph([(0, 1), (1, 0), (1, 2)]))
    np.testing.assert_array_equal(dense(graphs), [[0, 1, 0], [1, 0, 1], [0, 1, 0]])


def test_parallel_edges_count_once():
    graphs = GraphSet.from_networkx(nx.MultiGraph([(0, 1), (0, 1), (1, 0)]))
    np.testing.assert_array_equal(dense(graphs), [[0, 1], [1, 0]])


def test_edge_weights_do_not_count_and_weight_zero_is_an_edge():
    graph = nx.Graph()
    graph.add_edge(0, 1, weight=7.5)
    graph.add_edge(1, 2, weight=0.0)
    np.testing.assert_array_equal(
        dense(GraphSet.from_networkx(graph)), [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    )


def test_self_loops_are_dropped_unless_kept():
    graph = nx.Graph([(0, 0), (0, 1)])
    np.testing.assert_array_equal(dense(GraphSet.from_networkx(graph)), [[0, 1], [1, 0]])
    kept = GraphSet.from_networkx(graph, self_loops="keep")
    np.testing.assert_array_equal(dense(kept), [[1, 1], [1, 0]])
    assert kept.n_edges == 2
    with pytest.raises(InvalidGraphError, match="'drop' or 'keep'"):
        GraphSet.from_networkx(graph, self_loops="maybe")


def test_isolated_vertices_and_empty_graphs_stay():
    lonely = nx.empty_graph(3)
    graphs = GraphSet.from_networkx([nx.Graph(), lonely, nx.Graph()])
    assert graphs.sizes.tolist() == [0, 3, 0]
    assert graphs.n_edges == 0
    assert [len(graph) for graph in graphs.to_networkx()] == [0, 3, 0]


def test_any_hashable_is_a_vertex_name():
    graph = nx.Graph([("a", (1, 2)), ((1, 2), frozenset([3])), (frozenset([3]), 4.5)])
    graphs = GraphSet.from_networkx(graph)
    assert graphs.names == ["a", (1, 2), frozenset([3]), 4.5]
    assert nx.utils.graphs_equal(graphs.to_networkx()[0], graph)


@given(graph_lists())
def test_networkx_round_trip_keeps_everything(members):
    back = GraphSet.from_networkx(members).to_networkx()
    for before, after in zip(members, back, strict=True):
        assert nx.utils.graphs_equal(before, after)


@given(graph_lists(max_graphs=5))
def test_indexing_and_concatenation_undo_each_other(members):
    graphs = GraphSet.from_networkx(members)
    rebuilt = GraphSet.concatenate([graphs[g] for g in range(len(graphs))])
    np.testing.assert_array_equal(dense(rebuilt), dense(graphs))
    assert rebuilt.names == graphs.names
    assert rebuilt.labels == graphs.labels
    np.testing.assert_array_equal(rebuilt.attributes, graphs.attributes)


def test_slices_lists_masks_and_negative_indices_choose_graphs():
    graphs = GraphSet.from_networkx([nx.path_graph(n) for n in (1, 2, 3, 4)])
    assert graphs[-1].sizes.tolist() == [4]
    assert graphs[1:3].sizes.tolist() == [2, 3]
    assert graphs[[3, 0, 0]].sizes.tolist() == [4, 1, 1]
    assert graphs[np.array([True, False, False, True])].sizes.tolist() == [1, 4]
    assert [member.n_vertices for member in graphs] == [1, 2, 3, 4]
    with pytest.raises(IndexError):
        graphs[4]


def test_reads_labels_and_attributes_under_the_given_names():
    graph = nx.path_graph(2)
    nx.set_node_attributes(graph, {0: "C", 1: "O"}, "atom")
    nx.set_node_attributes(graph, {0: 1.5, 1: 2.5}, "mass")
    nx.set_node_attributes(graph, {0: [1, 2], 1: [3, 4]}, "position")
    graphs = GraphSet.from_networkx(graph, "atom", ["mass", "position"])
    assert graphs.labels == ["C", "O"]
    np.testing.assert_array_equal(graphs.attributes, [[1.5, 1, 2], [2.5, 3, 4]])


def test_graphs_without_labels_have_none():
    graphs = GraphSet.from_networkx(nx.path_graph(3))
    assert graphs.labels is None
    assert graphs.attributes is None


def test_missing_labels_are_named():
    graph = nx.path_graph(3)
    graph.nodes[0]["label"] = "C"
    with pytest.raises(InvalidGraphError, match="Graph 0: node 1 has no 'label'"):
        GraphSet.from_networkx(graph)
    with pytest.raises(InvalidGraphError, match="node 0 has no 'colour'"):
        GraphSet.from_networkx(graph, node_label="colour")


def test_ragged_attributes_are_named():
    graph = nx.path_graph(2)
    graph.nodes[0]["attributes"] = [1.0, 2.0]
    graph.nodes[1]["attributes"] = [1.0]
    with pytest.raises(InvalidGraphError, match=r"node 1 has 1 attributes.*Give every node 2"):
        GraphSet.from_networkx(graph)


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf")])
def test_attributes_that_are_not_finite_are_named(bad):
    graph = nx.path_graph(2)
    graph.nodes[0]["attributes"] = [1.0]
    graph.nodes[1]["attributes"] = [bad]
    with pytest.raises(InvalidGraphError, match="Graph 0: node 1"):
        GraphSet.from_networkx(graph)
    with pytest.raises(InvalidGraphError, match="Vertex 1: attribute 0"):
        GraphSet(csr_array((2, 2)), [0, 2], attributes=[[1.0], [bad]])


def test_attributes_that_are_not_numbers_are_named():
    graph = nx.path_graph(1)
    graph.nodes[0]["attributes"] = ["heavy"]
    with pytest.raises(InvalidGraphError, match="not a number"):
        GraphSet.from_networkx(graph)


def test_labels_must_be_numbers_text_or_tuples():
    graph = nx.path_graph(1)
    graph.nodes[0]["label"] = frozenset([1])
    with pytest.raises(InvalidGraphError, match="of type frozenset"):
        GraphSet.from_networkx(graph)
    graph.nodes[0]["label"] = float("nan")
    with pytest.raises(InvalidGraphError, match="NaN"):
        GraphSet.from_networkx(graph)


@pytest.mark.parametrize("nothing", [[], ()])
def test_no_graphs_is_an_error(nothing):
    with pytest.raises(InvalidGraphError, match="no graphs"):
        as_graph_set(nothing)
    with pytest.raises(InvalidGraphError, match="no graphs"):
        as_graph_set(GraphSet.from_networkx(nx.path_graph(2))[:0])


def test_other_things_than_graphs_are_refused():
    with pytest.raises(MPGKError, match="Graph 1 is of type str"):
        as_graph_set([nx.path_graph(2), "path"])
    with pytest.raises(MPGKError, match="Graph 0 is of type int"):
        as_graph_set(7)


def test_edges_between_graphs_and_wrong_sizes_are_refused():
    with pytest.raises(InvalidGraphError, match="joins graph 0 and graph 1"):
        GraphSet(csr_array([[0, 1], [1, 0]]), [0, 1, 2])
    with pytest.raises(InvalidGraphError, match="offsets must rise"):
        GraphSet(csr_array((2, 2)), [0, 3])
    with pytest.raises(InvalidGraphError, match="must be square"):
        GraphSet(csr_array((2, 3)), [0, 2])
    with pytest.raises(InvalidGraphError, match="1 labels for 2 vertices"):
        GraphSet(csr_array((2, 2)), [0, 2], labels=["C"])
    plain = GraphSet(csr_array((1, 1)), [0, 1])
    labelled = GraphSet(csr_array((1, 1)), [0, 1], labels=["C"])
    with pytest.raises(InvalidGraphError, match="Label all or none"):
        GraphSet.concatenate([labelled, plain])
    wide = GraphSet(csr_array((1, 1)), [0, 1], attributes=[[1.0, 2.0]])
    with pytest.raises(InvalidGraphError, match="different lengths"):
        GraphSet.concatenate([wide, plain])


def test_equal_labels_of_different_types_are_one_label():
    graphs = GraphSet(csr_array((3, 3)), [0, 3], labels=[1, 1.0, True])
    assert len(graphs.label_values) == 1


def test_no_attributes_for_some_vertices_are_refused_but_fine_for_none():
    with pytest.raises(InvalidGraphError, match="for 2 vertices"):
        GraphSet(csr_array((2, 2)), [0, 2], attributes=[])
    assert GraphSet(csr_array((0, 0)), [0, 0], attributes=[]).attributes.shape == (0, 0)
