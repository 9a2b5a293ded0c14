"""node2vec in closed form: sampled walks, DeepWalk as a special case, and its bounds."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import GraphSet, orbits
from mpgk_core.embedding import node2vec as module
from mpgk_core.embedding.deepwalk import deepwalk
from mpgk_core.embedding.methods import orbit_separation
from mpgk_core.embedding.node2vec import node2vec
from mpgk_core.errors import InvalidParameterError, KernelTooLargeError
from tests.embedding.factorised import absolute
from tests.strategies import graphs


def sampled_pairs(graph, p, q, window, length, n_walks):
    """Count pairs in walks that start on a random arc, as the authors' program draws them."""
    random = np.random.default_rng(0)
    arcs = [*graph.edges, *((v, u) for u, v in graph.edges)]
    counts = np.zeros((len(graph), len(graph)))
    for start in random.integers(len(arcs), size=n_walks):
        walk = list(arcs[start])
        while len(walk) < 1 + length + window:
            u, v = walk[-2:]
            choices = sorted(graph[v])
            weights = [1 / p if w == u else 1 if w in graph[u] else 1 / q for w in choices]
            walk.append(random.choice(choices, p=np.array(weights) / sum(weights)))
        for i in range(1, length + 1):
            np.add.at(counts, (walk[i], walk[i + 1 : i + 1 + window]), 1)
    return counts + counts.T


@pytest.mark.parametrize(("p", "q"), [(1.0, 2.0), (0.25, 4.0), (4.0, 0.5)])
def test_it_counts_what_sampled_walks_count(p, q):
    graph = nx.lollipop_graph(4, 3)
    counts = sampled_pairs(graph, p, q, window=3, length=10, n_walks=4_000)
    totals = counts.sum(axis=0)
    sampled = np.log(np.maximum(1, counts * counts.sum() / np.outer(totals, totals)))
    options = {"dimension": 7, "window": 3, "length": 10}
    vectors = node2vec(GraphSet.from_networkx(graph), p=p, q=q, **options)
    np.testing.assert_allclose(vectors @ vectors.T, absolute(sampled), atol=0.08)
    other = node2vec(GraphSet.from_networkx(graph), p=1 / p, q=1 / q, **options)
    assert np.abs(other @ other.T - absolute(sampled)).max() > 0.16, "p and q would not matter"


@settings(max_examples=25)
@given(graph=graphs(min_vertices=1, max_vertices=8), window=st.integers(1, 5))
def test_without_a_preference_it_is_deepwalk(graph, window):
    given_graph = GraphSet.from_networkx(graph)
    found, expected = (
        vectors @ vectors.T
        for vectors in (
            node2vec(given_graph, p=1.0, q=1.0, window=window),
            deepwalk(given_graph, window=window),
        )
    )
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_walks_that_never_turn_back_go_round_a_ring():
    ring = GraphSet.from_networkx(nx.cycle_graph(9))
    vectors = node2vec(ring, dimension=9, p=1e9, q=1.0, window=2)
    similarity = vectors @ vectors.T
    expected = np.log([1, 9 / 4, 9 / 4, 1, 1, 1, 1, 9 / 4, 9 / 4])  # two steps to either side
    circulant = np.array([np.roll(expected, v) for v in range(9)])
    np.testing.assert_allclose(similarity, absolute(circulant), atol=1e-6)


def test_even_its_setting_for_structural_roles_places_by_proximity():
    barbell = GraphSet.from_networkx(nx.barbell_graph(10, 10))
    separation = orbit_separation(node2vec(barbell), orbits(barbell).of_vertex)
    assert separation.n_recovered <= 1  # the two vertices in the middle are neighbours
    assert separation.largest_spread > 2 * separation.smallest_gap


@pytest.mark.parametrize("wrong", [{"p": 0}, {"q": -1.0}, {"q": float("nan")}])
def test_weights_of_moves_must_be_above_zero(wrong):
    with pytest.raises(InvalidParameterError, match=f"'{next(iter(wrong))}'.*above 0"):
        node2vec(GraphSet.from_networkx(nx.path_graph(3)), **wrong)


def test_too_large_graphs_are_refused(monkeypatch):
    monkeypatch.setattr(module, "_MAX_PRODUCTS", 5)
    with pytest.raises(KernelTooLargeError, match="Use a smaller graph"):
        node2vec(GraphSet.from_networkx(nx.star_graph(4)))
