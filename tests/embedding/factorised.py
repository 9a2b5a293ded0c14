"""What vectors of closed forms are compared with."""

import numpy as np


def absolute(matrix):
    """|M| = U |Λ| U^T, the Gram matrix of U √|Λ|."""
    values, vectors = np.linalg.eigh(matrix)
    return (vectors * np.abs(values)) @ vectors.T
