"""Before and after: against loops over all vertices, and as laws."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mpgk_core import GraphSet, InvalidGraphError, MessagePassingNodeKernel, orbits
from mpgk_core.edits import (
    compare,
    matched_vertices,
    with_vertex,
    without_edge,
    without_random_edges,
    without_vertices,
)
from tests.edits.versions import editable, graph_of, toggled_edge
from tests.strategies import FEATURES, graphs, shuffled

KERNEL = MessagePassingNodeKernel(features="degree", n_iterations=2)
WAYS = ("R", "A")


def wl_colours(versions, n_iterations, respect_labels):
    """Colours of networkx graphs as nested tuples, which need no common numbering."""
    result = []
    for graph in versions:
        colour = {v: graph.nodes[v].get("label") if respect_labels else "" for v in graph}
        rounds = [colour]
        for _ in range(n_iterations):
            colour = {v: (colour[v], tuple(sorted(colour[u] for u in graph[v]))) for v in graph}
            rounds.append(colour)
        result.append(rounds)
    return result


def convolution_cosine(versions, n_iterations, alpha=0.8, beta=0.2):
    """Cosine of every common vertex with itself, from the recurrence on degrees."""
    A = np.kron([[1, 0], [0, 0]], nx.to_numpy_array(versions[0]))
    n = len(versions[0])
    A[n:, n:] = nx.to_numpy_array(versions[1], nodelist=list(versions[0]))
    x = A.sum(axis=1)
    K = np.outer(x, x)
    for _ in range(n_iterations):
        K = alpha * K + beta * A @ K @ A
    lengths = np.sqrt(K.diagonal())
    same = [K[v, n + v] for v in range(n)]
    return np.divide(
        same, lengths[:n] * lengths[n:], out=np.zeros(n), where=lengths[:n] * lengths[n:] > 0
    ), (lengths[:n] == 0) & (lengths[n:] == 0)


@settings(max_examples=30)
@given(graphs(min_vertices=2), st.data(), st.booleans())
def test_colours_differ_where_those_of_a_loop_differ(graph, data, respect_labels):
    before = GraphSet.from_networkx(graph)
    one, other = data.draw(st.permutations(before.names))[:2]
    after = toggled_edge(before, one, other)
    found = compare(before, after, KERNEL, respect_labels=respect_labels)
    versions = [version.to_networkx()[0] for version in (before, after)]
    old, new = wl_colours(versions, 2, respect_labels)
    expected = [[old[t][v] != new[t][v] for v in graph] for t in range(3)]
    assert found.is_recoloured.tolist() == expected
    np.testing.assert_allclose(found.share_recoloured, np.mean(expected, axis=1))
    assert found.orbits_before.n_orbits == orbits(before, respect_labels=respect_labels).n_orbits


@settings(max_examples=30)
@given(graphs(min_vertices=2), st.integers(0, 9))
def test_convolution_moves_vertices_as_the_recurrence_says(graph, seed):
    before = GraphSet.from_networkx(graph)
    after = without_random_edges(before, before.n_edges // 2, seed)
    versions = [version.to_networkx()[0] for version in (before, after)]
    cosine, is_nothing = convolution_cosine(versions, 2)
    found = compare(before, after, KERNEL)
    expected = np.where(is_nothing, 1.0, cosine)
    np.testing.assert_allclose(found.similarity("R")[2], expected, atol=1e-9)
    np.testing.assert_allclose(
        found.movement["R"][2], np.sqrt(np.maximum(2 - 2 * expected, 0)), atol=1e-6
    )


@settings(max_examples=20)
@given(graphs(min_vertices=2), st.integers(0, 9), FEATURES, st.sampled_from(WAYS))
def test_similarity_is_the_cosine_of_one_kernel_on_both_graphs(graph, seed, features, way):
    before = GraphSet.from_networkx(graph)
    after = without_random_edges(before, before.n_edges // 2, seed)
    kernel = MessagePassingNodeKernel("R", features=features, n_iterations=2, random_state=seed)
    found = compare(before, after, kernel)
    options = kernel.get_params() | {"neighbourhood": way, "normalize": True}
    cosines = MessagePassingNodeKernel(**options).fit([before, after]).kernel_
    n = len(graph)
    there = (cosines.diagonal()[:n] > 0) | (cosines.diagonal()[n:] > 0)
    np.testing.assert_allclose(
        found.similarity(way)[2][there], cosines[:n, n:].diagonal()[there], atol=1e-9
    )
    assert (found.movement[way][2][~there] == 0).all()


@settings(max_examples=15)
@given(editable(), st.integers(0, 9))
def test_no_edit_moves_nothing_whatever_the_order_of_vertices(graph, seed):
    other = GraphSet.from_networkx(shuffled(graph.to_networkx()[0], seed)[0])
    found = compare(graph, other, MessagePassingNodeKernel(n_iterations=3))
    assert not found.is_recoloured.any()
    assert (found.movement["R"] == 0).all()
    assert (found.movement["A"] == 0).all()
    assert found.share_of_orbit_pairs_kept == 1.0
    assert found.names == graph.names


@settings(max_examples=15)
@given(editable(min_vertices=2), st.integers(0, 9))
def test_another_order_of_vertices_gives_the_same_comparison(graph, seed):
    after = without_random_edges(graph, (graph.n_edges + 1) // 2, seed)
    found = compare(graph, after, KERNEL)
    mixed = [
        GraphSet.from_networkx(shuffled(version.to_networkx()[0], seed + i)[0])
        for i, version in enumerate((graph, after))
    ]
    other = compare(*mixed, KERNEL)
    order = [other.names.index(name) for name in found.names]
    np.testing.assert_array_equal(found.is_recoloured, other.is_recoloured[:, order])
    for way in WAYS:
        np.testing.assert_allclose(found.movement[way], other.movement[way][:, order], atol=1e-9)
    assert found.share_of_orbit_pairs_kept == other.share_of_orbit_pairs_kept


@settings(max_examples=15)
@given(graphs(min_vertices=2), st.integers(0, 9))
def test_vertices_that_keep_their_colour_do_not_move(graph, seed):
    """Without labels, kernels see no more of a vertex than its colour one round later."""
    before = GraphSet.from_networkx(graph)
    assume(before.n_edges > 0)
    found = compare(before, without_random_edges(before, 1, seed), KERNEL)
    for way in WAYS:
        assert (found.movement[way][1][~found.is_recoloured[2]] == 0).all()
        assert found.movement[way].max() <= np.sqrt(2) + 1e-9


def test_edges_of_one_orbit_are_worth_the_same():
    ring = GraphSet.from_networkx(nx.cycle_graph(8))
    results = [compare(ring, without_edge(ring, v, (v + 1) % 8), KERNEL) for v in range(8)]
    for v, found in enumerate(results):
        np.testing.assert_array_equal(found.share_recoloured, results[0].share_recoloured)
        for way in WAYS:
            turned = np.roll(results[0].movement[way], v, axis=1)
            np.testing.assert_allclose(found.movement[way], turned, atol=1e-9)


def test_pairs_of_orbits_are_counted_among_common_vertices():
    ring = GraphSet.from_networkx(nx.cycle_graph(6))
    path = without_edge(ring, 0, 5)
    assert compare(ring, path, KERNEL).share_of_orbit_pairs_kept == 3 / 15
    assert compare(path, ring, KERNEL).share_of_orbit_pairs_kept == 1.0
    rigid = graph_of([(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (2, 4), (1, 4)])
    assert orbits(rigid).n_orbits == 6
    assert compare(rigid, ring, KERNEL).share_of_orbit_pairs_kept == 1.0


def test_vertices_of_one_version_alone_are_left_out():
    ring = GraphSet.from_networkx(nx.cycle_graph(6))
    after = with_vertex(without_vertices(ring, [0]), "x", joined_to=[1, 5])
    found = compare(ring, after, KERNEL)
    assert found.names == [1, 2, 3, 4, 5]
    assert found.in_before.tolist() == [1, 2, 3, 4, 5]
    assert found.in_after.tolist() == [0, 1, 2, 3, 4]
    assert found.colours_before.shape == found.colours_after.shape == (3, 6)
    assert not found.is_recoloured.any()
    assert (found.movement["A"] == 0).all()
    with pytest.raises(InvalidGraphError, match="no vertex in common"):
        compare(ring, graph_of([("a", "b")]), KERNEL)


def test_a_vertex_that_loses_all_edges_has_nothing_in_common_with_what_it_was():
    edge = graph_of([(0, 1), (1, 2)])
    found = compare(edge, without_edge(edge, 0, 1), KERNEL)
    for way in WAYS:
        assert found.movement[way][2][0] == pytest.approx(np.sqrt(2))
        assert found.similarity(way)[2][0] == pytest.approx(0.0)


def test_known_orbits_are_not_sought_again():
    ring = GraphSet.from_networkx(nx.cycle_graph(5))
    path = without_edge(ring, 0, 1)
    known = orbits(ring), orbits(path)
    found = compare(ring, path, KERNEL, orbits_before=known[0], orbits_after=known[1])
    assert (found.orbits_before, found.orbits_after) == known
    assert found.n_rounds == 2


@settings(max_examples=40)
@given(editable(), editable())
def test_common_vertices_are_those_of_equal_names(one, other):
    in_one, in_other = matched_vertices(one, other)
    names = [one.names[v] for v in in_one]
    assert names == [other.names[v] for v in in_other]
    assert names == [name for name in one.names if name in other.names]
