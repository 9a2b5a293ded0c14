"""Vectors of vertices from how often they occur together in random walks, without sampling.

Skip-gram with b negative samples factorises, at its optimum and with enough dimensions, the
matrix log(#(u,v) |D| / (b #(u) #(v))), where #(u,v) counts the pairs of a walk's vertices within a
window, and |D| all of them (Levy & Goldberg 2014). Here the counts are their expected values and
the factorisation is a truncated eigendecomposition of the matrix with its negative entries set to
zero, as Qiu et al. (WSDM 2018) do for DeepWalk and LINE. So there is nothing random, and nothing
is trained.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_EQUAL = 1e-9


def skip_gram_vectors(
    pairs: NDArray[np.float64], dimension: int, negatives: int = 1
) -> NDArray[np.float64]:
    """Return X = U √|Λ| of the leading eigenvectors of M = log max(1, #(u,v) |D| / (b #(u) #(v))).

    Parameters
    ----------
    pairs : ndarray of shape (n, n)
        Expected counts #(u,v), symmetric, in any unit. A vertex without pairs gets zeros.
    dimension : int
        Number of columns; see :func:`leading_vectors`.
    negatives : int
        Number b of negative samples.

    Returns
    -------
    ndarray of shape (n, dimension or more)

    Examples
    --------
    >>> together = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    >>> np.linalg.norm(skip_gram_vectors(together, 2), axis=1).round(3).tolist()
    [0.833, 0.833, 0.0]
    """
    totals = pairs.sum(axis=0)
    expected = negatives * np.outer(totals, totals)
    ratio = np.divide(pairs * totals.sum(), expected, out=np.ones_like(pairs), where=expected > 0)
    values, vectors = leading_vectors(np.log(np.maximum(ratio, 1.0)), dimension)
    return vectors * np.sqrt(np.abs(values))


def leading_vectors(
    matrix: NDArray[np.float64], dimension: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the eigenvalues of largest magnitude, and their eigenvectors.

    Eigenspaces are kept whole: where the cut would fall between equal eigenvalues, all of them are
    taken. Distances between rows then do not depend on the order of the vertices.

    Parameters
    ----------
    matrix : ndarray of shape (n, n)
        Symmetric.
    dimension : int

    Returns
    -------
    values : ndarray of shape (k,)
    vectors : ndarray of shape (n, k)
        k is ``dimension``, fewer where there are fewer non-zero eigenvalues, or more where
        eigenvalues are equal.
    """
    values, vectors = np.linalg.eigh(matrix)
    sizes = np.abs(values)
    order = np.argsort(-sizes, kind="stable")
    nothing = _EQUAL * sizes.max(initial=0.0)
    limit = sizes[order[dimension - 1]] - nothing if dimension < len(order) else 0.0
    kept = order[sizes[order] >= max(limit, nothing)] if nothing > 0 else order[:0]
    return values[kept], vectors[:, kept]
