"""Large graphs fill their picture, the same way every time."""

import networkx as nx
import numpy as np
import pytest

from mpgk_core.graphs import GraphSet
from mpgk_core.plotting.layouts import graph_layout
from mpgk_core.plotting.spread_layout import diffused_start, is_crowded, spread_layout

LARGE = {
    "random, with parts apart": nx.gnm_random_graph(1_300, 2_600, seed=1),
    "random and dense": nx.gnm_random_graph(1_300, 8_000, seed=1),
    "tree": nx.balanced_tree(2, 10),
    "hubs": nx.barabasi_albert_graph(1_300, 2, seed=1),
    "ring": nx.cycle_graph(1_300),
    "no edges": nx.empty_graph(1_300),
}


@pytest.mark.parametrize("name", LARGE)
def test_no_spot_holds_many_vertices(name):
    graph = GraphSet.from_networkx(LARGE[name])
    places = graph_layout(graph, "spring")
    assert np.abs(places).max() == pytest.approx(1.0)
    assert not is_crowded(places)
    np.testing.assert_array_equal(places, graph_layout(graph, "spring"))


def test_a_large_ring_stays_a_ring():
    places = graph_layout(GraphSet.from_networkx(LARGE["ring"]), "spring")
    np.testing.assert_allclose(np.linalg.norm(places, axis=1), 1.0, atol=0.01)


def test_neighbours_come_nearer_than_strangers():
    adjacency = nx.to_scipy_sparse_array(LARGE["tree"], dtype=np.float64)
    places = spread_layout(adjacency, diffused_start(adjacency, 0), 0)
    ends = np.array(list(LARGE["tree"].edges()))
    near = np.linalg.norm(places[ends[:, 0]] - places[ends[:, 1]], axis=1)
    strangers = np.linalg.norm(places - places[::-1], axis=1)
    assert np.median(near) < np.median(strangers) / 4


def test_a_crowd_is_seen():
    assert is_crowded(np.vstack([np.zeros((10, 2)), np.random.default_rng(0).random((90, 2))]))
    assert is_crowded(np.zeros((5, 2)))
    assert not is_crowded(np.random.default_rng(0).random((1_000, 2)))
