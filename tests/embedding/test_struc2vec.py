"""struc2vec against loops written from its definition."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import GraphSet, orbits
from mpgk_core.embedding import struc2vec as module
from mpgk_core.embedding.methods import orbit_separation
from mpgk_core.embedding.struc2vec import layer_distances, struc2vec
from mpgk_core.errors import KernelTooLargeError
from tests.strategies import graphs


def warping(first, second):
    """Dynamic time warping, by recursion."""
    cost = max(first[-1], second[-1]) / min(first[-1], second[-1]) - 1
    before = [
        warping(a, b)
        for a, b in [(first[:-1], second[:-1]), (first[:-1], second), (first, second[:-1])]
        if a and b
    ]
    return cost + (min(before) if before else 0)


def distances_by_loops(graph, n_layers):
    """f_k(u, v) where both rings exist."""
    degree = {v: max(d, 0.5) for v, d in graph.degree()}
    steps = dict(nx.all_pairs_shortest_path_length(graph))
    found = {}
    for u in graph:
        for v in set(graph) - {u}:
            total = 0.0
            for k in range(n_layers):
                rings = [sorted(degree[w] for w, d in steps[x].items() if d == k) for x in (u, v)]
                if not all(rings):
                    break
                total += warping(*rings)
                found[k, u, v] = total
    return found


def pairs_by_single_steps(weights, stay, window, length):
    """Expected pairs, following the walk of (vertex, layer) one change or step at a time."""
    n_layers, n = weights.shape[:2]
    step = np.zeros((n_layers * n, n_layers * n))
    change = np.zeros_like(step)
    for k in range(n_layers):
        present = weights[k][weights[k] > 0]
        for u in range(n):
            if weights[k, u].sum() == 0:
                continue
            step[k * n + u, k * n : (k + 1) * n] = weights[k, u] / weights[k, u].sum()
            up = 0.0
            if k + 1 < n_layers and weights[k + 1, u].sum() > 0:
                up = np.log(np.e + sum(w > present.mean() for w in weights[k, u]))
            down = float(k > 0)
            if up + down == 0:
                change[k * n + u, k * n + u] = 1.0
            if up:
                change[k * n + u, (k + 1) * n + u] = up / (up + down)
            if down:
                change[k * n + u, (k - 1) * n + u] = down / (up + down)
    recorded = np.zeros_like(step)
    waiting = np.eye(n_layers * n)
    for _ in range(200):  # changes of the layer before the next step
        recorded += stay * waiting @ step
        waiting = (1 - stay) * waiting @ change
    vertex_of_state = np.tile(np.eye(n), (n_layers, 1))
    pairs = np.zeros((n, n))
    now = np.r_[np.ones(n), np.zeros((n_layers - 1) * n)]
    for i in range(length):
        later = np.diag(now)
        for _ in range(min(window, length - 1 - i)):
            later = later @ recorded
            pairs += vertex_of_state.T @ later @ vertex_of_state
        now = now @ recorded
    return pairs + pairs.T


@settings(max_examples=25)
@given(graph=graphs(min_vertices=2, max_vertices=6))
def test_layer_distances_follow_the_definition(graph):
    found = layer_distances(GraphSet.from_networkx(graph), 4)
    expected = np.full((len(found), len(graph), len(graph)), np.inf)
    for (k, u, v), value in distances_by_loops(graph, 4).items():
        if k < len(found):
            expected[k, u, v] = value
    np.testing.assert_allclose(found, expected, atol=1e-12)
    assert not any(k >= len(found) for k, *_ in distances_by_loops(graph, 4))


RINGS = st.lists(st.integers(1, 4), min_size=1, max_size=7).map(
    lambda ring: sorted(map(float, ring))
)


@settings(max_examples=100)
@given(rings=st.lists(RINGS, min_size=2, max_size=3))
def test_rings_are_compared_by_dynamic_time_warping(rings):
    found = module._ring_distances([tuple(ring) for ring in rings])
    expected = [[warping(a, b) for b in rings] for a in rings]
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("graph", [nx.lollipop_graph(4, 3), nx.star_graph(3), nx.path_graph(2)])
def test_expected_pairs_follow_the_walk_step_by_step(graph):
    weights = np.exp(-layer_distances(GraphSet.from_networkx(graph), 3))
    found = module._expected_pairs(weights, 0.3, window=3, length=8)
    np.testing.assert_allclose(found, pairs_by_single_steps(weights, 0.3, 3, 8), atol=1e-9)


def test_orbits_of_the_barbell_are_closer_inside_than_between():
    graph = GraphSet.from_networkx(nx.barbell_graph(10, 10))
    separation = orbit_separation(struc2vec(graph), orbits(graph).of_vertex)
    assert separation.n_recovered == separation.n_orbits == 7
    assert separation.largest_spread < separation.smallest_gap


def test_mirrored_vertices_are_closer_to_each_other_than_to_anyone_else():
    karate = nx.karate_club_graph()
    mirrored = nx.disjoint_union(karate, karate)
    mirrored.add_edge(0, 34)
    vectors = struc2vec(GraphSet.from_networkx(mirrored))
    gap = np.linalg.norm(vectors[0] - vectors[34])
    others = np.delete(np.arange(68), [0, 34])
    assert gap < np.linalg.norm(vectors[others] - vectors[0], axis=1).min()


def test_too_large_graphs_are_refused(monkeypatch):
    monkeypatch.setattr(module, "_MAX_CELLS", 5)
    with pytest.raises(KernelTooLargeError, match="Use a smaller graph"):
        struc2vec(GraphSet.from_networkx(nx.star_graph(4)))
