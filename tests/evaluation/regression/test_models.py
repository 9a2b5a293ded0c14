import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from mpgk_core.errors import InvalidGraphError
from mpgk_core.evaluation.regression.models import ridge_by_descent, ridge_path
from mpgk_core.evaluation.regression.rows import ScaledRows
from tests.evaluation.regression.made import random_rows


@given(st.integers(3, 25), st.integers(1, 25), st.integers(0, 99), st.sampled_from([1e-2, 1.0, 30]))
@settings(deadline=None)
def test_ridge_is_the_definition_for_any_shape(n, d, seed, penalty):
    rows = random_rows(n, d, seed)
    y = np.random.default_rng(seed + 1).standard_normal((n, 2))
    x = rows.dense()
    expected = np.linalg.solve(x.T @ x + penalty * np.eye(d), x.T @ y)
    np.testing.assert_allclose(ridge_path(rows, y, [penalty])[0], expected, atol=1e-8)
    found = ridge_by_descent(rows, y, np.full(2, penalty), tolerance=1e-12)
    np.testing.assert_allclose(found.weights, expected, atol=1e-7)


def test_descent_takes_a_penalty_for_every_target_and_starts_anywhere():
    rows = random_rows(30, 12, 3)
    y = np.random.default_rng(0).standard_normal((30, 2))
    start = np.random.default_rng(1).standard_normal((12, 2))
    found = ridge_by_descent(rows, y, np.array([0.1, 10.0]), start, tolerance=1e-12)
    one, two = ridge_path(rows, y, [0.1, 10.0])
    expected = np.column_stack([one[:, 0], two[:, 1]])
    np.testing.assert_allclose(found.weights, expected, atol=1e-8)
    assert found.residual <= 1e-12


def test_descent_tells_where_it_gave_up():
    found = ridge_by_descent(random_rows(30, 12, 3), np.ones((30, 1)), np.array([0.1]), max_steps=0)
    assert found.n_steps == 0


def test_scaled_rows_have_mean_zero_and_mean_squared_length_one():
    rows = random_rows(20, 7, 5)
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
