"""Graphs given as matrices, edge arrays and tuples are those that networkx gives."""

from types import SimpleNamespace

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from scipy.sparse import coo_array, csr_array, csr_matrix

from mpgk_core import (
    GraphSet,
    InvalidGraphError,
    MessagePassingGraphKernel,
    MessagePassingNodeKernel,
    orbits,
)
from mpgk_core.content_key import content_key
from mpgk_core.graphs import as_graph_set
from tests.strategies import graph_lists


def key(graphs):
    return content_key(as_graph_set(graphs))


def numbered(members):
    """Return undirected graphs on 0, 1, ..., with whole numbers as labels and no more."""
    plain = []
    for member in members:
        graph = nx.convert_node_labels_to_integers(nx.Graph(member))
        bare = nx.Graph(graph.edges())
        bare.remove_edges_from(nx.selfloop_edges(bare))
        result = nx.empty_graph(len(graph))
        result.add_edges_from(sorted(map(sorted, bare.edges())))
        nx.set_node_attributes(result, {v: result.degree(v) % 3 for v in result}, "label")
        plain.append(result)
    return plain


def as_edge_index(graph):
    both = [pair for a, b in graph.edges() for pair in ((a, b), (b, a))]
    labels = [[graph.nodes[v]["label"]] for v in graph]
    return SimpleNamespace(
        edge_index=np.array(both, dtype=np.int64).reshape(-1, 2).T,
        x=np.array(labels, dtype=np.int64).reshape(-1, 1),
        num_nodes=len(graph),
    )


def as_tuple(graph):
    edges = {pair for a, b in graph.edges() for pair in ((a, b), (b, a))}
    return edges, {v: graph.nodes[v]["label"] for v in graph}, {}


@given(graph_lists())
def test_all_kinds_make_the_same_set(members):
    graphs = numbered(members)
    expected = key(graphs)
    assert key([as_tuple(graph) for graph in graphs]) == expected
    assert key([as_edge_index(graph) for graph in graphs]) == expected
    mixed = [(as_tuple, as_edge_index)[g % 2](graph) for g, graph in enumerate(graphs)]
    assert key(mixed) == expected
    with_networkx = [graph if g % 2 else as_tuple(graph) for g, graph in enumerate(graphs)]
    assert key(with_networkx) == expected


@given(graph_lists())
def test_matrices_make_the_same_set(members):
    graphs = numbered(members)
    for graph in graphs:
        for v in graph:
            del graph.nodes[v]["label"]
    dense = [nx.to_numpy_array(graph) for graph in graphs]
    assert key([csr_array(matrix) for matrix in dense]) == key(graphs)
    assert key([csr_matrix(matrix) for matrix in dense]) == key(graphs)
    assert key([(matrix, {}) for matrix in dense]) == key(graphs)


@pytest.mark.parametrize("kind", [np.array, csr_array, coo_array, csr_matrix])
def test_one_matrix_is_one_graph_wherever_graphs_are_accepted(kind):
    path = nx.path_graph(5)
    matrix = kind(nx.to_numpy_array(path))
    expected = MessagePassingNodeKernel("R").fit(path).kernel_
    np.testing.assert_array_equal(MessagePassingNodeKernel("R").fit(matrix).kernel_, expected)
    assert orbits(matrix).n_orbits == 3


def test_a_stack_of_matrices_is_a_set():
    stack = np.array([nx.to_numpy_array(nx.path_graph(3)), nx.to_numpy_array(nx.cycle_graph(3))])
    kernel = MessagePassingGraphKernel("RR").fit_transform(stack)
    expected = MessagePassingGraphKernel("RR").fit_transform([nx.path_graph(3), nx.cycle_graph(3)])
    np.testing.assert_array_equal(kernel, expected)


def test_entries_are_weights_and_asymmetry_is_a_direction():
    weighted = as_graph_set(np.array([[0, 2.5], [2.5, 0]]))
    assert (weighted.edges.weights.tolist(), weighted.edges.is_directed) == ([2.5], False)
    one_way = as_graph_set(csr_array([[0, 1], [0, 0]]))
    assert (one_way.edges.weights, one_way.edges.is_directed) == (None, True)
    unequal = as_graph_set(np.array([[0, 1.0], [2.0, 0]]))
    assert (unequal.edges.weights.tolist(), unequal.edges.is_directed) == ([1, 2], True)
    stored_zero = coo_array(([0.0, 1.0, 1.0], ([0, 0, 2], [1, 2, 0])), shape=(3, 3))
    assert as_graph_set(stored_zero).n_edges == 1


def test_real_rows_are_attributes_and_whole_ones_labels():
    ends = np.array([[0, 1], [1, 0]])
    rows = np.array([[0.5, 1.0], [2.0, 3.0]])
    data = {"edge_index": ends, "x": rows, "edge_attr": np.array([[4], [4]])}
    graphs = as_graph_set(data)
    assert graphs.labels is None
    np.testing.assert_array_equal(graphs.attributes, rows)
    assert (graphs.edges.labels, graphs.edges.weights) == ([4], None)
    graphs = as_graph_set({**data, "x": rows.astype(int), "edge_attr": np.array([2.5, 2.5])})
    assert (graphs.labels, graphs.attributes) == ([(0, 1), (2, 3)], None)
    assert (graphs.edges.labels, graphs.edges.weights.tolist()) == (None, [2.5])
    hot = {**data, "edge_attr": np.eye(2)[[1, 1]], "edge_weight": np.array([3.0, 3.0])}
    assert as_graph_set(hot).edges.labels == [(0.0, 1.0)]
    assert as_graph_set(hot).edges.weights.tolist() == [3.0]


def test_collections_and_batches_of_edge_arrays_are_sets():
    class Collection(list):
        @property
        def edge_index(self):
            return np.concatenate([graph.edge_index for graph in self], axis=1)

    class Batch:
        edge_index = np.zeros((2, 0), dtype=np.int64)

        def to_data_list(self):
            return [as_edge_index(graph) for graph in graphs]

    graphs = numbered([nx.path_graph(3), nx.star_graph(4)])
    assert key(Collection(map(as_edge_index, graphs))) == key(graphs)
    assert key(Batch()) == key(graphs)


def test_tensors_are_taken_off_their_device():
    class Tensor:
        def __init__(self, values):
            self.values = values

        def detach(self):
            return self

        def cpu(self):
            return np.array(self.values)

    data = SimpleNamespace(edge_index=Tensor([[0, 1], [1, 2]]), x=None, num_nodes=4)
    assert as_graph_set(data).sizes.tolist() == [4]


def test_edges_come_in_every_spelling_of_grakel():
    graph = nx.Graph([("a", "b"), ("b", "c")])
    labels = {v: v.upper() for v in graph}
    nx.set_node_attributes(graph, labels, "label")
    both = [(*p, 1.0) for a, b in graph.edges() for p in ((a, b), (b, a))]
    spellings = [
        {(a, b) for a, b, _ in both},
        both,
        {(a, b): w for a, b, w in both},
        {v: dict.fromkeys(graph[v], 1.0) for v in graph},
        {v: list(graph[v]) for v in graph},
    ]
    for edges in spellings:
        assert key([(edges, labels)]) == key(graph)
    matrix = nx.to_numpy_array(graph).tolist()
    assert as_graph_set([[matrix, ["A", "B", "C"]]]).labels == ["A", "B", "C"]


def test_bonds_and_attributes_of_tuples():
    edges = {(0, 1), (1, 0)}
    graphs = as_graph_set([(edges, {0: [1.0, 2.0], 1: [3.0, 4.0]}, {(0, 1): "="})])
    assert graphs.attributes.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert (graphs.edges.labels, graphs.edges.is_directed) == (["="], False)


def test_grakel_gives_the_same_kernel_from_the_same_tuples():
    grakel = pytest.importorskip("grakel")
    graphs = numbered([nx.path_graph(4), nx.cycle_graph(5), nx.star_graph(4)])
    tuples = [as_tuple(graph) for graph in graphs]
    theirs = grakel.WeisfeilerLehman(n_iter=2, normalize=True).fit_transform(tuples)
    from mpgk_core import WeisfeilerLehmanSubtree

    np.testing.assert_allclose(WeisfeilerLehmanSubtree(2).fit_transform(tuples), theirs, rtol=1e-12)


ENDS = np.array([[0, 1], [1, 0]])


@pytest.mark.parametrize(
    ("graphs", "message"),
    [
        ([np.eye(2), np.zeros((2, 3))], "Graph 1: the adjacency matrix has shape"),
        ([np.array([["a", "b"], ["b", "a"]])], "Graph 0: the adjacency matrix does not hold"),
        ([np.eye(2) * 1j], "complex"),
        ([np.full((2, 2), np.nan)], "weight nan"),
        ([csr_array((2, 2)), 5], "Graph 1 is of type int. Give networkx graphs"),
        ([{"edge_index": ENDS.T[:1].repeat(3, axis=0)}], r"edge_index has shape \(3, 2\)"),
        ([{"edge_index": ENDS * 0.5}], "float64"),
        ([{"edge_index": ENDS, "num_nodes": 1}], "ends at vertex 1, but there are 1"),
        ([{"edge_index": -ENDS}], "ends at vertex -1"),
        ([{"edge_index": ENDS, "x": np.zeros((3, 1)), "num_nodes": 2}], "x has 3 rows for 2"),
        ([{"edge_index": ENDS, "edge_attr": np.zeros((3, 1))}], "edge_attr has 3 rows for 2"),
        ([{"edge_index": ENDS, "x": np.array(["C", "O"])}], "x has shape"),
        ([{"edge_index": ENDS, "x": np.eye(2)}, {"edge_index": ENDS}], "Some graphs have attrib"),
        ([{"edge_index": ENDS, "x": np.eye(2, n)} for n in (2, 3)], r"lengths: \[2, 3\]"),
        ([({(0, 1)}, {0: "C"})], "vertex 1 has no label"),
        ([({(0, 1)}, ["C"])], "1 labels for 2 vertices"),
        ([({(0, 1, "x")}, None)], "is not an edge"),
        ([([7], None)], "is not an edge"),
        ([([[0, 1], [1]], None)], "list of lists is not an adjacency matrix"),
        ([({(0, 1)}, {0: [1.0], 1: [1.0, 2.0]})], "not rows of equally many"),
    ],
)
def test_errors_name_the_graph_and_what_to_do(graphs, message):
    with pytest.raises(InvalidGraphError, match=message):
        as_graph_set(graphs)


def test_self_loops_are_kept_if_wanted():
    matrix = np.array([[1, 1], [1, 0]])
    assert as_graph_set(matrix).n_edges == 1
    assert GraphSet.from_arrays(matrix, self_loops="keep").n_edges == 2
