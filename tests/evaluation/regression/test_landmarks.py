import numpy as np
import pytest
from scipy.sparse import csr_array

from mpgk_core.evaluation.regression.landmarks import LandmarkRegression, Shape
from tests.evaluation.regression.made import random_rows


@pytest.mark.parametrize("most", [0, 3000])
@pytest.mark.parametrize("width", [None, 0.7])
def test_landmarks_are_the_subset_of_regressors_with_the_variance_of_dtc(width, most, monkeypatch):
    monkeypatch.setattr("mpgk_core.evaluation.regression.landmarks._MOST_DIAGONAL", most)
    rows = random_rows(25, 40, 7)
    new = rows.like(csr_array(np.random.default_rng(8).poisson(0.7, (6, 40)).astype(float)))
    y = np.random.default_rng(9).standard_normal((25, 2))
    shape, landmarks, penalty = Shape(width), rows.chosen(np.arange(0, 25, 3)), 0.2
    (model,) = LandmarkRegression.fit([shape], rows, y, landmarks)

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


def by_landmarks(shape, rows, y):
    return LandmarkRegression.fit([shape], rows, y, rows)[0]


def by_eigenvectors(shape, rows, y):
    return LandmarkRegression.exact([shape], rows, y)[0]


@pytest.mark.parametrize("made", [by_landmarks, by_eigenvectors])
@pytest.mark.parametrize("penalty", [0.01, 1.0])
def test_with_all_landmarks_it_is_the_exact_gaussian_process(penalty, made):
    rows = random_rows(20, 30, 11)
    new = rows.like(csr_array(np.random.default_rng(8).poisson(0.7, (6, 30)).astype(float)))
    y = np.random.default_rng(9).standard_normal((20, 1))
    shape = Shape(1.0)
    model = made(shape, rows, y)
    inverse = np.linalg.inv(shape.kernel(rows, rows) + penalty * np.eye(20))
    cross = shape.kernel(new, rows)
    np.testing.assert_allclose(model.means(new, [penalty])[0], cross @ inverse @ y, atol=1e-6)
    expected = 1.0 - np.einsum("ij,jk,ik->i", cross, inverse, cross) + penalty
    np.testing.assert_allclose(model.variances(new, penalty), expected, atol=1e-6)
    assert model.variances(rows, penalty).min() >= penalty


def test_equal_rows_are_no_obstacle_to_the_exact_process():
    rows = random_rows(20, 30, 11).chosen(np.repeat(np.arange(20), 2))
    y = np.random.default_rng(9).standard_normal((40, 1))
    shape, penalty = Shape(1.0), 0.1
    (model,) = LandmarkRegression.exact([shape], rows, y)
    own = shape.kernel(rows, rows)
    expected = own @ np.linalg.solve(own + penalty * np.eye(40), y)
    np.testing.assert_allclose(model.means(rows, [penalty])[0], expected, atol=1e-6)


def test_several_shapes_at_once_are_each_as_alone():
    rows, y = random_rows(25, 40, 7), np.random.default_rng(9).standard_normal((25, 2))
    shapes, landmarks = [Shape(0.7), Shape(None), Shape(2.0)], rows.chosen(np.arange(0, 25, 3))
    for together in (
        LandmarkRegression.fit(shapes, rows, y, landmarks),
        LandmarkRegression.exact(shapes, rows, y),
    ):
        for model in together:
            alone = type(model).exact([model.shape], rows, y)
            if model.landmarks is landmarks:
                alone = type(model).fit([model.shape], rows, y, landmarks)
            np.testing.assert_allclose(
                model.means(rows, [0.3])[0], alone[0].means(rows, [0.3])[0], atol=1e-9
            )
