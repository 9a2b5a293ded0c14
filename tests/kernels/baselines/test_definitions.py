"""Every kernel of other authors against its slow definition, and against GraKeL's.

GraKeL leaves some connected graphlets out: of a triangle with two more edges it finds three paths
of four. So graphlets are compared with their definition alone.
"""

from collections import Counter
from functools import partial
from math import floor

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.kernels.baselines import (
    DeepGraphKernel,
    GraphHopperKernel,
    GraphInvariantKernel,
    GraphletKernel,
    HashGraphKernel,
    PropagationKernel,
    WassersteinWeisfeilerLehman,
    deep_graph,
)
from mpgk_core.kernels.baselines.attributed_vertices import VertexEncoder
from mpgk_core.kernels.baselines.graph_hopper import places_on_paths
from mpgk_core.kernels.baselines.graphlet import graphlet_counts
from mpgk_core.kernels.baselines.wasserstein import transport_cost
from tests.grakel_graphs import attributed_for_grakel, for_grakel, labelled_graphs
from tests.kernels.baselines import oracle
from tests.strategies import graph_lists

BOTH = "labels+attributes"
WAYS = [("linear", None), ("gaussian", 0.7)]
CLOSE = {"rtol": 1e-9, "atol": 1e-9}


def attributed_graphs(n_graphs, sizes, share):
    """Return labelled random graphs without isolated vertices, with attributes too."""
    members = labelled_graphs(n_graphs, sizes, share)
    rng = np.random.default_rng(1)
    for graph in members:
        for v in graph:
            graph.nodes[v]["attributes"] = tuple(rng.normal(size=3))
    return members


@pytest.mark.parametrize(("way", "gamma"), WAYS)
@settings(max_examples=25)
@given(members=graph_lists(max_vertices=5))
def test_graph_hopper_sums_over_pairs_of_shortest_paths(way, gamma, members):
    kernel = GraphHopperKernel(way, gamma or 1.0, features=BOTH, normalize=False)
    expected = oracle.gram(partial(oracle.graph_hopper, gamma=gamma), members)
    np.testing.assert_allclose(kernel.fit_transform(members), expected, **CLOSE)


def test_places_on_paths_of_a_square():
    """From each vertex: itself, two edges, and two paths to the opposite vertex."""
    square = GraphSet.from_networkx(nx.cycle_graph(4))
    adjacency = square.adjacency
    places = places_on_paths(adjacency.indptr.astype(np.int64), adjacency.indices, 0, 4)
    assert places[:, 0].tolist() == [1, 2, 2, 2, 2, 2]


@pytest.mark.filterwarnings("ignore:changing format")
@pytest.mark.parametrize(("way", "gamma"), WAYS)
def test_graph_hopper_equals_grakel(way, gamma):
    grakel = pytest.importorskip("grakel")
    members = attributed_graphs(12, (3, 10), 0.4)
    peer = grakel.GraphHopper(kernel_type=way if gamma is None else (way, gamma))
    theirs = peer.fit_transform(attributed_for_grakel(grakel, members))
    ours = GraphHopperKernel(way, gamma or 1.0, features="attributes", normalize=False)
    np.testing.assert_allclose(ours.fit_transform(members), theirs, rtol=1e-9)


@pytest.mark.parametrize(("way", "gamma"), WAYS)
@settings(max_examples=25)
@given(members=graph_lists(), T=st.integers(0, 3))
def test_graph_invariant_kernel_counts_rounds_of_equal_colours(way, gamma, members, T):
    kernel = GraphInvariantKernel(T, way, gamma or 1.0, features=BOTH, normalize=False)
    expected = oracle.gram(partial(oracle.graph_invariant, n_rounds=T, gamma=gamma), members)
    np.testing.assert_allclose(kernel.fit_transform(members), expected, **CLOSE)


@pytest.mark.parametrize("metric", ["L1", "L2"])
@settings(max_examples=25)
@given(members=graph_lists(), T=st.integers(0, 3), seed=st.integers(0, 99))
def test_propagation_kernel_counts_vertices_in_the_same_bin(metric, members, T, seed):
    kernel = PropagationKernel(T, 0.4, 0.6, metric, BOTH, seed, normalize=False).fit(members)
    names, keys = labels_and_keys(members)

    def bins(graph):
        rounds = []
        for t in range(T + 1):
            u, factors, offsets = kernel._draw(t, keys, 2)
            of_label = dict(zip(names, u, strict=True))
            own = {
                v: np.append(of_label[node["label"]], factors * node["attributes"])
                for v, node in graph.nodes.items()
            }
            now = oracle.diffused(graph, own, t)
            widths = [0.4, 0.6, 0.6]
            rounds.append({v: tuple(np.floor(now[v] / widths + offsets)) for v in graph})
        return rounds

    def compare(a, b):
        return oracle.common_colours(bins(a), bins(b))

    np.testing.assert_array_equal(kernel.fit_transform(members), oracle.gram(compare, members))


def labels_and_keys(members):
    """Return all labels, and the keys by which random numbers are drawn for them."""
    codes, keys, _ = VertexEncoder("labels").fit(as_graph_set(members))
    labels = [graph.nodes[v]["label"] for graph in members for v in graph]
    label_of = dict(zip(codes.tolist(), labels, strict=True))
    return [label_of[code] for code in range(len(keys))], keys


@pytest.mark.filterwarnings("ignore:changing format")
@pytest.mark.parametrize("metric", ["TV", "L1", "L2"])
def test_propagation_kernel_equals_grakel_with_the_same_random_numbers(metric, monkeypatch):
    grakel = pytest.importorskip("grakel")
    members, T = attributed_graphs(12, (3, 10), 0.4), 3
    if metric == "TV":
        peer = grakel.Propagation(t_max=T + 1, w=0.1, M=metric, random_state=3)
        graphs = for_grakel(grakel, members)
    else:
        peer = grakel.PropagationAttr(t_max=T + 1, w=0.1, M=metric, random_state=3)
        graphs = attributed_for_grakel(grakel, members)
    theirs = peer.fit_transform(graphs)

    def draw(_kernel, t, keys, _n_numbers):
        if metric != "TV":
            return np.zeros(len(keys)), peer._u[t], np.append(0.0, peer._b[t] / 0.1)
        u = np.array(
            [peer._u[t][peer._enum_labels[label]] for label in labels_and_keys(members)[0]]
        )
        return u, np.zeros(0), np.array([peer._b[t] / 0.1])

    monkeypatch.setattr(PropagationKernel, "_draw", draw)
    features = "labels" if metric == "TV" else "attributes"
    ours = PropagationKernel(T, 0.1, 0.1, features=features, normalize=False)
    np.testing.assert_array_equal(ours.fit_transform(members), theirs)


@settings(max_examples=25)
@given(members=graph_lists(), T=st.integers(0, 3), seed=st.integers(0, 99))
def test_hash_graph_kernel_is_the_mean_of_subtree_kernels(members, T, seed):
    kernel = HashGraphKernel(T, 3, 0.8, BOTH, seed, normalize=False).fit(members)

    def hashed(i, graph, v):
        direction, offset = kernel._draw(i, 2)
        node = graph.nodes[v]
        return node["label"], floor(direction @ node["attributes"] / 0.8 + offset)

    def compare(a, b):
        starts = [partial(hashed, i) for i in range(3)]
        values = [
            oracle.common_colours(oracle.colours(a, T, start), oracle.colours(b, T, start))
            for start in starts
        ]
        return sum(values) / 3

    np.testing.assert_allclose(kernel.fit_transform(members), oracle.gram(compare, members))


@pytest.mark.parametrize("size", [3, 4])
@settings(max_examples=40)
@given(members=graph_lists(max_vertices=8))
def test_graphlets_are_induced_subgraphs(size, members):
    expected = np.array([oracle.graphlets(graph, size) for graph in members])
    np.testing.assert_array_equal(graphlet_counts(as_graph_set(members), size), expected)
    total = expected.sum(axis=1, keepdims=True)
    shares = expected / np.maximum(total, 1)
    kernel = GraphletKernel(size, normalize=False).fit_transform(members)
    np.testing.assert_allclose(kernel, shares @ shares.T, **CLOSE)


def test_graphlets_of_dense_and_large_graphs():
    """More neighbours than one word has bits, and a self-loop that does not count."""
    whole = nx.complete_graph(150)
    whole.add_edge(0, 0)
    graphs = GraphSet.from_networkx([whole, nx.complete_bipartite_graph(70, 80)], self_loops="keep")
    found = graphlet_counts(graphs, 4)
    assert found[0].tolist() == [0.0] * 10 + [150 * 149 * 148 * 147 / 24]
    assert found[1, 7] == (70 * 69 / 2) * (80 * 79 / 2)
    assert found[1, [4, 5, 8, 9, 10]].tolist() == [0.0] * 5


def words_of(members, substructures, T):
    """Return, for every kind of sentence, the words of every graph."""
    if substructures == "graphlets":
        shares = []
        for size in (3, 4):
            counts = np.array([oracle.graphlets(graph, size) for graph in members], dtype=float)
            shares.append(counts / np.maximum(counts.sum(axis=1, keepdims=True), 1))
        return [[Counter(dict(enumerate(row))) for row in one] for one in shares]
    if substructures == "subtrees":
        rounds = [oracle.colours(graph, T) for graph in members]
        return [[Counter(one[t].values()) for one in rounds] for t in range(T + 1)]
    paths = [
        Counter(
            (graph.nodes[v]["label"], graph.nodes[u]["label"], length)
            for v, lengths in nx.all_pairs_shortest_path_length(graph)
            for u, length in lengths.items()
            if u != v
        )
        for graph in members
    ]
    return [paths]


@pytest.mark.parametrize("substructures", ["subtrees", "paths", "graphlets"])
@settings(max_examples=25)
@given(members=graph_lists(), T=st.integers(0, 2))
def test_deep_graph_kernel_compares_words_by_mutual_information(substructures, members, T):
    kernel = DeepGraphKernel(substructures, T, features="labels", normalize=False)
    expected = oracle.deep(words_of(members, substructures, T), 400)
    np.testing.assert_allclose(kernel.fit_transform(members), expected, **CLOSE)


def test_large_matrices_are_factorised_by_their_largest_eigenvalues():
    noise = np.random.default_rng(0).normal(size=(300, 300))
    matrix = noise + noise.T
    values, vectors = np.linalg.eigh(matrix)
    chosen = np.argsort(-np.abs(values))[:10]
    expected = (vectors[:, chosen] * np.abs(values[chosen])) @ vectors[:, chosen].T
    factor = deep_graph._factor(csr_array(matrix), 10)
    np.testing.assert_allclose(factor @ factor.T, expected, atol=1e-8)


@settings(max_examples=20)
@given(members=graph_lists(max_vertices=5), T=st.integers(0, 2))
def test_wasserstein_kernel_of_labels_moves_vertices_between_colours(members, T):
    def distance(a, b):
        left, right = oracle.colours(a, T), oracle.colours(b, T)

        def differing(v, u):
            pairs = zip(left, right, strict=True)
            return np.mean([one[v] != other[u] for one, other in pairs])

        return oracle.wasserstein(a, b, differing)

    kernel = WassersteinWeisfeilerLehman(T, 0.5, features="labels").fit_transform(members)
    expected = np.exp(-0.5 * oracle.gram(distance, members))
    np.testing.assert_allclose(kernel, expected, rtol=1e-7, atol=1e-9)


@settings(max_examples=20)
@given(members=graph_lists(max_vertices=5), T=st.integers(0, 2))
def test_wasserstein_kernel_of_attributes_moves_propagated_attributes(members, T):
    labels = sorted({graph.nodes[v]["label"] for graph in members for v in graph})
    labels = labels if len(labels) > 1 else []

    def distance(a, b):
        left = oracle.propagated_attributes(a, T, labels)
        right = oracle.propagated_attributes(b, T, labels)
        return oracle.wasserstein(a, b, lambda v, u: np.linalg.norm(left[v] - right[u]))

    kernel = WassersteinWeisfeilerLehman(T, 0.5, features=BOTH)
    expected = np.exp(-0.5 * oracle.gram(distance, members))
    np.testing.assert_allclose(kernel.fit_transform(members), expected, rtol=1e-7, atol=1e-9)
    one, two = kernel.kernels([0.5, 2.0], members)
    np.testing.assert_allclose(one, expected, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(two, expected**4, rtol=1e-7, atol=1e-9)


@settings(max_examples=60)
@given(n=st.integers(1, 9), m=st.integers(1, 9), has_ties=st.booleans(), seed=st.integers(0, 10**6))
def test_transport_costs_are_those_of_the_linear_programme(n, m, has_ties, seed):
    rng = np.random.default_rng(seed)
    costs = rng.integers(0, 4, (n, m)).astype(float) if has_ties else rng.random((n, m))
    assert transport_cost(costs) == pytest.approx(oracle.uniform_transport(costs), abs=1e-9)
