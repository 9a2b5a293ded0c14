"""DeepWalk in closed form against its formula, and against walks that are sampled."""

import networkx as nx
import numpy as np
import pytest

from mpgk_core import GraphSet, orbits
from mpgk_core.embedding.deepwalk import deepwalk
from mpgk_core.embedding.methods import orbit_separation
from tests.embedding.factorised import absolute


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


def test_deepwalk_separates_the_two_ends_of_the_barbell_and_no_orbit():
    barbell = GraphSet.from_networkx(nx.barbell_graph(10, 10))
    separation = orbit_separation(deepwalk(barbell), orbits(barbell).of_vertex)
    assert separation.n_recovered == 0
    assert separation.largest_spread > 2 * separation.smallest_gap
