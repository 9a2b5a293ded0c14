"""Planes of other methods, round by round, and how well they separate the orbits."""

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
    vertex_vectors,
    wl_colours,
)
from mpgk_core.errors import InvalidGraphError
from tests.strategies import graphs

OTHERS = [method for method in VERTEX_METHODS if method != "wl"]


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
