"""Growing and routing: equal points stay together, distinct ones part while there is depth."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core.kernels.cluster_tree import grow_tree

TABLES = st.integers(0, 10_000).map(
    lambda seed: np.random.default_rng(seed).integers(0, 4, size=(seed % 60 + 1, 3)).astype(float)
)


@given(TABLES, st.integers(2, 4), st.integers(1, 8), st.integers(0, 5))
def test_training_points_land_where_routing_puts_them(table, branching, depth, seed):
    tree, leaves = grow_tree(table, np.ones(len(table)), branching, depth, seed)
    np.testing.assert_array_equal(tree.route(table), leaves)


@given(TABLES, st.integers(2, 4), st.integers(0, 5))
def test_equal_points_share_a_leaf_and_distinct_ones_part_at_last(table, branching, seed):
    _, leaves = grow_tree(table, np.ones(len(table)), branching, 64, seed)
    for i in range(len(table)):
        same_point = np.all(table == table[i], axis=1)
        np.testing.assert_array_equal(leaves == leaves[i], same_point)


def test_large_sets_are_routed_consistently_although_centroids_come_from_a_sample():
    table = np.random.default_rng(0).normal(size=(5000, 7))
    tree, leaves = grow_tree(table, np.ones(len(table)), 4, 8, 0)
    np.testing.assert_array_equal(tree.route(table), leaves)
    assert tree.hierarchy.n_leaves > 1000


def test_clusters_found_are_the_obvious_ones():
    rng = np.random.default_rng(1)
    centres = np.array([[0, 0], [100, 0], [0, 100], [100, 100]])
    truth = np.repeat(np.arange(4), 50)
    table = centres[truth] + rng.normal(size=(200, 2))
    _, leaves = grow_tree(table, np.ones(200), 4, 1, 0)
    assert len({(a, b) for a, b in zip(truth.tolist(), leaves.tolist(), strict=True)}) == 4


def test_a_frequent_point_counts_as_often_as_it_occurs():
    table = np.array([[0.0], [1.0], [10.0]])
    weights = np.array([1.0, 1.0, 1e6])
    repeated = np.repeat(table, [2, 2, 6], axis=0)
    tree, _ = grow_tree(table, weights, 2, 1, 0)
    assert sorted(tree.centroids[1:, 0] / tree.scale) == [0.5, 10.0]
    other, _ = grow_tree(repeated, np.ones(10), 2, 1, 0)
    assert sorted(other.centroids[1:, 0] / other.scale) == [0.5, 10.0]


def test_huge_and_tiny_coordinates_do_no_harm():
    for size in (1e300, 1e-300):
        table = np.array([[0.0], [1.0], [2.0], [3.0]]) * size
        tree, leaves = grow_tree(table, np.ones(4), 2, 8, 0)
        assert len(set(leaves.tolist())) == 4
        assert np.all(np.isfinite(tree.centroids))


def test_no_points_give_a_single_leaf():
    tree, leaves = grow_tree(np.zeros((0, 3)), np.zeros(0), 4, 8, 0)
    assert tree.hierarchy.n_leaves == 1
    assert leaves.shape == (0,)
