"""Cosine normalisation: every sample gets length one in feature space.

√(a · a) is exactly a, so equal samples get a similarity of exactly one; only where the product
leaves the range of floating-point numbers are the roots taken first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_SMALLEST_EXACT = 1e-145
"""Roots of products below the square of this have lost digits."""


def cosine_normalised(
    kernel: NDArray[np.float64], row_norms: NDArray[np.float64], column_norms: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return k(x, y) / √(k(x, x) k(y, y)); rows and columns of zero length stay zero.

    Parameters
    ----------
    kernel : ndarray of shape (M, N)
    row_norms : ndarray of shape (M,)
        k(x, x) of the rows.
    column_norms : ndarray of shape (N,)
        k(y, y) of the columns.

    Returns
    -------
    ndarray of shape (M, N)

    Examples
    --------
    >>> cosine_normalised(np.array([[4.0, 2.0]]), np.array([4.0]), np.array([4.0, 1.0]))
    array([[1., 1.]])
    """
    with np.errstate(over="ignore"):
        lengths = np.sqrt(np.multiply.outer(row_norms, column_norms))
    out_of_range = ~np.isfinite(lengths) | (lengths < _SMALLEST_EXACT)
    if out_of_range.any():
        roots = np.multiply.outer(np.sqrt(row_norms), np.sqrt(column_norms))
        lengths = np.where(out_of_range, roots, lengths)
    return np.divide(kernel, lengths, out=np.zeros_like(kernel), where=lengths > 0)
