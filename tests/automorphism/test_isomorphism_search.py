"""The check of a map, edge by edge, and the sets that maps merge."""

from __future__ import annotations

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core.automorphism.isomorphism_search import DisjointSets, _is_automorphism


def is_automorphism(graph, colours, image, moved):
    adjacency = nx.to_scipy_sparse_array(graph, dtype=np.int64)
    indptr, indices = adjacency.indptr.astype(np.int64), adjacency.indices.astype(np.int64)
    given = (np.asarray(part, dtype=np.int64) for part in (colours, image, moved))
    return bool(_is_automorphism(indptr, indices, *given))


@st.composite
def maps(draw):
    """A graph with colours, and a map of its vertices that leaves some of them in place."""
    n = draw(st.integers(1, 6))
    pairs = [(i, j) for i in range(n) for j in range(i)]
    graph = nx.empty_graph(n)
    graph.add_edges_from(draw(st.lists(st.sampled_from(pairs))) if pairs else ())
    colours = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    moved = sorted(draw(st.sets(st.integers(0, n - 1), min_size=1)))
    image = list(range(n))
    for v, target in zip(moved, draw(st.permutations(moved)), strict=True):
        image[v] = target
    return graph, colours, image, moved


@given(maps())
def test_a_map_is_an_automorphism_if_it_keeps_colours_and_edges(given_map):
    graph, colours, image, moved = given_map
    keeps_colours = all(colours[v] == colours[image[v]] for v in graph)
    keeps_edges = all(
        graph.has_edge(v, u) == graph.has_edge(image[v], image[u]) for v in graph for u in graph
    )
    assert is_automorphism(graph, colours, image, moved) == (keeps_colours and keeps_edges)


@given(st.integers(2, 6), st.data())
def test_a_map_onto_fewer_vertices_is_no_automorphism(n, data):
    image = data.draw(st.lists(st.integers(0, n - 1), min_size=n, max_size=n))
    expected = len(set(image)) == n
    assert is_automorphism(nx.empty_graph(n), [0] * n, image, range(n)) == expected
    assert is_automorphism(nx.complete_graph(n), [0] * n, image, range(n)) == expected


def test_a_vertex_of_another_degree_is_no_image():
    path = nx.path_graph(3)
    assert not is_automorphism(path, [0, 0, 0], [1, 0, 2], [0, 1])
    assert is_automorphism(path, [0, 0, 0], [2, 1, 0], [0, 2])
    assert not is_automorphism(path, [0, 0, 1], [2, 1, 0], [0, 2])


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7))))
def test_merged_sets_are_the_connected_components(pairs):
    sets = DisjointSets(8)
    sets.merge(*(np.array([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1)))
    graph = nx.empty_graph(8)
    graph.add_edges_from(pairs)
    expected = {v: min(part) for part in nx.connected_components(graph) for v in part}
    assert sets.first_of_all().tolist() == [expected[v] for v in range(8)]
    assert [sets.first_of(v) for v in range(8)] == [expected[v] for v in range(8)]
