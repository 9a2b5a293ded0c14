"""Leading eigenvectors, with whole eigenspaces."""

import numpy as np

from mpgk_core.embedding.factorisation import leading_vectors


def test_equal_eigenvalues_are_kept_together():
    values, vectors = leading_vectors(np.diag([3.0, -2.0, 2.0, 2.0, 0.0]), 2)
    assert sorted(values.tolist()) == [-2.0, 2.0, 2.0, 3.0]
    assert vectors.shape == (5, 4)
    assert leading_vectors(np.zeros((3, 3)), 2)[1].shape == (3, 0)
