"""Shortest paths and graph size against slow definitions and against GraKeL."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

from mpgk_core.errors import InvalidParameterError, NotFittedError
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.kernels.baselines import GraphSizeKernel, ShortestPathKernel
from tests.grakel_graphs import for_grakel, labelled_graphs
from tests.strategies import graph_lists


def slow_shortest_paths(members, others):
    def histogram(graph):
        counts = {}
        for v, lengths in nx.all_pairs_shortest_path_length(graph):
            for u, length in lengths.items():
                if u != v:
                    key = (graph.nodes[v]["label"], graph.nodes[u]["label"], length)
                    counts[key] = counts.get(key, 0) + 1
        return counts

    left, right = [histogram(g) for g in members], [histogram(g) for g in others]
    return [[sum(n * b.get(key, 0) for key, n in a.items()) for b in right] for a in left]


@settings(max_examples=40)
@given(members=graph_lists(), others=graph_lists())
def test_shortest_path_kernel_equals_its_definition(members, others):
    kernel = ShortestPathKernel(features="labels", normalize=False)
    np.testing.assert_array_equal(
        kernel.fit_transform(members), slow_shortest_paths(members, members)
    )
    np.testing.assert_array_equal(kernel.transform(others), slow_shortest_paths(others, members))


@settings(max_examples=20)
@given(members=graph_lists(), others=graph_lists())
def test_unseen_paths_count_for_the_length_of_a_new_graph(members, others):
    kernel = ShortestPathKernel(features="labels").fit(members)
    own = np.array(slow_shortest_paths(others, others)).diagonal()
    theirs = np.array(slow_shortest_paths(members, members)).diagonal()
    plain = np.array(slow_shortest_paths(others, members), dtype=float)
    lengths = np.sqrt(np.outer(own, theirs))
    expected = np.divide(plain, lengths, out=np.zeros_like(plain), where=lengths > 0)
    np.testing.assert_allclose(kernel.transform(others), expected, atol=1e-12)


@pytest.mark.parametrize("normalize", [False, True])
def test_shortest_path_kernel_equals_grakel(normalize):
    grakel = pytest.importorskip("grakel")
    members = labelled_graphs(20, (4, 12), 0.35)
    theirs = for_grakel(grakel, members)
    peer = grakel.ShortestPath(normalize=normalize).fit_transform(theirs)
    ours = ShortestPathKernel(normalize=normalize).fit_transform(members)
    np.testing.assert_allclose(ours, peer, rtol=1e-9)


def test_without_labels_the_degree_takes_their_place():
    members = [nx.path_graph(4), nx.star_graph(3)]
    for graph in members:
        nx.set_node_attributes(graph, dict(graph.degree), "label")
    bare = [nx.path_graph(4), nx.star_graph(3)]
    np.testing.assert_array_equal(
        ShortestPathKernel(normalize=False).fit_transform(bare),
        slow_shortest_paths(members, members),
    )


def test_size_kernel_sees_numbers_of_vertices_and_edges_only():
    members = [nx.path_graph(5), nx.star_graph(4), nx.cycle_graph(5), nx.empty_graph(0)]
    kernel = GraphSizeKernel().fit_transform(members)
    assert kernel[0, 1] == 1.0
    assert kernel[0, 2] < 1.0
    sizes = np.array([[5, 4], [5, 4], [5, 5], [0, 0]], dtype=float)
    z = (sizes - sizes.mean(axis=0)) / sizes.std(axis=0)
    expected = np.exp(-0.5 * ((z[:, None] - z) ** 2).sum(axis=2))
    np.testing.assert_allclose(kernel, expected)


def test_size_kernel_counts_a_kept_self_loop_as_one_edge():
    looped = nx.path_graph(3)
    looped.add_edge(0, 0)
    looped = GraphSet.from_networkx(
        [looped, nx.empty_graph(0), nx.path_graph(9)], self_loops="keep"
    )
    plain = as_graph_set([nx.cycle_graph(3), nx.empty_graph(0), nx.path_graph(9)])
    np.testing.assert_array_equal(
        GraphSizeKernel().fit_transform(looped), GraphSizeKernel().fit_transform(plain)
    )


def test_size_kernel_checks_gamma():
    with pytest.raises(InvalidParameterError, match="gamma"):
        GraphSizeKernel(gamma=-1.0).fit([nx.path_graph(3)])


def test_size_kernel_must_be_fitted():
    with pytest.raises(NotFittedError, match="fit"):
        GraphSizeKernel().transform([nx.path_graph(3)])
