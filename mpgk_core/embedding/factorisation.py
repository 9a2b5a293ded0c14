"""Vectors out of a symmetric matrix, as skip-gram and spectral embeddings need them.

DeepWalk, LINE, node2vec and struc2vec train skip-gram on pairs of vertices that occur together in
random walks. With b negative samples and enough dimensions this factorises the matrix
log(#(u,v) |D| / (b #(u) #(v))), where #(u,v) counts the pairs of vertices within a window of a
walk, and |D| all pairs (Levy & Goldberg 2014). Here the counts are their expected values, and the
factorisation is a truncated eigendecomposition of the matrix with its negative entries set to zero
(Qiu et al., WSDM 2018). So nothing is sampled and nothing is trained.
"""

from __future__ import annotations

import numpy as np

from mpgk_core.arrays import FloatArray

_EQUAL = 1e-9


def skip_gram_vectors(pairs: FloatArray, dimension: int, negatives: int = 1) -> FloatArray:
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


def leading_vectors(matrix: FloatArray, dimension: int) -> tuple[FloatArray, FloatArray]:
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
