"""Trees: weights by depth, paths, and the strong kernel."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core.kernels.hierarchy import depth_weights, grow_tree
from tests.kernels.oracle import strong_kernel

POINTS = st.lists(
    st.tuples(st.sampled_from([0.0, 0.5, 1.0, 4.0, 9.0]), st.sampled_from([0.0, 3.0])),
    min_size=1,
    max_size=25,
)
SHAPES = st.tuples(st.integers(2, 5), st.integers(1, 6))


def tree_of(points, shape, seed=0):
    table = np.array(points)
    return grow_tree(table, np.ones(len(table)), *shape, seed)


def test_weights_are_the_papers():
    numerators, denominator = depth_weights(8)
    omega = numerators / denominator
    assert omega[0] == 1.0
    np.testing.assert_allclose(omega[1:], [(s - 1) / s for s in range(1, 9)])


@given(POINTS, SHAPES, st.integers(0, 5))
def test_every_leaf_weighs_what_a_full_chain_to_the_bottom_weighs(points, shape, seed):
    tree, _ = tree_of(points, shape, seed)
    hierarchy = tree.hierarchy
    numerators, denominator = depth_weights(shape[1])
    full = numerators.sum() / denominator
    np.testing.assert_allclose(np.diag(hierarchy.strong_kernel()), full)
    unseen = (hierarchy.weights[0] + hierarchy.node_weights[-1]) / denominator
    assert unseen == pytest.approx(full)
    inner = np.setdiff1d(np.arange(hierarchy.n_nodes), hierarchy.leaf_nodes)
    np.testing.assert_array_equal(hierarchy.weights[inner], numerators[hierarchy.depths[inner]])


@given(POINTS, SHAPES, st.integers(0, 5))
def test_tree_is_a_tree_with_leaves_in_depth_first_order(points, shape, seed):
    tree, leaves = tree_of(points, shape, seed)
    hierarchy = tree.hierarchy
    assert hierarchy.parents[0] == -1
    assert np.all(hierarchy.parents[1:] < np.arange(1, hierarchy.n_nodes))
    np.testing.assert_array_equal(hierarchy.depths[1:], hierarchy.depths[hierarchy.parents[1:]] + 1)
    assert hierarchy.depths.max() <= shape[1]
    assert np.bincount(hierarchy.parents[1:], minlength=1).max(initial=0) <= shape[0]
    assert sorted(set(leaves.tolist())) == list(range(hierarchy.n_leaves))
    for ancestors in hierarchy.paths.T:
        there = ancestors[ancestors >= 0]
        assert np.all(np.diff(there) >= 0)


@given(POINTS, SHAPES, st.integers(0, 5))
def test_strong_kernel_equals_the_weights_of_common_ancestors(points, shape, seed):
    hierarchy = tree_of(points, shape, seed)[0].hierarchy
    matrix = hierarchy.strong_kernel()
    for a in range(hierarchy.n_leaves):
        for b in range(hierarchy.n_leaves):
            assert matrix[a, b] == pytest.approx(strong_kernel(hierarchy, a, b))


@given(POINTS, SHAPES, st.integers(0, 5))
def test_strong_kernel_is_strong(points, shape, seed):
    matrix = tree_of(points, shape, seed)[0].hierarchy.strong_kernel()
    through_third = np.minimum(matrix[:, :, np.newaxis], matrix[np.newaxis]).max(axis=1)
    assert np.all(matrix >= through_third - 1e-12)


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
