"""Arrays and matrices: short names for their types, conversions, and normalisation."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse

from mpgk_core.errors import KernelOverflowError

BoolArray: TypeAlias = NDArray[np.bool_]
FloatArray: TypeAlias = NDArray[np.float64]
Int32Array: TypeAlias = NDArray[np.int32]
IntArray: TypeAlias = NDArray[np.int64]
UIntArray: TypeAlias = NDArray[np.uint64]
Matrix: TypeAlias = Any
"""A dense ``ndarray`` of floats or a scipy ``csr_array``."""

EXACT_IN_FLOAT64 = float(1 << 53)
"""Sums of whole numbers up to this are the same in any order."""

_SMALLEST_EXACT = 1e-145
"""Roots of products below the square of this have lost digits."""


def as_csr(matrix: Matrix) -> csr_array:
    """Return the matrix in sparse form.

    A dense one is converted here: by way of scipy's other formats it takes three times as long,
    which is most of the time that small graphs need.
    """
    if not isinstance(matrix, np.ndarray):
        return csr_array(matrix)
    if matrix.size and matrix.all():
        n, width = matrix.shape
        columns = np.tile(np.arange(width, dtype=np.int32), n)
        return csr_array((matrix.ravel(), columns, np.arange(n + 1) * width), shape=matrix.shape)
    rows, columns = np.nonzero(matrix)
    starts = np.searchsorted(rows, np.arange(len(matrix) + 1))
    return csr_array((matrix[rows, columns], columns, starts), shape=matrix.shape)


def as_dense(matrix: Matrix) -> FloatArray:
    """Return the matrix in dense form."""
    return matrix.toarray() if issparse(matrix) else np.asarray(matrix)


def membership_matrix(classes: Int32Array, n_classes: int, offsets: IntArray) -> csr_array:
    """Count the vertices of every class in every graph.

    Parameters
    ----------
    classes : ndarray of shape (n,)
        The class of every vertex.
    n_classes : int
    offsets : ndarray of shape (N + 1,)
        The vertices of graph g are ``offsets[g]`` to ``offsets[g + 1]``.

    Returns
    -------
    csr_array of shape (N, n_classes)
        Whole numbers, with sorted indices.
    """
    counts = csr_array(
        (np.ones(len(classes)), classes.copy(), offsets.copy()), shape=(len(offsets) - 1, n_classes)
    )
    counts.sum_duplicates()
    return counts


def refuse_overflow(values: FloatArray) -> FloatArray:
    """Return the values, or raise if any of them is beyond the range of floating-point numbers."""
    if not np.all(np.isfinite(values)):
        raise KernelOverflowError(
            "The kernel values grow beyond the range of floating-point numbers: with neighbourhood "
            "R they rise like degree to the power of T. Choose fewer iterations, or smaller "
            "features, for example features='log-degree'."
        )
    return values


def cosine_normalised(
    kernel: FloatArray, row_norms: FloatArray, column_norms: FloatArray
) -> FloatArray:
    """Return k(x, y) / √(k(x, x) k(y, y)); rows and columns of zero length stay zero.

    √(a · a) is exactly a, so equal samples get a similarity of exactly one; only where the product
    leaves the range of floating-point numbers are the roots taken first.

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
