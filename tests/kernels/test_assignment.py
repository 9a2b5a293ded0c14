"""Histogram intersection is the optimal assignment, and unary codes multiply to it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from mpgk_core.kernels.assignment import (
    UnaryColumns,
    code_product,
    node_histograms,
    sum_of_codes,
    unary_codes,
)
from mpgk_core.kernels.hierarchy import Hierarchy, grow_tree
from tests.kernels.oracle import best_assignment, leaf_similarity

SETS = st.lists(st.lists(st.integers(0, 9), max_size=6), min_size=1, max_size=5)
COUNTS = st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=8)


def hierarchy_of_ten():
    points = np.random.default_rng(5).normal(size=(10, 2))
    tree, leaves = grow_tree(points, np.ones(10), 2, 4, 0)
    return tree.hierarchy, leaves


def leaf_histograms(sets, hierarchy, leaves):
    table = np.zeros((len(sets), hierarchy.n_leaves + 1))
    for row, members in zip(table, sets, strict=True):
        np.add.at(row, leaves[members], 1)
    return csr_array(table)


@given(SETS)
def test_intersection_of_histograms_is_the_best_assignment(sets):
    hierarchy, leaves = hierarchy_of_ten()
    similarity = leaf_similarity(hierarchy, leaves)
    histograms = node_histograms(leaf_histograms(sets, hierarchy, leaves), hierarchy).toarray()
    for i, one in enumerate(sets):
        for j, other in enumerate(sets):
            omega = hierarchy.node_weights / hierarchy.denominator
            value = omega @ np.minimum(histograms[i], histograms[j])
            np.testing.assert_allclose(value, best_assignment(similarity[np.ix_(one, other)]))


@given(st.lists(st.lists(st.integers(0, 4), max_size=6), min_size=1, max_size=5), st.booleans())
def test_histograms_count_members_below_every_node_that_weighs(sets, root_weighs):
    """Leaf 4 stands for vertices in no leaf: they hang at the root, on a branch of their own."""
    parents, depths = np.array([-1, 0, 0, 1, 1, 2, 2]), np.array([0, 1, 1, 2, 2, 2, 2])
    weights = np.array([int(root_weighs), 0, 3, 1, 1, 1, 0])
    hierarchy = Hierarchy(parents, depths, weights, 1, np.array([3, 4, 5, 6]))
    above = [{0, 1, 3}, {0, 1, 4}, {0, 2, 5}, {0, 2, 6}, {0, 7}]
    table = csr_array(np.array([[members.count(leaf) for leaf in range(5)] for members in sets]))
    found = node_histograms(table.astype(float), hierarchy)
    assert found.shape == (len(sets), 8)
    weighs = [*(weights > 0), True]
    for row, members in zip(found.toarray(), sets, strict=True):
        expected = [
            weighs[node] * sum(node in above[leaf] for leaf in members) for node in range(8)
        ]
        assert row.tolist() == expected


@given(COUNTS)
def test_unary_codes_multiply_to_minima(counts):
    table = csr_array(np.array(counts, dtype=float))
    codes = unary_codes(table, UnaryColumns.fitting(table))
    minima = np.minimum(table.toarray()[:, np.newaxis], table.toarray()).sum(axis=2)
    np.testing.assert_array_equal((codes @ codes.T).toarray(), minima)


@given(COUNTS, COUNTS)
def test_counts_beyond_training_are_cut_without_changing_products_with_training(known, new):
    known, new = csr_array(np.array(known, dtype=float)), csr_array(np.array(new, dtype=float))
    columns = UnaryColumns.fitting(known)
    product = unary_codes(new, columns) @ unary_codes(known, columns).T
    minima = np.minimum(new.toarray()[:, np.newaxis], known.toarray()).sum(axis=2)
    np.testing.assert_array_equal(product.toarray(), minima)


@given(COUNTS, st.integers(0, 99))
def test_sum_of_codes_equals_the_product_written_out(counts, seed):
    table = csr_array(np.array(counts, dtype=float))
    membership = np.random.default_rng(seed).integers(0, 3, size=(4, len(counts)))
    membership = csr_array(membership.astype(float))
    columns = UnaryColumns.fitting(table)
    expected = (membership @ unary_codes(table, columns)).toarray()
    summed = sum_of_codes(membership, table, columns)
    np.testing.assert_array_equal(summed.toarray(), expected)
    assert np.all(summed.data > 0)


@given(COUNTS, COUNTS)
def test_codes_moved_to_other_columns_keep_what_fits(known, new):
    known, new = csr_array(np.array(known, dtype=float)), csr_array(np.array(new, dtype=float))
    target, source = UnaryColumns.fitting(known), UnaryColumns.fitting(new)
    moved = target.move(unary_codes(new, source), source)
    np.testing.assert_array_equal(moved.toarray(), unary_codes(new, target).toarray())


@given(st.integers(0, 999), st.sampled_from([0.02, 0.3, 0.9]), st.sampled_from([10.0, 2.0**30]))
def test_code_product_is_exact_for_sparse_and_dense_columns(seed, density, largest):
    rng = np.random.default_rng(seed)
    left = rng.integers(0, 5, size=(7, 30)) * (rng.random((7, 30)) < density)
    right = rng.integers(0, 5, size=(9, 30)) * (rng.random((9, 30)) < density)
    left[:, :3] += 1
    right[:, :3] += 1
    weights = rng.integers(0, 900, size=30).astype(float)
    a, b = csr_array(left.astype(float)), csr_array(right.astype(float))
    np.testing.assert_array_equal(code_product(a, b, weights, largest), (left * weights) @ right.T)
    np.testing.assert_array_equal(code_product(a, a, weights, largest), (left * weights) @ left.T)
