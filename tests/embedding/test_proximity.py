"""Closed forms of skip-gram against their formulas, and laws of all embeddings of vertices."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import GraphSet, orbits
from mpgk_core.embedding.methods import (
    VERTEX_METHODS,
    orbit_separation,
    vertex_plane,
    vertex_vectors,
)
from mpgk_core.embedding.proximity import deepwalk, leading_vectors, line, spectral_embedding
from mpgk_core.errors import InvalidGraphError, InvalidParameterError
from tests.strategies import graphs, shuffled

BARBELL = GraphSet.from_networkx(nx.barbell_graph(10, 10))


def distances(vectors):
    return np.linalg.norm(vectors[:, np.newaxis] - vectors, axis=2)


def absolute(matrix):
    """|M| = U |Λ| U^T, the Gram matrix of U √|Λ|."""
    values, vectors = np.linalg.eigh(matrix)
    return (vectors * np.abs(values)) @ vectors.T


@pytest.mark.parametrize("window", [1, 2, 10])
def test_deepwalk_factorises_the_matrix_of_qiu_et_al(window):
    graph = nx.karate_club_graph()
    adjacency = nx.to_numpy_array(graph, weight=None)
    degrees = adjacency.sum(axis=1)
    walk = adjacency / degrees[:, np.newaxis]
    powers = sum(np.linalg.matrix_power(walk, r) for r in range(1, window + 1))
    matrix = np.log(np.maximum(1, degrees.sum() / window * powers / degrees))
    vectors = deepwalk(GraphSet.from_networkx(graph), dimension=len(graph), window=window)
    np.testing.assert_allclose(vectors @ vectors.T, absolute(matrix), atol=1e-9)


def test_deepwalk_counts_what_sampled_walks_count():
    graph = nx.lollipop_graph(4, 3)
    random = np.random.default_rng(0)
    counts = np.zeros((7, 7))
    vertex, walk = 0, []
    for _ in range(60_000):
        walk.append(vertex)
        vertex = random.choice(list(graph[vertex]))
    for r in (1, 2, 3):
        np.add.at(counts, (walk[:-r], walk[r:]), 1)
    counts = counts + counts.T
    totals = counts.sum(axis=0)
    sampled = np.log(np.maximum(1, counts * counts.sum() / np.outer(totals, totals)))
    vectors = deepwalk(GraphSet.from_networkx(graph), dimension=7, window=3)
    np.testing.assert_allclose(vectors @ vectors.T, absolute(sampled), atol=0.05)


def test_line_is_deepwalk_of_one_step():
    np.testing.assert_array_equal(line(BARBELL), deepwalk(BARBELL, window=1))


def test_spectral_embedding_solves_the_eigenproblem_of_the_walk():
    graph = nx.lollipop_graph(5, 4)
    adjacency = nx.to_numpy_array(graph)
    walk = adjacency / adjacency.sum(axis=1, keepdims=True)
    points = spectral_embedding(GraphSet.from_networkx(graph), 2)
    expected = np.sort(np.linalg.eigvals(walk).real)[::-1][1:3]
    for column, value in zip(points.T[:2], expected, strict=True):
        np.testing.assert_allclose(walk @ column, value * column, atol=1e-9)
        assert np.ptp(column) > 0.1


def test_components_of_a_graph_are_separated_by_the_spectral_embedding():
    graph = nx.disjoint_union(nx.complete_graph(4), nx.complete_graph(3))
    points = spectral_embedding(GraphSet.from_networkx(graph), 1)
    assert len(np.unique(points.round(9))) == 2


def test_equal_eigenvalues_are_kept_together():
    values, vectors = leading_vectors(np.diag([3.0, -2.0, 2.0, 2.0, 0.0]), 2)
    assert sorted(values.tolist()) == [-2.0, 2.0, 2.0, 3.0]
    assert vectors.shape == (5, 4)
    assert leading_vectors(np.zeros((3, 3)), 2)[1].shape == (3, 0)


def test_deepwalk_separates_the_two_ends_of_the_barbell_and_no_orbit():
    separation = orbit_separation(deepwalk(BARBELL), orbits(BARBELL).of_vertex)
    assert separation.n_recovered == 0
    assert separation.largest_spread > 2 * separation.smallest_gap


@pytest.mark.parametrize("method", VERTEX_METHODS)
@settings(max_examples=15)
@given(graph=graphs(min_vertices=1, max_vertices=9), seed=st.integers(0, 999))
def test_the_order_of_vertices_does_not_change_distances(method, graph, seed):
    other, order = shuffled(graph, seed)
    before = distances(vertex_vectors(method, GraphSet.from_networkx(graph)))
    after = distances(vertex_vectors(method, GraphSet.from_networkx(other)))
    np.testing.assert_allclose(after, before[np.ix_(order, order)], atol=1e-6)


@pytest.mark.parametrize("method", VERTEX_METHODS)
@pytest.mark.parametrize("graph", [nx.empty_graph(1), nx.empty_graph(3), nx.path_graph(2)])
def test_tiny_graphs_have_finite_vectors(method, graph):
    graphs_ = GraphSet.from_networkx(graph)
    vectors = vertex_vectors(method, graphs_)
    assert len(vectors) == len(graph)
    assert np.all(np.isfinite(vectors))
    assert vertex_plane(vectors).points.shape == (len(graph), 2)


@pytest.mark.parametrize("method", VERTEX_METHODS)
def test_the_same_graph_gives_the_same_bytes(method):
    again = vertex_vectors(method, GraphSet.from_networkx(nx.barbell_graph(10, 10)))
    assert vertex_vectors(method, BARBELL).tobytes() == again.tobytes()


def test_the_plane_keeps_the_distances_of_two_columns():
    vectors = np.random.default_rng(1).normal(size=(9, 2))
    np.testing.assert_allclose(distances(vertex_plane(vectors).points), distances(vectors))


def test_bad_calls_are_refused():
    with pytest.raises(InvalidParameterError, match="must be one of 'struc2vec'"):
        vertex_vectors("word2vec", BARBELL)
    with pytest.raises(InvalidGraphError, match="one graph"):
        vertex_vectors("degree", GraphSet.from_networkx([nx.path_graph(2), nx.path_graph(3)]))


def test_separation_of_orbits_is_counted_as_defined():
    points = np.array([[0.0], [1.0], [1.5], [9.0], [9.1], [30.0]])
    orbit = np.array([0, 0, 1, 2, 2, 3])
    found = orbit_separation(points, orbit)
    assert (found.n_orbits, found.n_recovered) == (4, 3)  # orbit 0: 1 inside, 0.5 to orbit 1
    assert (found.largest_spread, found.smallest_gap) == (1.0, 0.5)
    assert not found.is_complete
    assert orbit_separation(points[:2], orbit[:2]).smallest_gap is None
    assert orbit_separation(points[:2] * 0, np.array([0, 1])).n_recovered == 0
