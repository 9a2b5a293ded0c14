"""Trees: weights by depth, paths, and the strong kernel."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core.kernels.cluster_tree import grow_tree
from mpgk_core.kernels.hierarchy import depth_weights
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
