import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from mpgk_core.errors import InvalidGraphError
from mpgk_core.evaluation.regression.solvers import (
    LandmarkRegression,
    ScaledRows,
    Shape,
    ridge_by_descent,
    ridge_path,
)


def _rows(n, d, seed):
    rng = np.random.default_rng(seed)
    return ScaledRows.of_training(rng.poisson(0.7, (n, d)) + rng.random((n, d)) * 0.1)


@given(st.integers(3, 25), st.integers(1, 25), st.integers(0, 99), st.sampled_from([1e-2, 1.0, 30]))
@settings(deadline=None)
def test_ridge_is_the_definition_for_any_shape(n, d, seed, penalty):
    rows = _rows(n, d, seed)
    y = np.random.default_rng(seed + 1).standard_normal((n, 2))
    x = rows.dense()
    expected = np.linalg.solve(x.T @ x + penalty * np.eye(d), x.T @ y)
    np.testing.assert_allclose(ridge_path(rows, y, [penalty])[0], expected, atol=1e-8)
    found = ridge_by_descent(rows, y, np.full(2, penalty), tolerance=1e-12)
    np.testing.assert_allclose(found.weights, expected, atol=1e-7)


def test_descent_takes_a_penalty_for_every_target_and_starts_anywhere():
    rows = _rows(30, 12, 3)
    y = np.random.default_rng(0).standard_normal((30, 2))
    start = np.random.default_rng(1).standard_normal((12, 2))
    found = ridge_by_descent(rows, y, np.array([0.1, 10.0]), start, tolerance=1e-12)
    one, two = ridge_path(rows, y, [0.1, 10.0])
    expected = np.column_stack([one[:, 0], two[:, 1]])
    np.testing.assert_allclose(found.weights, expected, atol=1e-8)
    assert found.residual <= 1e-12


def test_descent_tells_where_it_gave_up():
    found = ridge_by_descent(_rows(30, 12, 3), np.ones((30, 1)), np.array([0.1]), max_steps=0)
    assert found.n_steps == 0


def test_scaled_rows_have_mean_zero_and_mean_squared_length_one():
    rows = _rows(20, 7, 5)
    dense = rows.dense()
    np.testing.assert_allclose(dense.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(np.mean(np.sum(dense**2, axis=1)), 1)
    np.testing.assert_allclose(rows.squared_lengths(), np.sum(dense**2, axis=1), atol=1e-12)
    np.testing.assert_allclose(rows.products(rows), dense @ dense.T, atol=1e-12)
    weights = np.random.default_rng(0).standard_normal((7, 3))
    np.testing.assert_allclose(rows.times(weights), dense @ weights, atol=1e-12)
    values = np.random.default_rng(0).standard_normal((20, 3))
    np.testing.assert_allclose(rows.transposed_times(values), dense.T @ values, atol=1e-12)


def test_equal_rows_are_refused():
    with pytest.raises(InvalidGraphError, match="same features"):
        ScaledRows.of_training(csr_array(np.full((4, 3), 2.0)))


@pytest.mark.parametrize("width", [None, 0.7])
def test_landmarks_are_the_subset_of_regressors_with_the_variance_of_dtc(width):
    rows, new = _rows(25, 40, 7), None
    new = rows.like(csr_array(np.random.default_rng(8).poisson(0.7, (6, 40)).astype(float)))
    y = np.random.default_rng(9).standard_normal((25, 2))
    shape, landmarks, penalty = Shape(width), rows.chosen(np.arange(0, 25, 3)), 0.2
    model = LandmarkRegression.fit(shape, rows, y, landmarks)

    def kernel(a, b):
        if width is None:
            return a @ b.T
        square = ((a[:, None, :] - b[None]) ** 2).sum(-1)
        return np.exp(-square / (2 * width**2))

    x, z, s = rows.dense(), landmarks.dense(), new.dense()
    own, cross, to_new = kernel(z, z), kernel(z, x), kernel(s, z)
    inverse = np.linalg.inv(cross @ cross.T + penalty * own)
    np.testing.assert_allclose(
        model.means(new, [penalty])[0], to_new @ inverse @ cross @ y, atol=1e-5
    )
    expected = (
        np.diag(kernel(s, s))
        - np.einsum("ij,jk,ik->i", to_new, np.linalg.inv(own), to_new)
        + penalty * np.einsum("ij,jk,ik->i", to_new, inverse, to_new)
        + penalty
    )
    np.testing.assert_allclose(model.variances(new, penalty), expected, atol=1e-5)


@pytest.mark.parametrize("penalty", [0.01, 1.0])
def test_with_all_landmarks_it_is_the_exact_gaussian_process(penalty):
    rows = _rows(20, 30, 11)
    new = rows.like(csr_array(np.random.default_rng(8).poisson(0.7, (6, 30)).astype(float)))
    y = np.random.default_rng(9).standard_normal((20, 1))
    shape = Shape(1.0)
    model = LandmarkRegression.fit(shape, rows, y, rows)
    inverse = np.linalg.inv(shape.kernel(rows, rows) + penalty * np.eye(20))
    cross = shape.kernel(new, rows)
    np.testing.assert_allclose(model.means(new, [penalty])[0], cross @ inverse @ y, atol=1e-6)
    expected = 1.0 - np.einsum("ij,jk,ik->i", cross, inverse, cross) + penalty
    np.testing.assert_allclose(model.variances(new, penalty), expected, atol=1e-6)
    assert model.variances(rows, penalty).min() >= penalty
