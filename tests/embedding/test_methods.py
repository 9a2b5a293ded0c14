"""Laws of all other methods, their planes, and how well they separate the orbits."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import GraphSet, colour_refinement, orbits
from mpgk_core.embedding.methods import (
    VERTEX_METHODS,
    method_separation,
    method_trajectory,
    orbit_separation,
    vertex_plane,
    vertex_vectors,
    wl_colours,
)
from mpgk_core.errors import InvalidGraphError, InvalidParameterError
from tests.strategies import graphs, shuffled

BARBELL = GraphSet.from_networkx(nx.barbell_graph(10, 10))
OTHERS = [method for method in VERTEX_METHODS if method != "wl"]


def distances(vectors):
    return np.linalg.norm(vectors[:, np.newaxis] - vectors, axis=2)


def points_of_vertices(way, t):
    return way.point_of_class[t][way.class_of_vertex]


def together(classes):
    """Return which vertices are in one class."""
    classes = np.asarray(classes)
    return classes[:, np.newaxis] == classes


@given(graph=graphs(min_vertices=1, max_vertices=9), n_rounds=st.integers(0, 4))
def test_rounds_of_colours_are_those_of_colour_refinement(graph, n_rounds):
    graph = GraphSet.from_networkx(graph)
    way = method_trajectory("wl", graph, n_rounds)
    assert way.n_rounds == n_rounds
    for t in range(n_rounds + 1):
        colours = colour_refinement(graph, t, respect_labels=True)
        assert np.array_equal(together(points_of_vertices(way, t)), together(colours))
        assert way.n_points(t) == len(set(colours.tolist()))


@pytest.mark.parametrize("method", OTHERS)
def test_other_methods_do_not_move(method):
    graph = GraphSet.from_networkx(nx.barbell_graph(4, 3))
    way = method_trajectory(method, graph, 3)
    assert way.n_rounds == 3
    for values in (way.points, way.point_of_class, way.explained):
        assert all(np.array_equal(values[t], values[0]) for t in range(4))


@pytest.mark.parametrize("method", VERTEX_METHODS)
@settings(max_examples=15)
@given(graph=graphs(min_vertices=1, max_vertices=9))
def test_points_coincide_only_where_vectors_are_equal(method, graph):
    graph = GraphSet.from_networkx(graph)
    vectors = vertex_vectors(method, graph, 2)
    way = method_trajectory(method, graph, 2)
    apart = np.abs(vectors[:, np.newaxis] - vectors).max(axis=2, initial=0)
    is_one = together(points_of_vertices(way, 2))
    assert apart[is_one].max() <= 2e-9 * np.abs(vectors).max(initial=0)
    assert np.all(apart[~is_one] > 0)
    assert np.isfinite(way.points).all()


def test_the_plane_of_a_method_keeps_its_distances():
    graph = GraphSet.from_networkx(nx.barbell_graph(4, 3))
    vectors = vertex_vectors("spectral", graph)
    way = method_trajectory("spectral", graph, 1)
    placed = (way.points[1] * way.scales[1])[way.class_of_vertex]
    gaps = [np.linalg.norm(one[:, np.newaxis] - one, axis=2) for one in (vectors, placed)]
    assert gaps[0] == pytest.approx(gaps[1], abs=1e-9)


@given(
    graph=graphs(min_vertices=1, max_vertices=9),
    n_rounds=st.integers(0, 3),
    classes=st.lists(st.integers(0, 3), min_size=9, max_size=9),
)
def test_colours_are_counted_as_distances_would_be(graph, n_rounds, classes):
    graph = GraphSet.from_networkx(graph)
    for of_vertex in (orbits(graph).of_vertex, np.array(classes[: graph.n_vertices])):
        counted = method_separation("wl", graph, n_rounds, of_vertex)
        measured = orbit_separation(wl_colours(graph, n_rounds), of_vertex)
        assert (counted.n_orbits, counted.n_points) == (measured.n_orbits, measured.n_points)
        assert counted.n_recovered == measured.n_recovered
        assert counted.smallest_gap == pytest.approx(measured.smallest_gap)
        assert counted.largest_spread == pytest.approx(measured.largest_spread)


@pytest.mark.parametrize("method", OTHERS)
def test_other_methods_are_measured(method):
    graph = GraphSet.from_networkx(nx.barbell_graph(4, 3))
    of_vertex = orbits(graph).of_vertex
    vectors = vertex_vectors(method, graph)
    assert method_separation(method, graph, 5, of_vertex) == orbit_separation(vectors, of_vertex)


@pytest.mark.parametrize("method", ["wl", "degree"])
def test_several_graphs_are_refused(method):
    several = GraphSet.from_networkx([nx.path_graph(2), nx.path_graph(3)])
    with pytest.raises(InvalidGraphError, match="one graph"):
        method_trajectory(method, several, 2)
    with pytest.raises(InvalidGraphError, match="one graph"):
        method_separation(method, several, 2, np.zeros(5, dtype=np.int64))


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
