"""The check of a map, edge by edge, and the sets that maps merge."""

from __future__ import annotations

import zlib

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core.automorphism.coloured_part import ColouredPart, WorkBudget
from mpgk_core.automorphism.orbit_search import AutomorphismSearch, DisjointSets, _is_automorphism


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


WORK = {
    "barbell": (20293, 4, 2831358188),
    "cycle": (55235, 1, 3776335883),
    "cubical": (70262, 1, 1769896987),
    "dodecahedral": (91326, 1, 1769896987),
    "Frucht": (70417, 12, 1769896987),
    "Petersen, three times": (271718, 1, 1769896987),
    "random": (5162, 29, 3732005078),
    "regular": (115858, 18, 1769896987),
    "grid": (45926, 6, 571887447),
    "dense": (5194, 16, 877292245),
    "circulant": (80700, 1, 1539116100),
    "caveman": (30392, 4, 3361378325),
    "twisted": (207259, 2, 1769896987),
}
SEARCHED = {
    "barbell": nx.barbell_graph(6, 3),
    "cycle": nx.cycle_graph(9),
    "cubical": nx.cubical_graph(),
    "dodecahedral": nx.dodecahedral_graph(),
    "Frucht": nx.frucht_graph(),
    "Petersen, three times": nx.disjoint_union_all([nx.petersen_graph()] * 3),
    "random": nx.gnp_random_graph(30, 0.15, seed=1),
    "regular": nx.random_regular_graph(3, 20, seed=2),
    "grid": nx.convert_node_labels_to_integers(nx.grid_2d_graph(4, 6)),
    "dense": nx.gnp_random_graph(16, 0.8, seed=3),
    "circulant": nx.circulant_graph(12, [1, 5]),
    "caveman": nx.connected_caveman_graph(4, 4),
    "twisted": nx.disjoint_union(nx.circular_ladder_graph(7), nx.moebius_kantor_graph()),
}


def work(graph):
    """The work that a search takes, and what it finds."""
    adjacency = nx.to_scipy_sparse_array(graph, dtype=np.int64)
    budget = WorkBudget(10**9)
    colours = np.zeros(len(graph), dtype=np.int64)
    part = ColouredPart.from_graph(adjacency.indptr, adjacency.indices, colours, budget)
    found = AutomorphismSearch(part).orbits().first_of_all().tolist()
    return 10**9 - budget.left, len(set(found)), zlib.crc32(repr(part.trace.tolist()).encode())


@pytest.mark.parametrize("name", SEARCHED)
def test_a_search_takes_the_same_work_on_every_machine(name):
    """So a search with a limit ends at the same place everywhere."""
    assert work(SEARCHED[name]) == WORK[name]


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7))))
def test_merged_sets_are_the_connected_components(pairs):
    sets = DisjointSets(8)
    sets.merge(*(np.array([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1)))
    graph = nx.empty_graph(8)
    graph.add_edges_from(pairs)
    expected = {v: min(part) for part in nx.connected_components(graph) for v in part}
    assert sets.first_of_all().tolist() == [expected[v] for v in range(8)]
    assert [sets.first_of(v) for v in range(8)] == [expected[v] for v in range(8)]
