"""Kernel PCA: distances, signs, degenerate kernels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from mpgk_core import InvalidParameterError, kernel_pca
from mpgk_core.embedding.kernel_pca import _FEW_COLUMNS, _FEW_ROWS, feature_pca

SEEDS = st.integers(0, 9999)


def random_rows(seed, n=12, d=4):
    return np.random.default_rng(seed).normal(size=(n, d)) * [5.0, 2.0, 1.0, 0.5]


@given(SEEDS)
def test_all_axes_together_keep_all_distances(seed):
    rows = random_rows(seed)
    embedding = kernel_pca(rows @ rows.T, n_components=6)
    before = np.linalg.norm(rows[:, np.newaxis] - rows, axis=2)
    after = np.linalg.norm(embedding.points[:, np.newaxis] - embedding.points, axis=2)
    np.testing.assert_allclose(after, before, atol=1e-6)
    assert embedding.explained.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(embedding.points.var(axis=0), embedding.variance, atol=1e-9)


@given(SEEDS, SEEDS)
def test_points_move_with_the_samples_and_keep_their_signs(seed, shuffle_seed):
    rows = random_rows(seed)
    order = np.random.default_rng(shuffle_seed).permutation(len(rows))
    before = kernel_pca(rows @ rows.T, 3).points
    after = kernel_pca(rows[order] @ rows[order].T, 3).points
    np.testing.assert_allclose(after, before[order], atol=1e-6)


@given(SEEDS)
def test_scaling_the_kernel_scales_the_picture(seed):
    rows = random_rows(seed)
    small, large = kernel_pca(rows @ rows.T), kernel_pca(rows @ rows.T * 1e200)
    np.testing.assert_allclose(large.points, small.points * 1e100, rtol=1e-6)
    np.testing.assert_allclose(large.explained, small.explained)


def test_identical_rows_give_identical_points():
    rows = random_rows(1)[[0, 1, 0, 2, 1, 0]]
    points = kernel_pca(rows @ rows.T, 3).points
    assert points[0].tobytes() == points[2].tobytes() == points[5].tobytes()
    assert points[1].tobytes() == points[4].tobytes()


@pytest.mark.parametrize("kernel", [np.zeros((4, 4)), np.ones((4, 4)), np.full((1, 1), 3.0)])
def test_coinciding_points_lie_at_the_origin(kernel):
    embedding = kernel_pca(kernel, 2)
    np.testing.assert_array_equal(embedding.points, np.zeros((len(kernel), 2)))
    np.testing.assert_array_equal(embedding.explained, [0.0, 0.0])


def test_almost_coinciding_points_do_not_blow_up_rounding_errors():
    row = np.array([0.1, 0.2, 0.3])
    kernel = np.full((5, 5), row @ row)
    kernel[2, 2] = np.nextafter(kernel[2, 2], 1)
    assert np.all(kernel_pca(kernel, 2).points == 0.0)


def test_missing_axes_are_zero():
    points = kernel_pca(np.diag([1.0, 2.0]), 3).points
    assert points.shape == (2, 3)
    np.testing.assert_array_equal(points[:, 1:], np.zeros((2, 2)))


def test_empty_kernel_gives_no_points():
    assert kernel_pca(np.zeros((0, 0)), 2).points.shape == (0, 2)


@pytest.mark.parametrize(
    ("kernel", "message"),
    [(np.zeros((2, 3)), "square"), (np.full((2, 2), np.nan), "finite"), (np.zeros(3), "square")],
)
def test_impossible_kernels_are_refused(kernel, message):
    with pytest.raises(InvalidParameterError, match=message):
        kernel_pca(kernel)


def test_number_of_axes_is_checked():
    with pytest.raises(InvalidParameterError, match="n_components"):
        kernel_pca(np.eye(2), 0)


@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        (np.diag([5.0, -3.0, 1.0]), "negative eigenvalues"),
        (np.array([[1.0, 5.0], [5.0, 1.0]]), "negative eigenvalues"),
        (np.array([[1.0, 2.0], [0.0, 1.0]]), "symmetric"),
    ],
)
def test_matrices_that_are_no_kernels_are_refused(kernel, message):
    with pytest.raises(InvalidParameterError, match=message):
        kernel_pca(kernel)


SHAPES = {
    "few columns": (12, 5),
    "few rows": (12, _FEW_COLUMNS + 20),
    "many rows and columns": (_FEW_ROWS + 10, _FEW_COLUMNS + 20),
}
EVERY_SOLVER = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)


def shaped_rows(seed, shape):
    """Rows whose variances differ, so that their axes are well defined."""
    m, p = shape
    return np.random.default_rng(seed).normal(size=(m, p)) * 0.6 ** np.minimum(np.arange(p), 30)


def random_counts(seed, m):
    """Up to three samples per row, about twenty more samples than rows."""
    random = np.random.default_rng(seed)
    return 1 + np.bincount(random.choice(m, size=20), minlength=m).clip(max=2)


def embedded(rows, counts=None, n_components=2):
    counts = np.ones(len(rows), dtype=np.int64) if counts is None else counts
    return feature_pca(csr_array(rows), counts, n_components)


@EVERY_SOLVER
@settings(max_examples=6)
@given(seed=SEEDS)
def test_equals_kernel_pca_of_all_samples(shape, seed):
    rows, counts = shaped_rows(seed, shape), random_counts(seed, shape[0])
    samples = np.repeat(rows, counts, axis=0)
    expected = kernel_pca(samples @ samples.T, 3)
    found = embedded(rows, counts, 3)
    assert found.points.shape == (shape[0], 3)
    np.testing.assert_allclose(np.repeat(found.points, counts, axis=0), expected.points, atol=1e-8)
    np.testing.assert_allclose(found.variance, expected.variance, rtol=1e-8)
    np.testing.assert_allclose(found.explained, expected.explained, rtol=1e-8)


@EVERY_SOLVER
@settings(max_examples=6)
@given(seed=SEEDS)
def test_points_move_with_the_rows_and_keep_their_signs(shape, seed):
    rows, counts = shaped_rows(seed, shape), random_counts(seed, shape[0])
    order = np.random.default_rng(seed + 1).permutation(len(rows))
    before = embedded(rows, counts).points
    np.testing.assert_allclose(
        embedded(rows[order], counts[order]).points, before[order], atol=1e-8
    )


@EVERY_SOLVER
@settings(max_examples=6)
@given(seed=SEEDS, factor=st.sampled_from([1e-100, 0.1, 7.0, 1e100]))
def test_scaling_the_rows_scales_the_picture(shape, seed, factor):
    rows, counts = shaped_rows(seed, shape), random_counts(seed, shape[0])
    before, after = embedded(rows, counts), embedded(rows * factor, counts)
    np.testing.assert_allclose(after.points / factor, before.points, atol=1e-8)
    np.testing.assert_allclose(after.explained, before.explained, rtol=1e-8)


@EVERY_SOLVER
@settings(max_examples=6)
@given(seed=SEEDS)
def test_variance_is_that_of_the_points(shape, seed):
    counts = random_counts(seed, shape[0])
    found = embedded(shaped_rows(seed, shape), counts, 3)
    np.testing.assert_allclose(counts @ found.points, np.zeros(3), atol=1e-8 * counts.sum())
    spread = counts @ found.points**2 / counts.sum()
    np.testing.assert_allclose(found.variance, spread, rtol=1e-8)


def test_axes_of_tiny_variance_are_exact():
    rows = np.random.default_rng(3).normal(size=(40, 2)) * [1.0, 3e-6]
    longest = rows[:, :1] - rows[:, :1].mean()
    other = rows[:, 1] - rows[:, 1].mean()
    other = other - longest[:, 0] * (longest[:, 0] @ other) / (longest[:, 0] @ longest[:, 0])
    found = embedded(rows).points[:, 1]
    np.testing.assert_allclose(np.abs(found), np.abs(other), atol=1e-13)


@EVERY_SOLVER
@pytest.mark.parametrize("value", [0.0, 0.1, 1e9])
def test_equal_rows_lie_at_the_origin(shape, value):
    found = embedded(np.full(shape, value), random_counts(1, shape[0]), 3)
    np.testing.assert_array_equal(found.points, np.zeros((shape[0], 3)))
    np.testing.assert_array_equal(found.variance, np.zeros(3))
    np.testing.assert_array_equal(found.explained, np.zeros(3))


@pytest.mark.parametrize("n_columns", [1, _FEW_COLUMNS + 1])
def test_one_row_lies_at_the_origin(n_columns):
    found = embedded(np.full((1, n_columns), 3.0), np.array([7]))
    np.testing.assert_array_equal(found.points, [[0.0, 0.0]])
    np.testing.assert_array_equal(found.explained, [0.0, 0.0])


@pytest.mark.parametrize("shape", [(0, 0), (0, 5), (0, _FEW_COLUMNS + 1), (3, 0)])
def test_tables_without_entries_give_points_at_the_origin(shape):
    found = feature_pca(csr_array(shape), np.ones(shape[0], dtype=np.int64), 2)
    np.testing.assert_array_equal(found.points, np.zeros((shape[0], 2)))
    np.testing.assert_array_equal(found.variance, [0.0, 0.0])


@EVERY_SOLVER
@settings(max_examples=6)
@given(seed=SEEDS)
def test_axes_beyond_the_rank_are_zero(shape, seed):
    random = np.random.default_rng(seed)
    rows = random.normal(size=(shape[0], 2)) @ random.normal(size=(2, shape[1]))
    found = embedded(rows, random_counts(seed, shape[0]), 4)
    assert np.all(np.abs(found.points[:, :2]).max(axis=0) > 0)
    np.testing.assert_array_equal(found.points[:, 2:], np.zeros((shape[0], 2)))
    assert found.explained.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("n_columns", [2, _FEW_COLUMNS + 1])
def test_more_axes_than_rows_are_filled_with_zeros(n_columns):
    rows = np.zeros((3, n_columns))
    rows[[1, 2], [0, 1]] = [2.0, 1.0]
    found = embedded(rows, n_components=7)
    assert found.points.shape == (3, 7)
    assert found.variance.shape == found.explained.shape == (7,)
    np.testing.assert_array_equal(found.points[:, 2:], np.zeros((3, 5)))
    np.testing.assert_allclose(found.explained[:2], [0.861, 0.139], atol=1e-3)


def test_more_axes_than_a_few_rows_take_the_kernel_between_all_rows():
    shape = (_FEW_ROWS + 5, _FEW_COLUMNS + 1)
    found = embedded(shaped_rows(5, shape), n_components=_FEW_ROWS + 10)
    assert found.points.shape == (shape[0], _FEW_ROWS + 10)
    assert found.explained.sum() == pytest.approx(1.0)


@EVERY_SOLVER
def test_a_large_common_offset_adds_no_axis(shape):
    random = np.random.default_rng(0)
    line = random.normal(size=(shape[0], 1)) @ random.normal(size=(1, shape[1]))
    found = embedded(1000.0 + line, n_components=2)
    np.testing.assert_allclose(found.explained, [1.0, 0.0], atol=1e-6)
    np.testing.assert_array_equal(found.points[:, 1], np.zeros(shape[0]))
