"""Kernel PCA: distances, signs, degenerate kernels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core import InvalidParameterError, kernel_pca

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
