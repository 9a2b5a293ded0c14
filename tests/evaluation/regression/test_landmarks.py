import numpy as np
import pytest
from scipy.sparse import csr_array

from mpgk_core.evaluation.regression.landmarks import LandmarkRegression, Shape
from tests.evaluation.regression.made import random_rows


@pytest.mark.parametrize("width", [None, 0.7])
def test_landmarks_are_the_subset_of_regressors_with_the_variance_of_dtc(width):
    rows = random_rows(25, 40, 7)
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
    rows = random_rows(20, 30, 11)
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
