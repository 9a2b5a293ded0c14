"""Spectral embedding against the eigenproblem that it solves."""

import networkx as nx
import numpy as np

from mpgk_core import GraphSet
from mpgk_core.embedding.spectral import spectral_embedding


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
